package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/lanes-go/lanes/solvers"
)

// laboratory is where studies are done: it knows the data, how much is wanted, and what has
// been measured before.
type laboratory struct {
	data   string // folder of the data sets
	quick  bool   // less of everything
	seeds  int
	rows   int    // of adfsdca's sets, 0 for all
	state  string // folder of finished runs
	log    io.Writer
	remark string
	sets   map[string]*set
}

// settings returns the settings of a measured run: on one core, so that two runs may run side by
// side and seconds are comparable between machines.
func settings(seed int, passes float64) solvers.Settings {
	return solvers.Settings{Seed: uint64(seed), MaxEpochs: passes, Workers: 1}
}

// carryOut does the missing runs, in turn, and returns all records. Every record is kept in a
// file at once, so an interrupted study continues where it was.
func (l *laboratory) carryOut(ctx context.Context, name string, parts []part) (results, error) {
	path := filepath.Join(l.state, name+".jsonl")
	done, err := readRecords(path)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(l.state, 0o755); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var first, second []run
	for _, p := range parts {
		first = append(first, p.runs...)
	}
	if err := l.each(ctx, name, first, done, file); err != nil {
		return nil, err
	}
	for _, p := range parts {
		if p.later != nil {
			second = append(second, p.later(done)...)
		}
	}
	return done, l.each(ctx, name, second, done, file)
}

// each does those runs that are not done, and puts their records with the others.
func (l *laboratory) each(ctx context.Context, name string, runs []run, done results, file io.Writer) error {
	var todo []run
	var cost, spent float64
	wanted := make(map[string]bool)
	for _, r := range runs {
		if !wanted[r.key] && done[r.key] == nil {
			todo, cost = append(todo, r), cost+r.cost
		}
		wanted[r.key] = true
	}
	if len(todo) == 0 {
		return nil
	}
	fmt.Fprintf(l.log, "%s: %d runs, %d of them done before\n", name, len(wanted), len(wanted)-len(todo))
	begun, told := time.Now(), time.Now()
	for k, r := range todo {
		if err := ctx.Err(); err != nil {
			return err
		}
		got, err := r.do(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", r.key, err)
		}
		if err := ctx.Err(); err != nil { // the run was cut short
			return err
		}
		if err := writeRecord(file, r.key, got); err != nil {
			return fmt.Errorf("%s: %w", r.key, err)
		}
		done[r.key] = got
		spent += r.cost
		if time.Since(told) > 5*time.Second || k == len(todo)-1 {
			told = time.Now()
			took := time.Since(begun)
			left := time.Duration(float64(took) * (cost - spent) / spent)
			fmt.Fprintf(l.log, "%s: %d of %d runs, %v, %v left\n", name, k+1, len(todo), took.Round(time.Second), left.Round(time.Second))
		}
	}
	return nil
}

// line is a record in the file. JSON has no infinities and no NaN, so numbers are text.
type line struct {
	Key    string               `json:"key"`
	Record map[string][]decimal `json:"record"`
}

type decimal float64

func (d decimal) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%v", float64(d)), nil }

func (d *decimal) UnmarshalText(text []byte) error {
	_, err := fmt.Sscan(string(text), (*float64)(d))
	return err
}

func writeRecord(w io.Writer, key string, r record) error {
	out := line{key, make(map[string][]decimal, len(r))}
	for name, values := range r {
		list := make([]decimal, len(values))
		for i, v := range values {
			list[i] = decimal(v)
		}
		out.Record[name] = list
	}
	text, err := json.Marshal(out)
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	return err
}

// readRecords reads a file of records; a last line that a kill left half written is
// dropped from the file.
func readRecords(path string) (results, error) {
	all := make(results)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader := bufio.NewReader(file)
	for whole, row := int64(0), 1; ; row++ {
		text, err := reader.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if len(text) > 0 {
				return all, file.Truncate(whole)
			}
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		whole += int64(len(text))
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w; delete the file to measure anew", path, row, err)
		}
		r := make(record, len(l.Record))
		for name, values := range l.Record {
			r[name] = make([]float64, len(values))
			for i, v := range values {
				r[name][i] = float64(v)
			}
		}
		all[l.Key] = r
	}
}

var nan = math.NaN()
