package command

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// However a conversion is killed, its name has what was there before, or all of the new.
func TestConvertKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills conversions of a second")
	}
	t.Chdir(t.TempDir())
	succeed(t, "convert", "--quiet", "--generate", "text:n=15000,d=5000", "rows")
	succeed(t, "convert", "--quiet", "rows", "whole.lanes")
	succeed(t, "convert", "--quiet", "--generate", "onehot:n=50", "old.lanes")
	whole, err := os.ReadFile("whole.lanes")
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile("old.lanes")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	succeed(t, "convert", "--quiet", "rows", "whole.lanes")
	usual, killed := time.Since(start), 0
	for tried := 0; tried < 6 || killed == 0 && tried < 60; tried++ {
		if err := os.WriteFile("x.lanes", old, 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := invocation{args: []string{"convert", "--quiet", "rows", "x.lanes"}}.command()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.Float64() * 1.2 * float64(usual) / float64(1+tried/6)))
		cmd.Process.Kill()
		cmd.Wait()
		got, err := os.ReadFile("x.lanes")
		if err != nil || !bytes.Equal(got, old) && !bytes.Equal(got, whole) {
			t.Fatalf("%d bytes under the name, error %v", len(got), err)
		}
		if bytes.Equal(got, old) {
			killed++
		}
	}
	if killed == 0 {
		t.Error("no conversion was killed in time")
	}
}

// onSmallDisk runs a command in a folder named full whose file system has size KiB. keep is
// called before the folder goes. The test is skipped where no such folder can be mounted.
func onSmallDisk(t *testing.T, size string, keep func(), args ...string) outcome {
	t.Helper()
	if runtime.GOOS != "linux" || exec.Command("unshare", "-rm", "true").Run() != nil {
		t.Skip("no small disk can be mounted here")
	}
	if err := os.MkdirAll("full", 0o777); err != nil {
		t.Fatal(err)
	}
	if exec.Command("unshare", "-rm", "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "full").Run() != nil {
		t.Skip("no small disk can be mounted here")
	}
	inner := invocation{args: args}.command()
	script := `mount -t tmpfs -o size=` + size + `k tmpfs full && "$@"; status=$?; cp -r full left; exit $status`
	cmd := exec.Command("unshare", append([]string{"-rm", "sh", "-c", script, "sh", inner.Path}, args...)...)
	cmd.Env = inner.Env
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	cmd.Run()
	keep()
	if err := os.RemoveAll("left"); err != nil {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), out.String(), stderr.String()}
}

// TestStreamedFullDisk: a full disk ends a conversion with an error that says so. A run continues
// without its checkpoint, and warns even with --quiet. Nothing half-written stays.
func TestStreamedFullDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	succeed(t, "convert", "--quiet", "--generate", "text:n=2000,d=300", "rows")
	succeed(t, "convert", "--quiet", "rows", "x.lanes")
	nothing := func() {
		if left, err := os.ReadDir("left"); err != nil || len(left) != 0 {
			t.Errorf("left: %v, error %v", left, err)
		}
	}
	o := onSmallDisk(t, "200", nothing, "convert", "--quiet", "rows", filepath.Join("full", "y.lanes"))
	if o.status != exitRun || !strings.Contains(o.stderr, "y.lanes: no space is left on the device") {
		t.Errorf("convert: exit status %d: %s", o.status, o.stderr)
	}
	o = onSmallDisk(t, "4", nothing, "train", "--memory", "30MB", "x.lanes", "--gap", "1e-9", "--json", "--quiet",
		"--checkpoint", filepath.Join("full", "run"), "--checkpoint-every", "1ns")
	if o.status != exitDone || !strings.Contains(o.stderr, "warning: checkpoint full/run: the run was not saved: ") || !strings.Contains(o.stderr, "no space left") || object(t, o.out)["status"] != "converged" {
		t.Errorf("train: exit status %d: %s%s", o.status, o.stderr, o.out)
	}
}
