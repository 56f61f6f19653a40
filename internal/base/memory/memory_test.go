package memory

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func TestText(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0 KB", 1: "1 KB", 1000: "1 KB", 1001: "2 KB", 1e6 - 1: "1000 KB", 1e6: "1 MB", 2e6: "2 MB", 2e6 + 1: "3 MB", 1e9: "1.0 GB", 1e9 + 1: "1.1 GB", 9.91e9: "10.0 GB", 17179869184: "18 GB",
	} {
		if got := Text(bytes); got != want {
			t.Errorf("%d is %s, want %s", bytes, got, want)
		}
	}
}

// A process under a limit sees what the limit leaves it.
func TestAvailableUnderALimit(t *testing.T) {
	if os.Getenv("LANES_TEST_AVAILABLE") != "" {
		bytes, known := Available()
		os.Stdout.WriteString("available " + strconv.FormatInt(bytes, 10) + " " + strconv.FormatBool(known) + "\n")
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("limits are read on Linux")
	}
	const limit = 6 << 30 // the race detector takes much address space
	command := exec.Command("sh", "-c", "ulimit -v "+strconv.Itoa(limit>>10)+" && exec "+os.Args[0]+" -test.run '^TestAvailableUnderALimit$'")
	command.Env = append(os.Environ(), "LANES_TEST_AVAILABLE=1")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Skipf("no limit can be set: %v\n%s", err, out)
	}
	_, rest, _ := strings.Cut(string(out), "available ")
	fields := strings.Fields(rest)
	if len(fields) < 2 || fields[1] != "true" {
		t.Fatalf("%s", out)
	}
	if bytes, err := strconv.ParseInt(fields[0], 10, 64); err != nil || bytes <= 0 || bytes >= limit {
		t.Errorf("%s under a limit of %d", out, int64(limit))
	}
}
