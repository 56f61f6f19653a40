// Command serve answers {"columns": [2, 10], "values": [1, 0.5]} with a probability. It loads new
// models.
package main

import (
	"encoding/json"
	"flag"
	"log"
	"net/http"
	"os"
	"sync/atomic"
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
		served.Store(&m)
	}
}

func serve(w http.ResponseWriter, r *http.Request) {
	m, row := served.Load(), struct { // columns count from 0; without values, all are 1
		Columns []int
		Values  []float64
	}{}
	if m == nil {
		http.Error(w, "there is no model yet", http.StatusServiceUnavailable)
		return
	}
	p, err := 0.0, json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&row)
	if err == nil {
		p, err = (*m).Probability(row.Columns, row.Values)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	json.NewEncoder(w).Encode(map[string]float64{"probability": p})
}

func main() {
	path, address := flag.String("model", "a9a.model", "the model's file"), flag.String("address", "localhost:8080", "where to listen")
	flag.Parse()
	go watch(*path, time.Second)
	log.Fatal(http.ListenAndServe(*address, http.HandlerFunc(serve)))
}
