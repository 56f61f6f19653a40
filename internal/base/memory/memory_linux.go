package memory

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

func available() (least int64, known bool) {
	take := func(v int64, ok bool) {
		if ok && (!known || v < least) {
			least, known = max(v, 0), true
		}
	}
	info, _ := os.ReadFile("/proc/meminfo")
	if kib, ok := field(info, "MemAvailable:"); ok {
		take(kib<<10, true)
	}
	status, _ := os.ReadFile("/proc/self/status")
	for _, l := range []struct {
		resource int
		used     string
	}{{syscall.RLIMIT_AS, "VmSize:"}, {syscall.RLIMIT_DATA, "VmData:"}} {
		var limit syscall.Rlimit
		if syscall.Getrlimit(l.resource, &limit) != nil || uint64(limit.Cur) >= 1<<60 {
			continue
		}
		kib, ok := field(status, l.used)
		take(int64(limit.Cur)-kib<<10, ok)
	}
	group, _ := os.ReadFile("/proc/self/cgroup")
	paths := []string{"/"} // where the process sees its own group as the root
	for line := range bytes.Lines(group) {
		if parts := bytes.SplitN(bytes.TrimSpace(line), []byte(":"), 3); len(parts) == 3 && (len(parts[1]) == 0 || string(parts[1]) == "memory") {
			paths = append(paths, string(parts[2]))
		}
	}
	for _, path := range paths {
		take(groupFree(filepath.Join("/sys/fs/cgroup", path), "memory.max", "memory.current", "file "))
		take(groupFree(filepath.Join("/sys/fs/cgroup/memory", path), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_cache "))
	}
	return least, known
}

// groupFree returns the free memory of a control group. most and current name the files of its
// version, cached the line of memory.stat with reclaimable file memory.
func groupFree(dir, most, current, cached string) (int64, bool) {
	limit, ok1 := wholeFile(filepath.Join(dir, most))
	used, ok2 := wholeFile(filepath.Join(dir, current))
	if !ok1 || !ok2 {
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
