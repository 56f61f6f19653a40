// Command serve answers a posted {"columns": [2, 10], "values": [1, 0.5]} with a probability. It loads
// new models. On SIGINT or SIGTERM it answers the requests that it has, and ends.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/lanes-go/lanes/model"
)

var served atomic.Pointer[model.Model]

// watch loads the file whenever it changes. A model without probabilities is not taken.
func watch(path string, every time.Duration) {
	for last := os.FileInfo(nil); ; time.Sleep(every) {
		now, err := os.Stat(path)
		if err != nil || last != nil && os.SameFile(now, last) && now.ModTime().Equal(last.ModTime()) {
			continue
		}
		last = now
		m, err := model.ReadFile(path)
		if err != nil || !m.Logistic() {
			log.Printf("%s has no model with probabilities: %v", path, err)
			continue
		}
		m.About().RefuseUnknown = true
		served.Store(&m)
	}
}

// list is an array of a request, given once and not null.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(text []byte) error {
	if *l != nil || bytes.Equal(text, []byte("null")) {
		return errors.New("columns and values are arrays, each given once")
	}
	return json.Unmarshal(text, (*[]T)(l))
}

// row is a request. Columns count from 0; without values, all are 1.
type row struct {
	Columns list[int]     `json:"columns"`
	Values  list[float64] `json:"values"`
}

func read(body io.Reader) (r row, err error) {
	d := json.NewDecoder(body)
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return r, err
	}
	if _, err := d.Token(); err != io.EOF {
		return r, errors.New("a request is one JSON object and nothing else")
	}
	if r.Columns == nil {
		return r, errors.New(`a request is an object such as {"columns": [2, 10], "values": [1, 0.5]}`)
	}
	return r, nil
}

func serve(w http.ResponseWriter, r *http.Request) {
	m := served.Load()
	if m == nil {
		http.Error(w, "there is no model yet", http.StatusServiceUnavailable)
		return
	}
	p := 0.0
	row, err := read(http.MaxBytesReader(w, r.Body, 1<<20))
	if err == nil {
		p, err = (*m).Probability(row.Columns, row.Values)
	}
	if err == nil && math.IsNaN(p) {
		err = errors.New("values overflow: the score is not a number")
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	json.NewEncoder(w).Encode(map[string]float64{"probability": p})
}

// newServer bounds the time that a client may take, and the size of its headers.
func newServer() *http.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /", serve)
	return &http.Server{
		Handler: mux, MaxHeaderBytes: 16 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 15 * time.Second, IdleTimeout: time.Minute,
	}
}

// run serves until ctx is done, and then for at most ten seconds the requests that have begun.
func run(ctx context.Context, s *http.Server, l net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	return s.Shutdown(last)
}

func main() {
	path, address := flag.String("model", "a9a.model", "the model's file"), flag.String("address", "localhost:8080", "where to listen")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	l, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	go watch(*path, time.Second)
	if err := run(ctx, newServer(), l); err != nil {
		log.Fatal(err)
	}
}
