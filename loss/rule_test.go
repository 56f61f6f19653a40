package loss_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/loss"
)

// comparisons returns the places where a file asks which loss it has: by a comparison with a loss,
// by its name, or by its type.
func comparisons(set *token.FileSet, file *ast.File) (found []token.Position) {
	var names []string // of the types
	for _, name := range loss.Names() {
		l, err := loss.Parse(name, 0)
		if err != nil {
			panic(err)
		}
		names = append(names, reflect.TypeOf(l).Name())
	}
	var isLoss func(e ast.Expr) bool
	isLoss = func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.ParenExpr:
			return isLoss(e.X)
		case *ast.CompositeLit:
			return isLoss(e.Type)
		case *ast.SelectorExpr:
			x, is := e.X.(*ast.Ident)
			return is && (x.Name == "kernels" || x.Name == "loss") && slices.Contains(names, e.Sel.Name)
		}
		return false
	}
	look := func(list ...ast.Expr) {
		for _, e := range list {
			if isLoss(e) {
				found = append(found, set.Position(e.Pos()))
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			look(n.X, n.Y)
		case *ast.CaseClause:
			look(n.List...)
		case *ast.TypeAssertExpr:
			look(n.Type)
		}
		return true
	})
	return found
}

// TestNoComparisons: no package but kernels and the definitions of tests compares losses. The code
// for an unknown loss would else be the code of another one.
func TestNoComparisons(t *testing.T) {
	root, set, files := "..", token.NewFileSet(), 0
	own := []string{"kernels", "asm", "loss", "bench", filepath.Join("internal", "testing")}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, path)
		if entry.IsDir() && (slices.Contains(own, folder) || folder != "." && strings.HasPrefix(folder, ".")) {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		for _, at := range comparisons(set, file) {
			t.Errorf("%v: a comparison of losses; ask a method of package loss", at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 300 {
		t.Errorf("only %d files looked at", files)
	}
	planted, err := parser.ParseFile(set, "planted.go", "package p\nfunc f(l kernels.Loss) bool {\nswitch l {\ncase kernels.Huber:\nreturn true\n}\nif l == (loss.Squared{}) { return true }\n_, is := l.(loss.Poisson)\nreturn is || l != kernels.Squared }", 0)
	if err != nil {
		t.Fatal(err)
	}
	if found := comparisons(set, planted); len(found) != 4 {
		t.Errorf("%d of 4 planted comparisons are found", len(found))
	}
}
