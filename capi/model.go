package main

/*
#define LANES_TYPES
#include "lanes.h"
*/
import "C"

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/inference"
	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

var models = handles[model.Model]{what: "model"}

// paths holds the models of all points of a path, by the handle of the one that was chosen.
var paths sync.Map

//export lanes_model_read
func lanes_model_read(path *C.char, out *C.lanes_model, message *C.lanes_text) C.lanes_status {
	return models.make(unsafe.Pointer(out), message, func() (model.Model, error) {
		name, err := word("path", path)
		if err != nil {
			return nil, err
		}
		return model.ReadFile(name)
	})
}

//export lanes_model_write
func lanes_model_write(handle C.lanes_model, path *C.char, message *C.lanes_text) C.lanes_status {
	return models.with(handle.id, message, func(m model.Model) error {
		name, err := word("path", path)
		if err != nil {
			return err
		}
		return model.WriteFile(name, m)
	})
}

//export lanes_model_free
func lanes_model_free(handle C.lanes_model, message *C.lanes_text) C.lanes_status {
	paths.Delete(handle.id)
	return models.free(handle.id, message)
}

//export lanes_model_save
func lanes_model_save(handle C.lanes_model, file, message *C.lanes_text) C.lanes_status {
	return models.with(handle.id, message, func(m model.Model) error {
		if file == nil {
			return wrong("file is NULL")
		}
		// Text takes at most 25 bytes a number, and a buffer doubles.
		c := m.About()
		if err := memory.Check("the text of the model", int64(c.Features)+1, 64*int64(c.Width())); err != nil {
			return err
		}
		var b bytes.Buffer
		if err := m.Write(&b); err != nil {
			return err
		}
		write(file, b.Bytes())
		return nil
	})
}

//export lanes_model_load
func lanes_model_load(file *C.char, length C.size_t, out *C.lanes_model, message *C.lanes_text) C.lanes_status {
	return models.make(unsafe.Pointer(out), message, func() (model.Model, error) {
		text, err := bytesOf("file", file, length)
		if err != nil {
			return nil, err
		}
		return model.Read(bytes.NewReader(text), "the text")
	})
}

//export lanes_model_about
func lanes_model_about(handle C.lanes_model, object, message *C.lanes_text) C.lanes_status {
	return models.with(handle.id, message, func(m model.Model) error {
		return writeJSON(object, about(m))
	})
}

// about is the JSON that describes a model.
func about(m model.Model) any {
	c := m.About()
	_, linear := m.(*model.Linear)
	object := map[string]any{
		"features": c.Features, "regression": c.Regression, "classes": c.Labels(), "words": c.Words(), "logistic": m.Logistic(),
		"scores": c.Width(), "linear": linear, "feature_names": c.FeatureNames(),
	}
	if c.Classes == nil && !c.Regression {
		object["positive"], object["negative"] = c.Positive, c.Negative
	}
	if c.Meta != nil {
		object["solver"], object["status"], object["loss"], object["softmax"] = c.Meta.Solver, c.Meta.Status, c.Meta.Loss, c.Meta.Softmax
	}
	return object
}

//export lanes_model_coefficients
func lanes_model_coefficients(handle C.lanes_model, coefficients *C.double, length C.int64_t, intercepts *C.double, count C.int64_t, message *C.lanes_text) C.lanes_status {
	return models.with(handle.id, message, func(m model.Model) error {
		return copyCoefficients([]model.Model{m}, coefficients, length, intercepts, count)
	})
}

//export lanes_path_coefficients
func lanes_path_coefficients(handle C.lanes_model, coefficients *C.double, length C.int64_t, intercepts *C.double, count C.int64_t, message *C.lanes_text) C.lanes_status {
	return models.with(handle.id, message, func(model.Model) error {
		points, found := paths.Load(handle.id)
		if !found {
			return wrong("the model is not of a path: lanes_train makes one with {\"search\": {\"path\": true}}")
		}
		return copyCoefficients(points.([]model.Model), coefficients, length, intercepts, count)
	})
}

// copyCoefficients copies the coefficients of models, one model after the other.
func copyCoefficients(list []model.Model, coefficients *C.double, length C.int64_t, intercepts *C.double, count C.int64_t) error {
	var w, b []float64
	for _, m := range list {
		linear, ok := m.(*model.Linear)
		if !ok {
			return wrong("the model is a perceptron, which has no coefficients")
		}
		ofOne, constants, err := linear.Coefficients()
		if err != nil {
			return err
		}
		w, b = append(w, ofOne...), append(b, constants...)
	}
	if coefficients != nil || length != 0 {
		if err := fill("coefficients", coefficients, length, w); err != nil {
			return err
		}
	}
	if intercepts != nil || count != 0 {
		return fill("intercepts", intercepts, count, b)
	}
	return nil
}

// scored computes something of the scores of all rows of a matrix, width of it a row.
func scored(handle C.lanes_model, matrix C.lanes_matrix, workers C.int32_t, out *C.double, length C.int64_t, message *C.lanes_text, labels bool, finish func(m model.Model, scores []float64) error) C.lanes_status {
	return models.with(handle.id, message, func(m model.Model) error {
		data, err := matrices.get(matrix.id)
		if err != nil {
			return err
		}
		return output(m, data.X.Rows(), out, length, labels, finish, func(scores []float64) ([]float64, error) {
			pool := sparse.NewPool(int(workers))
			defer pool.Close()
			scores, err := m.Scores(scores, pool, data.X)
			if err == nil && len(data.Offset) == len(scores) {
				for i, offset := range data.Offset {
					scores[i] += offset
				}
			}
			return scores, err
		})
	})
}

// output writes scores of rows, what finish makes of them, or their labels, to an array of the caller.
// score appends the scores to a slice.
func output(m model.Model, rows int, out *C.double, length C.int64_t, labels bool, finish func(m model.Model, scores []float64) error, score func([]float64) ([]float64, error)) error {
	width := m.About().Width()
	each := width
	if labels {
		each = 1
	}
	if each > 0 && int64(rows) > math.MaxInt64/int64(each) {
		return wrong("%d scores for each of %d rows are more than there are addresses", each, rows)
	}
	if want := int64(rows) * int64(each); int64(length) != want {
		return wrong("length is %d; %d numbers are needed, %d for each of %d rows", length, want, each, rows)
	}
	to, err := array[float64]("the output", unsafe.Pointer(out), int64(length))
	if err != nil {
		return err
	}
	scores := to[:0]
	if labels {
		if err := memory.Check("the scores", int64(rows), 8*int64(width)); err != nil {
			return err
		}
		scores = nil
	}
	if scores, err = score(scores); err != nil {
		return err
	}
	if finish != nil {
		if err := finish(m, scores); err != nil {
			return err
		}
	}
	if labels {
		for i := range to {
			to[i] = m.Label(scores[i*width : (i+1)*width]...)
		}
	}
	return nil
}

//export lanes_scores
func lanes_scores(handle C.lanes_model, matrix C.lanes_matrix, workers C.int32_t, scores *C.double, length C.int64_t, message *C.lanes_text) C.lanes_status {
	return scored(handle, matrix, workers, scores, length, message, false, nil)
}

//export lanes_probabilities
func lanes_probabilities(handle C.lanes_model, matrix C.lanes_matrix, workers C.int32_t, probabilities *C.double, length C.int64_t, message *C.lanes_text) C.lanes_status {
	return scored(handle, matrix, workers, probabilities, length, message, false, model.Model.Probabilities)
}

//export lanes_predict
func lanes_predict(handle C.lanes_model, matrix C.lanes_matrix, workers C.int32_t, labels *C.double, length C.int64_t, message *C.lanes_text) C.lanes_status {
	return scored(handle, matrix, workers, labels, length, message, true, nil)
}

// rowOf returns the entries of a row of the caller. If columns is NULL, values has a number for each
// column, and the numbers that are not 0 are the entries.
func rowOf(m model.Model, columns *C.int64_t, entries C.int64_t, values []float64) ([]int, []float64, error) {
	if columns != nil || values == nil {
		row, err := array[int]("columns", unsafe.Pointer(columns), int64(entries))
		return row, values, err
	}
	if d := m.About().Features; len(values) != d {
		return nil, nil, wrong("columns is NULL, and entries is %d; the model has %d columns", entries, d)
	}
	if err := memory.Check("the row", int64(len(values)), 16); err != nil {
		return nil, nil, err
	}
	row, stored := make([]int, 0, len(values)), make([]float64, 0, len(values))
	for j, v := range values {
		if v != 0 {
			row, stored = append(row, j), append(stored, v)
		}
	}
	return row, stored, nil
}

//export lanes_score_row
func lanes_score_row(handle C.lanes_model, columns *C.int64_t, values *C.double, entries C.int64_t, scores *C.double, length C.int64_t, message *C.lanes_text) C.lanes_status {
	return models.with(handle.id, message, func(m model.Model) error {
		var v []float64
		if values != nil {
			var err error
			if v, err = array[float64]("values", unsafe.Pointer(values), int64(entries)); err != nil {
				return err
			}
		}
		row, v, err := rowOf(m, columns, entries, v)
		if err != nil {
			return err
		}
		if want := m.About().Width(); int64(length) != int64(want) {
			return wrong("length is %d; the model gives %d scores a row", length, want)
		}
		to, err := array[float64]("scores", unsafe.Pointer(scores), int64(length))
		if err != nil {
			return err
		}
		_, err = m.RowScores(to[:0], row, v)
		return err
	})
}

//export lanes_evaluate
func lanes_evaluate(handle C.lanes_model, rows *C.lanes_rows, options *C.char, report, message *C.lanes_text) C.lanes_status {
	return models.with(handle.id, message, func(m model.Model) error {
		data, err := rowsOf("rows", rows)
		if err != nil {
			return err
		}
		var o struct {
			Positive string      `json:"positive"`
			Rates    [2]float64  `json:"rates"`
			MinTPR   float64     `json:"min_tpr"`
			Costs    lanes.Costs `json:"costs"`
			Workers  int         `json:"workers"`
		}
		if err := readOptions(options, &o); err != nil {
			return err
		}
		r, err := lanes.Evaluate(context.Background(), m, data, lanes.EvaluateOptions{Positive: o.Positive, Rates: o.Rates, MinTPR: o.MinTPR, Costs: o.Costs, Workers: o.Workers})
		if err != nil {
			return err
		}
		return writeJSON(report, r)
	})
}

//export lanes_inference
func lanes_inference(handle C.lanes_model, rows *C.lanes_rows, options *C.char, table, message *C.lanes_text) C.lanes_status {
	return models.with(handle.id, message, func(m model.Model) error {
		data, err := rowsOf("rows", rows)
		if err != nil {
			return err
		}
		var o struct {
			inference.Options
			Workers int `json:"workers"`
		}
		if err := readOptions(options, &o); err != nil {
			return err
		}
		t, err := lanes.Inference(context.Background(), m, data, o.Options, o.Workers)
		if err != nil {
			return err
		}
		return writeJSON(table, t)
	})
}

// metricBytes bounds what a metric takes for each score: the sign, and the scores in their order.
const metricBytes = 32

//export lanes_metric
func lanes_metric(name *C.char, labels, scores, weights *C.double, length C.int64_t, value *C.double, message *C.lanes_text) C.lanes_status {
	return call(message, func() error {
		text, err := word("name", name)
		if err != nil {
			return err
		}
		metric, err := metrics.Find(text)
		if err != nil {
			return fmt.Errorf("%w: %w", errOptions, err)
		}
		y, err := array[float64]("labels", unsafe.Pointer(labels), int64(length))
		if err != nil {
			return err
		}
		s, err := array[float64]("scores", unsafe.Pointer(scores), int64(length))
		if err != nil {
			return err
		}
		if err := memory.Check("the metric", int64(length), metricBytes); err != nil {
			return err
		}
		var w []float64
		if weights != nil {
			if w, err = array[float64]("weights", unsafe.Pointer(weights), int64(length)); err != nil {
				return err
			}
		}
		if value == nil {
			return wrong("value is NULL")
		}
		signs, _, err := sparse.BinaryLabels(y, nil)
		if err != nil {
			return &lanes.DataError{Err: err}
		}
		v, err := metric.Compute(s, signs, w)
		if err != nil {
			return &lanes.DataError{Err: err}
		}
		*value = C.double(v)
		return nil
	})
}

//export lanes_version
func lanes_version(version, message *C.lanes_text) C.lanes_status {
	return call(message, func() error {
		write(version, []byte(release()))
		return nil
	})
}

// release is the version of the module lanes in this library.
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, module := range info.Deps {
		if module.Path == "github.com/lanes-go/lanes" {
			return module.Version
		}
	}
	return info.Main.Version
}
