package command

import (
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
)

// TestMessagesArePrintable gives files, flags and rows names and values that a terminal would
// obey: none gets to it as it is.
func TestMessagesArePrintable(t *testing.T) {
	t.Chdir(t.TempDir())
	const hostile = "x\x80\x1b[2J\u009b2J\nlanes: done\u202e"
	printable := func(args ...string) {
		t.Helper()
		o := inside(args...)
		text := o.out + o.stderr
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(c rune) bool { return c != '\n' && c != '\t' && !unicode.IsPrint(c) }) || strings.Contains(text, "\nlanes: done") {
			t.Errorf("lanes %q: exit status %d: %q", args, o.status, text)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(hostile, tiny)
	write("rows", tiny)
	for _, args := range []string{"train --model m.x", "train --json", "info", "info --json", "compare --epochs 1 --solvers svrg,newton", "convert --to libsvm out.x", "predict --model m.x", "eval --model m.x", "portfolio", "verify", "eval --scores", "bench --from"} {
		for _, name := range []string{hostile, "no" + hostile} {
			printable(append(strings.Fields(args), name)...)
		}
	}
	eachFlag(func(command string, flag *cli.Flag) {
		printable(command, "--"+flag.Name+"="+hostile, "rows")
		printable(command, "--"+flag.Name+hostile, "rows")
	})
	printable(hostile)
	for _, rows := range []string{"@ 1:1\n", "1 @:1\n", "1 1:@\n", "1 qid:@ 1:1\n", "1 1:1 @\n", "1 1:1\n@ 2:1\n", "solver_type @\n", "nr_class @\n", "{\"@\":1}", "{\"format\":\"@\"}", "{\"lanes_receipt\":1,\"flags\":[\"@\"]}", "LANESCSR@", "\"@\",a\n1,2\n", "date,a\n@,2\n"} {
		write("bad", strings.ReplaceAll(rows, "@", strings.ReplaceAll(hostile, "\n", "")))
		for _, args := range []string{"train bad", "info bad", "predict --model bad rows", "eval --scores bad", "verify bad", "portfolio bad", "train rows --resume bad", "train rows --names bad --model m", "train --valid bad rows", "bench --from bad"} {
			printable(strings.Fields(args)...)
		}
	}
}
