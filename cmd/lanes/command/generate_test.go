package command

import (
	"os"
	"strings"
	"testing"
)

// TestGenerate writes clicks to standard output and to files.
func TestGenerate(t *testing.T) {
	t.Chdir(t.TempDir())
	text := succeed(t, "generate", "clicks", "--rows", "500", "--quiet")
	if lines := strings.Split(text, "\n"); len(lines) != 502 || !strings.HasPrefix(lines[0], "click,i1,") {
		t.Errorf("%d lines begin with %s", len(lines), lines[0])
	}
	v := object(t, succeed(t, "generate", "clicks", "--rows", "500", "--out", "x.csv", "--json"))
	if v["rows"] != 500.0 || v["clicks"] != float64(strings.Count(text, "\n1,")) || v["planted_auc"].(float64) < 0.7 || v["out"] != "x.csv" {
		t.Errorf("%v", v)
	}
	if written, err := os.ReadFile("x.csv"); string(written) != text || err != nil {
		t.Errorf("the file holds other rows than standard output: %v", err)
	}
	rest := succeed(t, "generate", "clicks", "--rows", "100", "--first", "400", "--quiet", "--workers", "3")
	if _, body, _ := strings.Cut(rest, "\n"); !strings.HasSuffix(text, "\n"+body) {
		t.Error("rows 400 to 499 by themselves are other rows")
	}
	for args, says := range map[string]string{
		"generate cubes": "only clicks", "generate": "1 arg", "generate clicks --json": "--out", "generate clicks --out .": "directory",
		"generate clicks --out none/x.csv": "does not exist",
	} {
		if o := inside(strings.Fields(args)...); o.status == exitDone || !strings.Contains(o.stderr, says) {
			t.Errorf("lanes %s: exit status %d, %s", args, o.status, o.stderr)
		}
	}
}
