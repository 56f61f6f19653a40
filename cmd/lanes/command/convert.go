package command

import (
	"cmp"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/sparse"
)

func convertCommand(a *console.App) *cli.Command {
	var f input.DataFlags
	var to, memory string
	var force bool
	cmd := &cli.Command{
		Use:   "convert [flags] DATA OUT",
		Short: "Convert data, a table or a model to another format",
		Long: `convert reads DATA and writes OUT. A name that ends in .lanes or .cache selects a cache, which
is read at the speed of memory; other names select LIBSVM text (compressed for .gz and .zst;
- is standard output). --to selects the format explicitly. An OUT that is there, and is
no cache or model of lanes, is overwritten by --force alone. With --generate SHAPE, name OUT only.

With --target COLUMN, DATA is a table, or a pattern in quotes that names its files. The cache
keeps the encoding: train and eval take it like any other cache, and predict takes tables for
a model that was trained on it. LIBSVM text holds the encoded rows alone.

If DATA is a model, convert writes it in another form. .npz selects arrays for NumPy and
scikit-learn (coef_, intercept_, classes_ and names). --to sparse-model selects JSON with the
non-zero weights, which lanes reads too. Other names select LIBLINEAR's text.`,
		Example: `  lanes convert news20.xz news20.lanes
  lanes convert --merge unsorted.txt sorted.txt.zst
  lanes convert 'log-*.csv.zst' log.lanes --target click --memory 2GB
  lanes convert --generate wide:n=5000 wide.lanes
  lanes convert a9a.model a9a.npz
  lanes convert few.model few.json --to sparse-model`,
		Args: cli.Between(1, 2),
		Run: func(cmd *cli.Command, args []string) error {
			in, out := args[:len(args)-1], args[len(args)-1]
			if len(in) == 0 && f.Generate == "" {
				return console.Usagef("name DATA and OUT, or --generate SHAPE and OUT")
			}
			if err := keeps(out, force); err != nil {
				return err
			}
			if len(in) == 1 && f.Generate == "" {
				if is, err := input.IsModel(in[0]); err != nil {
					return err
				} else if is {
					return convertModel(a, cmd, in[0], out, to)
				}
			}
			if to == "" {
				to = "libsvm"
				if extension := filepath.Ext(out); extension == ".lanes" || extension == ".cache" {
					to = "cache"
				}
			}
			if to != "cache" && to != "libsvm" {
				return console.BadFlag("to", to, "want libsvm or cache; for a model %s, %s or %s", input.OwnForm, input.SparseForm, input.NumPyForm)
			}
			if extension := filepath.Ext(out); to == "libsvm" && (extension == ".xz" || extension == ".bz2") {
				return console.Usagef("%s: text can be compressed as .gz or .zst, not as %s", out, extension)
			}
			if out == "-" && a.JSON {
				return console.Usagef("--json needs standard output for itself: name a file in place of -")
			}
			if out != "-" {
				if err := (console.Outputs{"output": out}).Check(a.In, in...); err != nil {
					return err
				}
				defer a.EndBySignal(out)()
			}
			if err := f.Table.Check(a, cmd); err != nil {
				return err
			}
			if err := checkTable(cmd, in, to, memory, &f); err != nil {
				return err
			}
			if to == "cache" && f.Generate == "" && (f.Table.Given() && out != "-" || input.Converts(in[0], out)) {
				return stream(a, in[0], out, &f)
			}
			data, err := input.Load(a, in, &f, sparse.ReadOptions{})
			if err != nil {
				return err
			}
			return convert(a, data, out, to)
		},
	}
	console.Declare(cmd, append(f.Flags(true),
		console.Flag{Name: "memory", Value: &memory, Group: console.ResourcesGroup, Help: "use at most `SIZE` of memory to encode a table, as in 2GB"},
		console.Flag{Name: "force", Value: &force, Group: console.OutputGroup, Help: "overwrite OUT even if it is no cache or model of lanes"},
		console.Flag{Name: "to", Value: &to, Group: console.OutputGroup,
			Help: "`FORMAT`: libsvm, cache; of a model: model, sparse-model, npz (default: by name)"})...)
	return cmd
}

// keeps refuses to overwrite a file that is neither a cache nor a model.
func keeps(out string, force bool) error {
	info, err := os.Stat(out)
	if force || out == "-" || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil
	}
	isCache, err := input.IsCache(out)
	isModel, failed := input.IsModel(out)
	if err = errors.Join(err, failed); err != nil || isCache || isModel {
		return err
	}
	return console.Usagef("%s is there, and is neither a cache nor a model of lanes: --force overwrites it, or name another file", out)
}

// convertModel writes a model in another form.
func convertModel(a *console.App, cmd *cli.Command, in, out, to string) error {
	if err := console.RefuseIdle(cmd, "DATA; this is a model", input.TextFlags...); err != nil {
		return err
	}
	form := cmp.Or(to, input.FormOf(out))
	if form != input.OwnForm && form != input.SparseForm && form != input.NumPyForm {
		return console.BadFlag("to", to, "want %s, %s or %s for a model", input.OwnForm, input.SparseForm, input.NumPyForm)
	}
	if out == "-" && a.JSON {
		return console.Usagef("--json needs standard output for itself: name a file in place of -")
	}
	if out != "-" {
		if err := (console.Outputs{"output": out}).Check(a.In, in); err != nil {
			return err
		}
	}
	m, err := input.ReadModel(in)
	if err != nil {
		return err
	}
	if err := input.WriteModel(a, m, out, form); err != nil || !a.JSON {
		return err
	}
	return a.PrintJSON(map[string]any{"model": in, "out": out, "format": form, "d": m.About().Features})
}

// checkTable finds out what is wrong with the flags of a table that is converted.
func checkTable(cmd *cli.Command, in []string, to, memory string, f *input.DataFlags) (err error) {
	if f.Table.MaxMemory, err = fitting.ParseMemory("memory", memory); err != nil {
		return err
	}
	if !f.Table.Given() || to != "cache" {
		if err := console.RefuseIdle(cmd, "a cache that is made of a table", "memory"); err != nil || !f.Table.Given() {
			return err
		}
	}
	if len(in) == 0 {
		return console.Usagef("give a table or --generate %s, not both", f.Generate)
	}
	return console.RefuseIdle(cmd, "LIBSVM text, not with a table", input.TextFlags...)
}

// stream converts text of any size in the memory of a block.
func stream(a *console.App, in, out string, f *input.DataFlags) error {
	start := time.Now()
	convert := func() (string, sparse.Converted, error) { return input.Convert(a, in, out, f) }
	if f.Table.Given() {
		convert = func() (string, sparse.Converted, error) { return input.ConvertTable(a, in, out, &f.Table) }
	}
	name, c, err := convert()
	if err != nil {
		return err
	}
	a.Note("cache written to %s", out)
	if !a.JSON {
		return nil
	}
	return a.PrintJSON(map[string]any{"data": name, "out": out, "format": "cache",
		"n": c.Rows, "d": c.Columns, "nnz": c.NonZeros, "load_seconds": time.Since(start).Seconds()})
}

func convert(a *console.App, data *input.Dataset, out, to string) error {
	var err error
	fill := func(w io.Writer) error { return sparse.WriteLIBSVM(w, data.Data) }
	if to == "cache" {
		fill = func(w io.Writer) error { return sparse.WriteCache(w, data.Data) }
	}
	switch extension := filepath.Ext(out); {
	case out == "-":
		return fill(a.Output())
	case to == "libsvm" && (extension == ".gz" || extension == ".zst"):
		if err = sparse.WriteLIBSVMFile(out, data.Data); err != nil {
			return console.Unwritten("text", out, err)
		}
		a.Note("text written to %s", out)
	default:
		err = a.Write(strings.Replace(to, "libsvm", "text", 1), out, fill)
	}
	if err == nil && a.JSON {
		err = a.PrintJSON(map[string]any{"data": data.Name, "out": out, "format": to,
			"n": data.X.Rows(), "d": data.X.Cols(), "nnz": data.X.NNZ(), "load_seconds": data.Seconds})
	}
	return err
}
