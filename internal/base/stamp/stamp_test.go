package stamp

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

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
