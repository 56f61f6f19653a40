// Package input reads what commands work on: rows, labels, models and scores.
package input

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
	"github.com/lanes-go/lanes/table"
)

// defaultShape is what train and compare use when nobody names data.
const defaultShape = "onehot"

// DataFlags say which data are read, and how.
type DataFlags struct {
	Table    TableFlags
	Generate string
	merge    bool
	float32  bool
	Labels   string // file of labels
	Zero     bool   // indices start at 0
	zeroSet  bool

	// repeated says that the flags come from a receipt, and need not suit the file.
	Repeated bool
}

// TextFlags have no effect on data that are no text. labels goes with matrices of SciPy, too.
var TextFlags = []string{"merge", "float32", "zero-based", "labels"}

// Flags declares the flags, with --generate or without.
func (f *DataFlags) Flags(generate bool) []console.Flag {
	list := console.Group(console.DataGroup, console.About("formats",
		console.Flag{Name: "zero-based", Value: &f.Zero, Given: &f.zeroSet, Rare: true, Setting: true, Help: "column indices of DATA start at 0 (default: 1, or as in the training)"},
		console.Flag{Name: "merge", Value: &f.merge, Rare: true, Setting: true, Help: "sort the indices of each row, and add up repeated ones"},
		console.Flag{Name: "float32", Value: &f.float32, Rare: true, Setting: true, Help: "round values to float32"},
		console.Flag{Name: "labels", Value: &f.Labels, Rare: true, Commands: "train compare convert eval verify", Setting: true, Help: "take the labels of DATA from `FILE`: .npy, or a label a line"})...)
	list = append(list, f.Table.flags()...)
	if !generate {
		return list
	}
	var shapes []string
	for _, s := range synthetic.Shapes() {
		shapes = append(shapes, s[0])
	}
	return append(list, console.Flag{Name: "generate", Value: &f.Generate, Group: console.DataGroup, Topic: "formats", Setting: true,
		Complete: cli.Fixed(shapes),
		Help:     "generated data: `SHAPE` " + strings.Join(shapes, ", ") + " (text:n=500)"})
}

// Dataset is what was read or generated.
type Dataset struct {
	*sparse.Data
	Stream  *sparse.Stream // rows that stay in their files; X is nil then
	Files   []string       // of Stream
	Encoder *table.Encoder // that made the rows of a table, also of one in a cache; nil elsewhere
	// Missing and Unseen count, for each column of Encoder's recipe, the cells without a value and
	// the cells whose value the training did not see; nil where nobody counted.
	Missing, Unseen []int64
	// Order has the number or time of each row by --holdout-by, the column OrderedBy; nil without.
	Order     []float64
	OrderedBy string
	Name      string
	Spec      string // of generated data
	Seconds   float64
	Planted   float64 // loss of the planted model of generated data, else 0
}

// Shape is the number of rows, columns and entries.
func (d *Dataset) Shape() (n, columns int, nonZeros int64) {
	if d.Stream != nil {
		return d.Stream.Rows(), d.Stream.Cols(), d.Stream.NNZ()
	}
	return d.X.Rows(), d.X.Cols(), d.X.NNZ()
}

// Fingerprint returns the hash of the rows, in memory or in their files.
func (d *Dataset) Fingerprint() (string, error) {
	if d.Stream != nil {
		return d.Stream.Fingerprint(context.Background())
	}
	return d.Data.Fingerprint()
}

// Files are the files that names and patterns name, in the order of their names, each
// once. The name of an existing file is no pattern.
func Files(names []string) (list []string) {
	for _, name := range names {
		found := []string{name}
		if _, err := os.Stat(name); err != nil {
			if more, err := filepath.Glob(name); err == nil && len(more) > 0 {
				found = more
			}
		}
		list = append(list, found...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Open opens caches whose rows stay in their files, and are one data set.
func Open(paths ...string) (*Dataset, error) {
	s, err := sparse.OpenStream(context.Background(), paths[0], paths[1:]...)
	if err != nil {
		return nil, console.BadData(console.FileTrouble(err, paths[0]))
	}
	d := &Dataset{Data: &sparse.Data{LabelNames: s.LabelNames(), Encoding: s.Encoding()}, Stream: s, Files: paths, Name: s.Name()}
	return d, d.encodedBy(s.Encoding())
}

// OrStdin returns the arguments, or - if they name no DATA and standard input holds data.
func OrStdin(a *console.App, args []string, f *DataFlags) []string {
	if len(args) > 0 || f.Generate != "" || a.Ranks != nil || !hasData(a) {
		return args
	}
	a.Note("no DATA given: reading standard input")
	return []string{"-"}
}

// hasData tells whether standard input is a file or a pipe that holds something. It waits for the
// first byte of a pipe, or its end.
func hasData(a *console.App) bool {
	if a.In == nil {
		return false
	}
	if file, is := a.In.(*os.File); is {
		info, err := file.Stat()
		if err != nil {
			return false
		}
		if info.Mode().IsRegular() {
			at, err := file.Seek(0, io.SeekCurrent)
			return err == nil && at < info.Size()
		}
		if info.Mode()&os.ModeNamedPipe == 0 { // a terminal, or /dev/null
			return false
		}
	}
	waits := time.AfterFunc(time.Second, func() {
		a.Note("no DATA given: waiting for standard input, a pipe; --generate %s takes generated data", defaultShape)
	})
	defer waits.Stop()
	in := bufio.NewReader(a.In)
	first, _ := in.Peek(1)
	a.In = in
	return len(first) > 0
}

// Load reads the data that the arguments name, or generates them.
func Load(a *console.App, args []string, f *DataFlags, options sparse.ReadOptions) (*Dataset, error) {
	shape := f.Generate
	switch {
	case len(args) > 0 && shape != "":
		return nil, console.Usagef("give either DATA (%s) or --generate %s, not both", args[0], shape)
	case len(args) > 0 && f.Table.Given():
		return readTable(a, args[0], f)
	case len(args) > 0:
		return Read(a, args[0], f, options)
	case shape == "":
		shape = defaultShape
		a.Note("no DATA given: using generated data (--generate %s)", shape)
	}
	if f.merge || f.float32 || f.Zero || f.Labels != "" {
		return nil, console.Usagef("--merge, --float32, --zero-based and --labels would have no effect here: they go with DATA, not with generated data")
	}
	parsed, err := synthetic.ParseShape(shape, a.Seed)
	if err != nil {
		return nil, console.BadFlag("generate", shape, "%v", err)
	}
	start := time.Now()
	defer a.Show(func(width int) string {
		return console.Fitted(width, []console.Phrase{console.NewPhrase(0, "generating data"), console.NewPhrase(1, console.Short(time.Since(start)))})
	}).Stop()
	pool := sparse.NewPool(a.Workers)
	defer pool.Close()
	g, err := parsed.Generate(pool)
	if err != nil {
		return nil, console.BadFlag("generate", shape, "%v", err)
	}
	spec := fmt.Sprintf("%s:n=%d,d=%d,seed=%d", parsed.Name, parsed.N, parsed.D, parsed.Seed)
	return &Dataset{
		Data: &sparse.Data{X: g.X, Y: g.Y}, Seconds: time.Since(start).Seconds(), Planted: g.Loss,
		Name: "generated " + spec, Spec: spec,
	}, nil
}

// Read reads the data at path; - is standard input.
func Read(a *console.App, path string, f *DataFlags, options sparse.ReadOptions) (*Dataset, error) {
	options = f.options(a, options)
	start := time.Now()
	l := newLoading(path)
	options.Progress = l.record
	defer a.Show(l.line).Stop()
	var data *sparse.Data
	var err error
	name := NameOf(path)
	if path == "-" {
		data, err = sparse.Read(context.Background(), a.In, name, options)
	} else {
		data, err = sparse.ReadFile(context.Background(), path, options)
	}
	if err != nil {
		return nil, console.BadData(plainly(path, console.FileTrouble(err, path)))
	}
	if data.Cached {
		if err := f.suitsCache(name); err != nil {
			return nil, err
		}
	}
	collectSooner(data)
	d := &Dataset{Data: data, Name: name, Seconds: time.Since(start).Seconds()}
	return d, d.encodedBy(data.Encoding)
}

// encodedBy reads the encoder of the table that the rows of a cache came from. It is nil if the
// rows came from no table.
func (d *Dataset) encodedBy(encoding []byte) (err error) {
	if encoding != nil {
		d.Encoder, err = table.ReadEncoder(encoding)
	}
	if err != nil {
		err = console.BadData(fmt.Errorf("%s: the recipe in the cache cannot be used: %w", d.Name, console.Plain(err)))
	}
	return err
}

// ReadLike reads the data at path for a model of other data: a table by the same encoder. They stay in a
// file where the others do.
func ReadLike(a *console.App, path string, f *DataFlags, other *Dataset) (*Dataset, error) {
	isTable := false
	if other.Encoder != nil {
		isRows, err := IsRows(path)
		if err != nil {
			return nil, err
		}
		isTable = !isRows
	}
	switch {
	case other.Stream != nil:
		return openLike(a, path, f, isTable, other)
	case isTable:
		return ReadEncoded(a, path, f, other.Encoder)
	}
	_, columns, _ := other.Shape()
	own := *f
	own.Labels = ""
	return Read(a, path, &own, sparse.ReadOptions{Columns: columns})
}

// manyRows is the number of bytes from which rows are most of the heap.
const manyRows = 4 << 20

// collectSooner adapts the garbage collector to the rows that were read.
func collectSooner(data *sparse.Data) {
	if data.X.Bytes() >= manyRows {
		console.CollectSooner()
	}
}

// options completes the options of reading by the flags.
func (f *DataFlags) options(a *console.App, options sparse.ReadOptions) sparse.ReadOptions {
	if options.WordLabels = true; f.Zero {
		options.ZeroBased = true
	}
	options.Workers, options.Merge, options.Storage.Float32, options.Labels = a.Workers, f.merge, f.float32, f.Labels
	return options
}

// suitsCache refuses the flag that has no effect on a cache.
func (f *DataFlags) suitsCache(name string) error {
	if f.zeroSet && !f.Repeated {
		return console.Usagef("--zero-based would have no effect here: %s is a cache, which has columns and no indices", name)
	}
	return nil
}

// FitColumns gives data for a model exactly d columns: fewer are widened, and entries
// of columns that the model does not know are dropped, with a note.
func FitColumns(a *console.App, data *Dataset, d int) error {
	if data.Stream != nil { // the library fits them, and nobody has counted the entries
		if _, columns, _ := data.Shape(); columns > d {
			a.Note("%s has %d columns beyond the %d of the model: their entries are ignored", data.Name, columns-d, d)
		}
		return nil
	}
	fitted, err := data.WithColumns(d)
	if err != nil {
		return err
	}
	noteDropped(a, data.Name, fitted.Dropped-data.Dropped, d)
	data.Data = fitted
	return nil
}

// noteDropped tells of entries in columns that a model does not know.
func noteDropped(a *console.App, name string, entries int64, columns int) {
	if entries > 0 {
		a.Note("%s has %d entries in columns beyond the %d of the model: they are ignored", name, entries, columns)
	}
}
