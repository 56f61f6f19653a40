//go:build unix

package aside

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A file that is replaced keeps its permissions and its owner, and is not readable by more people
// while it is written. A file that was not there has the permissions that the system gives to new
// files.
func TestWriteKeepsPermissions(t *testing.T) {
	dir := t.TempDir()
	for _, mode := range []os.FileMode{0o600, 0o640, 0o666, 0o400, 0} {
		path := filepath.Join(dir, mode.String())
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		owner := os.Getuid()
		if os.Chown(path, 12345, 54321) == nil {
			owner = 12345
		}
		err := Write(path, func(w io.Writer) error {
			beside, err := filepath.Glob(path + ".*.tmp")
			if err != nil || len(beside) != 1 {
				t.Fatalf("files beside: %v, %v", beside, err)
			}
			if info, err := os.Stat(beside[0]); err != nil || info.Mode().Perm()&^0o600 != 0 {
				t.Errorf("the mode is %v while a file of %v is written (%v)", info.Mode(), mode, err)
			}
			return text("new")(w)
		})
		info, failed := os.Stat(path)
		if err != nil || failed != nil {
			t.Fatal(err, failed)
		}
		if uid := info.Sys().(*syscall.Stat_t).Uid; info.Mode() != mode || info.Size() != 3 || int(uid) != owner {
			t.Errorf("mode %v, owner %d, %d bytes; want %v, %d, 3", info.Mode(), uid, info.Size(), mode, owner)
		}
	}
	like, path := filepath.Join(dir, "like"), filepath.Join(dir, "new")
	if err := os.WriteFile(like, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, text("new")); err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(like)
	got, failed := os.Stat(path)
	if err != nil || failed != nil || got.Mode() != want.Mode() {
		t.Errorf("a new file has the mode %v, want %v (%v, %v)", got.Mode(), want.Mode(), err, failed)
	}
}
