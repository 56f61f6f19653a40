package direct

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Functions whose errors are about numbers, or about memory, are called as they are.
var telling = map[string]bool{"KthLargest": true, "RankThreshold": true, "NewPairBlock": true}

// TestOneDoor: packages of solvers call no other function of package kernels that returns
// an error, nor drop the error of a product: they come here.
func TestOneDoor(t *testing.T) {
	root, set := filepath.Join("..", ".."), token.NewFileSet()
	checked, _ := failing(t, set, filepath.Join(root, "kernels"))
	functions, products := failing(t, set, filepath.Join(root, "internal", "matrix"))
	if !checked["Axpy"] || checked["Sum"] || !products["MulVec"] || !functions["AddMulMatrix"] {
		t.Fatal("the functions that return errors are not found")
	}
	files := 0
	for _, room := range []string{"solvers", "internal"} {
		err := filepath.WalkDir(filepath.Join(root, room), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			folder, err := filepath.Rel(root, filepath.Dir(path))
			if err != nil {
				return err
			}
			if filepath.ToSlash(folder) == "internal/direct" {
				return nil
			}
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			files++
			ast.Inspect(file, func(n ast.Node) bool {
				if s, is := n.(*ast.ExprStmt); is {
					if name, on := called(s.X); on == "X" && products[name] || on == "matrix" && functions[name] {
						t.Errorf("%s: the error of %s is dropped", set.Position(n.Pos()), name)
					}
				}
				if e, is := n.(ast.Expr); is {
					if name, on := called(e); on == "kernels" && checked[name] && !telling[name] {
						t.Errorf("%s: kernels.%s; solvers take internal/direct", set.Position(n.Pos()), name)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 60 {
		t.Errorf("only %d files looked at", files)
	}
}

// failing lists the exported functions of a package that return an error, and the methods.
func failing(t *testing.T, set *token.FileSet, folder string) (functions, methods map[string]bool) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	functions, methods = map[string]bool{}, map[string]bool{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || !f.Name.IsExported() || f.Type.Results == nil {
				continue
			}
			results := f.Type.Results.List
			if last, is := results[len(results)-1].Type.(*ast.Ident); is && last.Name == "error" {
				if f.Recv == nil {
					functions[f.Name.Name] = true
				} else {
					methods[f.Name.Name] = true
				}
			}
		}
	}
	return functions, methods
}

// called returns the name of the function or method that e calls, and the last name of
// what it is called on.
func called(e ast.Expr) (name, on string) {
	call, is := e.(*ast.CallExpr)
	if !is {
		return "", ""
	}
	f, is := call.Fun.(*ast.SelectorExpr)
	if !is {
		return "", ""
	}
	switch x := f.X.(type) {
	case *ast.Ident:
		return f.Sel.Name, x.Name
	case *ast.SelectorExpr:
		return f.Sel.Name, x.Sel.Name
	}
	return f.Sel.Name, ""
}
