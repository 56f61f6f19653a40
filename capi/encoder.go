package main

/*
#define LANES_TYPES
#include "lanes.h"
*/
import "C"

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

var encoders = handles[*table.Encoder]{what: "encoder"}

// reading is the part of the JSON of options that says how a table is read.
type reading struct {
	Format    string `json:"format"`
	Separator string `json:"separator"`
	Header    *bool  `json:"header"`
	Quotes    *bool  `json:"quotes"`
	BadRows   int    `json:"bad_rows"`
	Workers   int    `json:"workers"`
}

// options are the options of package table.
func (r *reading) options() (o table.Options, err error) {
	o = table.Options{Format: r.Format, BadRows: r.BadRows, Workers: r.Workers}
	if len(r.Separator) > 1 || !strings.Contains(",;|\t", r.Separator) {
		return o, fmt.Errorf("%w: separator = %q: want a comma, a semicolon, a bar or a tab", errOptions, r.Separator)
	}
	if r.Separator != "" {
		o.Separator = r.Separator[0]
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
	if r.BadRows < 0 || r.Workers < 0 {
		return o, fmt.Errorf("%w: bad_rows = %d, workers = %d: want numbers from 0 on", errOptions, r.BadRows, r.Workers)
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
	Group      string        `json:"group"`
	IDs        []string      `json:"id"`
	Numbers    []string      `json:"number"`
	Categories []string      `json:"category"`
	Texts      []string      `json:"text"`
	Times      []string      `json:"time"`
	Ignored    []string      `json:"ignore"`
	Crosses    [][2]string   `json:"cross"`
	Hash       int           `json:"hash"`
	Scale      string        `json:"scale"`
	Bins       int           `json:"bins"`
	MinCount   int           `json:"min_count"`
	MinDF      int           `json:"min_df"`
	NGrams     int           `json:"ngrams"`
	Counts     bool          `json:"counts"`
	Missing    []string      `json:"missing"`
	MaxMemory  int64         `json:"max_memory"`
}

// recipe is the recipe of the options, or what the columns of a table say.
func (l *learning) recipe(ctx context.Context, s *table.Source) (*table.Recipe, error) {
	if l.Recipe != nil {
		return l.Recipe, l.Recipe.Check()
	}
	w := table.Wanted{
		Target: l.Target, Weight: l.Weight, Offset: l.Offset, Group: l.Group, IDs: l.IDs,
		Numbers: l.Numbers, Categories: l.Categories, Texts: l.Texts, Times: l.Times, Ignored: l.Ignored,
		Crosses: l.Crosses, Hash: l.Hash, Scale: l.Scale, Bins: l.Bins, MinCount: l.MinCount,
		Words: table.Words{NGrams: l.NGrams, Counts: l.Counts, MinDF: l.MinDF}, MaxMemory: l.MaxMemory,
	}
	if len(l.Missing) > 0 {
		w.Missing = append([]string{""}, l.Missing...)
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
		if length > 1<<62 {
			return nil, wrong("length is %d", length)
		}
		list, err := array[byte]("text", unsafe.Pointer(text), int64(length))
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
	return call(message, func() (err error) {
		if encoder == nil {
			return wrong("encoder is NULL")
		}
		var l learning
		if err := readOptions(options, &l); err != nil {
			return err
		}
		o, err := l.options()
		if err != nil {
			return err
		}
		s, err := openTable(path, text, length, o)
		if err != nil {
			return err
		}
		defer s.Close()
		r, err := l.recipe(context.Background(), s)
		if err != nil {
			return tableError{err}
		}
		e, err := table.Fit(context.Background(), s, r)
		if err != nil {
			return tableError{err}
		}
		encoder.id = C.uint64_t(encoders.put(e))
		return nil
	})
}

//export lanes_encoder_of
func lanes_encoder_of(m C.lanes_model, encoder *C.lanes_encoder, message *C.lanes_text) C.lanes_status {
	return call(message, func() error {
		fitted, err := models.get(uint64(m.id))
		if err != nil {
			return err
		}
		if encoder == nil {
			return wrong("encoder is NULL")
		}
		e, err := table.FromModel(fitted)
		if err != nil {
			return tableError{err}
		}
		if e == nil {
			return wrong("the model was trained on rows, not on a table")
		}
		encoder.id = C.uint64_t(encoders.put(e))
		return nil
	})
}

//export lanes_encoder_free
func lanes_encoder_free(encoder C.lanes_encoder, message *C.lanes_text) C.lanes_status {
	return call(message, func() error { return encoders.free(uint64(encoder.id)) })
}

//export lanes_encoder_recipe
func lanes_encoder_recipe(encoder C.lanes_encoder, recipe, message *C.lanes_text) C.lanes_status {
	return call(message, func() error {
		e, err := encoders.get(uint64(encoder.id))
		if err != nil {
			return err
		}
		return writeJSON(recipe, e)
	})
}

//export lanes_encoder_names
func lanes_encoder_names(encoder C.lanes_encoder, names, message *C.lanes_text) C.lanes_status {
	return call(message, func() error {
		e, err := encoders.get(uint64(encoder.id))
		if err != nil {
			return err
		}
		list := make([]string, e.Width())
		for k := range list {
			list[k] = e.Name(k)
		}
		return writeJSON(names, list)
	})
}

//export lanes_encoder_encode
func lanes_encoder_encode(encoder C.lanes_encoder, path, text *C.char, length C.size_t, options *C.char, matrix *C.lanes_matrix, message *C.lanes_text) C.lanes_status {
	return call(message, func() error {
		e, err := encoders.get(uint64(encoder.id))
		if err != nil {
			return err
		}
		if matrix == nil {
			return wrong("matrix is NULL")
		}
		var r struct {
			reading
			NoTarget bool `json:"no_target"`
		}
		if err := readOptions(options, &r); err != nil {
			return err
		}
		o, err := r.options()
		if err != nil {
			return err
		}
		s, err := openTable(path, text, length, e.Suit(o))
		if err != nil {
			return err
		}
		defer s.Close()
		var data *sparse.Data
		for rows, err := range e.Blocks(context.Background(), s, table.BlockOptions{NoTarget: r.NoTarget}) {
			if err != nil {
				return tableError{err}
			}
			data = rows.Data
		}
		if data == nil || data.X.Rows() == 0 {
			return tableError{errors.New("there are no rows in the table")}
		}
		if r.NoTarget {
			own := *data
			own.Y, data = nil, &own
		}
		matrix.id = C.uint64_t(matrices.put(data))
		return nil
	})
}
