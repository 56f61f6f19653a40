package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lanes-go/lanes/sparse"
)

func (a *app) convertCommand() *cobra.Command {
	var f dataFlags
	var to string
	cmd := &cobra.Command{
		Use:   "convert [flags] DATA OUT",
		Short: "Convert data between LIBSVM text and the fast binary cache",
		Long: `convert reads DATA and writes OUT: a cache, which is read at the speed of memory,
where the name ends in .lanes or .cache, and LIBSVM text elsewhere (compressed for .gz and
.zst; - is standard output). --to says it by itself. With --generate SHAPE only OUT is named.`,
		Example: `  lanes convert news20.xz news20.lanes
  lanes convert --merge unsorted.txt sorted.txt.zst
  lanes convert --generate wide:n=5000 wide.lanes`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			in, out := args[:len(args)-1], args[len(args)-1]
			if len(in) == 0 && f.generate == "" {
				return usagef("name DATA and OUT, or --generate SHAPE and OUT")
			}
			if to == "" {
				to = "libsvm"
				if extension := filepath.Ext(out); extension == ".lanes" || extension == ".cache" {
					to = "cache"
				}
			}
			if to != "cache" && to != "libsvm" {
				return usagef("--to %s: there are libsvm and cache", to)
			}
			if extension := filepath.Ext(out); to == "libsvm" && (extension == ".xz" || extension == ".bz2") {
				return usagef("%s: text can be compressed as .gz or .zst, not as %s", out, extension)
			}
			if out == "-" && a.json {
				return usagef("--json needs standard output for itself: name a file in place of -")
			}
			if out != "-" {
				if err := (outputs{"output": out}).check(a.in, in...); err != nil {
					return err
				}
			}
			data, err := a.load(in, &f, sparse.ReadOptions{})
			if err != nil {
				return err
			}
			if data.LabelNames != nil && to == "cache" {
				return dataError{fmt.Errorf("%s: a cache holds labels that are numbers, and these are words: keep the text, or number them", data.name)}
			}
			return a.convert(data, out, to)
		},
	}
	f.register(cmd, true)
	cmd.Flags().StringVar(&to, "to", "", "libsvm or cache (default by the name of OUT)")
	return cmd
}

func (a *app) convert(data *dataset, out, to string) error {
	var err error
	fill := func(w io.Writer) error { return sparse.WriteLIBSVM(w, data.Data) }
	if to == "cache" {
		fill = func(w io.Writer) error { return sparse.WriteCache(w, data.Data) }
	}
	switch extension := filepath.Ext(out); {
	case out == "-":
		if err = fill(a.out); err != nil {
			return writeTrouble(err)
		}
		return nil
	case to == "libsvm" && (extension == ".gz" || extension == ".zst"):
		if err = sparse.WriteLIBSVMFile(out, data.Data); err != nil {
			return fmt.Errorf("the text was not written to %s: %w", out, writeTrouble(err))
		}
		a.note("text written to %s", out)
	default:
		err = a.write(strings.Replace(to, "libsvm", "text", 1), out, fill)
	}
	if err == nil && a.json {
		err = a.printJSON(map[string]any{"data": data.name, "out": out, "format": to,
			"n": data.X.Rows(), "d": data.X.Cols(), "nnz": data.X.NNZ(), "load_seconds": data.seconds})
	}
	return err
}
