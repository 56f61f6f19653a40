package fitting

import (
	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// NetworkFlags choose a perceptron in place of the linear model.
type NetworkFlags struct {
	hidden, Activation string

	Network score.Network // without the columns, before the data are read
}

// Register adds the flags to a command.
func (f *NetworkFlags) Register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.hidden, "hidden", "", "train a perceptron with hidden layers of W or W,W units (ranking solvers)")
	flags.StringVar(&f.Activation, "activation", "", "activation of the hidden units: tanh (default), relu, softplus")
	cmd.RegisterFlagCompletionFunc("activation", cobra.FixedCompletions([]string{"tanh", "relu", "softplus"}, cobra.ShellCompDirectiveNoFileComp))
}

// Check reads the flags for a run of a solver.
func (f *NetworkFlags) Check(cmd *cobra.Command, solver string) (err error) {
	switch {
	case f.hidden == "" && f.Activation == "":
		return nil
	case f.hidden == "":
		return console.Usagef("--activation goes with --hidden")
	case !Description(solver).Accepts.Hidden || !Description(solver).Objective.Ranks():
		return console.BadFlag("hidden", f.hidden, "%s trains linear models; perceptrons are for adap, agd-sbcd and most others that rank", solver)
	case cmd.Flags().Changed("bias"):
		return console.Usagef("--bias goes with linear models: the units of --hidden have biases of their own")
	}
	if f.Network.Hidden, err = score.ParseHidden(f.hidden); err != nil {
		return console.BadFlag("hidden", f.hidden, "%v", console.Plain(err))
	}
	if f.Activation == "" {
		f.Activation = score.Tanh.String()
	}
	if f.Network.Activation, err = score.ParseActivation(f.Activation); err != nil {
		return console.BadFlag("activation", f.Activation, "%v", console.Plain(err))
	}
	return nil
}

// over returns the perceptron over rows, nil for a linear model.
func (f *NetworkFlags) over(x *sparse.Matrix) (score.Model, error) {
	if f.hidden == "" {
		return nil, nil
	}
	f.Network.Features = x.WithBias(0).Cols()
	m, err := score.NewPerceptron(x, f.Network)
	if err != nil {
		return nil, console.BadFlag("hidden", f.hidden, "%v", console.Plain(err))
	}
	return m, nil
}

// scorer returns the model that scores the training rows.
func (p *Prepared) scorer() score.Model {
	if p.Model != nil {
		return p.Model
	}
	return score.Linear{X: p.X}
}
