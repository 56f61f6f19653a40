package bench

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// threadTime is how long this thread has been running, in nanoseconds.
func threadTime() (int64, bool) {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0, false
	}
	return t.Nano(), true
}

// pin locks the caller to its thread and the thread to a core: the one asked for, or,
// for -1, the last of the fastest that it may use. release undoes both.
func pin(core int) (pinned int, release func(), err error) {
	runtime.LockOSThread()
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return -1, runtime.UnlockOSThread, err
	}
	if core < 0 {
		core = fastestCore(&before)
	}
	var one unix.CPUSet
	one.Set(core)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return -1, runtime.UnlockOSThread, err
	}
	return core, func() {
		unix.SchedSetaffinity(0, &before)
		runtime.UnlockOSThread()
	}, nil
}

// fastestCore goes by the greatest clock that the system tells of, as cores of one CPU
// may differ. The first core often serves the devices: the last one is taken.
func fastestCore(allowed *unix.CPUSet) int {
	best, most := 0, -1
	for core := range 1024 {
		if !allowed.IsSet(core) {
			continue
		}
		clock := number("/sys/devices/system/cpu/cpu" + strconv.Itoa(core) + "/cpufreq/cpuinfo_max_freq")
		if clock >= most {
			best, most = core, clock
		}
	}
	return best
}

// number reads a number from a file of the system, 0 without one. K, as in the
// sizes of caches, is 1024.
func number(path string) int {
	text, _ := os.ReadFile(path)
	digits, kilo := strings.CutSuffix(strings.TrimSpace(string(text)), "K")
	v, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	if kilo {
		v <<= 10
	}
	return v
}

// toldCaches are the sizes of the data caches that Linux tells of, by level, in bytes.
func toldCaches() (sizes [4]int) {
	for k := range 8 {
		dir := "/sys/devices/system/cpu/cpu0/cache/index" + strconv.Itoa(k) + "/"
		kind, _ := os.ReadFile(dir + "type")
		if level := number(dir + "level"); level > 0 && level < len(sizes) && strings.TrimSpace(string(kind)) != "Instruction" {
			sizes[level] = number(dir + "size")
		}
	}
	return sizes
}
