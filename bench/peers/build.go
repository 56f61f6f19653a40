package peers

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed driver/liblinear.c
var liblinearDriver []byte

//go:embed driver/learn.py
var learnScript []byte

//go:embed driver/glmnet.R
var glmnetScript []byte

// LIBLINEAR is a build of LIBLINEAR 2.50.
type LIBLINEAR struct {
	Command string // its command that trains
	driver  string
}

// BuildLIBLINEAR compiles liblinear-2.50 of the folder of sources into another folder. Its
// sources have no switch for several threads.
func BuildLIBLINEAR(sources, folder string) (*LIBLINEAR, error) {
	const script = `cd "$0" && for f in ddot dnrm2 daxpy dscal; do gcc -O3 -march=native -c "$1/blas/$f.c" || exit 1; done
for f in linear newton; do g++ -O3 -march=native -c "$1/$f.cpp" || exit 1; done
for f in driver "$1/train"; do gcc -O3 -march=native -I "$1" -c "$f.c" || exit 1; done
for f in driver train; do g++ -o $f $f.o linear.o newton.o ddot.o dnrm2.o daxpy.o dscal.o || exit 1; done`
	folder, err := build(sources, "liblinear-2.50", folder, script, "driver.c", liblinearDriver)
	if err != nil {
		return nil, err
	}
	return &LIBLINEAR{Command: filepath.Join(folder, "train"), driver: filepath.Join(folder, "driver")}, nil
}

// Train returns the command of LIBLINEAR that trains, and its version: 2.50 where its sources
// are there, or what Debian installs, liblinear-tools.
func Train(sources, folder string) (command, version string, err error) {
	l, err := BuildLIBLINEAR(sources, folder)
	if err == nil {
		return l.Command, "LIBLINEAR 2.50", nil
	}
	if command, found := exec.LookPath("liblinear-train"); found == nil {
		return command, "Debian's LIBLINEAR", nil
	}
	return "", "", fmt.Errorf("no LIBLINEAR: %w, and liblinear-tools is not installed", err)
}

// Trainer returns one that trains on a file of LIBSVM text with labels -1 and +1. Its
// solvers are LIBLINEAR's, by number.
func (l *LIBLINEAR) Trainer(file string, limit float64) *Trainer {
	return NewTrainer(filepath.Dir(file), limit, func() *exec.Cmd { return exec.Command(l.driver, file) })
}

// Python trains by a script: scikit-learn, Cyanure, celer or skglm.
type Python struct {
	python, script, kind, module string
}

// BuildCyanure compiles cyanure-1.1 of the folder of sources into another folder.
func BuildCyanure(python, sources, folder string) (*Python, error) {
	script := `cd "$0" && include=$("` + python + `" -c 'import numpy, sysconfig; print("-I", sysconfig.get_paths()["include"], "-I", numpy.get_include())') &&
g++ -O3 -march=native -std=c++17 -fPIC -shared -fopenmp -DINT_64BITS $include -I "$1/cyanure_lib" "$1/cyanure_lib/cyanure_wrap_module.cpp" \
	-o cyanure_wrap.so -lopenblas`
	folder, err := build(sources, "cyanure-1.1", folder, script, "learn.py", learnScript)
	if err != nil {
		return nil, err
	}
	return &Python{python, filepath.Join(folder, "learn.py"), "cyanure", folder}, nil
}

// BuildCeler compiles celer of the folder of sources into another folder.
func BuildCeler(python, sources, folder string) (*Python, error) {
	script := `cd "$0" && cp -R "$1/." . && chmod -R u+w . && "` + python + `" setup.py build_ext --inplace`
	folder, err := build(sources, "celer", folder, script, "learn.py", learnScript)
	if err != nil {
		return nil, err
	}
	return &Python{python, filepath.Join(folder, "learn.py"), "celer", folder}, nil
}

// BuildSkglm copies skglm-0.4 of the folder of sources into another folder. numba compiles it
// when a trainer starts.
func BuildSkglm(python, sources, folder string) (*Python, error) {
	script := `cp -R "$1/." "$0" && chmod -R u+w "$0" && cd "$0" && "` + python + `" -c 'import skglm'`
	folder, err := build(sources, "skglm-0.4", folder, script, "learn.py", learnScript)
	if err != nil {
		return nil, err
	}
	return &Python{python, filepath.Join(folder, "learn.py"), "skglm", folder}, nil
}

// Learn is scikit-learn.
func Learn(python, folder string) (*Python, error) {
	if out, err := exec.Command(python, "-c", "import sklearn").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	file := filepath.Join(folder, "learn.py")
	return &Python{python, file, "sklearn", ""}, os.WriteFile(file, learnScript, 0o600)
}

// Command reads a file and answers requests on its standard input, on one thread.
func (p *Python) Command(file string) *exec.Cmd {
	command := exec.Command(p.python, p.script, p.kind, file, p.module)
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
	if !HasGlmnet() {
		return nil, errors.New("install r-cran-glmnet")
	}
	script := filepath.Join(folder, "glmnet.R")
	return NewTrainer(folder, limit, func() *exec.Cmd {
		command := exec.Command("Rscript", script)
		command.Dir = folder
		return command
	}), os.WriteFile(script, glmnetScript, 0o600)
}

// HasGlmnet tells whether R has it.
func HasGlmnet() bool {
	out, err := exec.Command("Rscript", "-e", `cat(requireNamespace("glmnet", quietly=TRUE))`).Output()
	return err == nil && strings.Contains(string(out), "TRUE")
}

// build runs a script in a folder below the given one, with a driver beside what it builds,
// unless it did so before.
func build(sources, name, folder, script, file string, driver []byte) (string, error) {
	if sources == "" {
		return "", errors.New("no folder of sources is named")
	}
	source, err := filepath.Abs(filepath.Join(sources, name))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(source); err != nil {
		return "", err
	}
	folder, err = filepath.Abs(filepath.Join(folder, name))
	if err != nil {
		return "", err
	}
	stamp, built := filepath.Join(folder, "built"), script+source
	if filepath.Ext(file) == ".c" {
		built += string(driver)
	}
	if err := errors.Join(os.MkdirAll(folder, 0o755), os.WriteFile(filepath.Join(folder, file), driver, 0o600)); err != nil {
		return "", err
	}
	if was, err := os.ReadFile(stamp); err == nil && string(was) == built {
		return folder, nil
	}
	fmt.Fprintf(os.Stderr, "%s is compiled, which may take minutes\n", name)
	out, err := exec.Command("sh", "-c", script, folder, source).CombinedOutput()
	if err == nil {
		return folder, os.WriteFile(stamp, []byte(built), 0o600)
	}
	reason, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "error") {
			reason = strings.TrimSpace(line)
			break
		}
	}
	return "", fmt.Errorf("it does not compile: %s", reason)
}
