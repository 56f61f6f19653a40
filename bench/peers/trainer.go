// Package peers runs the programs that lanes is raced with, as they are installed: LIBLINEAR,
// glmnet, and the Python modules scikit-learn, Cyanure, glum, celer and skglm.
package peers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/datasets"
)

// Trainer is a process that has read a data set and trains on it, as often as it is asked.
// One that took too long is ended, and starts again with the next request.
type Trainer struct {
	make    func() *exec.Cmd
	weights string
	limit   time.Duration
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

// Request is what a trainer is asked for. What solvers and tolerances mean is the peer's.
type Request struct {
	Solver       string
	C, Tolerance float64
	Intercept    bool // of LIBLINEAR only; it is the last weight
}

// Seconds is the time of a training: processor time and wall-clock time.
type Seconds struct{ Processor, Clock float64 }

// ErrTooLong is returned where a training took longer than the limit.
var ErrTooLong = errors.New("it takes too long")

// NewTrainer returns a trainer whose processes make makes. Weights go through a file of
// the folder, and no training may take longer than the limit, in seconds of the clock.
func NewTrainer(folder string, limit float64, make func() *exec.Cmd) *Trainer {
	return &Trainer{make: make, weights: filepath.Join(folder, "weights"), limit: time.Duration(limit * float64(time.Second))}
}

func (t *Trainer) begin() error {
	t.command = t.make()
	if t.command.Stderr == nil {
		t.command.Stderr = os.Stderr
	}
	in, err := t.command.StdinPipe()
	if err != nil {
		return err
	}
	out, err := t.command.StdoutPipe()
	if err != nil {
		return err
	}
	t.in, t.out = in, bufio.NewReader(out)
	if err := t.command.Start(); err != nil {
		return err
	}
	line, err := t.out.ReadString('\n')
	if err == nil && strings.TrimSpace(line) != "ready" {
		err = errors.New(line)
	}
	return err
}

// End ends the process.
func (t *Trainer) End() {
	if t.command != nil && t.command.Process != nil {
		t.command.Process.Kill()
		t.command.Wait()
	}
	t.command = nil
}

// Train trains once and returns what it took, and the weights.
func (t *Trainer) Train(r Request) (took Seconds, w []float64, err error) {
	if t.command == nil {
		if err := t.begin(); err != nil {
			t.End()
			return took, nil, err
		}
	}
	with := 0
	if r.Intercept {
		with = 1
	}
	if _, err := fmt.Fprintln(t.in, r.Solver, r.C, r.Tolerance, with, t.weights); err != nil {
		return took, nil, err
	}
	type reply struct {
		line string
		err  error
	}
	answer := make(chan reply, 1)
	go func() {
		line, err := t.out.ReadString('\n')
		answer <- reply{line, err}
	}()
	var got reply
	select {
	case got = <-answer:
	case <-time.After(t.limit):
		t.End()
		<-answer
		return took, nil, ErrTooLong
	}
	if got.err != nil {
		t.End()
		return took, nil, got.err
	}
	if _, err := fmt.Sscan(got.line, &took.Processor, &took.Clock); err != nil {
		return took, nil, errors.New(strings.TrimSpace(got.line))
	}
	w, err = datasets.ReadFloats(t.weights)
	return took, w, err
}
