# Targets for people and CI. `make help` lists them.

GO       ?= go
LIBRARY   = $$($(GO) list ./... | grep -v /cmd/)
# Architectures besides amd64 and arm64, which have their own tests: 32 bits, no threads, big-endian.
ARCHS    := 386 wasm s390x
FUZZTIME ?= 600
PKG      ?= ./metrics
GREMLINS := github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0
STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
OUT      := out
# Debian's Python, whose packages apt-get installs.
PYTHON   ?= /usr/bin/python3

# A run that repeats make test: short, and without the tests that internal/testing/repeat skips.
# Under qemu and the race detector packages that share the cores may take more than the usual ten minutes.
REPEAT   := LANES_REPEAT=1 $(GO) test -short -vet=off -timeout 30m
# Packages in which a compiler option could change a result: the kernels, and every solver's bits.
ARITHMETIC := ./asm/... ./dispatch ./kernels/... ./sparse ./metrics ./model ./internal/testing/golden
# Packages whose kernels differ between a CPU path and the same path with more instructions.
LEVELLED := ./dispatch ./asm/vector ./kernels/vector

.DEFAULT_GOAL := help

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

# The linker writes through a memory mapping, which leaves the file in single pages of the page
# cache. A copy has larger ones and starts faster.
.PHONY: build
build: ## build the command into bin/lanes, without C, as releases are: that starts sooner
	CGO_ENABLED=0 $(GO) build -o bin/lanes ./cmd/lanes
	cp bin/lanes bin/lanes.copy && mv -f bin/lanes.copy bin/lanes

.PHONY: build-mpi
build-mpi: ## build the command for several machines into bin/lanes-mpi (Debian: libopenmpi-dev openmpi-bin)
	@command -v mpicc >/dev/null || { echo "install libopenmpi-dev and openmpi-bin first"; exit 1; }
	CC=mpicc $(GO) -C distributed build -tags mpi -o ../bin/lanes-mpi ./lanes-mpi

.PHONY: build-c
build-c: ## build the C library: bin/liblanes.so, bin/liblanes.a and bin/lanes.h
	$(GO) -C capi build -buildmode=c-shared -o ../bin/liblanes.so .
	$(GO) -C capi build -buildmode=c-archive -o ../bin/liblanes.a .
	@rm -f bin/liblanes.h && cp capi/lanes.h bin/

# The wheel holds the C library, and no code compiled for one version of Python.
.PHONY: build-python
build-python: build-c ## build a wheel of the Python package into bin (Debian: python3-setuptools python3-wheel)
	cp bin/liblanes.so python/lanes/ && cp LICENSE NOTICES python/
	cd python && rm -rf build && $(PYTHON) setup.py -q bdist_wheel --dist-dir ../bin

.PHONY: demo
demo: build ## train on generated data, show a table and draw out/demo.png and out/demo.html
	@mkdir -p $(OUT)
	@echo "Four solvers minimise one logistic loss on generated data, 20 epochs each; the objective and the gap should fall."
	bin/lanes compare --solvers ai-sarah,svrg,sarah,adam --generate onehot --epochs 20 --plot $(OUT)/demo.png --html $(OUT)/demo.html
	@echo "picture: $(OUT)/demo.png   page: $(OUT)/demo.html"

.PHONY: docs
docs: build ## build the documentation as a site in out/docs; a broken link is an error
	$(GO) -C docs/site run . -root ../.. -out "$(abspath $(OUT))/docs" -lanes ../../bin/lanes

# The modules are tested in parallel: the last packages of each leave a core idle.
MODULES := $(addprefix test-module-,. bench distributed docs/site)
.PHONY: test $(MODULES)
test: ## run all tests on the best CPU path of this machine (make test-quick: the short ones)
	@echo "All tests of four modules: 6 to 10 minutes on two idle cores; packages print a line as they end. make test-quick takes a minute."
	@$(MAKE) --no-print-directory -j $(words $(MODULES)) $(MODULES)

$(MODULES): test-module-%:
	$(GO) -C $* test ./...

# The packages that a change breaks first: about 50 s of processor time with a warm build cache.
QUICK := . ./kernels ./dispatch ./sparse ./metrics ./model ./solvers/registry ./returns ./cmd/lanes/internal/...
.PHONY: test-quick
test-quick: ## short tests of the main packages, in under a minute on two idle cores; leaves out asm, most solvers, internal, table, fuzz and whole runs of the command
	$(GO) test -short $(QUICK)

.PHONY: test-c
test-c: build ## run the tests of the C library, under valgrind where it is
	$(GO) -C capi test ./...

.PHONY: test-python
test-python: build ## run the tests of the Python package from its wheel (Debian: python3-sklearn python3-setuptools python3-wheel)
	@$(PYTHON) -c 'import sklearn, setuptools, wheel' 2>/dev/null || { \
		echo "test-python: skipped, as sklearn, setuptools or wheel is missing (Debian: python3-sklearn python3-setuptools python3-wheel)"; exit 0; }; \
	$(MAKE) --no-print-directory build-python && $(UNPACK) && cd python/tests && \
	LANES_COMMAND=$(CURDIR)/bin/lanes PYTHONPATH=$(CURDIR)/$(OUT)/python $(PYTHON) -W ignore::FutureWarning -m unittest -b

# Open MPI refuses to run as root, or more processes than cores, without a flag.
.PHONY: test-mpi
test-mpi: ## run the tests of runs on several processes, where there is mpirun
	@if ! command -v mpirun >/dev/null || ! command -v mpicc >/dev/null; then \
		echo "test-mpi: skipped, as mpirun or mpicc is missing (Debian: openmpi-bin libopenmpi-dev)"; exit 0; fi; \
	CC=mpicc $(GO) -C distributed test -tags mpi ./...

.PHONY: test-paths
test-paths: ## run the library's tests on every CPU path but the best, which make test has, and without assembly
	@# go test does not see another LANES_CPU, which is read before tests begin: without
	@# -count=1 it shows the results of the path before. The best path is listed last.
	@# Each test is linked once and runs on one path after another. A path with a dash has more
	@# kernels of $(LEVELLED) alone than the path before the dash.
	@paths=$$($(GO) run ./cmd/lanes cpu --paths) && [ -n "$$paths" ] || exit 1; \
	others=$$(echo "$$paths" | sed '$$d'); best=$$(echo "$$paths" | tail -1); \
	export LANES_PATHS="$$(echo "$$others" | grep -v -e - -e "^$${best%%-*}$$" | tr '\n' ' ')"; echo "== LANES_CPU: $$LANES_PATHS"; \
	[ -z "$$LANES_PATHS" ] || $(REPEAT) -count=1 -exec $(CURDIR)/.ci/each-path $(LIBRARY) || exit 1; \
	export LANES_PATHS="$$(echo "$$others" | tr '\n' ' ')"; echo "== LANES_CPU: $$LANES_PATHS"; \
	[ -z "$$LANES_PATHS" ] || $(REPEAT) -count=1 -exec $(CURDIR)/.ci/each-path $(LEVELLED) || exit 1; \
	case $$paths in *avx2*) echo "== GOAMD64=v3"; GOAMD64=v3 $(REPEAT) $(ARITHMETIC);; esac
	$(REPEAT) -tags purego $(ARITHMETIC)

# What has goroutines imports sync, the products on several threads, or sums by shards; the golden
# list runs every solver on two workers. Assembly has none, and the race detector does not see it.
RACED := sed -nE '\,[[ ](sync|sync/atomic|[^ ]*/(internal/matrix|internal/shards|sparse))[] ],s/ .*//p' | \
	grep -vE '/(asm(/.*)?|cmd/lanes/(command|internal/bench))$$'
.PHONY: test-race
test-race: ## run the tests of what has goroutines under the race detector
	@raced=$$($(GO) list -f '{{.ImportPath}} {{.Imports}}' ./... | $(RACED)) && [ -n "$$raced" ] || exit 1; \
	$(REPEAT) -race $$raced ./internal/testing/golden
	$(REPEAT) -race -run 'SeveralFits|Path|Kill|Compare|Interrupt' ./cmd/lanes/command
	$(GO) -C bench test -race -short -vet=off ./...

.PHONY: test-arm64
test-arm64: ## run tests of kernels, layouts and every solver's bits for arm64 under qemu-user (ALL=1: of the whole library; Debian: qemu-user-static)
	@command -v qemu-aarch64-static >/dev/null || { echo "install qemu-user-static first"; exit 1; }
	GOARCH=arm64 $(REPEAT) -exec qemu-aarch64-static $(if $(ALL),$(LIBRARY),$(ARITHMETIC))
	LANES_CPU=neon GOARCH=arm64 $(REPEAT) -count=1 -exec qemu-aarch64-static $(LEVELLED)

# A product that Go's compiler fuses with a sum has other bits on some CPUs. Two compilers that fuse
# list such products, which float64() keeps apart. What measures or draws gives no bits.
.PHONY: unfused
unfused: ## check that no product is left to the compiler to fuse with a sum, which changes bits on Arm
	@packages=$$($(GO) list -f '{{if .GoFiles}}{{.ImportPath}}{{end}}' ./... | grep -vE '/(asm/machine|cmd/lanes/internal/(bench|plots))$$') || exit 1; \
	for arch in arm64 riscv64; do echo "== $$arch"; \
		listed=$$(GOARCH=$$arch $(GO) build -gcflags=-d=fmahash=vy $$packages 2>&1) || { echo "$$listed"; exit 1; }; \
		fused=$$(echo "$$listed" | sed -n 's/^fmahash triggered \(.*\) [01]*$$/\1/p' | sort -u); \
		[ -z "$$fused" ] || { echo "the compiler may fuse these products with a sum; write float64(x*y):"; echo "$$fused"; exit 1; }; done

.PHONY: test-amd64-levels
test-amd64-levels: ## run the dispatch tests on emulated CPUs without AVX2 and without AVX-512
	@command -v qemu-x86_64-static >/dev/null || { echo "install qemu-user-static first"; exit 1; }
	GOARCH=amd64 $(GO) test -count=1 -exec 'qemu-x86_64-static -cpu Nehalem' ./dispatch
	GOARCH=amd64 $(GO) test -count=1 -exec 'qemu-x86_64-static -cpu Haswell' ./dispatch

.PHONY: cross
cross: ## build for every architecture, with and without assembly, and the command for Windows; vet for two
	@for arch in $(ARCHS); do \
		os=linux; [ $$arch = wasm ] && os=js; \
		echo "== $$os/$$arch"; \
		GOOS=$$os GOARCH=$$arch $(GO) build $$($(GO) list -f '{{if .GoFiles}}{{.ImportPath}}{{end}}' $(LIBRARY)) || exit 1; \
		case $$arch in 386|wasm) GOOS=$$os GOARCH=$$arch $(GO) vet $(LIBRARY) || exit 1;; esac; done
	GOARCH=arm64 $(GO) vet ./asm/...
	$(GO) vet -tags purego ./asm/... ./dispatch
	GOOS=windows GOARCH=amd64 $(GO) build -o /dev/null ./cmd/lanes

# Staticcheck takes 0.73 of its processor time with GOGC=400 (28.3 s of 38.7, without caches).
.PHONY: lint
lint: ## check formatting, vet, the modules' requirements and staticcheck
	@bad=$$(gofmt -l .) || exit 1; [ -z "$$bad" ] || { echo "not formatted: $$bad"; exit 1; }
	@for module in . bench distributed capi docs/site .ci/release; do \
		echo "== $$module"; \
		$(GO) -C $$module vet ./... || exit 1; \
		$(GO) -C $$module mod tidy -diff || exit 1; \
		GOGC=400 $(GO) -C $$module run $(STATICCHECK) ./... || exit 1; done
	@if command -v mpicc >/dev/null; then echo "== distributed with MPI"; export CC=mpicc; \
		$(GO) -C distributed vet -tags mpi ./... && $(GO) -C distributed run $(STATICCHECK) -tags mpi ./...; fi

.PHONY: fuzz
fuzz: ## fuzz every target for FUZZTIME CPU seconds; findings stay in fuzz/testdata
	FUZZTIME=$(FUZZTIME) fuzz/run.sh

# Every mutant takes a build and a -short run of the package's tests; they run one at a time.
.PHONY: mutants
mutants: ## plant mistakes in the package PKG one at a time; print those that its tests let live
	GOFLAGS="$$($(GO) env GOFLAGS) -short" $(GO) run $(GREMLINS) unleash $(PKG) --workers 1 --timeout-coefficient 30 --output-statuses lt

ENCODED := asm/dense/neon_arm64.h asm/element/neon_arm64.h asm/machine/neon_arm64.h asm/single/neon_arm64.h asm/vector/neon_arm64.h

.PHONY: asm
asm: ## write the encodings of NEON instructions that Go's assembler lacks
	$(GO) run ./asm/internal/encode $(ENCODED)

.PHONY: asm-check
asm-check: ## check that nobody edited these encodings
	$(GO) run ./asm/internal/encode -check $(ENCODED)

.PHONY: properties
properties: ## hold all solvers against independent optima on CASES random problems of each kind, and count (minutes; SOLVER=auto for one)
	$(GO) test -count=1 -timeout 2h -v -run '^Test(Properties|Hard|Sparse|Objectives)$$' ./internal/testing/properties -properties.cases $(or $(CASES),1000) -properties.seed $(or $(SEED),1) -properties.solver '$(SOLVER)'

.PHONY: adversary
adversary: build ## pose CASES hostile problems to the command and hold its claims against 113-bit references (g++, python3; minutes)
	@mkdir -p bin
	g++ -O2 -std=c++17 -fext-numeric-literals -o bin/reference bench/adversary/reference.cc -lquadmath
	bench/adversary/adversary.py bin/lanes bin/reference $(or $(SEED),1) $(or $(CASES),2000)

.PHONY: variants
variants: ## judge how the command reads 600 kinds of real files, or CASES of them, with values by SEED (ONLY=dates/ for some)
	$(GO) run ./internal/testing/variants/run -seed $(or $(SEED),1) -cases $(or $(CASES),0) -only "$(ONLY)" -keep "$(abspath $(OUT))/variants"

.PHONY: faults
faults: ## run CASES runs of the command while a read or write fails or a file changes, and judge what they leave (SEED=1, ONLY=convert for some; Linux on amd64)
	$(GO) build -o bin/faults ./internal/testing/faults/run && bin/faults -seed $(or $(SEED),1) -cases $(or $(CASES),2000) -only "$(ONLY)"

.PHONY: bench
bench: ## micro-benchmarks in Go's format, ready for benchstat
	$(GO) test -run '^$$' -bench . -benchmem -count 6 ./asm/... ./sparse ./solvers/...

.PHONY: bits
bits: ## train on every CPU path, emulated Arm and through kill -9, and compare the bits
	bench/bits.sh

.PHONY: kills
kills: ## interrupt runs of every family by signals at random moments (ROUNDS=1 SEED=1), resume them, and compare the bits
	bench/kills.sh $(or $(ROUNDS),1) $(or $(SEED),1)

# FLAGS adds flags to the program of a benchmark: FLAGS="-rounds 1".

.PHONY: bench-kernels
bench-kernels: ## every public kernel from 1 to 2^23 elements, and products of sparse rows, on every CPU path against plain Go, gcc, SLEEF, gonum and vek
	cd bench && $(GO) run -tags "$$(echo '#include <sleef.h>' | cc -E - >/dev/null 2>&1 && echo sleef)" ./kernels $(FLAGS)

.PHONY: bench-outside
bench-outside: ## the public kernels of bench-kernels in a table for each CPU path
	cd bench && $(GO) run ./kernels -summary $(FLAGS)

.PHONY: bench-reading
bench-reading: build ## reading speed and peak memory against LIBLINEAR (Debian: liblinear-tools, liblinear-dev)
	cd bench && $(GO) build -o ../bin/reading ./reading
	bin/reading $(FLAGS) --generate onehot:n=2400000 --generate text:n=120000 --generate wide:n=16000 \
		$(foreach file,sector.scale.xz@1 news20.multi.xz@1,$(if $(LANES_DATA),"$(abspath $(LANES_DATA))/$(file)"))

# The experiments use the data sets of LANES_DATA, if there are any.
DATA ?= $(or $(LANES_DATA),../shared/data)

.PHONY: papers
papers: ## the figures and tables of the papers as pages in docs/papers (PAPER=ai-sarah for one); goes on where it was; QUICK=1: minutes, into out/papers
	cd bench && $(GO) run ./papers -data "$(abspath $(DATA))" $(if $(SEEDS),-seeds $(SEEDS)) $(if $(ROWS),-rows $(ROWS)) $(if $(REMARK),-remark "$(REMARK)") \
		$(if $(QUICK),-quick -state "$(abspath $(OUT))/papers/quick" -out "$(abspath $(OUT))/papers",-state "$(abspath $(OUT))/papers/full" -out ../docs/papers) $(PAPER)

.PHONY: bench-for
bench-for: ## what train --for chooses, against every single way to train, on the test rows (needs LANES_DATA; FLAGS=-every shows each way)
	cd bench && $(GO) run ./wanted -data "$(abspath $(DATA))" $(FLAGS)

.PHONY: bench-two-way
bench-two-way: ## the two-way partial AUC on test rows of every way to train for it, and for one-way and whole AUC, by 5 seeds (needs LANES_DATA)
	cd bench && $(GO) run ./wanted -two-way -sets a9a,w8a,ijcnn1,cocoa,rcv1 -data "$(abspath $(DATA))" $(FLAGS)

# The trainers' data sets, each whole and cut to its first SPLICES rows. WORKERS=1,2 shows the gain of
# a second core; C=1 leaves out other values. KEEP=FOLDER keeps the results of finished data sets,
# and the same command then goes on after them.
SETS    ?= $(foreach file,a9a.xz w8a.xz ijcnn1.xz sector.scale.xz@1 news20.multi.xz@1,$(if $(LANES_DATA),$(abspath $(LANES_DATA))/$(file))) \
	generate:onehot generate:text:n=50000 generate:wide:n=10000
SPLICES ?= 1000,5000,20000
WORKERS ?= 1,2
trainers = cd bench && $(GO) run ./trainers -workers $(WORKERS) \
	$(if $(C),-C $(C)) $(if $(KEEP),-out "$(abspath $(KEEP))")

.PHONY: bench-scaling
bench-scaling: ## what a run on several processes costs here, and by a model on many machines: docs/scaling.md
	@mkdir -p bin
	CC=mpicc $(GO) -C distributed build -tags mpi -o ../bin/scaling ./scaling
	bin/scaling
	bin/scaling -columns 50000 -shards 64

.PHONY: bench-trainers
bench-trainers: ## training time against what is installed of LIBLINEAR, scikit-learn, glmnet, Cyanure and glum; LANES_DATA names a folder with more data
	$(trainers) -limit 5 -splices "$(SPLICES)" $(FLAGS) $(SETS)

.PHONY: bench-trainers-whole
bench-trainers-whole: build ## the same with reading and saving: whole processes
	$(trainers) -whole -rounds 3 -limit 10 -cyanure qning-miso/5,catalyst-miso/5 -sklearn liblinear,newton-cg -splices "$(SPLICES)" $(FLAGS) $(SETS)

.PHONY: bench-trainers-large
bench-trainers-large: build ## both on generated text of a million rows: 10 GB of memory, half an hour
	$(trainers) -rounds 1 -limit 60 -cyanure qning-miso/5,catalyst-miso/5 -sklearn liblinear,newton-cg -glmnet=false $(FLAGS) generate:text:n=1000000
	$(trainers) -whole -rounds 1 -limit 60 -C 1 -cyanure qning-miso/5 -sklearn liblinear $(FLAGS) generate:text:n=1000000

L1    := $(SETS) $(if $(LANES_DATA),$(abspath $(LANES_DATA))/dorothea.train.xz)

# Text, one-hot rows and dense rows for the race with celer and skglm.
PEAK  ?= generate:text:n=50000 generate:onehot generate:dense:n=2000 generate:dense:n=20000,d=100 \
	$(if $(LANES_DATA),$(foreach file,sector.scale.xz@1 a9a.xz,"$(abspath $(LANES_DATA))/$(file)"))

.PHONY: bench-l1
bench-l1: build ## L1-regularised training against what is installed of LIBLINEAR, celer, skglm and scikit-learn; paths against glmnet
	$(trainers) -workers 1 -problem l1 -peak -rounds 3 -limit 5 $(FLAGS) $(PEAK)
	$(trainers) -workers 1 -problem l1 -rounds 3 -limit 5 $(FLAGS) $(L1)
	$(trainers) -workers 1 -problem l1 -whole -rounds 3 -limit 5 -kinds logistic $(FLAGS) $(L1)
	cd bench && $(GO) run ./trainers -problem l1 -path -rounds 3 $(FLAGS) $(filter-out generate:wide% %news20.multi.xz@1 %dorothea.train.xz,$(L1))

.PHONY: bench-softmax
bench-softmax: ## all classes in one model against scikit-learn's solvers (needs LANES_DATA)
	cd bench && $(GO) run ./trainers -problem softmax -rounds 3 -limit 60 $(FLAGS) "$(abspath $(LANES_DATA))/sector.scale.xz@*" generate:onehot
	cd bench && $(GO) run ./trainers -problem softmax -rounds 3 -limit 60 -unit $(FLAGS) "$(abspath $(LANES_DATA))/news20.multi.xz@*"
	cd bench && $(GO) run ./trainers -problem softmax -rounds 1 -limit 60 -sklearn lbfgs $(FLAGS) "$(abspath $(LANES_DATA))/news20.multi.xz@*"

.PHONY: bench-mechanisms
bench-mechanisms: ## what each special way of the default solvers gains, switched off one at a time (an hour; LANES_DATA; LANES_CPU for another path)
	cd bench && $(GO) run ./mechanisms $(FLAGS) $(SETS) $(if $(LANES_DATA),"$(abspath $(LANES_DATA))/sector.scale.xz@*")

.PHONY: house
house: ## count lines, named numbers, exported names, upward imports and comments that are hard to read (TREE=folder of another checkout)
	@$(GO) -C bench run ./house "$(abspath $(or $(TREE),.))"

.PHONY: bench-classes
bench-classes: build ## each class against the rest, in whole processes, against LIBLINEAR (needs LANES_DATA)
	$(trainers) -problem classes -rounds 3 -limit 60 $(FLAGS) $(foreach file,sector.scale.xz@* news20.multi.xz@*,"$(abspath $(LANES_DATA))/$(file)")

.PHONY: bench-cores
bench-cores: ## paths and folds on one thread beside two, some minutes (LANES_DATA names a folder with more data)
	cd bench && $(GO) run ./cores -rounds 3 $(FLAGS) generate:text:n=50000 generate:onehot:n=300000 $(if $(LANES_DATA),$(foreach file,w8a.xz news20.multi.xz@1,"$(abspath $(LANES_DATA))/$(file)"))

# Without scikit-learn, or without the tables of LANES_DATA, their parts are left out.
TABLES = cd bench && $(GO) build -o ../bin/tables ./tables && ../bin/tables -data "$(abspath $(DATA))/tables" -temporary "$(or $(TEMPORARY),$${TMPDIR:-/tmp})" $(if $(ROWS),-rows $(ROWS))

.PHONY: bench-tables
bench-tables: build ## tables against pandas and scikit-learn: test measures, seconds and memory, also of ROWS generated clicks (10000000), and reading beside LIBSVM text
	$(TABLES) $(FLAGS)

.PHONY: bench-headline
bench-headline: build ## train on ROWS generated clicks (10000000) from compressed text within 4 GB, and draw docs/clicks.png (TEMPORARY: a folder with room for them)
	$(TABLES) -only headline -picture ../docs/clicks.png $(FLAGS)

UNPACK = rm -rf $(OUT)/python && mkdir -p $(OUT)/python && $(PYTHON) -m zipfile -e bin/lanes-*.whl $(OUT)/python

.PHONY: bench-python
bench-python: build-python ## training from Python against scikit-learn's LogisticRegression, and what small calls cost (needs LANES_DATA)
	$(UNPACK)
	PYTHONPATH=$(abspath $(OUT))/python $(PYTHON) bench/python/race.py $(FLAGS) \
		$(foreach file,a9a.xz w8a.xz ijcnn1.xz sector.scale.xz@1 news20.multi.xz@1 mushrooms.xz,"$(abspath $(DATA))/$(file)")

# NumPy takes the BLAS that Debian's alternatives name. LD_LIBRARY_PATH=FOLDER has it take another one.
.PHONY: bench-dense
bench-dense: build build-python ## dense rows from Python against what is installed of scikit-learn, scipy, glmnet and pandas (FLAGS=--quick: a try; FLAGS="--only lasso")
	$(UNPACK)
	LANES_COMMAND=$(CURDIR)/bin/lanes PYTHONPATH=$(abspath $(OUT))/python $(PYTHON) bench/dense/dense.py $(FLAGS)

.PHONY: bench-inference
bench-inference: build ## errors of weights beside R's glm and sandwich on ten models (Debian: r-base-core r-cran-mass r-cran-sandwich r-cran-statmod)
	LANES_COMMAND=$(CURDIR)/bin/lanes $(PYTHON) bench/inference/inference.py

.PHONY: bench-losses
bench-losses: build ## objectives of the losses against statsmodels, scikit-learn, LIBLINEAR, glmnet and R
	$(PYTHON) bench/losses/losses.py bin/lanes

.PHONY: bench-losses-race
bench-losses-race: build build-python ## ridges of counts and amounts against scikit-learn, 600,000 policies and dense rows
	$(UNPACK)
	PYTHONPATH=$(abspath $(OUT))/python $(PYTHON) bench/losses/race.py $(FLAGS)

RESULTS := bench-kernels bench-outside bench-cores bench-reading bench-trainers bench-trainers-whole bench-trainers-large bench-classes bench-l1 bench-softmax \
	bench-mechanisms bench-for bench-two-way bench-tables bench-headline bench-python bench-dense bench-losses bench-losses-race

# Variables set here, such as C=1 or FLAGS="-rounds 1", go on to the benchmarks and are recorded.
.PHONY: results
results: ## write bench/RESULTS.md: every benchmark above, or ONLY="bench-kernels bench-reading"; hours
	$(GO) -C bench run ./results -file RESULTS.md -root .. -remark "$(REMARK)" $(or $(ONLY),$(RESULTS))

.PHONY: bench-peers
bench-peers: bench-kernels bench-reading bench-trainers ## every comparison with other programs

# The version of a trial release.
VERSION ?= v0.1.0

.PHONY: release-check
release-check: ## install and import the last commit as a stranger would, by go install and go get
	$(GO) -C .ci/release run . check "$(CURDIR)" $(VERSION)

.PHONY: notices
notices: ## write NOTICES: the licences of all modules that the command and the libraries link
	$(GO) -C .ci/release run . notices "$(CURDIR)"

.PHONY: dist
dist: ## reproducible archives of the last commit for all systems, with man pages and checksums, in out/dist
	$(GO) -C .ci/release run . dist "$(CURDIR)" $(VERSION) "$(abspath $(OUT))/dist"

.PHONY: clean
clean: ## remove what the other targets built
	rm -rf bin $(OUT)
