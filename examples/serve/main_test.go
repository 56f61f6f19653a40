package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lanes-go/lanes/model"
)

// write writes a model of two columns.
func write(t *testing.T, path, kind string, weights ...float64) {
	t.Helper()
	m := &model.Linear{Card: model.Card{Features: 2, Positive: 1, Negative: -1}, SolverType: kind, Weights: weights}
	if err := model.WriteFile(path, m); err != nil {
		t.Fatal(err)
	}
}

func ask(t *testing.T, url, row string) (status int, answer string) {
	t.Helper()
	r, err := http.Post(url, "application/json", strings.NewReader(row))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	return r.StatusCode, strings.TrimSpace(string(text))
}

// zeros is text of n bytes: numbers and commas.
func zeros(n int) string { return strings.Repeat("0,", n/2) }

func TestServe(t *testing.T) {
	served.Store(nil)
	web := httptest.NewServer(http.HandlerFunc(serve))
	defer web.Close()
	if status, _ := ask(t, web.URL, `{"columns": []}`); status != http.StatusServiceUnavailable {
		t.Errorf("without a model the status is %d", status)
	}
	path := filepath.Join(t.TempDir(), "model")
	write(t, path, "L2R_LR", 1, -2)
	go watch(path, time.Millisecond)
	until := func(done func() bool) {
		t.Helper()
		for end := time.Now().Add(20 * time.Second); !done(); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the service did not take the file")
			}
		}
	}
	until(func() bool { return served.Load() != nil })

	const row = `{"columns": [0, 1], "values": [3, 0.5]}`
	want := func(score float64) string { return fmt.Sprintf(`{"probability":%.6f`, 1/(1+math.Exp(-score)))[:19] }
	if status, got := ask(t, web.URL, row); status != http.StatusOK || !strings.HasPrefix(got, want(2)) {
		t.Errorf("%d %s, want %s...", status, got, want(2))
	}
	if _, got := ask(t, web.URL, `{"columns": [1]}`); !strings.HasPrefix(got, want(-2)) {
		t.Errorf("without values %s, want %s...", got, want(-2))
	}
	for bad, reason := range map[string]string{
		`{"columns": [1, 0]}`:                  "column 0",
		`{"columns": [0, 9]}`:                  "column 9",
		`{"columns": [0], "values": [1, 2]}`:   "2 values",
		`{"columns": "a"}`:                     "row.columns",
		`row`:                                  "invalid character",
		``:                                     "EOF",
		`null`:                                 "a request is an object such as",
		`{}`:                                   "a request is an object such as",
		`{"columns": null}`:                    "columns and values are arrays, each given once",
		`{"columns": [1], "values": null}`:     "columns and values are arrays, each given once",
		`{"columns": [0], "columns": [1]}`:     "columns and values are arrays, each given once",
		`{"columns": [0], "weights": [1]}`:     `unknown field "weights"`,
		`{"columns": [0]} [1]`:                 "nothing else",
		`{"columns": [0], "values": [1e999]}`:  "1e999",
		`{"columns": [` + zeros(1<<20) + `1]}`: "too large",
	} {
		if status, got := ask(t, web.URL, bad); status != http.StatusBadRequest || !strings.Contains(got, reason) {
			t.Errorf("%s: %d %s, want 400 and %q", bad, status, got, reason)
		}
	}

	// Requests go on while the model changes: each is answered by the old one or the new one.
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			for range 50 {
				status, got := ask(t, web.URL, row)
				if status != http.StatusOK || !strings.HasPrefix(got, want(2)) && !strings.HasPrefix(got, want(-4)) {
					t.Errorf("during the reload: %d %s", status, got)
				}
			}
		})
	}
	before := served.Load()
	write(t, path, "L2R_LR", -1, -2)
	until(func() bool { return served.Load() != before })
	asking.Wait()
	if _, got := ask(t, web.URL, row); !strings.HasPrefix(got, want(-4)) {
		t.Errorf("after the reload %s, want %s...", got, want(-4))
	}

	// A model without probabilities is refused, and a good one after it taken.
	before = served.Load()
	write(t, path, "L2R_L2LOSS_SVC", 5, 5)
	time.Sleep(20 * time.Millisecond)
	if served.Load() != before {
		t.Error("a model without probabilities was taken")
	}
	write(t, path, "L2R_LR", 0, 0)
	until(func() bool { return served.Load() != before })
}

// serving runs a server, for the time of the test or until end.
func serving(t *testing.T, s *http.Server) (address string, end func() error) {
	t.Helper()
	var m model.Model = &model.Linear{Card: model.Card{Features: 2, Positive: 1, Negative: -1}, SolverType: "L2R_LR", Weights: []float64{1e308, -1e308}}
	served.Store(&m)
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, s, l) }()
	return l.Addr().String(), func() error { cancel(); return <-ended }
}

// A client that sends its request too slowly loses its connection; others are answered.
func TestSlowClients(t *testing.T) {
	s := newServer()
	for _, limit := range []*time.Duration{&s.ReadHeaderTimeout, &s.ReadTimeout, &s.WriteTimeout, &s.IdleTimeout} {
		if *limit < time.Second || *limit > time.Minute {
			t.Errorf("a limit of %v", *limit)
		}
		*limit /= 50
	}
	address, end := serving(t, s)
	defer end()
	for _, begun := range []string{
		"POST / HTTP/1.1\r\nHost: x\r\nX-a: ",
		"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{\"col",
		"",
	} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprint(c, begun)
		if status, got := ask(t, "http://"+address, `{"columns": [0]}`); status != http.StatusOK || got != `{"probability":1}` {
			t.Errorf("beside a slow client: %d %s", status, got)
		}
		c.SetDeadline(time.Now().Add(20 * time.Second))
		if _, err := io.Copy(io.Discard, c); err != nil && !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("%q: the connection stays open: %v", begun, err)
		}
	}
	if status, _ := ask(t, "http://"+address, `{"columns": [0, 1], "values": [10, 10]}`); status != http.StatusBadRequest {
		t.Errorf("a score that is not a number: status %d", status)
	}
	if r, err := http.Get("http://" + address); err != nil || r.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET: %v %v", r, err)
	}
}

// A request that has begun is answered before the server ends; later ones are refused.
func TestShutdown(t *testing.T) {
	address, end := serving(t, newServer())
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 16\r\n\r\n")
	answers := bufio.NewReader(c)
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err) // the handler reads the body now
	}
	ended := make(chan error, 1)
	go func() { ended <- end() }()
	for refused := false; !refused; time.Sleep(time.Millisecond) {
		other, err := net.Dial("tcp", address)
		if refused = err != nil; !refused {
			other.Close()
		}
	}
	fmt.Fprint(c, `{"columns": [0]}`)
	if text, err := io.ReadAll(answers); err != nil || !strings.Contains(string(text), "HTTP/1.1 200 OK") || !strings.Contains(string(text), `{"probability":1}`) {
		t.Errorf("%q, %v", text, err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
