package command

import (
	"runtime/debug"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/dispatch"
)

func cpuCommand(a *console.App) *cli.Command {
	var paths bool
	cmd := &cli.Command{
		Use:   "cpu [flags]",
		Short: "Show the CPU paths, the one in use and why, and the caches",
		Long: `cpu shows the CPU paths of this binary, which of them this machine can run, which one is in use
and why. LANES_CPU=generic|avx2|avx512|neon forces a path. The path changes speed only: all
paths compute the same bits.`,
		Args: cli.NoArgs,
		Run: func(*cli.Command, []string) error {
			report := dispatch.Report()
			var err error
			var names []string
			for _, p := range report.Paths {
				if p.Available {
					names = append(names, p.Name)
				}
			}
			switch {
			case paths && a.JSON:
				err = a.PrintJSON(map[string]any{"paths": names})
			case paths:
				err = a.Print("%s\n", strings.Join(names, "\n"))
			case a.JSON:
				err = a.PrintJSON(report)
			default:
				err = a.Print("%v", report)
			}
			if err == nil && dispatch.Err() != nil {
				err = console.BadUsage(dispatch.Err())
			}
			return err
		},
	}
	console.Declare(cmd, console.Flag{Name: "paths", Value: &paths, Group: console.OutputGroup, Help: "list only the names of the paths that can run here, one a line"})
	return cmd
}

func versionCommand(a *console.App) *cli.Command {
	return &cli.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cli.NoArgs,
		Run: func(*cli.Command, []string) error {
			r := dispatch.Report()
			if a.JSON {
				info, _ := debug.ReadBuildInfo()
				return a.PrintJSON(map[string]any{"version": console.Version(), "go": info.GoVersion, "os": r.OS, "arch": r.Arch, "cpu_path": r.Path})
			}
			return a.Print("lanes %s %s/%s, CPU path %s\n", console.Version(), r.OS, r.Arch, r.Path)
		},
	}
}
