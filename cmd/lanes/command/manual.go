package command

import (
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

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
			root.DisableAutoGenTag = true // it holds the date
			man, completions := filepath.Join(args[0], "man1"), filepath.Join(args[0], "completions")
			for _, dir := range []string{man, completions} {
				if err := os.MkdirAll(dir, 0o777); err != nil {
					return err
				}
			}
			// A date of its own would make two builds of one version differ.
			unix := time.Unix(0, 0).UTC()
			if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "lanes", Manual: "lanes", Date: &unix}, man); err != nil {
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
