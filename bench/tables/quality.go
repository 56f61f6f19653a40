//go:build linux

package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/sparse"
)

//go:embed driver/pipeline.py
var pipelineScript []byte

// recipe says what scikit-learn makes of a table.
type recipe struct {
	Target     string   `json:"target"`
	Positive   string   `json:"positive"`
	Categories []string `json:"categories"`
	Numbers    []string `json:"numbers"`
	Text       string   `json:"text"`
	Header     bool     `json:"header"`
	Tolerance  float64  `json:"tol"`
}

// table is a table of the folder.
type table struct {
	name, file string
	recipe     recipe
	reading    string // flags of lanes that say how the file is read
	flags      string // flags of lanes for the same recipe
}

var adult = table{
	name: "adult", file: "adult.csv.xz", flags: "--target income-per-year --positive >50K",
	recipe: recipe{Target: "income-per-year", Positive: ">50K", Header: true,
		Categories: strings.Fields("workclass education marital-status occupation relationship race sex native-country"),
		Numbers:    strings.Fields("age fnlwgt education-num capital-gain capital-loss hours-per-week")},
}

var tables = []table{
	adult,
	{name: "SMSSpamCollection", file: "SMSSpamCollection.tsv.xz", reading: "--no-header", flags: "--target 1 --positive spam --text 2",
		recipe: recipe{Target: "1", Positive: "spam", Text: "2", Categories: []string{}, Numbers: []string{}}},
	{name: "talkingdata", file: "talkingdata.csv.xz", flags: "--target is_attributed --category ip,app,device,os,channel --ignore attributed_time,click_time",
		recipe: recipe{Target: "is_attributed", Positive: "1", Header: true, Categories: strings.Fields("ip app device os channel"), Numbers: []string{}}},
}

// trials are ways to train on a table, with C = 1 or by a search.
var trials = []struct{ name, flags string }{
	{"lanes, the same recipe, C = 1", "--C 1 --gap 1e-9"},
	{"lanes, --bins 32, C = 1", "--C 1 --gap 1e-9 --bins 32"},
	{"lanes, --cv 5 --path", "--cv 5 --path"},
	{"lanes, --cv 5 --path --bins 32", "--cv 5 --path --bins 32"},
	{"lanes, --for logloss", "--for logloss"},
	{"lanes, --for auc", "--for auc"},
	{"lanes, --for ap", "--for ap"},
	{"lanes, --for logloss --bins 32", "--for logloss --bins 32"},
	{"lanes, --for auc --bins 32", "--for auc --bins 32"},
	{"lanes, --for ap --bins 32", "--for ap --bins 32"},
}

// quality prints the measures on the rows whose number, from 0, is 4 mod 5, of models that the
// others make.
func (b *bench) quality() error {
	var report strings.Builder
	for _, d := range tables {
		train, test, err := b.split(d)
		if errors.Is(err, os.ErrNotExist) {
			remark("%s is left out: %v", d.name, err)
			continue
		}
		if err != nil {
			return err
		}
		reference := -1.0
		if b.pipeline != "" {
			d.recipe.Tolerance = 1e-8
			var m struct {
				measures
				AUC float64 `json:"auc"`
				AP  float64 `json:"ap"`
			}
			if _, err := b.learn(context.Background(), &m, d.recipe, train, test); err != nil {
				return err
			}
			reference = m.LogLoss
			fmt.Fprintf(&report, "| %s | scikit-learn's pipeline, C = 1 | %d | %.5f | %.5f | %.5f | |\n", d.name, m.Features, m.LogLoss, m.AUC, m.AP)
		}
		for _, way := range trials {
			if strings.Contains(way.flags, "--bins") && len(d.recipe.Numbers) == 0 {
				continue
			}
			m, t, _, err := b.fit(train, test, d.reading, d.flags+" "+way.flags)
			if err != nil {
				remark("%s, %s: %v", d.name, way.name, err)
				continue
			}
			difference := ""
			if reference >= 0 {
				difference = fmt.Sprintf("%+.6f", m.LogLoss-reference)
			}
			fmt.Fprintf(&report, "| %s | %s | %d | %.5f | %.5f | %.5f | %s |\n", d.name, way.name, t.Columns, m.LogLoss, m.AUC, m.AP, difference)
		}
	}
	if report.Len() > 0 {
		fmt.Print("Test rows are the rows whose number, from 0, is 4 mod 5; no model saw them.\n\n",
			"| table | model | columns | test log loss | AUC | AP | log loss, less scikit-learn's |\n|---|---|---|---|---|---|---|\n", report.String(), "\n")
	}
	return nil
}

// learn runs scikit-learn's pipeline and reads what it prints into v, if there is a test file. It
// may take the memory that is free now.
func (b *bench) learn(ctx context.Context, v any, r recipe, train, test string) (*took, error) {
	text, err := json.Marshal(r)
	file := b.path("recipe.json")
	if err == nil {
		err = os.WriteFile(file, text, 0o600)
	}
	if err != nil {
		return nil, err
	}
	most := "unlimited"
	if free, known := memory.Available(); known {
		most = fmt.Sprint(free / 1024)
	}
	arguments := []string{"-c", `ulimit -v "$0" && exec "$@"`, most, b.python, b.pipeline, file, train, b.path("sklearn.model")}
	if test != "" {
		arguments = append(arguments, test)
	}
	t, err := process(ctx, "sh", arguments...)
	if err == nil && test != "" {
		err = json.Unmarshal(t.output.Bytes(), v)
	}
	return t, err
}

// split writes the training and test rows of a table to files. Each row is a line.
func (b *bench) split(d table) (train, test string, err error) {
	packed, err := os.Open(filepath.Join(b.data, d.file))
	if err != nil {
		return "", "", err
	}
	defer packed.Close()
	text, err := sparse.Decompress(packed)
	if err != nil {
		return "", "", err
	}
	defer text.Close()
	train, test = b.path("train-"+strings.TrimSuffix(d.file, ".xz")), b.path("test-"+strings.TrimSuffix(d.file, ".xz"))
	var out [2]*bufio.Writer
	for k, path := range []string{train, test} {
		file, err := os.Create(path)
		if err != nil {
			return "", "", err
		}
		defer file.Close()
		out[k] = bufio.NewWriter(file)
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<20)
	number := 0
	if d.recipe.Header {
		number = -1
	}
	for ; lines.Scan(); number++ {
		for k, w := range out {
			if number < 0 || (number%5 == 4) == (k == 1) {
				w.Write(lines.Bytes())
				w.WriteByte('\n') // errors stay in w until Flush
			}
		}
	}
	return train, test, errors.Join(lines.Err(), out[0].Flush(), out[1].Flush())
}
