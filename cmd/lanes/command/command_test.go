package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/base/memory"
)

// TestMain runs the command itself where a test asks for it, so that the tests
// see what scripts see: streams, exit statuses, signals.
func TestMain(m *testing.M) {
	if os.Getenv("LANES_TEST_COMMAND") != "" {
		status := Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
		if peak := memory.Peak(); os.Getenv("LANES_TEST_PEAK") != "" && peak != nil {
			fmt.Fprintf(os.Stderr, "peak %d\n", *peak)
		}
		os.Exit(status)
	}
	// Run settles the collector for a short process, which this one is not, unless GOGC is set.
	os.Setenv("GOGC", "800")
	debug.SetGCPercent(800)
	// Tests run at once, and the limit of one, which --memory sets, would have the others collect all the time.
	os.Setenv("GOMEMLIMIT", "off")
	os.Exit(m.Run())
}

// The exit statuses that are promised.
const exitDone, exitRun, exitUsage, exitData = 0, 1, 2, 3

// invocation is one call of the command.
type invocation struct {
	args  []string
	env   []string
	stdin io.Reader
	dir   string
}

type outcome struct {
	status      int
	out, stderr string
}

func (i invocation) command() *exec.Cmd {
	cmd := exec.Command(os.Args[0], i.args...)
	// The race detector would have every process wait for a second at its end.
	cmd.Env = append(append(os.Environ(), "LANES_TEST_COMMAND=1", "GOGC=", "GOMEMLIMIT=", "GORACE=atexit_sleep_ms=0"), i.env...)
	cmd.Stdin, cmd.Dir = i.stdin, i.dir
	return cmd
}

// limited is the command under a limit of the shell, as in -v 6000000.
func (i invocation) limited(limit string) *exec.Cmd {
	inner := i.command()
	cmd := exec.Command("sh", append([]string{"-c", "ulimit " + limit + " && exec \"$@\"", "sh"}, inner.Args...)...)
	cmd.Env = inner.Env
	return cmd
}

func (i invocation) run(t *testing.T) outcome {
	t.Helper()
	cmd := i.command()
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	o := outcome{cmd.ProcessState.ExitCode(), out.String(), stderr.String()}
	if strings.Contains(o.stderr, "goroutine ") {
		t.Fatalf("lanes %s panicked:\n%s", strings.Join(i.args, " "), o.stderr)
	}
	return o
}

func lanes(t *testing.T, args ...string) outcome {
	t.Helper()
	return inside(args...)
}

// succeed runs the command and returns its standard output.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	o := lanes(t, args...)
	if o.status != exitDone {
		t.Fatalf("lanes %s: exit status %d\n%s", strings.Join(args, " "), o.status, o.stderr)
	}
	return o.out
}

// object reads the one JSON object that out has to be.
func object(t *testing.T, out string) map[string]any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(out))
	var v map[string]any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	if _, err := decoder.Token(); err != io.EOF {
		t.Fatalf("more than one object: %q", out)
	}
	return v
}

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// data finds one of the kept data sets.
func data(t *testing.T, name string) string {
	t.Helper()
	for _, dir := range []string{os.Getenv("LANES_DATA"), "../../../../shared/data"} {
		if dir == "" {
			continue
		}
		path, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Skipf("%s is not here; set LANES_DATA to the folder of the data sets", name)
	return ""
}

const small = "onehot:n=2000"

const tiny = "+1 1:1 3:0.5\n-1 2:2\n+1 1:0.25 2:-1\n-1 3:-1\n"
