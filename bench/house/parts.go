package main

import (
	"fmt"
	"go/ast"
	"reflect"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/loss"
)

// parts holds what shows whether a problem is made of parts: each count is 0 or small if a loss, a
// penalty or a matrix is one thing.
type parts struct {
	comparisons int             // of losses, outside of their package
	pairs       map[string]bool // files that name both weights of a penalty
	carriers    []string        // structs with a loss, and with a penalty or its weight
	askers      map[string]bool // functions that read what a solver accepts
	conversions int             // between the types of matrices, and of pools
	tokens      int             // of Go code without tests and comments
}

// lossNames are the names that compare a loss if they stand in a comparison.
var lossNames = namesOfLosses()

func namesOfLosses() (names []string) {
	for _, name := range loss.Names() {
		if l, err := loss.Parse(name, 0); err == nil {
			names = append(names, reflect.TypeOf(l).Name())
		}
	}
	return names
}

// ofLosses are folders that may compare losses and name weights: what losses and penalties are, the
// kernels of losses, and the definitions of tests and benchmarks.
var ofLosses = []string{"loss", "penalty", "kernels", "asm", "bench", "fuzz", "internal/testing", ".ci"}

func inside(dir string, folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return dir == folder || strings.HasPrefix(dir, folder+"/") })
}

// file counts one file without tests.
func (p *parts) file(name, dir string, file *ast.File) {
	weights := map[string]bool{}
	for _, decl := range file.Decls {
		place := dir
		if f, is := decl.(*ast.FuncDecl); is {
			place = dir + "." + f.Name.Name
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				p.compare(dir, n.X, n.Y)
			case *ast.CaseClause:
				p.compare(dir, n.List...)
			case *ast.TypeSpec:
				if s, is := n.Type.(*ast.StructType); is && carries(s) {
					p.carriers = append(p.carriers, dir+"."+n.Name.Name)
				}
			case *ast.CallExpr:
				if converts(n.Fun) {
					p.conversions++
				}
			case *ast.SelectorExpr:
				weights[n.Sel.Name] = true
				if n.Sel.Name == "Accepts" {
					p.askers[place] = true
				}
			case *ast.KeyValueExpr:
				if key, is := n.Key.(*ast.Ident); is {
					weights[key.Name] = true
				}
			}
			return true
		})
	}
	if weights["L1"] && (weights["Lambda"] || weights["L2"]) && !inside(dir, ofLosses) {
		p.pairs[name] = true
	}
}

// compare counts the expressions that are a loss, or the kernels' number of one.
func (p *parts) compare(dir string, list ...ast.Expr) {
	if inside(dir, ofLosses) {
		return
	}
	for _, e := range list {
		switch paren := e.(type) {
		case *ast.ParenExpr:
			e = paren.X
		}
		if literal, is := e.(*ast.CompositeLit); is {
			e = literal.Type
		}
		if s, is := e.(*ast.SelectorExpr); is && slices.Contains(lossNames, s.Sel.Name) {
			if of, is := s.X.(*ast.Ident); is && (of.Name == "loss" || of.Name == "kernels") {
				p.comparisons++
			}
		}
	}
}

// carries tells whether a struct has a loss, and a penalty or its weight.
func carries(s *ast.StructType) bool {
	loss, penalty := false, false
	for _, f := range s.Fields.List {
		if t, is := f.Type.(*ast.SelectorExpr); is {
			loss = loss || t.Sel.Name == "Loss"
			penalty = penalty || t.Sel.Name == "Penalty"
		}
		for _, name := range f.Names {
			loss = loss || name.Name == "Loss"
			penalty = penalty || name.Name == "Lambda" || name.Name == "Penalty"
		}
	}
	return loss && penalty
}

// converts tells whether an expression is the type (*matrix.Matrix) or (*sparse.Matrix), a Pool
// instead of the Matrix, or a part of these: what stands before the parenthesis of a conversion.
func converts(e ast.Expr) bool {
	paren, is := e.(*ast.ParenExpr)
	if !is {
		return false
	}
	star, is := paren.X.(*ast.StarExpr)
	if !is {
		return false
	}
	switch t := star.X.(type) {
	case *ast.SelectorExpr:
		x, is := t.X.(*ast.Ident)
		return is && ofMatrices(t.Sel) && (x.Name == "matrix" || x.Name == "sparse")
	case *ast.Ident:
		return ofMatrices(t)
	}
	return false
}

func ofMatrices(name *ast.Ident) bool { return name.Name == "Matrix" || name.Name == "Pool" }

func (p *parts) print() {
	fmt.Printf("| part | count |\n|---|--:|\n| comparisons of losses outside of their packages | %d |\n| files that name both weights of a penalty | %d |\n| structs that carry a loss and a penalty | %d |\n| functions that read what a solver accepts | %d |\n| conversions between types of matrices | %d |\n| Go tokens without tests | %d |\n\n",
		p.comparisons, len(p.pairs), len(p.carriers), len(p.askers), p.conversions, p.tokens)
	slices.Sort(p.carriers)
	fmt.Printf("structs that carry both: %s\n\n", strings.Join(p.carriers, ", "))
}
