package console

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
)

// HelpLines and HelpText are the largest numbers of lines of a page of the help, and of the
// explanation in it. helpWidth is the number of characters of a line.
const (
	HelpLines = 72
	HelpText  = 15
	helpWidth = 100
)

// Topic is a page of the help that explains a subject and lists flags of train.
type Topic struct{ Name, Title, Text string }

// group is a titled set of flags.
type group struct {
	Title string
	Flags *cli.FlagSet
}

// helpGroup is the title of the flags that show the help and the version.
const helpGroup = "Help"

// groupOrder is the order of the groups that a page of the help has.
var groupOrder = []string{DataGroup, "Table", "Returns", ModelGroup, "Penalty", "Stopping", "Search", "Evaluation", OutputGroup, "Resume", ResourcesGroup, helpGroup}

// Groups splits flags by the titles that they were declared with.
func Groups(flags *cli.FlagSet) (groups []*group) {
	flags.VisitAll(func(flag *cli.Flag) {
		title := helpGroup
		if of := flag.Annotations[groupAnnotation]; len(of) > 0 && of[0] != "" {
			title = of[0]
		}
		at := slices.IndexFunc(groups, func(g *group) bool { return g.Title == title })
		if at < 0 {
			at = len(groups)
			groups = append(groups, &group{title, &cli.FlagSet{}})
		}
		groups[at].Flags.AddFlag(flag)
	})
	slices.SortStableFunc(groups, func(a, b *group) int {
		return slices.Index(groupOrder, a.Title) - slices.Index(groupOrder, b.Title)
	})
	return groups
}

// SetGroup gives flags that no command declares the title of their group.
func SetGroup(flags *cli.FlagSet, title string, names ...string) {
	for _, name := range names {
		flags.Lookup(name).Annotations = map[string][]string{groupAnnotation: {title}}
	}
}

// TopicOf returns the topic that lists a flag, "" for none. alone says that the help of its
// command leaves the flag to the topic.
func TopicOf(flag *cli.Flag) (topic string, alone bool) {
	of := flag.Annotations[topicAnnotation]
	if len(of) == 0 {
		return "", false
	}
	return of[0], len(of) > 1
}

// FlagHelp returns a flag with its value, as in --target COLUMN, and its description with the
// default.
func FlagHelp(flag *cli.Flag) (name, about string) {
	value, about := cli.UnquoteUsage(flag)
	name = "--" + flag.Name
	switch {
	case flag.NoOptDefVal != "" && flag.Value.Type() != "bool":
		name += " [" + value + "]"
	case value != "":
		name += " " + value
	}
	switch of := strings.Trim(flag.DefValue, "[]"); of {
	case "", "0", "false", "0s":
	default:
		if !strings.Contains(about, "(default") {
			about += fmt.Sprintf(" (default %s)", of)
		}
	}
	return name, about
}

// flagLines describes flags, a line each.
func flagLines(out io.Writer, width int, flags ...*cli.Flag) {
	for _, flag := range flags {
		name, about := FlagHelp(flag)
		fmt.Fprintf(out, "  %-*s  %s\n", width, name, about)
	}
}

// widest returns the length of the longest flag with its value.
func widest(flags []*cli.Flag) (width int) {
	for _, flag := range flags {
		name, _ := FlagHelp(flag)
		width = max(width, len(name))
	}
	return width
}

// Help writes the page of a command: examples, explanation, the common flags by group, and the
// topics of its flags.
func Help(out io.Writer, cmd *cli.Command, topics []Topic) {
	usage := cmd.UseLine()
	if cmd.Parent() == nil {
		usage = cmd.Name() + " COMMAND [flags]"
	}
	fmt.Fprintf(out, "%s.\n\nUsage: %s\n", cmd.Short, usage)
	if cmd.Example != "" {
		fmt.Fprintf(out, "\nExamples:\n%s\n", cmd.Example)
	}
	if cmd.Long != "" {
		fmt.Fprintf(out, "\n%s\n", cmd.Long)
	}
	if len(cmd.Commands()) > 0 {
		fmt.Fprintf(out, "\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if !sub.Hidden {
				fmt.Fprintf(out, "  %-11s  %s\n", sub.Name(), sub.Short)
			}
		}
	}
	if cmd.Parent() == nil {
		fmt.Fprintf(out, "\nTopics ('lanes help TOPIC'):\n")
		for _, topic := range topics {
			fmt.Fprintf(out, "  %-11s  %s\n", topic.Name, topic.Title)
		}
	}
	all := &cli.FlagSet{}
	var shown []*cli.Flag
	var left []string
	add := func(flag *cli.Flag) {
		topic, alone := TopicOf(flag)
		if topic != "" && !slices.Contains(left, topic) {
			left = append(left, topic)
		}
		switch {
		case len(flag.Annotations[groupAnnotation]) == 0:
		case !alone:
			all.AddFlag(flag)
			shown = append(shown, flag)
		}
	}
	cmd.OwnFlags().VisitAll(add)
	cmd.AllFlags().VisitAll(add)
	width := widest(shown)
	fmt.Fprintln(out)
	for _, g := range Groups(all) {
		fmt.Fprintf(out, "%s:\n", g.Title)
		g.Flags.VisitAll(func(flag *cli.Flag) { flagLines(out, width, flag) })
	}
	switch {
	case cmd.Parent() == nil:
		fmt.Fprintf(out, "\n'lanes COMMAND --help' shows the flags of a command.\n")
	case len(left) > 0:
		fmt.Fprintf(out, "\nTopics ('lanes help TOPIC'):\n")
		for len(left) > 0 {
			n := 1
			for n < len(left) && len("  "+strings.Join(left[:n+1], " ")) <= lineWidth {
				n++
			}
			fmt.Fprintf(out, "  %s\n", strings.Join(left[:n], " "))
			left = left[n:]
		}
	}
}

// lineWidth is the number of columns that a line of help takes at most.
const lineWidth = 100

// Write writes the page of a topic, with its flags among those given.
func (t *Topic) Write(out io.Writer, flags *cli.FlagSet) {
	fmt.Fprintf(out, "%s.\n\n%s\n", t.Title, t.Text)
	list := t.Flags(flags)
	if len(list) > 0 {
		fmt.Fprintf(out, "\nFlags:\n")
		flagLines(out, widest(list), list...)
	}
}

// Flags returns the flags that belong to the topic.
func (t *Topic) Flags(flags *cli.FlagSet) (list []*cli.Flag) {
	flags.VisitAll(func(flag *cli.Flag) {
		if topic, _ := TopicOf(flag); topic == t.Name {
			list = append(list, flag)
		}
	})
	return list
}
