package fuzz

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/solvers/registry"
)

// everyFamily are the functions that a family of solvers has for users and the registry.
var everyFamily = []string{"Solve", "Solvers", "ByName"}

// publicPackages are the folders whose exported names FuzzCalls calls.
func publicPackages(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		switch entry.Name() {
		case "internal", "cmd", "bench", "fuzz", "asm", "testdata", ".git", "scoretest", "distributed", ".ci", "bin", "out":
			return filepath.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(path, "*.go")); len(files) > 0 {
			list = append(list, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestEveryExportedName: every exported function, and every type with exported methods,
// of every public package is called by FuzzCalls or has a reason not to be. FuzzSolvers
// calls what every family has.
func TestEveryExportedName(t *testing.T) {
	// methods has the types whose only exported method is Name.
	found, methods := map[string]bool{}, map[string]bool{}
	for _, dir := range publicPackages(t) {
		files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range tree.Decls {
				for _, name := range innerTypes(tree, d) {
					found[tree.Name.Name+"."+name] = true
				}
				f, is := d.(*ast.FuncDecl)
				if !is || !f.Name.IsExported() || tree.Name.Name == "main" {
					continue
				}
				name, kind := f.Name.Name, ""
				if f.Recv != nil {
					if kind = receiver(f.Recv.List[0].Type); !ast.IsExported(kind) {
						continue
					}
					name = kind
				}
				name = tree.Name.Name + "." + name
				methods[name] = kind != "" && f.Name.Name == "Name" && (methods[name] || !found[name])
				found[name] = true
			}
		}
	}
	families := map[string]bool{}
	for _, s := range registry.All() {
		families[s.Family] = true
	}
	for name := range found {
		if family, name, _ := strings.Cut(name, "."); families[family] && (slices.Contains(everyFamily, name) || methods[family+"."+name]) {
			continue
		}
		_, function := exportedFunctions[name]
		_, kind := exportedTypes[name]
		_, out := notCalled[name]
		if !function && !kind && !out {
			t.Errorf("%s is exported and FuzzCalls does not call it: give it an entry in exported_test.go", name)
		}
	}
	for name := range notCalled {
		if !found[name] {
			t.Errorf("%s is left out, but there is no such name", name)
		}
	}
	if len(found) < 200 {
		t.Errorf("only %d names found", len(found))
	}
}

// innerTypes returns the exported names that a declaration gives to types of internal packages.
func innerTypes(tree *ast.File, d ast.Decl) (names []string) {
	g, is := d.(*ast.GenDecl)
	if !is {
		return nil
	}
	for _, spec := range g.Specs {
		t, is := spec.(*ast.TypeSpec)
		if !is || !t.Assign.IsValid() || !t.Name.IsExported() {
			continue
		}
		s, is := t.Type.(*ast.SelectorExpr)
		if is && slices.ContainsFunc(tree.Imports, func(i *ast.ImportSpec) bool {
			path := strings.Trim(i.Path.Value, `"`)
			return strings.Contains(path, "/internal/") && strings.HasSuffix(path, "/"+s.X.(*ast.Ident).Name)
		}) {
			names = append(names, t.Name.Name)
		}
	}
	return names
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
