package lanes

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// TrainStream fits a model of two classes, of targets, or of several classes to rows that stay in
// their file, by a solver that takes solvers.Shards; without a name auto.ChooseFor chooses it. Classes against the
// rest are fitted in turn, each in that memory beside the weights of all; Softmax takes all of them at a time. It
// takes at most the given bytes of memory; 0 means no limit. The result has the bits of Train with the same Settings.Shards. With Settings.Ranks
// several processes share the rows, by Newton's method. The file has the weights, offsets, words and the
// encoder. Every process measures all rows of Options.Validation by itself. Errors are the errors of Train; a
// limit that is too small is an *erm.MemoryError.
func TrainStream(ctx context.Context, rows *sparse.Stream, bytes int64, o Options) (*Fitted, error) {
	p, err := PoseStream(ctx, rows, bytes, o)
	if err != nil {
		return nil, err
	}
	return p.Train(ctx)
}

// PathStream is Path for rows that stay in their file, as in TrainStream: two classes or targets.
// Fits are made one at a time, each in the memory that TrainStream takes; the weights of all points are beside. It has the
// bits of Path with the same Settings.Shards, also on several processes, each of which reads the whole file once
// where it finds the usual weights. The usual weights of the L1 norm take two sweeps, or three where columns have no
// penalty. A loss whose second derivative has no bound, or none, needs Search.Weights, but not for the L1 norm.
func PathStream(ctx context.Context, rows *sparse.Stream, bytes int64, s Search) (*Fitted, error) {
	s.Folds = 0
	p, err := PoseStreamSearch(ctx, rows, bytes, s)
	if err != nil {
		return nil, err
	}
	return p.Path(ctx, s)
}

// CrossValidateStream is CrossValidate for rows that stay in their file, as in TrainStream: two classes or targets.
// A fold is rows that are chosen as they are read, so that no file is copied. Fits are made one at a
// time, each in the memory that TrainStream takes. Beside them it takes some 4 bytes a row, 70 to 90 bytes
// a row of a fold, and 8 bytes a column for each fold, or 24 along a path of 16 points or more. It has the bits
// of CrossValidate with the same Settings.Shards. Rows in groups (qid) are refused. Errors are as in PathStream.
func CrossValidateStream(ctx context.Context, rows *sparse.Stream, bytes int64, s Search) (*Fitted, error) {
	s.Folds = cmp.Or(s.Folds, usualFolds)
	p, err := PoseStreamSearch(ctx, rows, bytes, s)
	if err != nil {
		return nil, err
	}
	return p.CrossValidate(ctx, s)
}

// PoseStreamSearch is PoseSearch for PathStream and CrossValidateStream.
func PoseStreamSearch(ctx context.Context, rows *sparse.Stream, bytes int64, s Search) (*Problem, error) {
	s.alongPath = s.Folds == 0
	return poseStream(ctx, rows, bytes, s.Options, &s)
}

// What PoseStream says of options that go with rows in memory.
const (
	inMemory = "it needs all rows in memory"
	wayOut   = inMemory + ": leave it out, or the limit of memory"
	inFile   = "rows in a file have the weights and offsets of the file: write a cache with them"
)

// PoseStream is Pose for TrainStream. It reads the labels, and all rows where they are scaled.
func PoseStream(ctx context.Context, rows *sparse.Stream, bytes int64, o Options) (*Problem, error) {
	return poseStream(ctx, rows, bytes, o, &Search{})
}

func poseStream(ctx context.Context, rows *sparse.Stream, bytes int64, o Options, s *Search) (*Problem, error) {
	if rows == nil || rows.Rows() == 0 {
		return nil, badData(errors.New("there are no rows"))
	}
	encoder := encoderOf(rows.Encoding())
	s.encoded, s.inFile = rows.Encoding() != nil, true
	var err error
	if s.monotone, err = monotoneOf(rows.Encoding(), encoder); err != nil {
		return nil, err
	}
	p, err := o.ready(s)
	if err != nil {
		return nil, err
	}
	if p.o.Settings.Shards == 0 {
		p.o.Settings.Shards = (&erm.Streamed{Rows: rows}).Shards()
		p.settings.Shards = p.o.Settings.Shards
	}
	o = p.o
	switch {
	case s.Folds > 0 && o.Settings.Ranks != nil:
		return nil, badOption("Search.Folds", s.Folds, "several processes fit no folds: give one lambda, or train in one process")
	case s.Folds > 0 && rows.HasQueries():
		return nil, badOption("Search.Folds", s.Folds, "folds keep the rows of a group (qid) together, which needs all rows in memory; a path on {Validation} does not")
	case o.Settings.Ranks != nil && (o.Kind == OneVsRest || o.Kind == Softmax):
		return nil, badOption("Kind", o.Kind, "several processes train two classes, or targets: name one class as {Positive}")
	case (s.alongPath || s.Folds > 0) && (o.Kind == OneVsRest || o.Kind == Softmax):
		return nil, badOption("Kind", o.Kind, "a path or folds of several classes need all rows in memory: train one model, by one lambda")
	case o.Calibrate != "":
		return nil, badOption("Calibrate", o.Calibrate, wayOut)
	case o.HoldoutBy != nil:
		return nil, badOption("HoldoutBy", numbers(len(o.HoldoutBy)), wayOut)
	case o.Holdout > 0:
		return nil, badOption("Holdout", o.Holdout, wayOut)
	case o.RowWeights != nil:
		return nil, badOption("RowWeights", numbers(len(o.RowWeights)), inFile)
	case o.RowOffsets != nil:
		return nil, badOption("RowOffsets", numbers(len(o.RowOffsets)), inFile)
	}
	p.data, p.columns, p.encoder = &sparse.Data{Encoding: rows.Encoding()}, rows.Cols(), encoder
	if err := p.penalise(rows.Rows()); err != nil {
		return nil, err
	}
	if err := p.checkShards(rows.Rows()); err != nil {
		return nil, err
	}
	if p.columns == 0 && o.Intercept != PenalisedIntercept {
		return nil, badData(errors.New("the rows have no features: there is nothing to train on"))
	}
	if err := p.checkNames(); err != nil {
		return nil, err
	}
	p.stream = &solvers.Rows{Memory: bytes}
	if o.Watch != nil {
		p.stream.Progress = o.Watch.Sweep
	}
	ours := &shared{ctx, &p.o, rows}
	if err := p.sortStream(ours); err != nil {
		// Other labels may be damage of the file: the checksums tell.
		return nil, cmp.Or(ours.damage(), err)
	}
	if o.Normalize == model.NormalizeMinMax || o.Normalize == model.NormalizeStd {
		p.scaler, err = ours.fitScaler(o.Normalize)
	}
	if err == nil {
		rows, err = p.scaledInFile(rows)
	}
	if err != nil {
		return nil, badData(err)
	}
	if o.Intercept == PenalisedIntercept || p.Intercept {
		rows = rows.WithBias(1)
	}
	p.stream.Stream = rows
	switch {
	case p.several != nil && (s.alongPath || s.Folds > 0):
		return nil, badOption("Kind", o.Kind, "a path or folds of several classes need all rows in memory: train one model, by one lambda")
	case p.several != nil && rows.HasOffsets():
		return nil, badData(errors.New("the rows have offsets, which go with two classes, or with targets: write a cache without them"))
	}
	if err := p.tolerateStream(ctx, ours); err != nil {
		return nil, cmp.Or(ours.damage(), err)
	}
	if o.Initial != nil {
		if p.settings.Initial, err = model.Start(o.Initial, p.training()); err != nil {
			return nil, badData(fmt.Errorf("the run cannot begin at the model of Initial: %w", plain(err)))
		}
	}
	if err = p.validate(ctx); err == nil {
		err = p.checkInference(ctx, s)
	}
	if err := ours.agree(err, p.validationText()); err != nil {
		return nil, err
	}
	return p, p.finishSettings()
}

// besideSearch is the problem whose memory has room for a search over so many weights, of which the least are fitted in any
// case; 0 means all. Rows in memory need none.
func (p *Problem) besideSearch(s *Search, weights, least int) *Problem {
	switch {
	case p.stream == nil:
		return p
	case s.alongPath && p.o.validates(): // it may go on beyond the least points
		return p.besidePath(weights)
	case s.alongPath:
		return p.besidePath(cmp.Or(least, weights))
	}
	by := p.run()
	by.Least = least
	return p.beside(by.FoldBytes(s.Folds, weights))
}

// besidePath is the problem whose memory has room for the weights of the points of a path, and for their copies
// in a checkpoint.
func (p *Problem) besidePath(points int) *Problem {
	copies := int64(1)
	if p.settings.Saves() {
		copies = 2
	}
	return p.beside(copies * 8 * int64(points) * int64(p.stream.Stream.Cols()))
}

// beside is the problem whose memory has room for more bytes.
func (p *Problem) beside(bytes int64) *Problem {
	own, rows := *p, *p.stream
	rows.Beside += bytes
	own.stream = &rows
	return &own
}

// scaleByTrainingInFile is scaleByTraining for rows in a file.
func (p *Problem) scaleByTrainingInFile(ctx context.Context, train, test *sparse.Stream) (*sparse.Stream, *sparse.Stream, error) {
	scaler, err := (&shared{ctx, &p.o, train}).fitScaler(p.o.Normalize)
	if err != nil {
		return nil, nil, err
	}
	if train, err = train.Scaled(scaler); err != nil {
		return nil, nil, err
	}
	test, err = test.Scaled(scaler)
	return train, test, err
}

// sortStream finds out what the labels of rows in a file are.
func (p *Problem) sortStream(ours *shared) error {
	list, all, err := ours.classes()
	if err != nil {
		return err
	}
	l := &labelled{found: list, words: ours.stream.LabelNames(), all: all}
	if l.words != nil {
		for k := range l.found {
			l.found[k].Label = l.number(int(l.found[k].Label))
		}
	}
	if p.stream.ClassWeights, err = p.sort(l); err != nil || p.regression {
		return err
	}
	if p.several != nil {
		return p.severalSuit()
	}
	inFile := p.labels
	inFile.Positive, inFile.Negative = l.inFile(inFile.Positive), l.inFile(inFile.Negative)
	p.stream.Labels = &inFile
	return nil
}

// measureStreamed adds the metrics of the training rows.
func (p *Problem) measureStreamed(ctx context.Context, f *Fitted) error {
	if p.several != nil {
		return p.measureClassesInFile(ctx, f, false)
	}
	s := p.stream
	got, err := (&erm.Streamed{
		Problem: p.Problem, Rows: s.Stream, Labels: s.Labels,
	}).Measure(ctx, f.Result.Weights, solvers.Settings{Shards: f.Used.Shards, Workers: f.Used.Workers, Ranks: f.Used.Ranks})
	switch {
	case err != nil && ctx.Err() != nil: // the run was interrupted, or is now
	case err != nil:
		return err
	case p.regression:
		f.Metrics["train_mse"] = got.MeanSquare
	default:
		f.Metrics["train_accuracy"] = got.Accuracy
	}
	return nil
}

// shared holds streamed rows; every process reads its share of them.
type shared struct {
	ctx    context.Context
	o      *Options
	stream *sparse.Stream
}

// share brings what every process has to every process, or the first error of any.
func (s *shared) share(err error, data []byte) ([][]byte, error) {
	ranks := s.o.Settings.Ranks
	switch {
	case s.o.Share != nil:
		return s.o.Share(err, data)
	case ranks == nil:
		return [][]byte{data}, err
	}
	mine := append([]byte{'+'}, data...)
	if err != nil {
		mine = append([]byte{'-'}, err.Error()...)
	}
	texts, wrong := ranks.Gather(mine)
	if wrong != nil || err != nil {
		return nil, errors.Join(err, wrong)
	}
	for k, text := range texts {
		if message, failed := bytes.CutPrefix(text, []byte{'-'}); failed {
			return nil, fmt.Errorf("rank %d: %s", k, message)
		}
		texts[k] = text[1:]
	}
	return texts, nil
}

// agree has all processes go on or none, once each has its validation, which text tells from others, and the memory for
// errors of weights. Where Options.Share brings errors to all, its owner does that once the problem is posed.
func (s *shared) agree(err error, text string) error {
	if s.o.Settings.Ranks == nil || s.o.Share != nil || !s.o.validates() && s.o.Inference == nil {
		return err
	}
	texts, err := s.share(err, []byte(text))
	for k, other := range texts {
		if string(other) != string(texts[0]) {
			return &DataError{Validation: true, Err: fmt.Errorf("rank %d has other rows (%s) than rank 0 (%s): give all machines the same file", k, other, texts[0])}
		}
	}
	return err
}

// own returns the range of rows that this process reads: [first, end).
func (s *shared) own() (first, end int) {
	n := s.stream.Rows()
	if r := s.o.Settings.Ranks; r != nil {
		return shards.Cut(n, r.Size(), r.Rank()), shards.Cut(n, r.Size(), r.Rank()+1)
	}
	return 0, n
}

// classes counts the labels of all rows; all is false with more than mostLabels.
func (s *shared) classes() (classes []sparse.Class, all bool, err error) {
	first, end := s.own()
	classes, all, err = s.stream.CountClasses(s.ctx, first, end, mostLabels)
	err = badData(err)
	if s.o.Settings.Ranks == nil {
		return classes, all, err
	}
	var counts map[uint64]int // by the bits of labels, nil where there are too many
	if all {
		counts = make(map[uint64]int)
		for _, c := range classes {
			counts[math.Float64bits(c.Label)] = c.Count
		}
	}
	text, wrong := json.Marshal(counts)
	texts, err := s.share(cmp.Or(err, wrong), text)
	if err != nil {
		return nil, false, err
	}
	total := make(map[uint64]int)
	for _, text := range texts {
		var counts map[uint64]int
		if err := json.Unmarshal(text, &counts); err != nil {
			return nil, false, err
		}
		if counts == nil {
			return classes, false, nil
		}
		for label, count := range counts {
			total[label] += count
		}
	}
	classes = classes[:0]
	for label, count := range total {
		classes = append(classes, sparse.Class{Label: math.Float64frombits(label), Count: count})
	}
	slices.SortFunc(classes, func(a, b sparse.Class) int { return cmp.Compare(a.Label, b.Label) })
	return classes, len(classes) <= mostLabels, nil
}

// fitScaler fits the scaling of columns that Normalize names. Every process reads its rows.
func (s *shared) fitScaler(normalize string) (*sparse.Scaler, error) {
	ranks, std := s.o.Settings.Ranks, normalize == model.NormalizeStd
	switch {
	case ranks == nil && std:
		return s.stream.FitStd(s.ctx)
	case ranks == nil:
		return s.stream.FitMinMax(s.ctx)
	}
	first, end := s.own()
	r, err := s.stream.Ranges(s.ctx, first, end)
	if _, err := s.share(err, nil); err != nil {
		return nil, err
	}
	low := make([]float64, len(r.Low)) // their opposites
	for j, v := range r.Low {
		low[j] = -v
	}
	for _, v := range [][]float64{low, r.High} {
		if err := ranks.Max(v); err != nil {
			return nil, err
		}
	}
	for j, v := range low {
		r.Low[j] = -v
	}
	if err := shards.Total(ranks, r.Count); err != nil {
		return nil, err
	}
	if r.Rows = s.stream.Rows(); !std {
		return r.Scaler()
	}
	digits, err := s.stream.Deviations(s.ctx, r, first, end)
	if _, err := s.share(err, nil); err != nil {
		return nil, err
	}
	if err := shards.Total(ranks, digits); err != nil {
		return nil, err
	}
	return r.StdScaler(digits)
}

// damage reads all rows, and says where they are damaged.
func (s *shared) damage() error {
	first, end := s.own()
	group := new(sparse.StreamGroup)
	var err error
	for k := s.stream.GroupOf(first); first < end && err == nil; k++ {
		err = badData(s.stream.Load(group, k))
		_, first = s.stream.GroupRows(k)
	}
	_, err = s.share(err, nil)
	return err
}
