//go:build mpi

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// job is a run on ranks that is under way.
type job struct {
	cmd         *exec.Cmd
	out, stderr bytes.Buffer
	ended       chan struct{}
}

func begin(t *testing.T, size int, args ...string) *job {
	t.Helper()
	j := &job{cmd: mpirun(size, nil, args...), ended: make(chan struct{})}
	j.cmd.Stdout, j.cmd.Stderr = &j.out, &j.stderr
	if err := j.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		j.cmd.Wait()
		close(j.ended)
	}()
	return j
}

// ranks are the numbers of its processes.
func (j *job) ranks() (list []int) {
	paths, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range paths {
		text, _ := os.ReadFile(path) // nothing of one that has ended
		// number (name) state parent ...
		_, rest, _ := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		number, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if err == nil && len(fields) > 1 && fields[1] == fmt.Sprint(j.cmd.Process.Pid) {
			list = append(list, number)
		}
	}
	return list
}

// kill kills processes by number and holds the run to end within ten seconds, with all of
// its ranks.
func (j *job) kill(t *testing.T, ranks, numbers []int) outcome {
	t.Helper()
	for _, number := range numbers {
		if p, err := os.FindProcess(number); err == nil {
			p.Kill()
		}
	}
	select {
	case <-j.ended:
	case <-time.After(10 * time.Second):
		j.cmd.Process.Kill()
		t.Fatal("mpirun has not ended within 10 seconds")
	}
	for _, number := range ranks {
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", number))
		if strings.HasPrefix(string(text), os.Args[0]) {
			t.Errorf("process %d still runs", number)
		}
	}
	return outcome{j.cmd.ProcessState.ExitCode(), j.out.String(), j.stderr.String()}
}

// TestKill: a killed rank ends the run within seconds with a status and a line. The saved run
// resumes to the same bits with any number of ranks, or in one process, in memory or streamed.
func TestKill(t *testing.T) {
	args := rows(t, "text:n=60000,d=9000")
	want := hash(t, alone(args...))
	j := begin(t, 3, with(args, "--memory", "60MB", "--workers", "1", "--checkpoint", "run", "--checkpoint-every", "1ms", "--model", "model")...)
	for range 5000 {
		if info, err := os.Stat("run"); err == nil && info.Size() > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	ranks := j.ranks()
	if len(ranks) != 3 {
		t.Fatalf("%d ranks; %s%s", len(ranks), &j.out, &j.stderr)
	}
	if o := j.kill(t, ranks, ranks[1:2]); o.status == 0 || o.out != "" || !strings.Contains(o.stderr, "rank 1 with") || !strings.Contains(o.stderr, "signal 9 (Killed)") {
		t.Errorf("exit status %d: %s%s", o.status, o.out, o.stderr)
	}
	if _, err := os.Stat("model"); err == nil {
		t.Error("there is a model of a run that did not end")
	}
	for _, size := range []int{2, 4} {
		if got := hash(t, onRanks(t, size, with(args, "--resume", "run")...)); got != want {
			t.Errorf("resumed on %d ranks: %s, not %s", size, got, want)
		}
	}
	for _, more := range [][]string{nil, {"--memory", "30MB"}} {
		if got := hash(t, alone(with(with(args, "--resume", "run"), more...)...)); got != want {
			t.Errorf("resumed alone, %v: %s, not %s", more, got, want)
		}
	}
	// With other shards all ranks refuse it.
	if o := onRanks(t, 2, with(args, "--resume", "run", "--shards", "8")...); o.status != exitData || said(o) != 1 || object(t, o)["status"] != "error" {
		t.Errorf("exit status %d: %s%s", o.status, o.out, o.stderr)
	}
}

// Kills at random moments, of one rank or of all, each followed by a restart on another number of
// ranks: the bits equal the bits of an undisturbed run.
func TestManyKills(t *testing.T) {
	most, err := strconv.Atoi(os.Getenv("LANES_KILLS"))
	if err != nil {
		t.Skip("LANES_KILLS says how many; 30 take some minutes")
	}
	args := rows(t, "text:n=60000,d=9000")
	want := hash(t, alone(args...))
	args = with(args, "--memory", "45MB", "--workers", "1", "--checkpoint", "run", "--checkpoint-every", "1ms")
	kills, resumed, ends, size := 0, 0, 0, 1
	for kills < most || ends == 0 {
		size = (size+rand.IntN(6))%7 + 1
		now := args
		if _, err := os.Stat("run"); err == nil {
			now = with(args, "--resume", "run")
			resumed++
		}
		j := begin(t, size, now...)
		switch start := time.Now(); {
		case kills == most:
			<-j.ended
		case rand.IntN(4) == 0: // while it begins
			time.Sleep(time.Duration(rand.IntN(1500)) * time.Millisecond)
		default: // once it has saved
			for !over(j) {
				if info, err := os.Stat("run"); err == nil && info.ModTime().After(start) {
					break
				}
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Duration(rand.IntN(500)) * time.Millisecond)
		}
		ranks := j.ranks()
		numbers := ranks
		if len(ranks) > 0 && rand.IntN(3) > 0 {
			numbers = ranks[rand.IntN(len(ranks)):][:1]
		}
		if kills == most {
			numbers = nil
		}
		o := j.kill(t, ranks, numbers)
		if o.status != 0 {
			kills++
			continue
		}
		ends++
		if got := hash(t, o); got != want {
			t.Fatalf("after %d kills: %s, not %s", kills, got, want)
		}
		os.Remove("run")
	}
	t.Logf("%d kills, %d restarts from a checkpoint, %d runs that reached their end with %s", kills, resumed, ends, want)
}

// over tells whether a run has ended.
func over(j *job) bool {
	select {
	case <-j.ended:
		return true
	default:
		return false
	}
}

// TestBadFiles: a file is damaged, missing or different for one rank, or for all. Every rank ends
// with an error that says so, and nothing is trained or written.
func TestBadFiles(t *testing.T) {
	args := rows(t, "text:n=3000,d=700,seed=3")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile("x.lanes")
	if err != nil {
		t.Fatal(err)
	}
	folder := func(content []byte) string {
		path := t.TempDir()
		if content != nil {
			if err := os.WriteFile(filepath.Join(path, "x.lanes"), content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	damaged := bytes.Clone(good)
	damaged[len(good)-len(good)/4] ^= 4 // a row of the last rank
	if o := alone("convert", "--quiet", "--generate", "text:n=3000,d=700,seed=4", "other.lanes"); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	other, err := os.ReadFile("other.lanes")
	if err != nil {
		t.Fatal(err)
	}
	args = with(args, "--model", filepath.Join(here, "model"), "--checkpoint", filepath.Join(here, "run"))
	for what, c := range map[string]struct {
		second string // the folder of rank 1
		more   []string
		status int
		text   string
	}{
		"damaged":     {folder(damaged), nil, exitData, "rank 1: x.lanes: the cache is damaged"},
		"missing":     {folder(nil), nil, exitData, "rank 1: x.lanes: there is no such file"},
		"other":       {folder(other), nil, exitData, "x.lanes holds other data for rank 1 than for rank 0"},
		"more memory": {here, []string{"--memory", "20MB"}, exitUsage, "rank 1: --memory"},
	} {
		o := finish(t, mixed(args, "", with(args, c.more...), c.second))
		if o.status != c.status || said(o) != 1 || !strings.Contains(o.stderr, c.text) {
			t.Errorf("%s: exit status %d: %s", what, o.status, o.stderr)
		}
		if v := object(t, o); v["status"] != "error" || v["exit_status"] != float64(c.status) || !strings.Contains(v["error"].(string), c.text) {
			t.Errorf("%s: %v", what, v)
		}
		for _, path := range []string{"model", "run"} {
			if _, err := os.Stat(path); err == nil {
				t.Errorf("%s: there is a %s", what, path)
			}
		}
	}
}

// What is wrong for all is said once, and so is what one rank finds out in the middle.
func TestSaidOnce(t *testing.T) {
	rows(t, "onehot:n=300")
	for args, want := range map[string]struct {
		status int
		text   string
	}{
		"train --quiet x.lanes --solver svrg": {exitUsage, "a run on several processes: svrg needs all rows in memory, and takes no shards; take the solver newton"},
		"predict --model m x.lanes":           {exitUsage, "predict is for one process"},
	} {
		o := onRanks(t, 2, strings.Fields(args)...)
		if o.status != want.status || o.out != "" || said(o) != 1 || !strings.Contains(o.stderr, want.text) {
			t.Errorf("%s: exit status %d: %s%s", args, o.status, o.out, o.stderr)
		}
	}
	if o := onRanks(t, 2, "version"); o.status != exitDone || strings.Count(o.out, "lanes ") != 1 {
		t.Errorf("exit status %d: %s%s", o.status, o.out, o.stderr)
	}
}

// said counts the lines that lanes says.
func said(o outcome) int { return strings.Count("\n"+o.stderr, "\nlanes: ") }
