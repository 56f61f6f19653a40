package command

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// manualCommand writes what a package of the command brings along.
func manualCommand(a *console.App) *cobra.Command {
	return &cobra.Command{
		Use:    "manual DIR",
		Short:  "Write man pages and shell completions to DIR",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			man, completions := filepath.Join(args[0], "man1"), filepath.Join(args[0], "completions")
			for _, dir := range []string{man, completions} {
				if err := os.MkdirAll(dir, 0o777); err != nil {
					return err
				}
			}
			if err := writePages(root, man); err != nil {
				return err
			}
			for name, write := range map[string]func(string) error{
				"lanes.bash": func(path string) error { return root.GenBashCompletionFileV2(path, true) },
				"_lanes":     root.GenZshCompletionFile,
				"lanes.fish": func(path string) error { return root.GenFishCompletionFile(path, true) },
				"lanes.ps1":  root.GenPowerShellCompletionFileWithDesc,
			} {
				if err := write(filepath.Join(completions, name)); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// writePages writes the page of a command and those of its subcommands.
func writePages(cmd *cobra.Command, folder string) error {
	if !cmd.IsAvailableCommand() {
		return nil
	}
	for _, sub := range cmd.Commands() {
		if err := writePages(sub, folder); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, pageName(cmd)+".1"), manPage(cmd), 0o666)
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// manPage is the page of a command in the language of man(7). It has no date: two builds of
// one version are equal. The generator of cobra takes texts for Markdown, which ours are
// not, and its packages make every start of the command slower.
func manPage(cmd *cobra.Command) []byte {
	cmd.InitDefaultHelpFlag()
	var out bytes.Buffer
	fmt.Fprintf(&out, ".TH %q 1 \"\" lanes lanes\n.nh\n.ad l\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n.SH DESCRIPTION\n",
		strings.ToUpper(pageName(cmd)), roff(pageName(cmd)), roff(cmd.Short), roff(cmd.UseLine()))
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	writeText(&out, about)
	for _, group := range console.Groups(cmd.NonInheritedFlags()) {
		writeFlags(&out, "OPTIONS: "+strings.ToUpper(group.Title), group.Flags)
	}
	writeFlags(&out, "OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if cmd.Example != "" {
		out.WriteString(".SH EXAMPLES\n")
		writeText(&out, cmd.Example)
	}
	var others []string
	if cmd.HasParent() {
		others = append(others, pageName(cmd.Parent()))
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			others = append(others, pageName(sub))
		}
	}
	if len(others) > 0 {
		fmt.Fprintf(&out, ".SH SEE ALSO\n%s(1)\n", roff(strings.Join(others, "(1), ")))
	}
	return out.Bytes()
}

// writeFlags writes the part of a page that describes flags.
func writeFlags(out *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if flags.HasAvailableFlags() {
		fmt.Fprintf(out, ".SH %s\n", title)
		flags.VisitAll(func(f *pflag.Flag) { writeFlag(out, f) })
	}
}

func writeFlag(out *bytes.Buffer, f *pflag.Flag) {
	if f.Hidden || f.Deprecated != "" {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	fmt.Fprintf(out, ".TP\n\\fB%s\\fR", roff(name))
	if value != "" {
		fmt.Fprintf(out, " \\fI%s\\fR", roff(value))
	}
	fmt.Fprintf(out, "\n%s", roff(usage))
	switch f.DefValue {
	case "", "0", "false", "[]":
	default:
		fmt.Fprintf(out, " (default %s)", roff(f.DefValue))
	}
	out.WriteByte('\n')
}

// writeText writes paragraphs, which empty lines part; indented lines stay as they are.
func writeText(out *bytes.Buffer, text string) {
	example := false
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if indented := strings.HasPrefix(line, " "); indented != example && line != "" {
			example = indented
			out.WriteString(map[bool]string{true: ".PP\n.nf\n", false: ".fi\n"}[example])
		}
		if line == "" {
			line = ".PP"
		} else {
			line = roff(line)
		}
		out.WriteString(line + "\n")
	}
	if example {
		out.WriteString(".fi\n")
	}
}

// roff is text that man shows as it is: no backslash, dot or quote in it is a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for k, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[k] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
