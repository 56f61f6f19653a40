package stamp

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestOpenNow: reads of a file fail once it was changed, and reads of what is no regular file do not.
func TestOpenNow(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("abcdef"), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := OpenNow(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := make([]byte, 3)
	if n, err := s.Read(b); n != 3 || err != nil || string(b) != "abc" {
		t.Errorf("%q, error %v", b[:n], err)
	}
	if err := os.WriteFile(path, []byte("abcd"), 0o666); err != nil {
		t.Fatal(err)
	}
	if n, err := s.Read(b); n != 0 || err == nil {
		t.Errorf("%d bytes of a changed file, error %v", n, err)
	}
	if n, err := s.ReadAt(b, 0); n != 0 || err == nil {
		t.Errorf("%d bytes of a place of a changed file, error %v", n, err)
	}
	s.was, err = Of(s.file) // as where the system failed to tell, once
	if err != nil {
		t.Fatal(err)
	}
	if n, err := s.Read(b); n != 0 || err == nil || err == io.EOF {
		t.Errorf("%d bytes behind bytes that were lost, error %v", n, err)
	}
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	defer to.Close()
	held, err := Hold(from)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := to.WriteString("xyz"); err != nil {
		t.Fatal(err)
	}
	if n, err := held.Read(b); n != 3 || err != nil {
		t.Errorf("%d bytes of a pipe, error %v", n, err)
	}
	if _, err := OpenNow(path + "-"); !os.IsNotExist(err) {
		t.Errorf("error %v of a file that is not there", err)
	}
}

// A stamp differs once bytes were added, and once they were rewritten with the date set back.
func TestStamp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("abc"), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	first, err := Of(file)
	if again, failed := Of(file); err != nil || failed != nil || first != again || first.Size != 3 {
		t.Fatalf("stamps %v and %v of one file, errors %v, %v", first, again, err, failed)
	}
	time.Sleep(20 * time.Millisecond) // more than a tick of the file system's clock
	date := time.Unix(0, first.Written)
	if err := os.WriteFile(path, []byte("abd"), 0o666); err != nil {
		t.Fatal(err)
	}
	if next, err := Of(file); err != nil || next == first || next.Written == first.Written {
		t.Errorf("stamp %v of a file rewritten, which was %v: %v", next, first, err)
	}
	if err := os.Chtimes(path, date, date); err != nil {
		t.Fatal(err)
	}
	next, err := Of(file)
	if err != nil || next.Written != first.Written {
		t.Fatalf("the date was not set back: %v, %v", next, err)
	}
	if (runtime.GOOS == "linux" || runtime.GOOS == "darwin") && next == first {
		t.Errorf("a date set back hides that the file was rewritten")
	}
}
