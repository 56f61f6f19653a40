package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/lanes-go/lanes/internal/base/aside"
)

// Interruptible returns a context that ends at Ctrl-C, or when the terminal is closed or the
// system goes down; a second signal kills. Until begun is called there is no point to save, so
// Ctrl-C ends the program. So does limit, counted from the start of the program; 0 means no
// limit.
//
// Waiting for signals takes threads, which cost more than a small run. A silent run shows
// nothing in its first 20 ms: it waits for signals only after them, and until then a signal
// kills the program.
func (a *App) Interruptible(limit time.Duration, silent bool) (ctx context.Context, begun, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	listening := make(chan func(), 1)
	begin := func() {
		heard, release := signal.NotifyContext(ctx, ends()...)
		context.AfterFunc(heard, func() {
			release()
			cancel()
		})
		listening <- release
	}
	later := func() bool { return false }
	if silent {
		later = time.AfterFunc(20*time.Millisecond-time.Since(a.Start), begin).Stop
	} else {
		begin()
	}
	var once sync.Once
	end := func(why string) {
		once.Do(func() { a.exit(why) })
	}
	loading := context.AfterFunc(ctx, func() { end("interrupted before the run began; nothing was written") })
	waiting := func() bool { return true }
	if limit > 0 {
		timer := time.AfterFunc(limit-time.Since(a.Start), func() {
			end(fmt.Sprintf("the time was over (--time %v) before the data were read and the run began; nothing was written", limit))
		})
		waiting = timer.Stop
	}
	begun = func() {
		if !loading() || !waiting() {
			select {} // the program is ending
		}
	}
	stop = func() {
		loading()
		waiting()
		if !later() {
			(<-listening)()
		}
		cancel()
	}
	return ctx, begun, stop
}

// EndBySignal is for a command that writes a file and has no state to save: Ctrl-C, and the other
// signals of Interruptible, end the program and leave no part of the file. They do so until stop.
func (a *App) EndBySignal(path string) (stop func()) {
	ctx, release := signal.NotifyContext(context.Background(), ends()...)
	waiting := context.AfterFunc(ctx, func() {
		why := "interrupted"
		if aside.Abandon() {
			why += "; nothing was written to " + path
		}
		a.exit(why)
	})
	return func() {
		if !waiting() {
			select {} // the program is ending
		}
		release()
	}
}

// hangup is SIGHUP, by its number: js has no name for it.
const hangup = syscall.Signal(1)

// ends lists the signals that end the program.
func ends() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(hangup) { // nohup has it ignored
		list = append(list, hangup)
	}
	return list
}

// exit ends the program, which did not finish.
func (a *App) exit(why string) {
	a.Fail(errors.New(why), exitRun)
	a.End()
	os.Exit(exitRun)
}
