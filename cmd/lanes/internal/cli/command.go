package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/internal/base/nearest"
)

// Command is a command, or a tree of them.
type Command struct {
	Use                  string // name and arguments, for the usage
	Short, Long, Example string
	Hidden               bool   // no help lists it
	Version              string // of the root, which then has --version
	Out                  io.Writer

	Args     ArgsFunc       // checks the arguments; nil accepts all but for a command with subcommands
	Complete CompletionFunc // completes arguments; nil for names of files
	// Help prints the page of a command. FlagError turns an error of Parse into one for users. Before
	// runs ahead of a command and its PreRun. All three are the root's.
	Help      func(*Command) error
	FlagError func(*Command, error) error
	Before    func(cmd *Command, args []string) error
	PreRun    func(cmd *Command, args []string) error
	Run       func(cmd *Command, args []string) error

	parent     *Command
	subs       []*Command
	flags      FlagSet
	persistent FlagSet // of the root: for all commands
	help       bool    // of the root
	version    bool
}

// Name returns the first word of Use.
func (c *Command) Name() string {
	name, _, _ := strings.Cut(c.Use, " ")
	return name
}

// Path returns the names from the root to the command, separated by blanks.
func (c *Command) Path() string {
	if c.parent == nil {
		return c.Name()
	}
	return c.parent.Path() + " " + c.Name()
}

// UseLine returns Use behind the names of the commands above.
func (c *Command) UseLine() string {
	if c.parent == nil {
		return c.Use
	}
	return c.parent.Path() + " " + c.Use
}

// Parent returns the command above, nil for the root.
func (c *Command) Parent() *Command { return c.parent }

// Root returns the root of the tree.
func (c *Command) Root() *Command {
	for c.parent != nil {
		c = c.parent
	}
	return c
}

// Commands returns the subcommands, by name.
func (c *Command) Commands() []*Command { return c.subs }

// Flags returns the flags that the command takes, with the flags of all commands once it stands in
// a tree.
func (c *Command) Flags() *FlagSet { return &c.flags }

// AllFlags returns the flags that the root gives to all commands. Add them before AddCommand.
func (c *Command) AllFlags() *FlagSet { return &c.Root().persistent }

// OwnFlags returns the flags that other commands do not have.
func (c *Command) OwnFlags() *FlagSet {
	own := &FlagSet{Normalize: c.flags.Normalize}
	all := c.AllFlags()
	for _, f := range c.flags.list {
		if all.names[f.Name] != f {
			own.AddFlag(f)
		}
	}
	return own
}

// AddCommand adds subcommands. They take the flags of all commands.
func (c *Command) AddCommand(subs ...*Command) {
	for _, sub := range subs {
		sub.parent = c
		sub.inherit()
	}
	c.subs = append(c.subs, subs...)
	slices.SortFunc(c.subs, func(a, b *Command) int { return strings.Compare(a.Name(), b.Name()) })
}

// inherit gives a command the flags of all commands, with --help.
func (c *Command) inherit() {
	root := c.Root()
	if root.persistent.names["help"] == nil {
		root.persistent.Add("help", "show the help", &root.help).Letter = "h"
	}
	for _, f := range root.persistent.list {
		if c.flags.names[f.Name] != f {
			c.flags.AddFlag(f)
		}
	}
}

// Find returns the command that arguments name and the other arguments. The first argument that is
// neither a flag, nor its value, nor a subcommand ends the search.
func (c *Command) Find(args []string) (*Command, []string) {
	for k := 0; k < len(args) && args[k] != "--"; k++ {
		if isFlag(args[k]) {
			if f, _, given := c.flags.named(args[k]); f != nil && !given && f.NoOptDefVal == "" {
				k++
			}
			continue
		}
		at := slices.IndexFunc(c.subs, func(sub *Command) bool { return sub.Name() == args[k] })
		if at < 0 {
			break
		}
		return c.subs[at].Find(slices.Delete(slices.Clone(args), k, k+1))
	}
	return c, args
}

// Execute runs the command of a tree that arguments name, and returns it. It prints no error. The
// argument __complete prints completions of the arguments behind it.
func (c *Command) Execute(args []string) (*Command, error) {
	c.inherit()
	if c.Version != "" {
		c.flags.Add("version", "print the version", &c.version).Letter = "v"
	}
	if len(args) > 1 && args[0] == completeName {
		return c, c.complete(args[1:])
	}
	cmd, rest := c.Find(args)
	others, err := cmd.flags.Parse(rest)
	switch {
	case err != nil && c.FlagError != nil:
		return cmd, c.FlagError(cmd, err)
	case err != nil:
		return cmd, err
	case c.help:
		return cmd, c.Help(cmd)
	case c.version:
		_, err := fmt.Fprintf(c.Out, "%s %s\n", c.Name(), c.Version)
		return cmd, err
	case cmd.Args == nil && len(cmd.subs) > 0 && len(others) > 0:
		return cmd, fmt.Errorf("unknown command %q%s", others[0], nearest.Suggest(others[0], "", cmd.names()))
	case cmd.Run == nil:
		return cmd, c.Help(cmd)
	}
	if cmd.Args != nil {
		if err := cmd.Args(cmd, others); err != nil {
			return cmd, err
		}
	}
	for _, step := range []func(*Command, []string) error{c.Before, cmd.PreRun, cmd.Run} {
		if step == nil {
			continue
		}
		if err := step(cmd, others); err != nil {
			return cmd, err
		}
	}
	return cmd, nil
}

// names lists the subcommands that users see.
func (c *Command) names() (names []string) {
	for _, sub := range c.subs {
		if !sub.Hidden {
			names = append(names, sub.Name())
		}
	}
	return names
}

// ArgsFunc checks the arguments of a command that are no flags.
type ArgsFunc func(cmd *Command, args []string) error

// Between wants from least to most arguments.
func Between(least, most int) ArgsFunc {
	return func(cmd *Command, args []string) error {
		got := len(args)
		switch {
		case got >= least && got <= most:
			return nil
		case most == 0:
			return fmt.Errorf("%s takes no arguments, but got %q", cmd.Name(), args[0])
		case got > most:
			return fmt.Errorf("%s takes at most %d argument%s, but got %d: %s", cmd.Name(), most, plural(most), got, cmd.UseLine())
		}
		return fmt.Errorf("%s needs %d argument%s at least, but got %d: %s", cmd.Name(), least, plural(least), got, cmd.UseLine())
	}
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// NoArgs wants no arguments.
func NoArgs(cmd *Command, args []string) error { return Between(0, 0)(cmd, args) }
