package main

/*
#define LANES_TYPES
#include "lanes.h"
*/
import "C"

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

var encoders = handles[*table.Encoder]{what: "encoder"}

// reading is the part of the JSON of options that says how a table is read.
type reading struct {
	Format     string `json:"format"`
	Encoding   string `json:"encoding"`
	Separator  string `json:"separator"`
	Header     *bool  `json:"header"`
	Quotes     *bool  `json:"quotes"`
	BadRows    any    `json:"bad_rows"` // a number, or a share as "1%"
	MaxColumns int    `json:"max_columns"`
	Workers    int    `json:"workers"`
}

// options are the options of package table.
func (r *reading) options() (o table.Options, err error) {
	o = table.Options{Format: r.Format, Encoding: r.Encoding, MaxColumns: r.MaxColumns, Workers: r.Workers}
	if r.Separator != "" {
		o.Separator = r.Separator[0]
	}
	marks := table.Options{Encoding: o.Encoding, Separator: o.Separator}
	if err := marks.Check(); err != nil || len(r.Separator) > 1 {
		return o, fmt.Errorf("%w: separator = %q, encoding = %q: want a comma, a semicolon, a bar, a tab, a blank or another character, and the name of an encoding", errOptions, r.Separator, r.Encoding)
	}
	if r.Header != nil {
		o.Header = table.NoHeader
		if *r.Header {
			o.Header = table.WithHeader
		}
	}
	if r.Quotes != nil {
		o.Quotes = table.NoQuotes
		if *r.Quotes {
			o.Quotes = table.WithQuotes
		}
	}
	if r.Workers < 0 || r.MaxColumns < 0 {
		return o, fmt.Errorf("%w: workers = %d, max_columns = %d: want numbers from 0 on", errOptions, r.Workers, r.MaxColumns)
	}
	if r.BadRows != nil {
		text := fmt.Sprint(r.BadRows)
		if rows, is := r.BadRows.(float64); is {
			text = strconv.FormatFloat(rows, 'f', -1, 64)
		}
		if o.BadRows, o.BadShare, err = table.ParseBadRows(text); err != nil {
			return o, fmt.Errorf("%w: bad_rows: %v", errOptions, err)
		}
	}
	return o, nil
}

// learning is the JSON of lanes_encoder_fit.
type learning struct {
	reading
	Recipe     *table.Recipe `json:"recipe"`
	Target     string        `json:"target"`
	Weight     string        `json:"weight"`
	Offset     string        `json:"offset"`
	Exposure   string        `json:"exposure"`
	Group      string        `json:"group"`
	IDs        []string      `json:"id"`
	Numbers    []string      `json:"number"`
	Categories []string      `json:"category"`
	Texts      []string      `json:"text"`
	Times      []string      `json:"time"`
	Splines    []string      `json:"spline"`
	Monotone   []string      `json:"monotone"`
	Ignored    []string      `json:"ignore"`
	Crosses    [][2]string   `json:"cross"`
	Hash       int           `json:"hash"`
	Scale      string        `json:"scale"`
	Bins       binCount      `json:"bins"`
	Choose     request       `json:"choose"`
	MinCount   int           `json:"min_count"`
	MinDF      int           `json:"min_df"`
	NGrams     int           `json:"ngrams"`
	Counts     bool          `json:"counts"`
	Missing    []string      `json:"missing"`
	Decimal    []string      `json:"decimal"`
	Thousands  []string      `json:"thousands"`
	MaxMemory  int64         `json:"max_memory"`
}

// binCount is a number of bins, or table.Auto for "auto".
type binCount int

func (b *binCount) UnmarshalJSON(text []byte) error {
	var count int
	if string(text) == `"auto"` {
		*b = table.Auto
		return nil
	}
	if err := json.Unmarshal(text, &count); err != nil || count < 0 {
		return fmt.Errorf("bins are %s: give a number of bins, or \"auto\" for the folds to choose it", text)
	}
	*b = binCount(count)
	return nil
}

// recipe is the recipe of the options, or what the columns of a table say. Folds choose numbers of bins that it leaves
// open, by the options of the training.
func (l *learning) recipe(ctx context.Context, s *table.Source) (*table.Recipe, error) {
	r, err := l.wanted(ctx, s)
	if err != nil || len(r.Open()) == 0 {
		return r, err
	}
	if err := l.Choose.finish(); err != nil {
		return nil, err
	}
	folds := 0
	if l.Choose.Search != nil {
		folds = l.Choose.Search.Folds
	}
	r, _, err = lanes.ChooseBins(ctx, s, r, "", folds, l.Choose.Options)
	return r, err
}

// wanted is the recipe with open numbers of bins.
func (l *learning) wanted(ctx context.Context, s *table.Source) (*table.Recipe, error) {
	if l.Recipe != nil {
		return l.Recipe, l.Recipe.Check()
	}
	w := table.Wanted{
		Target: l.Target, Weight: l.Weight, Offset: l.Offset, Exposure: l.Exposure, Group: l.Group, IDs: l.IDs,
		Numbers: l.Numbers, Categories: l.Categories, Texts: l.Texts, Times: l.Times, Splines: l.Splines, Monotone: l.Monotone, Ignored: l.Ignored,
		Crosses: l.Crosses, Hash: l.Hash, Scale: l.Scale, Bins: int(l.Bins), MinCount: l.MinCount,
		Words: table.Words{NGrams: l.NGrams, Counts: l.Counts, MinDF: l.MinDF}, Missing: l.Missing, MaxMemory: l.MaxMemory,
		Decimal: l.Decimal, Thousands: l.Thousands,
	}
	return table.Infer(ctx, s, w)
}

// tableError is what is wrong with a table; the data are at fault unless err says otherwise.
type tableError struct{ error }

func (e tableError) Unwrap() error { return e.error }

// openTable opens a table: of the file at path, or of a text if path is NULL.
func openTable(path, text *C.char, length C.size_t, o table.Options) (*table.Source, error) {
	name := "-"
	if path != nil {
		name = C.GoString(path)
	} else {
		list, err := bytesOf("text", text, length)
		if err != nil {
			return nil, err
		}
		o.Stdin, o.StdinName = bytes.NewReader(list), "the text"
	}
	if path != nil && name == "-" {
		return nil, wrong("path is -: the library does not read standard input")
	}
	return table.Open(name, o)
}

//export lanes_encoder_fit
func lanes_encoder_fit(path, text *C.char, length C.size_t, options *C.char, encoder *C.lanes_encoder, message *C.lanes_text) C.lanes_status {
	return encoders.make(unsafe.Pointer(encoder), message, func() (*table.Encoder, error) {
		var l learning
		if err := readOptions(options, &l); err != nil {
			return nil, err
		}
		o, err := l.options()
		if err != nil {
			return nil, err
		}
		s, err := openTable(path, text, length, o)
		if err != nil {
			return nil, err
		}
		defer s.Close()
		r, err := l.recipe(context.Background(), s)
		if err != nil {
			return nil, tableError{err}
		}
		e, err := table.Fit(context.Background(), s, r)
		if err != nil {
			return nil, tableError{err}
		}
		return e, nil
	})
}

//export lanes_encoder_of
func lanes_encoder_of(m C.lanes_model, encoder *C.lanes_encoder, message *C.lanes_text) C.lanes_status {
	return encoders.make(unsafe.Pointer(encoder), message, func() (*table.Encoder, error) {
		fitted, err := models.get(m.id)
		if err != nil {
			return nil, err
		}
		e, err := table.FromModel(fitted)
		switch {
		case err != nil:
			return nil, tableError{err}
		case e == nil:
			return nil, wrong("the model was trained on rows, not on a table")
		}
		return e, nil
	})
}

//export lanes_encoder_free
func lanes_encoder_free(encoder C.lanes_encoder, message *C.lanes_text) C.lanes_status {
	return encoders.free(encoder.id, message)
}

//export lanes_encoder_recipe
func lanes_encoder_recipe(encoder C.lanes_encoder, recipe, message *C.lanes_text) C.lanes_status {
	return encoders.with(encoder.id, message, func(e *table.Encoder) error {
		return writeJSON(recipe, e)
	})
}

//export lanes_encoder_names
func lanes_encoder_names(encoder C.lanes_encoder, names, message *C.lanes_text) C.lanes_status {
	return encoders.with(encoder.id, message, func(e *table.Encoder) error {
		list := make([]string, e.Width())
		for k := range list {
			list[k] = e.Name(k)
		}
		return writeJSON(names, list)
	})
}

// encoding is the JSON of lanes_encoder_encode.
type encoding struct {
	reading
	NoTarget bool `json:"no_target"`
	NoOffset bool `json:"no_offset"`
	Leaks    bool `json:"leaks"`
}

// seen is the JSON of what an encoder saw in a table.
type seen struct {
	Missing map[string]int64 `json:"missing"`
	Unseen  map[string]int64 `json:"unseen"`
	Leaks   []leak           `json:"leaks,omitempty"`
	Notes   noteList         `json:"notes,omitempty"`
}

type leak struct {
	Column string  `json:"column"`
	By     string  `json:"by"`
	AUC    float64 `json:"auc,omitempty"`
	R2     float64 `json:"r2,omitempty"`
}

// see counts the values of rows that are missing or were not seen in training, and looks for leaks.
func see(e *table.Encoder, rows *table.Rows, leaks bool) *seen {
	s := &seen{Missing: e.ByColumn(rows.Missing), Unseen: e.ByColumn(rows.Unseen), Notes: notes.Merge(rows.Notes, e.SeenNotes(rows.Missing, rows.Unseen))}
	if leaks {
		found, _ := e.Leaks(rows.Data, nil)
		for _, l := range found {
			s.Leaks, s.Notes = append(s.Leaks, leak(l)), append(s.Notes, l.Note())
		}
	}
	return s
}

//export lanes_encoder_encode
func lanes_encoder_encode(encoder C.lanes_encoder, path, text *C.char, length C.size_t, options *C.char, matrix *C.lanes_matrix, report, message *C.lanes_text) C.lanes_status {
	return matrices.make(unsafe.Pointer(matrix), message, func() (*sparse.Data, error) {
		e, err := encoders.get(encoder.id)
		if err != nil {
			return nil, err
		}
		var r encoding
		if err := readOptions(options, &r); err != nil {
			return nil, err
		}
		o, err := r.options()
		if err != nil {
			return nil, err
		}
		s, err := openTable(path, text, length, e.Suit(o))
		if err != nil {
			return nil, err
		}
		defer s.Close()
		var all *table.Rows
		for rows, err := range e.Blocks(context.Background(), s, table.BlockOptions{NoTarget: r.NoTarget, NoOffset: r.NoOffset}) {
			if err != nil {
				return nil, tableError{err}
			}
			all = rows
		}
		if all == nil || all.Data.X.Rows() == 0 {
			return nil, tableError{errors.New("there are no rows in the table")}
		}
		if err := writeJSON(report, see(e, all, r.Leaks && !r.NoTarget)); err != nil {
			return nil, err
		}
		data := *all.Data
		if r.NoTarget {
			data.Y = nil
		}
		return &data, nil
	})
}
