package command

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// manualCommand writes the man pages and completions that a package of the command has.
func manualCommand(a *console.App) *cli.Command {
	return &cli.Command{
		Use:    "manual DIR",
		Short:  "Write man pages and shell completions to DIR",
		Hidden: true,
		Args:   cli.Between(1, 1),
		Run: func(cmd *cli.Command, args []string) error {
			root := cmd.Root()
			man, explained, completions := filepath.Join(args[0], "man1"), filepath.Join(args[0], "man7"), filepath.Join(args[0], "completions")
			for _, dir := range []string{man, explained, completions} {
				if err := os.MkdirAll(dir, 0o777); err != nil {
					return err
				}
			}
			if err := writePages(root, man); err != nil {
				return err
			}
			for k := range topics {
				if err := os.WriteFile(filepath.Join(explained, "lanes-"+topics[k].Name+".7"), topicPage(&topics[k]), 0o666); err != nil {
					return err
				}
			}
			for _, shell := range cli.Shells {
				script, err := cli.Script(shell.Name)
				if err != nil {
					return err
				}
				if err := os.WriteFile(filepath.Join(completions, shell.File), script, 0o666); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// writePages writes the pages of a command and of its subcommands.
func writePages(cmd *cli.Command, folder string) error {
	if cmd.Hidden {
		return nil
	}
	for _, sub := range cmd.Commands() {
		if err := writePages(sub, folder); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, pageName(cmd)+".1"), manPage(cmd), 0o666)
}

func pageName(cmd *cli.Command) string { return strings.ReplaceAll(cmd.Path(), " ", "-") }

// manPage returns the page of a command in the language of man(7). It has no date, so that two
// builds of one version are equal.
func manPage(cmd *cli.Command) []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, ".TH %q 1 \"\" lanes lanes\n.nh\n.ad l\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.B %s\n.SH DESCRIPTION\n",
		strings.ToUpper(pageName(cmd)), roff(pageName(cmd)), roff(cmd.Short), roff(cmd.UseLine()))
	writeText(&out, cmp.Or(cmd.Long, cmd.Short))
	for _, group := range console.Groups(cmd.OwnFlags()) {
		writeFlags(&out, "OPTIONS: "+strings.ToUpper(group.Title), group.Flags)
	}
	writeFlags(&out, "OPTIONS OF ALL COMMANDS", cmd.AllFlags())
	if cmd.Example != "" {
		out.WriteString(".SH EXAMPLES\n")
		writeText(&out, cmd.Example)
	}
	var others []string
	if cmd.Parent() != nil {
		others = append(others, pageName(cmd.Parent()))
	}
	for _, sub := range cmd.Commands() {
		if !sub.Hidden {
			others = append(others, pageName(sub))
		}
	}
	pages := strings.Join(others, "(1), ") + "(1)"
	for _, topic := range topicsOf(cmd) {
		pages += ", lanes-" + topic + "(7)"
	}
	fmt.Fprintf(&out, ".SH SEE ALSO\n%s\n", roff(pages))
	return out.Bytes()
}

// topicsOf names the topics of the flags of a command, all for the root.
func topicsOf(cmd *cli.Command) (names []string) {
	for k := range topics {
		if cmd.Parent() == nil || len(topics[k].Flags(cmd.OwnFlags())) > 0 {
			names = append(names, topics[k].Name)
		}
	}
	return names
}

// topicPage returns the page of a topic.
func topicPage(topic *console.Topic) []byte {
	var out bytes.Buffer
	name := "lanes-" + topic.Name
	fmt.Fprintf(&out, ".TH %q 7 \"\" lanes lanes\n.nh\n.ad l\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n", strings.ToUpper(name), roff(name), roff(topic.Title))
	writeText(&out, topic.Text)
	if flags := topic.Flags(trainFlags()); len(flags) > 0 {
		out.WriteString(".SH OPTIONS\n")
		for _, flag := range flags {
			writeFlag(&out, flag)
		}
	}
	out.WriteString(".SH SEE ALSO\nlanes(1), lanes\\-train(1)\n")
	return out.Bytes()
}

// writeFlags writes the section of a page that describes flags.
func writeFlags(out *bytes.Buffer, title string, flags *cli.FlagSet) {
	if !flags.Empty() {
		fmt.Fprintf(out, ".SH %s\n", title)
		flags.VisitAll(func(f *cli.Flag) { writeFlag(out, f) })
	}
}

func writeFlag(out *bytes.Buffer, f *cli.Flag) {
	name, usage := console.FlagHelp(f)
	name, value, _ := strings.Cut(name, " ")
	if f.Letter != "" {
		name = "-" + f.Letter + ", " + name
	}
	fmt.Fprintf(out, ".TP\n\\fB%s\\fR", roff(name))
	if value != "" {
		fmt.Fprintf(out, " \\fI%s\\fR", roff(value))
	}
	fmt.Fprintf(out, "\n%s\n", roff(usage))
}

// writeText writes paragraphs, separated by empty lines; indented lines and lists stay as they are.
func writeText(out *bytes.Buffer, text string) {
	example := false
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "- "); indented != example && line != "" {
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
