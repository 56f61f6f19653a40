package command

import (
	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/report"
	"github.com/lanes-go/lanes/inference"
)

// infoInference prints the errors of a model's weights, by the rows of its training, and writes them to
// a file where one is named.
func infoInference(a *console.App, cmd *cli.Command, path, data string, f *input.DataFlags, o inference.Options, file string) error {
	if err := (console.Outputs{"coefficients": file}).Check(a.In, path, data); err != nil {
		return err
	}
	m, err := input.ReadModel(path)
	if err != nil {
		return err
	}
	e, err := input.EncoderFor(a, cmd, path, data, m)
	if err != nil {
		return err
	}
	var read *input.Dataset
	if e != nil {
		read, err = input.ReadEncoded(a, data, f, e)
	} else {
		read, err = input.Read(a, data, f, m.About().ReadOptions())
	}
	if err != nil {
		return err
	}
	return report.PrintInference(a, path, m, read, o, file)
}
