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
)

// Interruptible is a context that ends at Ctrl-C, or when the terminal is closed or
// the system goes down; a second signal kills. Until begun
// is called there is no point to save, and Ctrl-C ends the program, as does the end of
// limit, counted from the start of the program; 0 is none.
func (a *App) Interruptible(limit time.Duration) (ctx context.Context, begun, stop func()) {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup has it ignored
		ends = append(ends, syscall.SIGHUP)
	}
	ctx, release := signal.NotifyContext(context.Background(), ends...)
	context.AfterFunc(ctx, release)
	var once sync.Once
	end := func(why string) {
		once.Do(func() {
			a.Fail(errors.New(why), exitRun)
			os.Exit(exitRun)
		})
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
		release()
	}
	return ctx, begun, stop
}
