package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

var initialiser = regexp.MustCompile(`(?m)^init (\S+) @.* clock, (\d+) bytes, (\d+) allocs$`)

// TestStart bounds the work of all packages' initialisers before the command begins. Even a
// training of few rows runs every initialiser. It measures allocations, as times depend on the
// machine.
func TestStart(t *testing.T) {
	t.Parallel()
	o := invocation{args: []string{"version"}, env: []string{"GODEBUG=inittrace=1"}}.run(t)
	found := initialiser.FindAllStringSubmatch(o.stderr, -1)
	if o.status != exitDone || len(found) < 20 {
		t.Fatalf("status %d, %d initialisers:\n%s", o.status, len(found), o.stderr)
	}
	const mostBytes, mostAllocations = 40_000, 500
	// What plots cost every command: twelve fonts that are parsed, and the tables of the
	// formats, LaTeX among them, that the package of plots brings along.
	const plots, plotsBytes, plotsAllocations = "gonum.org/v1/plot", 200_000, 200
	const allBytes, allAllocations = 585_000, 2_100
	var bytes, allocations int
	for _, m := range found {
		b, _ := strconv.Atoi(m[2])
		n, _ := strconv.Atoi(m[3])
		bytes, allocations = bytes+b, allocations+n
		if (b > mostBytes || n > mostAllocations) && (m[1] != plots || b > plotsBytes || n > plotsAllocations) {
			t.Errorf("the initialiser of %s allocates %d bytes in %d pieces: link something else, or make it when it is needed", m[1], b, n)
		}
		for _, heavy := range []string{"github.com/klauspost/cpuid", "net/http", "crypto/tls"} {
			if strings.HasPrefix(m[1], heavy) && (runtime.GOARCH == "amd64" || heavy != "github.com/klauspost/cpuid") {
				t.Errorf("%s is linked into the command, whose start it delays", m[1])
			}
		}
	}
	t.Logf("%d initialisers allocate %d bytes in %d pieces", len(found), bytes, allocations)
	if bytes > allBytes || allocations > allAllocations {
		t.Errorf("the initialisers allocate %d bytes in %d pieces", bytes, allocations)
	}
}

// TestInterruptUnseen interrupts a run that shows nothing of itself, and so does not listen
// from its start, after half a second of work: under the race detector and beside other programs,
// a tenth was too little in one run of a hundred.
func TestInterruptUnseen(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the time that a process has worked is read as Linux tells it")
	}
	path := filepath.Join(t.TempDir(), "rows")
	if err := os.WriteFile(path, []byte(strings.Repeat(tiny, 1000)), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := invocation{args: []string{"train", path, "--quiet", "--json", "--solver", "adam", "--epochs", "1e9", "--time", "1m"}}.command()
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for worked := 0; worked < 50; time.Sleep(time.Millisecond) { // ticks of 10 ms
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", cmd.Process.Pid))
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(after)
		worked, err = strconv.Atoi(fields[11])
		if err != nil || fields[0] == "Z" {
			t.Fatalf("%s: %v", text, err)
		}
	}
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if status := cmd.ProcessState.ExitCode(); status != exitRun || !strings.Contains(out.String(), "cancelled") && !strings.Contains(out.String(), "interrupted") {
		t.Errorf("exit status %d: %s", status, out.String())
	}
}
