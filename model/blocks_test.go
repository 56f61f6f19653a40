package model

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// TestScoreBlocks: blocks have the scores of all rows together, to the bit.
func TestScoreBlocks(t *testing.T) {
	data := generated(t, 200, 10)
	var text bytes.Buffer
	if err := sparse.WriteLIBSVM(&text, data); err != nil {
		t.Fatal(err)
	}
	text.WriteString("1 3:0.5 11:1e9\n") // a column that the model does not know
	options := sparse.ReadOptions{Columns: 10, DropBeyond: true, Storage: sparse.Storage{Values: sparse.ValuesFloat64}}
	whole, err := sparse.Read(context.Background(), bytes.NewReader(text.Bytes()), "whole", options)
	if err != nil {
		t.Fatal(err)
	}
	classes := exampleModel()
	classes.Features, classes.Classes, classes.Meta, classes.Weights = 10, []float64{1, 2, 3}, &Meta{Normalize: NormalizeUnit}, result("", 33).Weights
	perceptron, _ := trained(t)
	pool := sparse.NewPool(2)
	defer pool.Close()
	for _, m := range []Model{classes, perceptron} {
		want, err := m.Scores(nil, nil, whole.X)
		if err != nil {
			t.Fatal(err)
		}
		var got, labels []float64
		blocks := 0
		for block, err := range ScoreBlocks(t.Context(), m, pool, sparse.Blocks(context.Background(), bytes.NewReader(text.Bytes()), "blocks", options, 300)) {
			if err != nil {
				t.Fatal(err)
			}
			got, labels = append(got, block.Scores...), append(labels, block.Y...)
			blocks++
		}
		if blocks < 5 || len(got) != len(want) || len(labels) != 201 {
			t.Fatalf("%d scores and %d labels in %d blocks", len(got), len(labels), blocks)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("score %d is %v, not %v", i, got[i], want[i])
			}
		}
	}
	strict, scaled := exampleModel(), exampleModel()
	strict.RefuseUnknown = true
	scaled.Meta.Scaler.Width[0] = 1e-10
	for says, c := range map[string]struct {
		m       Model
		text    string
		options sparse.ReadOptions
	}{
		"no model":     {nil, "1 1:1\n", options},
		"x:3:5: value": {classes, "1 1:1\n1 1:1\n1 1:x\n", options},
		"row 3: column 4 is unknown to the model, whose columns are 0 to 2": {strict, "1 1:1\n1 2:1\n1 5:1\n", sparse.ReadOptions{}},
		"row 2: column 0 is +Inf once it is scaled":                         {scaled, "1 1:1\n1 1:1e300\n", sparse.ReadOptions{}},
	} {
		var err error
		for _, wrong := range ScoreBlocks(t.Context(), c.m, nil, sparse.Blocks(context.Background(), strings.NewReader(c.text), "x", c.options, 1)) {
			if err != nil {
				t.Error("a block after an error")
			}
			err = wrong
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
}

// TestScoreBlocksEnds: a cancelled context ends it before the next block.
func TestScoreBlocksEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var met []error
	for block, err := range ScoreBlocks(ctx, exampleModel(), nil, sparse.Blocks(context.Background(), strings.NewReader("1 1:1\n-1 2:1\n1 3:1\n"), "x", sparse.ReadOptions{Columns: 3}, 1)) {
		if met = append(met, err); err == nil && len(block.Scores) != 1 {
			t.Errorf("%d scores of a block of one row", len(block.Scores))
		}
		cancel()
	}
	if len(met) != 2 || met[0] != nil || !errors.Is(met[1], context.Canceled) {
		t.Errorf("cancelled after the first block: %v", met)
	}
}
