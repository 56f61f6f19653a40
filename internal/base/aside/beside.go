package aside

import (
	"os"
	"sync"
)

// beside are the files of this process that are not whole yet.
var beside = unfinished{names: map[string]bool{}}

type unfinished struct {
	sync.Mutex
	names map[string]bool
}

func (u *unfinished) open(name string, mode os.FileMode) (*os.File, error) {
	u.Lock()
	defer u.Unlock()
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err == nil {
		u.names[name] = true
	}
	return file, err
}

func (u *unfinished) rename(name, path string) error {
	u.Lock()
	defer u.Unlock()
	err := os.Rename(name, path)
	if err == nil {
		delete(u.names, name)
	}
	return err
}

func (u *unfinished) remove(name string) error {
	u.Lock()
	defer u.Unlock()
	if !u.names[name] {
		return nil
	}
	delete(u.names, name)
	return os.Remove(name)
}

func (u *unfinished) forget(name string) {
	u.Lock()
	defer u.Unlock()
	delete(u.names, name)
}

// Abandon is for a process that exits next. It removes the files that Write has begun, and tells
// whether there were any. Calls of Write and Check do not return from then on.
func Abandon() (some bool) {
	beside.Lock()
	for name := range beside.names {
		os.Remove(name)
		some = true
	}
	return some
}
