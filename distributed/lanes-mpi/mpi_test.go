//go:build mpi

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/command"
)

// TestMain runs the command itself where a test asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("LANES_TEST_COMMAND") != "" {
		main()
		return
	}
	if _, err := exec.LookPath("mpirun"); err != nil {
		fmt.Println("skipped: there is no mpirun")
		return
	}
	os.Exit(m.Run())
}

// The exit statuses that are promised.
const exitDone, exitRun, exitUsage, exitData = 0, 1, 2, 3

type outcome struct {
	status      int
	out, stderr string
}

// mpirun returns a command on size processes; options are options of mpirun.
func mpirun(size int, options []string, args ...string) *exec.Cmd {
	list := append([]string{"--oversubscribe", "-np", fmt.Sprint(size)}, options...)
	cmd := exec.Command("mpirun", append(append(list, os.Args[0]), args...)...)
	cmd.Env = append(os.Environ(), "LANES_TEST_COMMAND=1", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")
	return cmd
}

func finish(t *testing.T, cmd *exec.Cmd) outcome {
	t.Helper()
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	o := outcome{cmd.ProcessState.ExitCode(), out.String(), stderr.String()}
	if strings.Contains(o.stderr, "goroutine ") {
		t.Fatalf("%v panicked:\n%s", cmd.Args, o.stderr)
	}
	return o
}

// onRanks runs the command on ranks.
func onRanks(t *testing.T, size int, args ...string) outcome {
	t.Helper()
	return finish(t, mpirun(size, nil, args...))
}

// alone runs the command in this process.
func alone(args ...string) outcome {
	var out, stderr bytes.Buffer
	status := command.Run(args, strings.NewReader(""), &out, &stderr)
	return outcome{status, out.String(), stderr.String()}
}

// object reads the one JSON object that out has to be.
func object(t *testing.T, o outcome) map[string]any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(o.out))
	var v map[string]any
	if err := decoder.Decode(&v); err != nil {
		t.Fatalf("%v in %q\n%s", err, o.out, o.stderr)
	}
	if _, err := decoder.Token(); err != io.EOF {
		t.Fatalf("more than one object: %q", o.out)
	}
	return v
}

// hash returns the hash of the weights of a run that must succeed.
func hash(t *testing.T, o outcome) string {
	t.Helper()
	if o.status != exitDone || o.stderr != "" {
		t.Fatalf("exit status %d: %s%s", o.status, o.out, o.stderr)
	}
	text, _ := object(t, o)["weights_sha256"].(string)
	if len(text) != 64 {
		t.Fatalf("no SHA-256 in %s", o.out)
	}
	return text
}

// rows writes a cache of generated rows in a new folder, and returns the arguments of a
// run on it.
func rows(t *testing.T, shape string) []string {
	t.Helper()
	t.Chdir(t.TempDir())
	if o := alone("convert", "--quiet", "--generate", shape, "x.lanes"); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	return strings.Fields("train --json --quiet --solver newton --C 1 --gap 1e-7 --shards 16 x.lanes")
}

// with appends to a copy.
func with(args []string, more ...string) []string {
	return append(append([]string{}, args...), more...)
}

// TestSameBits: the weights have the same bits in memory, streamed within three limits, and on
// any number of ranks. The number of workers and the CPU path change nothing.
func TestSameBits(t *testing.T) {
	args := rows(t, "text:n=2000,d=700,seed=3")
	want := hash(t, alone(args...))
	for _, memory := range []string{"25MB", "40MB", "1GB"} {
		if got := hash(t, alone(with(args, "--memory", memory)...)); got != want {
			t.Errorf("within %s: %s, not %s", memory, got, want)
		}
	}
	for _, size := range []int{1, 2, 3, 4, 7, 20} {
		for workers := 1; workers <= 2; workers++ {
			if got := hash(t, onRanks(t, size, with(args, "--workers", fmt.Sprint(workers))...)); got != want {
				t.Errorf("%d ranks, %d workers: %s, not %s", size, workers, got, want)
			}
		}
	}
	if got := hash(t, onRanks(t, 3, with(args, "--memory", "60MB")...)); got != want {
		t.Errorf("3 ranks within 60 MB: %s, not %s", got, want)
	}
	if v := object(t, onRanks(t, 2, args...)); v["ranks"] != 2.0 || v["shards"] != 16.0 {
		t.Errorf("%v ranks, %v shards", v["ranks"], v["shards"])
	}
	// Paths may differ among ranks.
	if got := hash(t, finish(t, mixed(args, "LANES_CPU=generic", args, ""))); got != want {
		t.Errorf("on a portable and another rank: %s, not %s", got, want)
	}
}

// Several ways to say what is to be trained, on ranks and in memory.
func TestProblems(t *testing.T) {
	rows(t, "text:n=700,d=90,seed=5")
	for _, more := range []string{
		"--class-weight balanced --bias", "--normalize minmax --bias --shards 8", "--normalize std --bias --shards 8", "--normalize unit --loss squared-hinge --class-weight 3:1", "--loss huber --huber 0.5 --lambda 1e-3 --shards 4 --memory 60MB",
	} {
		args := append(strings.Fields("train --json --quiet --shards 16 x.lanes"), strings.Fields(more)...)
		in := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return a == "--memory" || a == "60MB" })
		if got, want := hash(t, onRanks(t, 3, args...)), hash(t, alone(in...)); got != want {
			t.Errorf("%s: %s, not %s", more, got, want)
		}
	}
	// Without --shards the data determine the number of shards; the files equal the files of one
	// process.
	if o := onRanks(t, 2, strings.Fields("train --quiet --model m2 --trace t2 --plot p2.svg --receipt r2 x.lanes")...); o.status != exitDone || strings.Count(o.out, "weights sha256") != 1 {
		t.Fatalf("exit status %d: %s%s", o.status, o.out, o.stderr)
	}
	if o := alone(strings.Fields("train --quiet --memory 60MB --model m1 x.lanes")...); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	one, err1 := os.ReadFile("m1")
	two, err2 := os.ReadFile("m2")
	if err1 != nil || err2 != nil || !bytes.Equal(one, two) {
		t.Errorf("the models of one and of two processes differ: %v, %v", err1, err2)
	}
	if o := alone("verify", "--quiet", "r2", "x.lanes"); o.status != exitDone || !strings.Contains(o.out, "same bits       yes") {
		t.Errorf("exit status %d: %s%s", o.status, o.out, o.stderr)
	}
}

// mixed is a run on two ranks, each with arguments, a setting of its environment and a
// folder of its own where that is not "".
func mixed(args []string, setting string, others []string, folder string) *exec.Cmd {
	var options []string
	if setting != "" {
		options = []string{"-x", setting}
	}
	cmd := mpirun(1, options, args...)
	cmd.Args = append(cmd.Args, ":", "-np", "1")
	if folder != "" {
		cmd.Args = append(cmd.Args, "-wdir", folder)
	}
	cmd.Args = append(append(cmd.Args, os.Args[0]), others...)
	return cmd
}
