package command

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// Every command that users see has a page that names all of its flags, and no line of
// them is a request of roff that does not begin a part of the page.
func TestManualPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if code := Run([]string{"manual", dir}, strings.NewReader(""), io.Discard, io.Discard); code != 0 {
		t.Fatalf("lanes manual: exit status %d", code)
	}
	requests := map[string]bool{".TH": true, ".SH": true, ".TP": true, ".PP": true, ".B": true, ".nf": true, ".fi": true, ".nh": true, ".ad": true}
	pages := 0
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		if !cmd.IsAvailableCommand() {
			return
		}
		pages++
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
		content, err := os.ReadFile(filepath.Join(dir, "man1", name+".1"))
		if err != nil {
			t.Fatal(err)
		}
		page := string(content)
		for _, set := range []*pflag.FlagSet{cmd.NonInheritedFlags(), cmd.InheritedFlags()} {
			set.VisitAll(func(f *pflag.Flag) {
				if !f.Hidden && !strings.Contains(page, `\-\-`+strings.ReplaceAll(f.Name, "-", `\-`)+`\fR`) {
					t.Errorf("%s: no --%s", name, f.Name)
				}
			})
		}
		for k, line := range strings.Split(page, "\n") {
			if first, _, _ := strings.Cut(line, " "); strings.HasPrefix(line, ".") && !requests[first] || strings.HasPrefix(line, "'") {
				t.Errorf("%s: line %d is a request: %s", name, k+1, line)
			}
		}
		for _, sub := range cmd.Commands() {
			look(sub)
		}
	}
	look(newRoot(&console.App{}))
	files, err := os.ReadDir(filepath.Join(dir, "man1"))
	if err != nil || len(files) != pages || pages < 10 {
		t.Errorf("%d pages of %d commands: %v", len(files), pages, err)
	}
	for _, shell := range []string{"lanes.bash", "_lanes", "lanes.fish", "lanes.ps1"} {
		if info, err := os.Stat(filepath.Join(dir, "completions", shell)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", shell, err)
		}
	}
}

func TestRoff(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain":         "plain",
		`a\b --c`:       `a\eb \-\-c`,
		".start\n'next": "\\&.start\n\\&'next",
		"in. 'side":     "in. 'side",
	} {
		if got := roff(text); got != want {
			t.Errorf("roff(%q) = %q, not %q", text, got, want)
		}
	}
}

// TestHelpOfFlags: the help describes every flag in a group with a title, on one line of 100
// characters.
func TestHelpOfFlags(t *testing.T) {
	t.Parallel()
	for _, cmd := range newRoot(&console.App{}).Commands() {
		if cmd.Name() == "completion" {
			continue
		}
		cmd.InitDefaultHelpFlag()
		usage, flags := cmd.UsageString(), 0
		cmd.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if flags++; flag.Usage == "" || strings.Count(usage, " --"+flag.Name+" ")+strings.Count(usage, " --"+flag.Name+"[") == 0 {
				t.Errorf("%s: the help does not describe --%s", cmd.Name(), flag.Name)
			}
		})
		lines := 0
		for _, group := range console.Groups(cmd.LocalFlags()) {
			if !strings.Contains(usage, "\n\n"+group.Title+":\n") {
				t.Errorf("%s: %s is no title of the help", cmd.Name(), group.Title)
			}
			lines += strings.Count(group.Flags.FlagUsagesWrapped(100), "\n")
		}
		if lines != flags {
			t.Errorf("%s: the help of %d flags has %d lines: shorten those of two lines", cmd.Name(), flags, lines)
		}
		for _, line := range strings.Split(usage, "\n") {
			if len(line) > 100 && !strings.HasPrefix(line, "  lanes") {
				t.Errorf("%s: a line of %d characters: %s", cmd.Name(), len(line), line)
			}
		}
	}
}
