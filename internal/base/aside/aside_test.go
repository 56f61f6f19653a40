package aside

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func requireOnly(t *testing.T, dir, name, content string) {
	t.Helper()
	got, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || string(got) != content {
		t.Fatalf("%s holds %q (%v), want %q", name, got, err, content)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%d files are left (%v)", len(entries), err)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, s := range []string{"one", "two"} {
		if err := Write(path, text(s)); err != nil {
			t.Fatal(err)
		}
		requireOnly(t, dir, "file", s)
	}
	full := errors.New("the disk is full")
	err := Write(path, func(w io.Writer) error {
		io.WriteString(w, "half")
		return full
	})
	if !errors.Is(err, full) {
		t.Errorf("error %v", err)
	}
	requireOnly(t, dir, "file", "two")
	if err := Write(filepath.Join(dir, "absent", "file"), text("")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if err := Write(dir, text("")); err == nil {
		t.Error("a directory is written")
	}
}

// TestWriteNames: an error of the file that is written names it, and an error of another file keeps
// the other's name.
func TestWriteNames(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	closed := func(w io.Writer) error {
		beside, err := filepath.Glob(path + ".*.tmp")
		if err != nil || len(beside) != 1 {
			t.Fatalf("files beside: %v, %v", beside, err)
		}
		return &os.PathError{Op: "write", Path: beside[0], Err: errors.ErrUnsupported}
	}
	other := func(io.Writer) error { return &os.PathError{Op: "read", Path: "other", Err: errors.ErrUnsupported} }
	for want, fill := range map[string]func(io.Writer) error{path: closed, "other": other} {
		var failed *os.PathError
		if err := Write(path, fill); !errors.As(err, &failed) || failed.Path != want {
			t.Errorf("error %v, want one of %s", err, want)
		}
	}
	var failed *os.PathError
	absent := filepath.Join(dir, "absent", "file")
	if err := Write(absent, text("")); !errors.As(err, &failed) || failed.Path != absent {
		t.Errorf("error %v, want one of %s", err, absent)
	}
}

func TestWriteFollowsLinksAndDevices(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(filepath.Join(dir, "file"), link); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, text("linked")); err != nil {
		t.Fatal(err)
	}
	requireOnly(t, dir, "file", "linked")
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	if err := Write(os.DevNull, text("gone")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the null device was replaced: %v", err)
	}
}

// A link whose target is not there yet leads to it, by as many links as there are.
func TestWriteFollowsLinksThatDangle(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	for name, target := range map[string]string{"link": filepath.Join(other, "file"), "further": "link", "circle": "circle"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	path := filepath.Join(dir, "further")
	if err := Check(path); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, text("linked")); err != nil {
		t.Fatal(err)
	}
	requireOnly(t, other, "file", "linked")
	for _, name := range []string{"link", "further"} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s was replaced: %v, %v", name, info, err)
		}
	}
	if err := Write(filepath.Join(dir, "circle"), text("")); err == nil {
		t.Error("a link to itself is written")
	}
}

// What a killed process has left beside a file is removed before the file is written again.
// What another process holds, and what has another name, stays.
func TestClean(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	stay := map[string]bool{"file.1-x.tmp": true, "file.1-2.tmp.gz": true, "file2.1-2.tmp": true, "file.01-2.tmp": true}
	for _, name := range []string{"file.123-0.tmp", "file.99999999-100.tmp", "file.1-x.tmp", "file.1-2.tmp.gz", "file2.1-2.tmp", "file.01-2.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	err := Write(path, func(w io.Writer) error { // which holds its own
		Clean(path)
		_, err := io.WriteString(w, "whole")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	stay["file"] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if release, err := hold(file); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("no locks here")
	} else {
		release()
	}
	for _, e := range entries {
		if !stay[e.Name()] {
			t.Errorf("%s is left", e.Name())
		}
		delete(stay, e.Name())
	}
	if len(stay) > 0 {
		t.Errorf("%v are gone", stay)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "whole" {
		t.Errorf("%q (%v)", got, err)
	}
}
