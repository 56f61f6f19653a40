package memory

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// arena is the step in which the runtime takes address space for its heap.
const arena = 64 << 20

// ownBytes are left to the runtime for its own tables.
const ownBytes = 4 << 20

// unlimited and more stand for no limit. The first version of control groups writes 2^63 less a page.
const unlimited = 1 << 60

// available returns what may be taken on this machine, by this process and its group.
func available(h *heap) (room, bool) {
	r, known := limits(h)
	info, _ := os.ReadFile("/proc/meminfo")
	if kib, ok := field(info, "MemAvailable:"); ok {
		r, known = r.least(room{kib << 10, kib<<10 + h.free, kib << 10}, known), true
	}
	return r, known
}

// limits returns what the limits of the process and its control group leave. known is false
// without limits.
func limits(h *heap) (r room, known bool) {
	status, _ := os.ReadFile("/proc/self/status")
	for _, l := range []struct {
		resource int
		used     string
		step     int64
	}{{syscall.RLIMIT_AS, "VmSize:", arena}, {syscall.RLIMIT_DATA, "VmData:", 1}} {
		var limit syscall.Rlimit
		if syscall.Getrlimit(l.resource, &limit) != nil || uint64(limit.Cur) >= unlimited {
			continue
		}
		// What the heap gave back to the system still counts. It can be used again, but not as one
		// array. What is reserved counts, too.
		if kib, ok := field(status, l.used); ok {
			left := max(int64(limit.Cur)-kib<<10-ownBytes, 0) / l.step * l.step
			r, known = r.least(room{left, left + (h.free+h.released)/2, left / 4}, known), true
		}
	}
	group, _ := os.ReadFile("/proc/self/cgroup")
	paths := []string{"/"} // where the process sees its own group as the root
	for line := range bytes.Lines(group) {
		if parts := bytes.SplitN(bytes.TrimSpace(line), []byte(":"), 3); len(parts) == 3 && (len(parts[1]) == 0 || string(parts[1]) == "memory") {
			paths = append(paths, string(parts[2]))
		}
	}
	for _, path := range paths {
		for _, version := range [][4]string{{"", "memory.max", "memory.current", "file "}, {"memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache "}} {
			if left, ok := groupFree(filepath.Join("/sys/fs/cgroup", version[0], path), version[1], version[2], version[3]); ok {
				r, known = r.least(room{left, left + h.free, left}, known), true
			}
		}
	}
	return r, known
}

// groupFree returns the free memory of a control group. most and current name the files of its
// version, cached the line of memory.stat with reclaimable file memory.
func groupFree(dir, most, current, cached string) (int64, bool) {
	limit, ok1 := wholeFile(filepath.Join(dir, most))
	used, ok2 := wholeFile(filepath.Join(dir, current))
	if !ok1 || !ok2 || limit >= unlimited {
		return 0, false
	}
	stat, _ := os.ReadFile(filepath.Join(dir, "memory.stat"))
	files, _ := field(stat, cached)
	return limit - max(used-files, 0), true
}

func wholeFile(path string) (int64, bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, false
	}
	v, err := strconv.ParseInt(string(bytes.TrimSpace(text)), 10, 64)
	return v, err == nil
}

// field returns the number after a name at the start of a line.
func field(text []byte, name string) (int64, bool) {
	for line := range bytes.Lines(text) {
		if rest, found := bytes.CutPrefix(line, []byte(name)); found {
			words := bytes.Fields(rest)
			if len(words) == 0 {
				return 0, false
			}
			v, err := strconv.ParseInt(string(words[0]), 10, 64)
			return v, err == nil
		}
	}
	return 0, false
}
