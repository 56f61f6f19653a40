package research

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestGuide: every block of Go in the guide stands in a file that its section links.
func TestGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/researchers.md")
	if err != nil {
		t.Fatal(err)
	}
	links, blocks := regexp.MustCompile(`\(\.\./([^)#]+\.go)\)`), regexp.MustCompile("(?s)```go\n(.*?)```")
	count := 0
	for section := range strings.SplitSeq(string(text), "\n## ") {
		var files strings.Builder
		for _, link := range links.FindAllStringSubmatch(section, -1) {
			source, err := os.ReadFile(filepath.Join("../..", link[1]))
			if err != nil {
				t.Error(err)
			}
			files.Write(source)
		}
		for _, block := range blocks.FindAllStringSubmatch(section, -1) {
			if count++; !strings.Contains(files.String(), block[1]) {
				t.Errorf("no file of its section has\n%s", block[1])
			}
		}
	}
	if count < 9 {
		t.Errorf("the guide has %d blocks of Go", count)
	}
}
