package command

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestInterruptLeavesNothing: a signal ends a command that writes a file, and leaves no part of it;
// what was there stays.
func TestInterruptLeavesNothing(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send here")
	}
	t.Parallel()
	dir := t.TempDir()
	rows, model := filepath.Join(dir, "rows"), filepath.Join(dir, "model")
	succeed(t, "generate", "clicks", "--quiet", "--rows", "200000", "--out", rows)
	few := filepath.Join(dir, "few")
	succeed(t, "generate", "clicks", "--quiet", "--rows", "300", "--out", few)
	succeed(t, "train", "--quiet", few, "--target", "click", "--model", model)
	for _, args := range [][]string{
		{"generate", "clicks", "--rows", "100000000", "--out"},
		{"predict", model, rows, "--out"},
		{"convert", rows, "--target", "click", "--to", "cache", "--force"},
	} {
		folder := t.TempDir()
		out := filepath.Join(folder, "out")
		if err := os.WriteFile(out, []byte("old"), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := invocation{args: append(args, out, "--quiet")}.command()
		var stderr strings.Builder
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		begun := false
		for deadline := time.Now().Add(time.Minute); !begun && time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			names, _ := filepath.Glob(out + ".*.tmp")
			for _, name := range names {
				info, err := os.Stat(name)
				begun = begun || err == nil && info.Size() > 0
			}
		}
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		left, err := os.ReadDir(folder)
		if status := cmd.ProcessState.ExitCode(); !begun || status != exitRun || err != nil || len(left) != 1 || read(t, out) != "old" || !strings.Contains(stderr.String(), "nothing was written to "+out) {
			t.Errorf("%s: begun %t, exit status %d, %d files: %s", args[0], begun, status, len(left), stderr.String())
		}
	}
}
