package loss_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// comparisons returns the places where a file compares with a loss of package kernels.
func comparisons(set *token.FileSet, file *ast.File) (found []token.Position) {
	names := []string{"Logistic", "Squared", "SquaredHinge", "Huber"}
	look := func(list ...ast.Expr) {
		for _, e := range list {
			if s, is := e.(*ast.SelectorExpr); is && slices.Contains(names, s.Sel.Name) {
				if x, is := s.X.(*ast.Ident); is && x.Name == "kernels" {
					found = append(found, set.Position(e.Pos()))
				}
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			look(n.X, n.Y)
		case *ast.CaseClause:
			look(n.List...)
		}
		return true
	})
	return found
}

// TestNoComparisons: no package but kernels and the definitions of tests compares losses. The code
// for an unknown loss would else be the code of another one.
func TestNoComparisons(t *testing.T) {
	root, set, files := filepath.Join("..", ".."), token.NewFileSet(), 0
	own := []string{"kernels", "asm", "bench", filepath.Join("internal", "testing")}
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
			t.Errorf("%v: a comparison of losses; ask a method of internal/loss", at)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 300 {
		t.Errorf("only %d files looked at", files)
	}
	planted, err := parser.ParseFile(set, "planted.go", "package p\nfunc f(l kernels.Loss) bool {\nswitch l {\ncase kernels.Huber:\nreturn true\n}\nreturn l != kernels.Squared }", 0)
	if err != nil {
		t.Fatal(err)
	}
	if found := comparisons(set, planted); len(found) != 2 {
		t.Errorf("%d of 2 planted comparisons are found", len(found))
	}
}
