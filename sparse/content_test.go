package sparse

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestReadSaysWhatElseAFileIs: readers of LIBSVM text name what they are given in its place.
func TestReadSaysWhatElseAFileIs(t *testing.T) {
	for text, want := range map[string]string{
		"PAR1\x15\x04\x15":         "it is a Parquet file: package table reads it",
		"a,b\n1,2\n":               "if the file is a table, CSV: package table reads it (lanes train --target COLUMN)",
		"{\"a\": 1}\n":             "JSON lines",
		"\xff\xfea\x00,\x00b\x00":  "iconv",
		"1 1:2\n" + "2 x:1\n":      "",
		"SQLite format 3\x00\x00a": "sqlite3",
	} {
		_, err := Read(t.Context(), strings.NewReader(text), "name", ReadOptions{})
		if err == nil || want == "" && strings.Contains(err.Error(), "table") || !strings.Contains(err.Error(), want) {
			t.Errorf("Read, %q: %v", text, err)
		}
		var last error
		for _, blocked := range Blocks(t.Context(), strings.NewReader(text), "name", ReadOptions{}, 1) {
			last = blocked
		}
		if last == nil || last.Error() != err.Error() {
			t.Errorf("Blocks, %q: %v", text, last)
		}
		_, converted := ConvertCacheFile(t.Context(), filepath.Join(t.TempDir(), "cache"), strings.NewReader(text), "name", ReadOptions{})
		if converted == nil || converted.Error() != err.Error() {
			t.Errorf("ConvertCacheFile, %q: %v", text, converted)
		}
	}
}
