package main

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/sparse"
)

// defaultShape is what train and compare use when nobody names data.
const defaultShape = "onehot"

// dataFlags say which data are read, and how.
type dataFlags struct {
	generate string
	merge    bool
	float32  bool
	zero     bool // indices start at 0

	cmd *cobra.Command
}

func (f *dataFlags) register(cmd *cobra.Command, generate bool) {
	flags := cmd.Flags()
	f.cmd = cmd
	flags.BoolVar(&f.zero, "zero-based", false, "the indices of DATA start at 0, as in texts of scikit-learn (default for a model: as in its training)")
	flags.BoolVar(&f.merge, "merge", false, "sort rows whose indices do not ascend and add up repeated ones")
	flags.BoolVar(&f.float32, "float32", false, "round values to float32, which halves their memory")
	if generate {
		var shapes []string
		for _, s := range sparse.ShapeNames() {
			shapes = append(shapes, s[0])
		}
		flags.StringVar(&f.generate, "generate", "", "use generated data: NAME[:n=..,d=..,seed=..] with NAME one of "+strings.Join(shapes, ", "))
		cmd.RegisterFlagCompletionFunc("generate", cobra.FixedCompletions(shapes, cobra.ShellCompDirectiveNoFileComp))
	}
}

// dataset is what was read or generated.
type dataset struct {
	*sparse.Data
	name     string
	spec     string // of generated data
	seconds  float64
	planted  float64 // loss of the planted model of generated data, else 0
	numbered bool    // labels that are words have the numbers of number
}

// load reads the data that the arguments name, or generates them.
func (a *app) load(args []string, f *dataFlags, options sparse.ReadOptions) (*dataset, error) {
	shape := f.generate
	switch {
	case len(args) > 0 && shape != "":
		return nil, usagef("give either DATA (%s) or --generate %s, not both", args[0], shape)
	case len(args) > 0:
		return a.read(args[0], f, options)
	case shape == "":
		shape = defaultShape
		a.note("no DATA given: using generated data (--generate %s)", shape)
	}
	if f.merge || f.float32 || f.zero {
		return nil, usagef("--merge, --float32 and --zero-based would have no effect here: they go with DATA, not with generated data")
	}
	parsed, err := sparse.ParseShape(shape, a.seed)
	if err != nil {
		return nil, usageError{err}
	}
	start := time.Now()
	defer a.show(func(width int) string {
		return fitted(width, []part{{0, "generating data"}, {1, short(time.Since(start))}})
	}).stop()
	pool := sparse.NewPool(a.workers)
	defer pool.Close()
	g, err := parsed.Generate(pool)
	if err != nil {
		return nil, usageError{err}
	}
	spec := fmt.Sprintf("%s:n=%d,d=%d,seed=%d", parsed.Name, parsed.N, parsed.D, parsed.Seed)
	return &dataset{
		Data: &sparse.Data{X: g.X, Y: g.Y}, seconds: time.Since(start).Seconds(), planted: g.Loss,
		name: "generated " + spec, spec: spec,
	}, nil
}

func (a *app) read(path string, f *dataFlags, options sparse.ReadOptions) (*dataset, error) {
	if options.WordLabels = true; f.zero {
		options.ZeroBased = true
	}
	options.Workers, options.Merge, options.Storage.Float32 = a.workers, f.merge, f.float32
	start := time.Now()
	l := newLoading(path)
	options.Progress = l.record
	defer a.show(l.line).stop()
	var data *sparse.Data
	var err error
	name := path
	if path == "-" {
		name = "standard input"
		data, err = sparse.Read(a.in, name, options)
	} else {
		data, err = sparse.ReadFile(path, options)
	}
	if err != nil {
		return nil, dataError{fileTrouble(err, path)}
	}
	if data.Cached && f.cmd != nil && a.verifying == nil && f.cmd.Flags().Changed("zero-based") {
		return nil, usagef("--zero-based would have no effect here: %s is a cache, which has columns and no indices", name)
	}
	return &dataset{Data: data, name: name, seconds: time.Since(start).Seconds()}, nil
}

// fileTrouble puts the failure to open a file in a person's words.
func fileTrouble(err error, path string) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file", path)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: no permission to read it", path)
	}
	return err
}

// fit gives data for a model exactly d columns: fewer are widened, and entries
// of columns that the model does not know are dropped, with a note.
func (a *app) fit(data *dataset, d int) error {
	x := data.X
	if x.Cols() == d {
		return nil
	}
	ptr := make([]int64, 1, x.Rows()+1)
	columns := make([]uint32, 0, x.NNZ())
	values := make([]float64, 0, x.NNZ())
	for i := range x.Rows() {
		for j, v := range x.Row(i) {
			if j < d {
				columns, values = append(columns, uint32(j)), append(values, v)
			}
		}
		ptr = append(ptr, int64(len(columns)))
	}
	if dropped := x.NNZ() - int64(len(columns)); dropped > 0 {
		a.note("%s has %d entries in columns beyond the %d of the model: they are ignored", data.name, dropped, d)
	}
	cut, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		return err
	}
	data.X = cut
	return nil
}
