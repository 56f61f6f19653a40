package input

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/internal/base/stamp"
	"github.com/lanes-go/lanes/model"
)

// The forms in which a model is written.
const (
	OwnForm    = "model" // LIBLINEAR's text, or a perceptron's JSON
	SparseForm = "sparse-model"
	NumPyForm  = "npz"
)

// FormOf is the form that a name asks for.
func FormOf(path string) string {
	if strings.EqualFold(filepath.Ext(path), ".npz") {
		return NumPyForm
	}
	return OwnForm
}

// WriteModel writes a model in a form, and tells what who reads it there has to know.
func WriteModel(a *console.App, m model.Model, path, form string) error {
	write := m.Write
	linear, isLinear := m.(*model.Linear)
	meta := m.About().Meta
	switch {
	case form == OwnForm:
	case !isLinear:
		return console.Usagef("%s is not written: a perceptron has one format, the file of 'lanes train --model'", path)
	case form == SparseForm:
		write = linear.WriteSparse
	default:
		write = linear.WriteNPZ
		a.Note("%s is for NumPy: lanes does not read it", path)
		if meta != nil && meta.Normalize == model.NormalizeUnit {
			a.Note("its coefficients are for rows of length 1 (sklearn.preprocessing.normalize)")
		}
	}
	if path == "-" {
		return write(a.Output())
	}
	return a.Write("model", path, write)
}

// IsModel tells whether a file is a model: JSON, or text that begins as LIBLINEAR's models
// do.
func IsModel(path string) (bool, error) {
	begin, err := beginning(path)
	return err == nil && model.Recognise(begin), err
}

// IsCache tells whether a file is a cache of lanes.
func IsCache(path string) (bool, error) {
	begin, err := beginning(path)
	return strings.HasPrefix(string(begin), "LANESCSR"), err
}

// beginning returns the first bytes of a regular file, none of a file that is not there or not
// regular.
func beginning(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, nil
	}
	var begin []byte
	if err == nil {
		begin, err = firstBytes(path)
	}
	if err != nil {
		return nil, console.BadData(console.FileTrouble(err, path))
	}
	return begin, nil
}

func firstBytes(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	begin, err := bufio.NewReader(file).Peek(64)
	if err == io.EOF {
		err = nil
	}
	return begin, err
}

// ModelAndData returns the paths of the model and of the data that a command is given as
// MODEL DATA, or as --model MODEL DATA.
func ModelAndData(cmd *cli.Command, flag string, args []string) (path, data string, err error) {
	order := cmd.Path() + " MODEL DATA"
	if flag != "" {
		args = append([]string{flag}, args...)
	}
	isModel := false
	if n := len(args); n > 0 {
		if isModel, err = IsModel(args[n-1]); err != nil {
			return "", "", err
		}
	}
	switch {
	case len(args) == 2 && isModel:
		return "", "", console.Usagef("%s is a model, not DATA: the model comes first, as in %s", args[1], order)
	case len(args) == 2:
		return args[0], args[1], nil
	case len(args) > 2:
		return "", "", console.Usagef("--model %s names the model: give one DATA beside it, not %s and %s", flag, args[1], args[2])
	case len(args) == 1 && (flag != "" || isModel):
		return "", "", console.Usagef("name the DATA after the model, as in %s", order)
	}
	return "", "", console.Usagef("name a model before the DATA, as in %s: 'lanes train --model MODEL' writes one, and so does LIBLINEAR", order)
}

// ReadModel reads a model from a file.
func ReadModel(path string) (model.Model, error) {
	m, _, err := ReadModelOf(path)
	return m, err
}

// ReadModelOf is ReadModel. It also tells whether the file is one that LIBLINEAR's programs read.
func ReadModelOf(path string) (m model.Model, liblinear bool, err error) {
	file, err := stamp.OpenNow(path)
	if err == nil {
		defer file.Close()
		in := bufio.NewReader(file)
		begin, _ := in.Peek(64)
		liblinear = !strings.HasPrefix(strings.TrimSpace(string(begin)), "{")
		m, err = model.Read(in, path)
	}
	if err != nil {
		return nil, false, console.BadData(fmt.Errorf("the model cannot be read: %w", console.FileTrouble(err, path)))
	}
	return m, liblinear, nil
}

// FirstIndex is the first index of a text.
func FirstIndex(zeroBased bool) int {
	if zeroBased {
		return 0
	}
	return 1
}
