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
