package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// networkFlags choose a perceptron in place of the linear model.
type networkFlags struct {
	hidden, activation string

	network score.Network // without the columns, before the data are read
}

func (f *networkFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.hidden, "hidden", "", "train a perceptron with hidden layers of W or W,W units (ranking solvers)")
	flags.StringVar(&f.activation, "activation", "", "activation of the hidden units: tanh (default), relu, softplus")
	cmd.RegisterFlagCompletionFunc("activation", cobra.FixedCompletions([]string{"tanh", "relu", "softplus"}, cobra.ShellCompDirectiveNoFileComp))
}

func (f *networkFlags) check(cmd *cobra.Command, solver string) (err error) {
	switch {
	case f.hidden == "" && f.activation == "":
		return nil
	case f.hidden == "":
		return usagef("--activation goes with --hidden")
	case !description(solver).Accepts.Hidden || !description(solver).Objective.Ranks():
		return usagef("--hidden: %s trains linear models; perceptrons are for adap, agd-sbcd and most others that rank", solver)
	case cmd.Flags().Changed("bias"):
		return usagef("--bias goes with linear models: the units of --hidden have biases of their own")
	}
	if f.network.Hidden, err = score.ParseHidden(f.hidden); err != nil {
		return usageError{fmt.Errorf("--hidden: %w", plain(err))}
	}
	if f.activation == "" {
		f.activation = score.Tanh.String()
	}
	if f.network.Activation, err = score.ParseActivation(f.activation); err != nil {
		return usageError{fmt.Errorf("--activation: %w", plain(err))}
	}
	return nil
}

// over returns the perceptron over rows, nil for a linear model.
func (f *networkFlags) over(x *sparse.Matrix) (score.Model, error) {
	if f.hidden == "" {
		return nil, nil
	}
	f.network.Features = x.WithBias(0).Cols()
	m, err := score.NewPerceptron(x, f.network)
	if err != nil {
		return nil, usageError{fmt.Errorf("--hidden: %w", plain(err))}
	}
	return m, nil
}

// scorer returns the model that scores the training rows.
func (p *prepared) scorer() score.Model {
	if p.model != nil {
		return p.model
	}
	return score.Linear{X: p.X}
}

// readModel reads the file of --model.
func readModel(path string) (model.Model, error) {
	if path == "" {
		return nil, usagef("--model FILE is needed: the model that 'lanes train --model FILE' wrote, or one of LIBLINEAR's")
	}
	m, err := model.ReadFile(path)
	if err != nil {
		return nil, dataError{fmt.Errorf("the model cannot be read: %w", fileTrouble(err, path))}
	}
	return m, nil
}
