// Package receipt writes down what it takes to repeat a run, reads it again and compares
// two runs bit by bit.
package receipt

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/fitting"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/table"
)

// Format is the version of the receipts that this program writes and reads.
const Format = 1

// settingFlags are the flags of train on which the weights may depend. The others say
// where things are read and written, and how fast; a receipt does not hold them.
var settingFlags = sync.OnceValue(fitting.Settings)

// Receipt is what it takes to repeat a run, and what came of it. The repeated run tells
// whether it is true; its checksum finds edits of what no run computes, such as names.
type Receipt struct {
	Format     int    `json:"lanes_receipt"`
	Repeatable bool   `json:"repeatable"`
	Reason     string `json:"reason,omitempty"` // why it is not

	Data    Source  `json:"data"`
	Valid   *Source `json:"valid,omitempty"`
	Initial *Start  `json:"initial,omitempty"`
	// Recipe says what rows are made of a table, nil for other data. Encoder is the
	// SHA-256 of what was learned of the table.
	Recipe  *table.Recipe `json:"recipe,omitempty"`
	Encoder string        `json:"encoder_sha256,omitempty"`
	// Flags are the settings that were given or follow from what was read, as name=value,
	// and Defaults all others.
	Flags    []string `json:"flags"`
	Defaults []string `json:"defaults"`
	Used     used     `json:"used"`
	// Tried are the candidates of --for.
	Tried  *fitting.WantedReport `json:"for,omitempty"`
	Result outcomes              `json:"result"`
	By     origin                `json:"by"`
	// SHA256 is what sum returned when the receipt was written.
	SHA256 string `json:"sha256"`
}

// sum returns the SHA-256, in hexadecimal digits, of the JSON of a receipt without white space and
// without its SHA256, which is last: given if it has one.
func sum(text []byte, given string) (string, error) {
	var compact bytes.Buffer
	err := json.Compact(&compact, text)
	bare := bytes.TrimSuffix(compact.Bytes(), []byte(given+`"}`))
	sum := sha256.Sum256(append(bare, `"}`...))
	return hex.EncodeToString(sum[:]), err
}

// Source is a data set.
type Source struct {
	Name     string `json:"name"`
	Rows     int    `json:"n"`
	Columns  int    `json:"d"`
	NonZeros int64  `json:"nnz"`
	SHA256   string `json:"sha256"`
}

// Start is the model that a run began at, by its weights as the run took them.
type Start struct {
	Name    string `json:"name"`
	Weights string `json:"weights_sha256"`
}

// used is what the settings came to.
type used struct {
	Solver    string   `json:"solver"`
	Method    string   `json:"method"` // the solver with all its parameters
	Lambda    float64  `json:"lambda"`
	Bias      float64  `json:"bias"`
	MaxEpochs *float64 `json:"max_passes"` // null for any number
	Gap       float64  `json:"gap_target"` // 0 for none
	Gradient  float64  `json:"gradient_target"`
	Metric    string   `json:"metric,omitempty"`
	// Options are the options of the library that pose the problem; nil in receipts of older
	// versions.
	Options *options `json:"options,omitempty"`
}

// options are options with their loss.
type options struct {
	lanes.Options
	loss.Text
}

// outcomes are what the repeated run must have to the bit.
type outcomes struct {
	Weights      string   `json:"weights_sha256"`
	Status       string   `json:"status"`
	Passes       float64  `json:"passes"`
	Objective    *float64 `json:"objective"`
	GradientNorm *float64 `json:"gradient_norm"`
	Gap          *float64 `json:"duality_gap"`
	// Holdout has the measures of the rows that were held out, nil without.
	Holdout map[string]float64 `json:"holdout,omitempty"`
}

// Verification is a run that is made again.
type Verification struct {
	Receipt *Receipt
	Again   *Receipt // of the run made here, nil before its end
}

// origin is what must not matter to the bits of one version.
type origin struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
	CPUPath string `json:"cpu_path"`
	Workers int    `json:"workers"`
}

// Identify takes the fingerprint of the data if a receipt needs it, and compares it with the
// fingerprint in the verified receipt.
func Identify(what string, data *input.Dataset, run *fitting.RunFlags, repeated *Verification) (Source, error) {
	if run.Receipt == "" && repeated == nil {
		return Source{}, nil
	}
	s := Source{Name: filepath.Base(data.Name)}
	s.Rows, s.Columns, s.NonZeros = data.Shape()
	if data.Spec != "" {
		s.Name = data.Name
	}
	var err error
	if s.SHA256, err = data.Fingerprint(); err != nil {
		return s, err
	}
	if repeated == nil {
		return s, nil
	}
	want := &repeated.Receipt.Data
	if what == "--valid" {
		want = repeated.Receipt.Valid
	}
	if s.SHA256 != want.SHA256 || s.Rows != want.Rows || s.Columns != want.Columns || s.NonZeros != want.NonZeros {
		return s, console.BadData(fmt.Errorf("%s %s is other data than %q of the receipt: it has %d rows, %d columns, %d entries and the SHA-256 %s; the receipt has %d rows, %d columns, %d entries and the SHA-256 %s",
			what, data.Name, want.Name, s.Rows, s.Columns, s.NonZeros, s.SHA256, want.Rows, want.Columns, want.NonZeros, want.SHA256))
	}
	return s, nil
}

// Encoded adds the recipe by which rows were made of a table, and the hash of what was learned.
func (r *Receipt) Encoded(e *table.Encoder) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	r.Encoder, r.Recipe = hex.EncodeToString(sum[:]), e.Recipe()
	for k := range r.Recipe.Columns {
		r.Recipe.Columns[k].Learned = nil
	}
	return nil
}

// IdentifyStart names the initial weights of a run, and compares them with the initial weights
// of the verified receipt.
func IdentifyStart(run *fitting.RunFlags, w []float64, repeated *Verification) (*Start, error) {
	s := &Start{filepath.Base(run.Initial), solvers.HashWeights(w)}
	if repeated != nil && repeated.Receipt.Initial.Weights != s.Weights {
		want := repeated.Receipt.Initial
		return nil, console.BadData(fmt.Errorf("--initial %s has other weights than the model %q of the receipt: their SHA-256 is %s, the receipt has %s",
			run.Initial, want.Name, s.Weights, want.Weights))
	}
	return s, nil
}

// Complete adds to a receipt all that the run has shown.
func (r *Receipt) Complete(cmd *cli.Command, f *fitting.ProblemFlags, run *fitting.RunFlags, t *fitting.Trained, parameters map[string]string) error {
	if spec := t.Problem.Data.Spec; spec != "" {
		if err := cmd.Flags().Set("generate", spec); err != nil {
			return err
		}
	}
	r.Flags, r.Defaults = settingsOf(cmd.Flags())
	text := t.Solver // the softmax solver has no parameters
	switch {
	case f.For != "":
		tried := t.Related.Wanted
		text, r.Tried = tried.Tried[tried.Chosen].Text, tried
	case t.Problem.Options().Kind != lanes.Softmax:
		method, err := fitting.FindSolver("solver", t.Solver, parameters)
		if err != nil {
			return err
		}
		text = method.Text
	}
	s := &t.Used
	_, _, _, bias := t.Problem.Shape()
	r.Used = used{
		Options: &options{t.Problem.Options(), loss.TextOf(t.Problem.Loss)},
		Solver:  t.Solver, Method: text, Lambda: t.Problem.Ridge(), Bias: bias,
		MaxEpochs: console.Finite(s.MaxEpochs), Gap: s.GapTolerance, Gradient: s.GradientTolerance, Metric: run.Metric,
	}
	if s.Validation != nil {
		r.Used.Metric = s.Validation.Name()
	}
	r.Result = outcomes{
		Weights: solvers.HashWeights(t.Weights), Status: t.Status.String(), Passes: t.Total.Epochs,
		Objective: console.Finite(t.Objective), GradientNorm: console.Finite(t.GradientNorm), Gap: console.Finite(t.Gap),
	}
	for name, v := range t.Metrics {
		if of, is := strings.CutPrefix(name, "holdout_"); is && v-v == 0 {
			if r.Result.Holdout == nil {
				r.Result.Holdout = map[string]float64{}
			}
			r.Result.Holdout[of] = v
		}
	}
	r.By = origin{console.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, dispatch.Current(), t.Workers}
	switch {
	case run.Resume != "":
		r.Reason = "the run was resumed: what came before is not known here"
	case t.Status == solvers.TimeReached:
		r.Reason = "the run ended by the clock (--time)"
	case t.Status == solvers.Cancelled, t.Status == solvers.Failed:
		r.Reason = "the run was interrupted"
	case t.Status == solvers.Diverged && run.Time > 0 && f.Several():
		r.Reason = "a fit diverged, and another may have ended by the clock (--time)"
	}
	r.Repeatable = r.Reason == ""
	return nil
}

// Settings lists the settings of train that were given.
func Settings(cmd *cli.Command) []string {
	given, _ := settingsOf(cmd.Flags())
	return given
}

// settingsOf lists the given settings, and the other settings with their defaults, as
// name=value in the order of settingFlags.
func settingsOf(flags *cli.FlagSet) (given, defaults []string) {
	for _, name := range settingFlags() {
		flag := flags.Lookup(name)
		values := []string{flag.Value.String()}
		if several, is := flag.Value.(cli.List); is {
			values = several.Texts()
		}
		for _, v := range values {
			if flag.Changed {
				given = append(given, name+"="+v)
			} else {
				defaults = append(defaults, name+"="+v)
			}
		}
	}
	return given, defaults
}

// Write writes the receipt, with its checksum, as JSON.
func (r *Receipt) Write(w io.Writer) (err error) {
	r.SHA256 = ""
	text, err := json.Marshal(r)
	if err == nil {
		r.SHA256, err = sum(text, "")
	}
	if err != nil {
		return err
	}
	text, err = json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// mostReceipt bounds the bytes of a receipt.
const mostReceipt = 1 << 26

// Read reads a receipt and checks all that can be checked without the data.
func Read(in io.Reader) (*Receipt, error) {
	text, err := io.ReadAll(io.LimitReader(in, mostReceipt+1))
	if err != nil {
		return nil, console.Bare(err)
	}
	if len(text) > mostReceipt {
		return nil, fmt.Errorf("it is no receipt: those have less than %d bytes", mostReceipt)
	}
	var format struct {
		Number *int `json:"lanes_receipt"`
	}
	if err := json.Unmarshal(text, &format); err != nil {
		return nil, fmt.Errorf("it is damaged, or no receipt of 'lanes train --receipt': %w", err)
	}
	switch {
	case format.Number == nil:
		return nil, fmt.Errorf("it is no receipt of 'lanes train --receipt': lanes_receipt is missing")
	case *format.Number != Format:
		return nil, fmt.Errorf("it is a receipt of format %d; this version of lanes reads format %d", *format.Number, Format)
	}
	r := &Receipt{}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(r); err != nil {
		return nil, fmt.Errorf("it is damaged: %w", err)
	}
	if o := r.Used.Options; o != nil {
		phi, err := o.Text.Parse()
		if err != nil {
			return nil, fmt.Errorf("it is damaged: %w", err)
		}
		o.Text = loss.TextOf(phi) // earlier versions give delta with each loss
	}
	sums := []string{r.Data.SHA256, r.Result.Weights, r.SHA256}
	if r.Valid != nil {
		sums = append(sums, r.Valid.SHA256)
	}
	if r.Initial != nil {
		sums = append(sums, r.Initial.Weights)
	}
	if r.Recipe != nil {
		sums = append(sums, r.Encoder)
	}
	for _, sum := range sums {
		if b, err := hex.DecodeString(sum); err != nil || len(b) != 32 || sum != strings.ToLower(sum) {
			return nil, fmt.Errorf("it is damaged: %q is no SHA-256", sum)
		}
	}
	if sum, err := sum(text, r.SHA256); err != nil || sum != r.SHA256 {
		return nil, errors.New("it is damaged, or was edited: it does not have the checksum that it gives")
	}
	return r, r.checkSettings()
}

// checkSettings refuses settings that train does not know, or that stand twice.
func (r *Receipt) checkSettings() error {
	seen := map[string]bool{}
	for k, setting := range slices.Concat(r.Flags, r.Defaults) {
		name, _, found := strings.Cut(setting, "=")
		name = console.Canonical(name)
		switch {
		case strings.ContainsFunc(setting, unicode.IsControl):
			return fmt.Errorf("it is damaged: the setting %q has characters that no setting has", setting)
		case !found || !slices.Contains(settingFlags(), name):
			return fmt.Errorf("the setting %q is unknown to this version of lanes", setting)
		case seen[name] && (name != "set" || k >= len(r.Flags)):
			return fmt.Errorf("it is damaged: the setting %q stands twice", name)
		}
		seen[name] = true
	}
	return nil
}

// Generated tells whether the data are made by a generator, and are in no file.
func (r *Receipt) Generated() bool {
	return slices.ContainsFunc(r.Flags, func(s string) bool { return strings.HasPrefix(s, "generate=") && s != "generate=" })
}

// labels is the one setting that names a file.
const labels = "labels"

// Labels returns the name of the file that the run took its labels from, "" for none.
func (r *Receipt) Labels() string {
	for _, setting := range slices.Concat(r.Flags, r.Defaults) {
		if name, value, _ := strings.Cut(setting, "="); name == labels && value != "" {
			return value
		}
	}
	return ""
}

// Arguments returns the flags that repeat a run: the settings of the receipt that were given,
// and its defaults that differ from the defaults of this version. It leaves out Labels: no file is
// opened because a receipt names it.
func (r *Receipt) Arguments(flags *cli.FlagSet) (list []string) {
	for k, setting := range slices.Concat(r.Flags, r.Defaults) {
		name, value, _ := strings.Cut(setting, "=")
		if name != labels && (k < len(r.Flags) || value != flags.Lookup(name).DefValue) {
			list = append(list, "--"+setting)
		}
	}
	return list
}

// Difference is something that two receipts have not in common.
type Difference struct {
	What    string `json:"what"`
	Receipt string `json:"receipt"`
	Here    string `json:"here"`
}

// Differences compares what must agree to the bit, and what may explain it.
func (r *Receipt) Differences(here *Receipt) (results, circumstances []Difference) {
	then, now := r.Used, here.Used
	if then.Options == nil { // of an older version
		now.Options = nil
	}
	results = append(differing(r.Result, here.Result), differing(then, now)...)
	if r.Encoder != here.Encoder {
		results = append(results, Difference{"encoder_sha256", r.Encoder, here.Encoder})
	}
	if there, again := searched(r.Tried), searched(here.Tried); there != again {
		results = append(results, Difference{"for", there, again})
	}
	return results, differing(r.By, here.By)
}

// searched returns a search as JSON, without the times that it took.
func searched(w *fitting.WantedReport) string {
	if w == nil {
		return "none"
	}
	bare := *w
	bare.Tried = slices.Clone(w.Tried)
	for k := range bare.Tried {
		bare.Tried[k].Seconds = 0
	}
	text, _ := json.Marshal(&bare)
	return string(text)
}

// differing compares two structs, field by field, by what they are in JSON.
func differing[T any](a, b T) (list []Difference) {
	first, second := fields(a), fields(b)
	for k, f := range first {
		if f.value != second[k].value {
			list = append(list, Difference{f.name, f.value, second[k].value})
		}
	}
	return list
}

// fields lists the names that the fields of a struct have in JSON, with their values.
func fields(of any) (list []struct{ name, value string }) {
	v := reflect.ValueOf(of)
	for k := range v.NumField() {
		name, _, _ := strings.Cut(v.Type().Field(k).Tag.Get("json"), ",")
		value := "none"
		if f := reflect.Indirect(v.Field(k)); f.IsValid() {
			value = fmt.Sprint(f.Interface())
			if f.Kind() == reflect.Struct {
				text, _ := json.Marshal(f.Interface())
				value = string(text)
			}
		}
		list = append(list, struct{ name, value string }{name, value})
	}
	return list
}
