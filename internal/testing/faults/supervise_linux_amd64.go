package faults

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/lanes-go/lanes/cmd/lanes/command"
)

// environment holds the limit of the size of files, or "none", for a process that Child runs.
const environment = "LANES_FAULTS"

var names = map[int32]string{
	unix.SYS_READ: "read", unix.SYS_PREAD64: "pread64", unix.SYS_WRITE: "write", unix.SYS_PWRITE64: "pwrite64",
	unix.SYS_OPENAT: "openat", unix.SYS_FSYNC: "fsync", unix.SYS_FTRUNCATE: "ftruncate", unix.SYS_FCHMOD: "fchmod", unix.SYS_FCHOWN: "fchown",
	unix.SYS_RENAME: "rename", unix.SYS_RENAMEAT: "rename", unix.SYS_RENAMEAT2: "rename", unix.SYS_CLOSE: "close",
	unix.SYS_FSTAT: "fstat", unix.SYS_NEWFSTATAT: "stat", unix.SYS_GETDENTS64: "getdents64", unix.SYS_LSEEK: "lseek",
	unix.SYS_COPY_FILE_RANGE: "copy_file_range",
}

// Child runs the command in a process that Execute has started, and ends it. Elsewhere it returns.
func Child() {
	limit, is := os.LookupEnv(environment)
	if !is {
		return
	}
	if bytes, err := strconv.ParseUint(limit, 10, 64); err == nil {
		check(unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: bytes}))
	}
	os.Unsetenv(environment)
	listener, err := listen()
	check(err)
	check(unix.Sendmsg(3, []byte{0}, unix.UnixRights(listener), nil, 0))
	unix.Close(listener)
	unix.Close(3)
	os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func check(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "faults: %v\n", err)
		os.Exit(unsupported)
	}
}

// unsupported is the exit status of a process whose calls cannot be stopped.
const unsupported = 99

// listen has all threads stop before the calls that names lists, and returns where to hear of them.
func listen() (int, error) {
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // the number of the call
	}
	for number := range names {
		filter = append(filter,
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: 1, K: uint32(number)},
			unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF})
	}
	filter = append(filter, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW})
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	// Of this thread, which the filter is set on first.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return 0, err
	}
	const flags = unix.SECCOMP_FILTER_FLAG_NEW_LISTENER | unix.SECCOMP_FILTER_FLAG_TSYNC | unix.SECCOMP_FILTER_FLAG_TSYNC_ESRCH | unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
	fd, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, flags, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return 0, errno
	}
	return int(fd), nil
}

// notice and reply are struct seccomp_notif and struct seccomp_notif_resp.
type (
	notice struct {
		id     uint64
		thread uint32
		_      uint32
		number int32
		_      uint32
		_      uint64
		args   [6]uint64
	}
	reply struct {
		id    uint64
		value int64
		errno int32
		flags uint32
	}
)

// supervisor decides about the calls of one process.
type supervisor struct {
	dir      string
	process  int
	listener int
	fault    Fault
	change   func(name string, kind Kind) error
	calls    []Call
	hit      []Call
}

// Supported tells why runs cannot be disturbed here; nil if they can.
func Supported() error {
	dir, err := os.MkdirTemp("", "faults")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	_, err = execute(dir, []string{"version"}, Fault{}, nil)
	return err
}

// execute runs the command in a folder. change changes the input of a name.
func execute(dir string, args []string, fault Fault, change func(name string, kind Kind) error) (*outcome, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	said, err := os.Create(filepath.Join(dir, stdout))
	if err != nil {
		return nil, err
	}
	defer said.Close()
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	theirs := os.NewFile(uintptr(pair[1]), "socket")
	defer unix.Close(pair[0])
	var stderr bytes.Buffer
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = dir, said, &stderr, []*os.File{theirs}
	limit := "none"
	if fault.Kind == Limited {
		limit = strconv.Itoa(fault.At)
	}
	cmd.Env = append(os.Environ(), environment+"="+limit, "TMPDIR="+filepath.Join(dir, temporary), "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	if err := cmd.Start(); err != nil {
		theirs.Close()
		return nil, err
	}
	theirs.Close()
	s := &supervisor{dir: dir, process: cmd.Process.Pid, fault: fault, change: change}
	heard := make(chan error, 1)
	go func() { heard <- s.hear(pair[0]) }()
	hung := false
	timer := time.AfterFunc(patience, func() { hung = true; cmd.Process.Kill() })
	defer timer.Stop()
	cmd.Wait()
	if err := <-heard; err != nil {
		return nil, err
	}
	o := &outcome{status: cmd.ProcessState.ExitCode(), stderr: stderr.String(), calls: s.calls, hit: s.hit, hung: hung}
	if o.status == unsupported {
		return nil, errors.New(strings.TrimSpace(o.stderr))
	}
	text, err := os.ReadFile(filepath.Join(dir, stdout))
	o.stdout = string(text)
	return o, err
}

// hear waits for calls and answers, until the process has ended.
func (s *supervisor) hear(socket int) error {
	rights := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(socket, make([]byte, 1), rights, 0)
	if err != nil || n == 0 {
		return err // the process has ended, and says why
	}
	messages, err := unix.ParseSocketControlMessage(rights[:n])
	if err != nil {
		return err
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return err
	}
	s.listener = fds[0]
	defer unix.Close(s.listener)
	for {
		poll := []unix.PollFd{{Fd: int32(s.listener), Events: unix.POLLIN}}
		if _, err := unix.Poll(poll, -1); err == unix.EINTR {
			continue
		} else if err != nil {
			return err
		}
		if poll[0].Revents&unix.POLLIN == 0 {
			return nil
		}
		var n notice
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 {
			if errno == unix.ENOENT || errno == unix.EINTR {
				continue
			}
			return errno
		}
		r := s.decide(&n)
		r.id = n.id
		unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&r)))
	}
}

// decide is what becomes of a call.
func (s *supervisor) decide(n *notice) reply {
	goOn := reply{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	path, ok := s.path(n)
	if !ok {
		return goOn
	}
	call := Call{names[n.number], path}
	if call.Name == "openat" && n.args[2]&(unix.O_CREAT|unix.O_WRONLY|unix.O_RDWR) != 0 {
		call.Name = "create"
	}
	at := len(s.calls)
	s.calls = append(s.calls, call)
	if s.fault.Kind == Stays && at > s.fault.At && (call.writes() || call.Name == "create") {
		s.hit = append(s.hit, call)
		return reply{errno: -int32(unix.ENOSPC)}
	}
	if at != s.fault.At || !call.may(s.fault.Kind) { // calls of goroutines come in any order
		return goOn
	}
	s.hit = append(s.hit, call)
	switch s.fault.Kind {
	case IO:
		return reply{errno: -int32(unix.EIO)}
	case Denied:
		return reply{errno: -int32(unix.EACCES)}
	case Full, Stays:
		return reply{errno: -int32(unix.ENOSPC)}
	case Again:
		return reply{errno: -int32(unix.EINTR)}
	case Short:
		if half, err := s.short(n); err == nil {
			return reply{value: half}
		}
		return goOn
	}
	if name, is := strings.CutPrefix(path, inputs+"/"); !is || s.change(name, s.fault.Kind) != nil {
		s.hit = nil
	}
	return goOn
}

// path returns the path of a call's file, if it is one of the run's.
func (s *supervisor) path(n *notice) (string, bool) {
	path, named := "", true
	switch n.number {
	case unix.SYS_OPENAT, unix.SYS_NEWFSTATAT:
		path = s.text(n, n.args[1])
		if path == "" { // of the file itself
			path, named = s.link(n, n.args[0]), false
		}
	case unix.SYS_RENAME:
		path = s.text(n, n.args[1])
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2:
		path = s.text(n, n.args[3])
	case unix.SYS_COPY_FILE_RANGE:
		path, named = s.link(n, n.args[2]), false
	default:
		path, named = s.link(n, n.args[0]), false
	}
	if named && path != "" && !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	path = strings.TrimSuffix(path, " (deleted)")
	inside, is := strings.CutPrefix(path, s.dir+"/")
	return inside, is && inside != "."
}

// link returns the path of an open file, or the name of what is no file.
func (s *supervisor) link(n *notice, fd uint64) string {
	path, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", n.thread, int32(fd)))
	return path
}

// text reads a string of the process.
func (s *supervisor) text(n *notice, at uint64) string {
	b := make([]byte, 4096)
	size := 4096 - int(at%4096) // the next page may not be there
	for {
		k, err := unix.ProcessVMReadv(int(n.thread), []unix.Iovec{iovec(b[:size])}, []unix.RemoteIovec{{Base: uintptr(at), Len: size}}, 0)
		if err != nil {
			return ""
		}
		if end := bytes.IndexByte(b[:k], 0); end >= 0 {
			return string(b[:end])
		}
		if size == len(b) {
			return ""
		}
		size = len(b)
	}
}

func iovec(b []byte) unix.Iovec { return unix.Iovec{Base: &b[0], Len: uint64(len(b))} }

// short does half of a call that reads or writes, and returns its result.
func (s *supervisor) short(n *notice) (int64, error) {
	half := int(n.args[2] / 2)
	if half == 0 {
		return 0, unix.EINVAL
	}
	process, err := unix.PidfdOpen(s.process, 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(process)
	fd, err := unix.PidfdGetfd(process, int(int32(n.args[0])), 0)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd)
	b := make([]byte, half)
	there := []unix.RemoteIovec{{Base: uintptr(n.args[1]), Len: half}}
	if n.number == unix.SYS_WRITE || n.number == unix.SYS_PWRITE64 {
		if _, err := unix.ProcessVMReadv(s.process, []unix.Iovec{iovec(b)}, there, 0); err != nil {
			return 0, err
		}
		if n.number == unix.SYS_WRITE {
			half, err = unix.Write(fd, b)
		} else {
			half, err = unix.Pwrite(fd, b, int64(n.args[3]))
		}
		return int64(half), err
	}
	if n.number == unix.SYS_READ {
		half, err = unix.Read(fd, b)
	} else {
		half, err = unix.Pread(fd, b, int64(n.args[3]))
	}
	if half > 1 { // of what is there
		if n.number == unix.SYS_READ {
			unix.Seek(fd, -int64(half-half/2), 1)
		}
		half /= 2
	}
	if err != nil || half == 0 {
		return int64(half), err
	}
	there[0].Len = half
	_, err = unix.ProcessVMWritev(s.process, []unix.Iovec{iovec(b[:half])}, there, 0)
	return int64(half), err
}
