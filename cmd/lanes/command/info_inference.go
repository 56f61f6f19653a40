package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/cmd/lanes/internal/report"
	"github.com/lanes-go/lanes/inference"
)

// infoInference prints the errors of a model's weights, by the rows of its training.
func infoInference(a *console.App, path, data string, f *input.DataFlags, o inference.Options) error {
	m, err := input.ReadModel(path)
	if err != nil {
		return err
	}
	e, err := input.EncoderOf(path, m)
	if err != nil {
		return err
	}
	isRows, err := input.IsRows(data)
	var read *input.Dataset
	switch {
	case err != nil:
	case e != nil && !isRows:
		read, err = input.ReadEncoded(a, data, f, e)
	default:
		read, err = input.Read(a, data, f, m.About().ReadOptions())
	}
	if err != nil {
		return err
	}
	t, err := lanes.Inference(context.Background(), m, read.Data, o, a.Workers)
	var option *lanes.OptionError
	switch {
	case errors.As(err, &option):
		return console.BadData(fmt.Errorf("%s: %s", path, option.In(func(option string) string { return option })))
	case err != nil:
		return console.BadData(fmt.Errorf("%s: %w", data, console.Plain(err)))
	}
	return report.PrintInference(a, path, t)
}
