package table

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// A file may be rewritten, grow or be replaced between the passes, or within one. The result is an
// error that names the file, and no rows of two contents. The same holds for a file on standard
// input.
func TestChangedFile(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	row := func(y int) string { return fmt.Sprintf("%d,%s\n", y, strings.Repeat("7", 100)) }
	text := "y,x\n" + strings.Repeat(row(0)+row(1), 20_000)
	for how, change := range map[string]func(path string) error{
		"rewritten": func(path string) error {
			return os.WriteFile(path, []byte(strings.ReplaceAll(text, "\n0,", "\n1,")), 0o666)
		},
		"grown": func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			_, err = f.WriteString(row(1))
			return err
		},
		"replaced": func(path string) error {
			if err := os.WriteFile(path+".new", []byte(text), 0o666); err != nil {
				return err
			}
			return os.Rename(path+".new", path)
		},
	} {
		for k := range 4 {
			within, piped := k%2 > 0, k >= 2
			path := filepath.Join(t.TempDir(), "t.csv")
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			name, o := path, Options{}
			if piped {
				file, err := os.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer file.Close()
				name, o.Stdin = "-", file
			}
			s, err := Open(name, o)
			if err != nil {
				t.Fatal(err)
			}
			read := func() error {
				r, err := s.text(context.Background(), 0)
				if err != nil {
					return err
				}
				defer r.Close()
				buffer := make([]byte, 1000)
				for k := 0; err == nil; k++ {
					if within && k == 3 {
						if err := change(path); err != nil {
							t.Fatal(err)
						}
					}
					_, err = r.Read(buffer)
				}
				return err
			}
			if !within {
				if err := change(path); err != nil {
					t.Fatal(err)
				}
			}
			err = read()
			s.Close()
			if how == "replaced" && (within || piped) { // the old file is open, and whole
				continue
			}
			if err == nil || !strings.HasPrefix(err.Error(), "read "+path+": the file was changed") {
				t.Errorf("%s, within a pass %t, on standard input %t: error %v", how, within, piped, err)
			}
		}
	}
}
