package command

import (
	_ "embed"
	"fmt"
	"os"
	"strings"
	"testing"
)

// said has lines of the command, each with its status and all that it writes to stderr, and to stdout
// where its lines begin with >: it was read by hand line by line.
//
//go:embed testdata/said.txt
var said string

// TestWholeSaid: all that commands say of small tables: what was not used, which rows are left out,
// and what is refused.
func TestWholeSaid(t *testing.T) {
	t.Chdir(t.TempDir())
	many := func(n int, line func(i int) string) (text string) {
		for i := range n {
			text += line(i) + "\n"
		}
		return text
	}
	short := func(int) string { return "1,2" }
	for name, text := range map[string]string{
		"t.csv": "a,b,y\n" + many(40, func(i int) string { return fmt.Sprintf("%d,%c,%d", i*7%10, 'u'+i%3, i*7%10/5) }) + "bad,u,1\n",
		"u.csv": "a,b,y\n" + many(12, short) + "3,u,0\n8,x,1\nodd,,1\n,q,0\n",
		// The first ten rows that are left out have lines of their own.
		"ten.csv":    "a,b,y\n" + many(10, short) + "3,u,0\n8,v,1\n",
		"eleven.csv": "a,b,y\n" + many(11, short) + "3,u,0\n8,v,1\n",
		"empty.csv":  "a,b,y\n",
		"none.csv":   "a,b,y\n1,u,\n2,v,\n",
		"other.csv":  "c,d\n1,2\n3,4\n",
		"big.csv":    "a,b,y\n1e308,u,1\n",
		"rows.svm":   "1 1:3\n0 2:1\n",
		"n.json":     many(8, func(i int) string { return fmt.Sprintf(`{"a":%d,"l":[%d],"y":%d}`, i*7%10, i, i%2) }),
		"one.csv":    "a~b~y\n1~2~0\n",
		"h.csv":      "5,1\n7,0\n5,1\n",
		"s.txt":      "1 0.5\n0 -1\n\n1 2 3\n",
		"marks.txt":  "1\t0.5\r\n0, -1\n1,2\r\n\r\n1 x\n",
		"two.svm":    many(20, func(i int) string { return fmt.Sprintf("%d %d:%d", i%2, 1+i%3, i%2+1) }),
		"wide.svm":   "1 1:2 4:1\n0 2:1 7:1 9:1\n",
		"huge.svm":   "1 1:2\n0 1:1e60\n",
		"zero.svm":   "1 0:2\n0 1:1\n1 2:3\n0 2:1\n",
		"words.csv": "a,k,y\n" + many(40, func(i int) string {
			return fmt.Sprintf("%d,k%d,%s", i*i%11, i%4, []string{"low", "mid", "high", "top"}[i%4])
		}),
		"lw.txt":     strings.Repeat("no\nyes\n", 10),
		"l3.txt":     strings.Repeat("low\nmid\nhigh\ntop\n", 5),
		"l2.txt":     "1\n0\n",
		"nan.txt":    "1\n0\nnan\n" + strings.Repeat("1\n", 17),
		"n.txt":      "first\nsecond\nthird\n",
		"twice.txt":  "a\nb\na\n",
		"blank.txt":  "a\n \nb\n",
		"tabbed.txt": "a\na\tb\n",
		"short.txt":  "a\nb\n",
		"tab.csv":    "a\tb\ty\n1\tu,v\t0\n2\tu,w\t1\n3\tu\t0\n",
		"blank.csv":  "a   b y\n1 u   0\n2  v 1\n3 u 0\n",
		"word.txt":   "1 0.5\nx 1\n",
		"nan1.txt":   "1 0.5\nnan 1\n",
		"two.json":   `{"version":2,"columns":[]} {}`,
		"odd.json":   `{"version":2,"columnz":[]}`,
		"kind.json":  `{"version":2,"columns":[{"name":"a","kind":"numbers"}]}`,
		"bare.json":  `{"version":2,"columns":[{"name":"a","kind":"number"}]}`,
		"long.txt":   strings.Repeat("a", 1<<16) + "\n",
		"void.txt":   "",
		"eight.csv":  "a,y\n" + many(48, func(i int) string { return fmt.Sprintf("%d,w%d", i*i%11, i%8) }),
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, section := range strings.Split("\n"+said, "\n$ ")[1:] {
		line, want, _ := strings.Cut(section, "\n")
		o := lanes(t, strings.Fields(line)...)
		stdout := ""
		if strings.HasPrefix(want, "> ") {
			stdout = "> " + strings.ReplaceAll(strings.TrimSpace(o.out), "\n", "\n> ") + "\n"
		}
		if got := strings.TrimSpace(fmt.Sprintf("%s%d\n%s", stdout, o.status, o.stderr)); got != strings.TrimSpace(want) {
			t.Errorf("$ %s\n%s\n-- want\n%s", line, got, want)
		}
	}
}
