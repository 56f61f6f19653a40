package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

const page = `# Results

<!-- begin a -->
old
<!-- reasons -->

why a is so
<!-- end a -->

by hand, in no section

<!-- begin b -->
b's own
<!-- end b -->
`

// Only what stands before the reasons of one section changes, and a second time nothing.
func TestReplaced(t *testing.T) {
	for _, c := range []struct{ name, old, new string }{
		{"a", "old\n<!--", "new\n\n<!--"},
		{"b", "b's own\n", "new\n\n<!-- reasons -->\n"},
	} {
		got, err := replaced(page, c.name, "\nnew\n")
		if want := strings.Replace(page, c.old, c.new, 1); err != nil || got != want {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
		if again, err := replaced(got, c.name, "new\n"); err != nil || again != got {
			t.Errorf("%s a second time: %v\n%s", c.name, err, again)
		}
	}
}

func TestReplacedRefuses(t *testing.T) {
	for _, c := range []struct{ page, name, text, want string }{
		{"# Results\n", "a", "new", "there is no section a: put the lines\n<!-- begin a -->\n<!-- end a -->\n"},
		{page, "c", "new", "there is no section c"},
		{strings.Replace(page, "<!-- end a -->", "", 1), "b", "new", "line 12: <!-- begin b -->: section a has not ended"},
		{strings.Replace(page, "<!-- end b -->", "", 1), "a", "new", "section b does not end"},
		{strings.Replace(page, "<!-- end b -->", "<!-- end a -->", 1), "a", "new", "line 14: <!-- end a -->: that section has not begun"},
		{page + "<!-- end a -->\n", "a", "new", "line 15: <!-- end a -->: that section has not begun"},
		{page + page, "a", "new", "line 17: <!-- begin a -->: there is such a section above"},
		{page + "<!-- reasons -->\n", "a", "new", "it stands in no section"},
		{strings.Replace(page, "old", "<!-- reasons -->", 1), "a", "new", "a section has one of these"},
		{page, "a", "new\n<!-- end a -->\n", "has a line <!-- end a --> of its own"},
		{page, "a", "<!-- reasons -->\nnew\n", "has a line <!-- reasons --> of its own"},
	} {
		if got, err := replaced(c.page, c.name, c.text); err == nil || got != "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, not %q; %q", err, c.want, got)
		}
	}
}

func TestOverrides(t *testing.T) {
	for flags, want := range map[string][]string{
		"":                     nil,
		"w":                    nil,
		" -- C=1":              {"C=1"},
		"w -- ONLY=a\\ b C=1":  {"C=1"},
		"-- FLAGS=-a\\ 1 B=$$": {"FLAGS=-a 1", "B=$"},
	} {
		if got := overrides(flags); !slices.Equal(got, want) {
			t.Errorf("%q: %q", flags, got)
		}
	}
}

func TestMarkdown(t *testing.T) {
	t.Setenv("LANES_DATA", "")
	s := section{
		target: "bench-x", title: "Speed.", variables: []string{"C=1", "FLAGS=-a 1"}, machine: "CPU", others: "busy", remark: "hot",
		commands: "cd bench && \\\n\tgo run ./x\ngo run ./y\ngo run ./z\n",
		output:   "cd bench && \\\n\tgo run ./x\n# Title\n| a |\n|---|\n| 1 |\nend   \ngo run ./y\nplain\n  text\ngo run ./z\n",
	}
	want := "## bench-x\n\nSpeed.\n\n`make bench-x C=1 FLAGS='-a 1'`: CPU; busy; hot.\n\n" +
		"```sh\ncd bench && \\\n\tgo run ./x\n```\n\n### Title\n\n| a |\n|---|\n| 1 |\n\nend\n\n" +
		"```sh\ngo run ./y\n```\n\n```text\nplain\n  text\n```\n\n```sh\ngo run ./z\n```\n"
	if got := s.markdown(); got != want {
		t.Errorf("%s", got)
	}
	s.setOthers(-1, time.Second)
	if s.others != "other programs took 0 % of the processors' time meanwhile" {
		t.Error(s.others)
	}
}

// Folders of data are names that a reader can set.
func TestFolders(t *testing.T) {
	for _, c := range []struct{ data, text, want string }{
		{"/d/data", `x "/d/data/a.xz" /r/y`, `x "$LANES_DATA/a.xz" ./y`},
		{"", `x "/r"`, `x .`},
	} {
		t.Setenv("LANES_DATA", c.data)
		s := section{variables: []string{"C=1"}}
		s.describe("/r")
		if got := s.shorten(c.text); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

// A target that fails, is not there, or prints nothing leaves the page to the byte, and
// nothing beside it; one that works writes its section.
func TestRewrite(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("there is no make")
	}
	t.Setenv("MAKEFLAGS", "n -- C=7 ONLY=a") // of the make that runs the tests
	folder := t.TempDir()
	file := filepath.Join(folder, "RESULTS.md")
	put := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
	}
	put(filepath.Join(folder, "Makefile"), "a: ## what a is\n\techo '| C | $(C) |'\nb:\n\t@echo half; exit 3\nsilent:\n\t@true\n")
	for _, c := range []struct{ target, page, want string }{
		{"b", page, "exit status 2"},
		{"c", page + begin("c") + "\n" + end("c") + "\n", "exit status 2"},
		{"silent", page + begin("silent") + "\n" + end("silent") + "\n", "it printed nothing"},
		{"a", "# Results\n", "there is no section a"},
	} {
		put(file, c.page)
		if err := rewrite(file, folder, c.target, ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.target, err)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != c.page {
			t.Errorf("%s: %v %q", c.target, err, got)
		}
	}
	put(file, page)
	if err := rewrite(file, folder, "a", "a remark"); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## a\n\nWhat a is.\n\n`", "make a C=7`: ", "; a remark.\n", "```sh\necho '| C | 7 |'\n```\n\n| C | 7 |\n\n<!-- reasons -->\n\nwhy a is so\n", "by hand", "b's own"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 2 {
		t.Errorf("%v %v", left, err)
	}
}

// The page has a section for every target that make results runs, and no other.
func TestPage(t *testing.T) {
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^RESULTS := ((?:.*\\\n)*.*)$`).FindStringSubmatch(string(makefile))
	if list == nil {
		t.Fatal("the Makefile has no RESULTS")
	}
	text, err := os.ReadFile("../RESULTS.md")
	if err != nil {
		t.Fatal(err)
	}
	found, err := sections(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range strings.Fields(strings.ReplaceAll(list[1], "\\\n", " ")) {
		if _, ok := found[target]; !ok {
			t.Errorf("there is no section %s", target)
		}
		if title(string(makefile), target) == "" {
			t.Errorf("the Makefile does not say what %s is", target)
		}
		delete(found, target)
	}
	for name := range found {
		t.Errorf("make results does not run %s", name)
	}
}
