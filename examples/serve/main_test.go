package main

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
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

func TestServe(t *testing.T) {
	served.Store(nil)
	web := httptest.NewServer(http.HandlerFunc(serve))
	defer web.Close()
	if status, _ := ask(t, web.URL, `{}`); status != http.StatusServiceUnavailable {
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

	const row = `{"columns": [0, 1, 9], "values": [3, 0.5, 1]}`
	want := func(score float64) string { return fmt.Sprintf(`{"probability":%.6f`, 1/(1+math.Exp(-score)))[:19] }
	if status, got := ask(t, web.URL, row); status != http.StatusOK || !strings.HasPrefix(got, want(2)) {
		t.Errorf("%d %s, want %s...", status, got, want(2))
	}
	if _, got := ask(t, web.URL, `{"columns": [1]}`); !strings.HasPrefix(got, want(-2)) {
		t.Errorf("without values %s, want %s...", got, want(-2))
	}
	for bad, reason := range map[string]string{
		`{"columns": [1, 0]}`:                "column 0",
		`{"columns": [0], "values": [1, 2]}`: "2 values",
		`{"columns": "a"}`:                   "cannot unmarshal",
		`row`:                                "invalid character",
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
