package cli

import (
	"embed"
	"fmt"
	"io"
	"strings"
)

// completeName is the hidden command by which a shell asks for completions.
const completeName = "__complete"

// The last line of completions.
const (
	noFiles = ":4" // the words are all that can stand there
	files   = ":0" // a name of a file can stand there
)

// Asks tells whether the arguments of the command ask for completions.
func Asks(args []string) bool { return len(args) > 0 && args[0] == completeName }

// complete prints the words that can complete the last of the words of a line, one a line, with a
// description behind a tab. The last line is ":4", or ":0" if the word may be the name of a file.
func (c *Command) complete(line []string) error {
	typed := line[len(line)-1]
	if typed == `""` { // PowerShell 7.3 and later keep the quotes of an empty word
		typed = ""
	}
	words, known := c.words(line[:len(line)-1], typed)
	var out strings.Builder
	for _, word := range words {
		if strings.HasPrefix(word, typed) {
			out.WriteString(word + "\n")
		}
	}
	if known {
		out.WriteString(noFiles + "\n")
	} else {
		out.WriteString(files + "\n")
	}
	_, err := io.WriteString(c.Out, out.String())
	return err
}

// words returns what can stand behind the words of a line. known is false for names of files.
func (c *Command) words(before []string, typed string) (words []string, known bool) {
	cmd, rest := c.Find(before)
	var args []string
	given, flags := map[*Flag]bool{}, true
	for k := 0; k < len(rest); k++ {
		switch {
		case !flags || !isFlag(rest[k]):
			args = append(args, rest[k])
		case rest[k] == "--":
			flags = false
		default:
			f, _, hasValue := cmd.flags.named(rest[k])
			given[f] = true
			if f == nil || hasValue || f.NoOptDefVal != "" {
				continue
			}
			if k++; k == len(rest) {
				return f.values(args, typed, "")
			}
		}
	}
	if name, value, is := strings.Cut(typed, "="); is && flags && isFlag(typed) {
		if f, _, _ := cmd.flags.named(name); f != nil {
			return f.values(args, value, name+"=")
		}
		return nil, true
	}
	switch {
	case flags && strings.HasPrefix(typed, "-"):
		for _, f := range cmd.flags.list {
			if _, several := f.Value.(List); several || !given[f] {
				_, about := UnquoteUsage(f)
				words = append(words, "--"+f.Name+"\t"+about)
			}
		}
		return words, true
	case len(cmd.subs) > 0 && len(args) == 0:
		for _, sub := range cmd.subs {
			if !sub.Hidden {
				words = append(words, sub.Name()+"\t"+sub.Short)
			}
		}
		return words, true
	case cmd.Complete != nil:
		return cmd.Complete(args, typed), true
	}
	return nil, false
}

// values returns the values of a flag behind a prefix.
func (f *Flag) values(args []string, typed, prefix string) (words []string, known bool) {
	if f.Complete == nil {
		return nil, f.Value.Type() != "string" && f.Value.Type() != "strings"
	}
	for _, word := range f.Complete(args, typed) {
		words = append(words, prefix+word)
	}
	return words, true
}

//go:embed shells/*
var shells embed.FS

// Shell is a shell that Script knows, with the usual name of the file of its script.
type Shell struct{ Name, File string }

// Shells are all shells that Script knows, in the order of their names.
var Shells = []Shell{{"bash", "lanes.bash"}, {"fish", "lanes.fish"}, {"powershell", "lanes.ps1"}, {"zsh", "_lanes"}}

// Script returns the script by which a shell completes the command lanes, or an error for an
// unknown shell.
func Script(shell string) ([]byte, error) {
	for _, s := range Shells {
		if s.Name == shell {
			return shells.ReadFile("shells/" + s.File)
		}
	}
	return nil, fmt.Errorf("there is no completion for %q, only for bash, fish, powershell and zsh", shell)
}
