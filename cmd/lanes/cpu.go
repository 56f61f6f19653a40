package main

import (
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/dispatch"
)

func (a *app) cpuCommand() *cobra.Command {
	var paths bool
	cmd := &cobra.Command{
		Use:   "cpu",
		Short: "Show the CPU paths, the one in use and why, and the caches",
		Long: `cpu shows the CPU paths that this binary has and this machine can run, which one
is in use and why. LANES_CPU=generic|avx2|avx512|neon forces one. The choice
changes speed only: every path computes the same bits.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			report := dispatch.Report()
			var err error
			var names []string
			for _, p := range report.Paths {
				if p.Available {
					names = append(names, p.Name)
				}
			}
			switch {
			case paths && a.json:
				err = a.printJSON(map[string]any{"paths": names})
			case paths:
				err = a.print("%s\n", strings.Join(names, "\n"))
			case a.json:
				err = a.printJSON(report)
			default:
				err = a.print("%v", report)
			}
			if err == nil && dispatch.Err() != nil {
				err = usageError{dispatch.Err()}
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&paths, "paths", false, "list only the names of the paths that can run here, one a line")
	return cmd
}

// version is what this binary was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		// A version made up of the commit has it in it.
		if commit := s.Value[:min(12, len(s.Value))]; s.Key == "vcs.revision" && !strings.Contains(text, commit) {
			text += " " + commit
		}
	}
	return text
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			r := dispatch.Report()
			if a.json {
				info, _ := debug.ReadBuildInfo()
				return a.printJSON(map[string]any{"version": version(), "go": info.GoVersion, "os": r.OS, "arch": r.Arch, "cpu_path": r.Path})
			}
			return a.print("lanes %s %s/%s, CPU path %s\n", version(), r.OS, r.Arch, r.Path)
		},
	}
}
