package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

// section is a run of a target.
type section struct {
	target, title string
	variables     []string // of make, as NAME=VALUE
	commands      string   // what make echoes, a line each
	output        string   // of make, those lines among it
	machine       string
	others        string // how busy other programs were, "" where that is not known
	remark        string
	begun         time.Time
	short         *strings.Replacer // of folders
}

// title is what the Makefile says of a target.
func title(makefile, target string) string {
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(target) + `:.*## (.*)$`).FindStringSubmatch(makefile)
	if found == nil {
		return ""
	}
	return strings.ToUpper(found[1][:1]) + found[1][1:] + "."
}

// overrides returns the variables of make's command line, which make passes on in MAKEFLAGS, except
// variables that say what to do with the results.
func overrides(flags string) (list []string) {
	_, text, _ := strings.Cut(" "+flags, " -- ")
	var one strings.Builder
	flush := func() {
		if name, value, ok := strings.Cut(one.String(), "="); ok && name != "ONLY" && name != "REMARK" {
			list = append(list, name+"="+strings.ReplaceAll(value, "$$", "$"))
		}
		one.Reset()
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			i++
			one.WriteByte(text[i])
		case text[i] == ' ':
			flush()
		default:
			one.WriteByte(text[i])
		}
	}
	flush()
	return list
}

// describe notes the machine and the commit.
func (s *section) describe(root string) {
	report := dispatch.Report()
	s.machine = fmt.Sprintf("%s, %d cores, CPU path %s, %s", report.Name, report.Cores, report.Path, runtime.Version())
	git := func(args ...string) (string, error) {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	if commit, err := git("rev-parse", "--short", "HEAD"); err == nil {
		s.machine += ", at " + commit
		if changes, err := git("status", "--porcelain", "--", ".", ":!bench/RESULTS.md"); err != nil || changes != "" {
			s.machine += " with changes"
		}
	}
	s.machine += ", " + s.begun.Format(time.DateOnly)
	var pairs []string
	for _, p := range [][2]string{{os.Getenv("LANES_DATA"), "$LANES_DATA"}, {root, "."}} {
		if folder, err := filepath.Abs(p[0]); err == nil && p[0] != "" {
			pairs = append(pairs, folder+"/", p[1]+"/", `"`+folder+`"`, p[1])
		}
	}
	s.short = strings.NewReplacer(pairs...)
}

// setOthers notes the processor's seconds of other programs.
func (s *section) setOthers(seconds float64, elapsed time.Duration) {
	share := max(0, seconds) / (elapsed.Seconds() * float64(runtime.NumCPU()))
	s.others = fmt.Sprintf("other programs took %.0f %% of the processors' time meanwhile", 100*min(1, share))
}

// busySeconds is the time since the start that the processors of this machine, or others on
// the same host in their place, did work.
func busySeconds() (seconds float64, known bool) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, false
	}
	line, _, _ := strings.Cut(string(text), "\n")
	// user, nice, system, idle, iowait, irq, softirq, steal, in hundredths; what follows is
	// part of user and nice.
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, false
	}
	for k, field := range fields[1:9] {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return 0, false
		}
		if k != 3 && k != 4 {
			seconds += v / 100
		}
	}
	return seconds, true
}

// printed returns the lines of output that are not commands, parted by them.
func (s *section) printed() (list []string) {
	for _, b := range s.blocks() {
		if !b.command {
			list = append(list, b.text)
		}
	}
	return list
}

// block is some commands, or what was printed between them.
type block struct {
	command bool
	text    string
}

func (s *section) blocks() (list []block) {
	commands := map[string]bool{}
	for line := range strings.Lines(s.commands) {
		commands[strings.TrimRight(line, "\n")] = true
	}
	for line := range strings.Lines(s.output) {
		line = strings.TrimRight(line, "\n")
		if n := len(list); n == 0 || list[n-1].command != commands[line] {
			list = append(list, block{command: commands[line]})
		}
		list[len(list)-1].text += strings.TrimRight(line, " ") + "\n"
	}
	kept := list[:0]
	for _, b := range list {
		if b.text = strings.Trim(b.text, "\n"); b.text != "" {
			kept = append(kept, b)
		}
	}
	return kept
}

// markdown is the section without markers.
func (s *section) markdown() string {
	var out strings.Builder
	fmt.Fprintf(&out, "## %s\n\n", s.target)
	if s.title != "" {
		fmt.Fprintf(&out, "%s\n\n", s.title)
	}
	command := "make " + s.target
	for _, v := range s.variables {
		if name, value, _ := strings.Cut(v, "="); strings.ContainsAny(value, " \t\"'*$") {
			v = name + "='" + value + "'"
		}
		command += " " + v
	}
	if os.Getenv("LANES_DATA") != "" {
		command = "LANES_DATA=... " + command
	}
	about := []string{s.machine}
	for _, more := range []string{s.others, s.remark} {
		if more != "" {
			about = append(about, more)
		}
	}
	fmt.Fprintf(&out, "`%s`: %s.\n", s.shorten(command), strings.Join(about, "; "))
	for _, b := range s.blocks() {
		text := s.shorten(b.text)
		switch {
		case b.command:
			text = "```sh\n" + text + "\n```"
		case !strings.Contains("\n"+text, "\n|"):
			text = "```text\n" + text + "\n```"
		default:
			text = spaced(text)
		}
		fmt.Fprintf(&out, "\n%s\n", text)
	}
	return out.String()
}

func (s *section) shorten(text string) string {
	if s.short == nil {
		return text
	}
	return s.short.Replace(text)
}

// spaced puts an empty line before and after tables, which Markdown requires, and moves headings
// below the headings of the page.
func spaced(text string) string {
	var out strings.Builder
	table, empty := false, true
	for line := range strings.Lines(text) {
		row := strings.HasPrefix(line, "|")
		if row != table && !empty && strings.TrimSpace(line) != "" {
			out.WriteString("\n")
		}
		if strings.HasPrefix(line, "#") {
			line = "##" + line
		}
		out.WriteString(line)
		table, empty = row, strings.TrimSpace(line) == ""
	}
	return out.String()
}
