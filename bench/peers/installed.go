package peers

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

//go:embed driver/liblinear.c
var liblinearDriver []byte

//go:embed driver/learn.py
var learnScript []byte

//go:embed driver/glmnet.R
var glmnetScript []byte

// freeIntercept is the first version of LIBLINEAR that leaves an intercept unpenalised (-R).
const freeIntercept = 240

// LIBLINEAR is the installed library, called from a driver, and the installed command.
type LIBLINEAR struct {
	Title         string // name and version
	FreeIntercept bool   // it leaves an intercept unpenalised
	Command       string // the path of the command that trains
	driver        string
}

// NewLIBLINEAR compiles the driver into a folder and links it with the installed LIBLINEAR.
func NewLIBLINEAR(folder string) (*LIBLINEAR, error) {
	command, err := exec.LookPath("liblinear-train")
	if err != nil {
		return nil, errors.New("install liblinear-tools")
	}
	source, driver := filepath.Join(folder, "liblinear.c"), filepath.Join(folder, "liblinear")
	if err := os.WriteFile(source, liblinearDriver, 0o600); err != nil {
		return nil, err
	}
	if out, err := exec.Command("cc", "-O2", "-o", driver, source, "-llinear").CombinedOutput(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		return nil, fmt.Errorf("install liblinear-dev and a C compiler: %w: %s", err, first)
	}
	out, err := exec.Command(driver).Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", driver, err)
	}
	version, err := strconv.Atoi(strings.TrimSpace(string(out)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", driver, err)
	}
	return &LIBLINEAR{fmt.Sprintf("LIBLINEAR %.2f", float64(version)/100), version >= freeIntercept, command, driver}, nil
}

// Trainer returns a trainer that trains on a file of LIBSVM text with labels -1 and +1. Its
// solvers are LIBLINEAR's, by number.
func (l *LIBLINEAR) Trainer(file string, limit float64) *Trainer {
	return NewTrainer(filepath.Dir(file), limit, func() *exec.Cmd { return exec.Command(l.driver, file) })
}

// Python trains by a module of Python.
type Python struct {
	Title                  string // name and version of the module
	python, script, module string
}

// NewPython returns a trainer by a module that the program python imports: sklearn, cyanure,
// celer, skglm or glum. The script goes into a folder.
func NewPython(python, module, folder string) (*Python, error) {
	name := module
	if module == "sklearn" {
		name = "scikit-learn"
	}
	out, err := exec.Command(python, "-c", "import importlib.metadata, "+module+"; print(importlib.metadata.version('"+name+"'))").CombinedOutput()
	text := strings.TrimSpace(string(out))
	text = text[strings.LastIndex(text, "\n")+1:]
	if err != nil {
		return nil, fmt.Errorf("%s does not import it: %s", python, text)
	}
	script := filepath.Join(folder, "learn.py")
	return &Python{name + " " + text, python, script, module}, os.WriteFile(script, learnScript, 0o600)
}

// Command reads a file and answers requests on its standard input, on one thread.
func (p *Python) Command(file string) *exec.Cmd {
	command := exec.Command(p.python, p.script, p.module, file)
	command.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	command.Stderr = os.Stderr
	return command
}

// Trainer returns a trainer that trains on a file of LIBSVM text with labels -1 and +1. Solvers
// of scikit-learn have "l1/" before their names to take an L1 norm. They have "softmax/" to train
// one model of all classes, of any labels.
func (p *Python) Trainer(file string, limit float64) *Trainer {
	return NewTrainer(filepath.Dir(file), limit, func() *exec.Cmd { return p.Command(file) })
}

// Glmnet returns a trainer on the triplets of a folder, as datasets.WriteTriplets has them.
func Glmnet(folder string, limit float64) (*Trainer, error) {
	script := filepath.Join(folder, "glmnet.R")
	return NewTrainer(folder, limit, func() *exec.Cmd {
		command := exec.Command("Rscript", script)
		command.Dir = folder
		return command
	}), os.WriteFile(script, glmnetScript, 0o600)
}

// GlmnetTitle returns name and version of the installed glmnet.
func GlmnetTitle() (string, error) {
	out, err := exec.Command("Rscript", "-e", `cat(as.character(packageVersion("glmnet")))`).Output()
	if err != nil {
		return "", errors.New("install r-cran-glmnet")
	}
	return "glmnet " + string(out), nil
}
