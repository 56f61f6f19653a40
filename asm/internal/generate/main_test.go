package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestFilesAreCurrent: the files of package vector are what its kernels give, and no other file says
// that it is generated.
func TestFilesAreCurrent(t *testing.T) {
	const folder = "../../vector"
	files, err := generate(folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if there, err := os.ReadFile(filepath.Join(folder, name)); err != nil || !bytes.Equal(there, text) {
			t.Errorf("%s: run go run ./asm/internal/generate asm/vector (%v)", name, err)
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.HasPrefix(text, []byte(notice)) && files[entry.Name()] == nil {
			t.Errorf("%s is made by no kernel", entry.Name())
		}
	}
}
