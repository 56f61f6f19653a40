package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestListFitsTree: every edit fits the tree as it stands, and every function exists.
func TestListFitsTree(t *testing.T) {
	texts := map[string]string{}
	for _, m := range mechanisms {
		for _, e := range m.edits {
			if texts[e.file] == "" {
				text, err := os.ReadFile(filepath.Join("../..", e.file))
				if err != nil {
					t.Fatal(err)
				}
				texts[e.file] = string(text)
			}
			edited, err := m.edit(texts[e.file], e)
			if err != nil {
				t.Error(err)
				continue
			}
			texts[e.file] = edited
		}
		if _, err := m.lines("../.."); err != nil {
			t.Error(err)
		}
	}
}
