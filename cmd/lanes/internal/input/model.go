package input

import (
	"bufio"
	"fmt"
	"os"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/model"
)

// IsModel tells whether a file is a model: a perceptron's JSON, or text that begins as
// LIBLINEAR's models do.
func IsModel(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	begin, _ := bufio.NewReader(file).Peek(64)
	return model.Recognise(begin)
}

// ReadModel reads the file of --model.
func ReadModel(path string) (model.Model, error) {
	if path == "" {
		return nil, console.Usagef("--model FILE is needed: the model that 'lanes train --model FILE' wrote, or one of LIBLINEAR's")
	}
	m, err := model.ReadFile(path)
	if err != nil {
		return nil, console.BadData(fmt.Errorf("the model cannot be read: %w", console.FileTrouble(err, path)))
	}
	return m, nil
}

// FirstIndex is the first index of a text.
func FirstIndex(zeroBased bool) int {
	if zeroBased {
		return 0
	}
	return 1
}
