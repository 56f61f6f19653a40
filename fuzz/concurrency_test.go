package fuzz

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// saysWho finds a statement of who may use a type at the same time.
var saysWho = regexp.MustCompile(`(?i)concurrent|goroutine|[Rr]uns? (may|at a)|(Calls|Searches|Reads) may share`)

// TestConcurrencyIsStated: the comment of every exported type, aliases aside, says how goroutines
// may share it. For the solvers of a family the comment of its Method says so.
func TestConcurrencyIsStated(t *testing.T) {
	found := 0
	for _, dir := range publicPackages(t) {
		if p := filepath.ToSlash(dir); !strings.HasPrefix(p, "../sparse") && p != "../metrics" && !strings.HasPrefix(p, "../solvers") {
			continue
		}
		docs, named := map[string]string{}, map[string]bool{}
		files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range tree.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if d.Recv != nil && d.Name.Name == "Name" {
						named[receiver(d.Recv.List[0].Type)] = true
					}
				case *ast.GenDecl:
					for _, s := range d.Specs {
						if s, is := s.(*ast.TypeSpec); is && s.Name.IsExported() && !s.Assign.IsValid() {
							docs[s.Name.Name] = d.Doc.Text() + s.Doc.Text()
						}
					}
				}
			}
		}
		for name, doc := range docs {
			found++
			if _, family := docs["Method"]; family && named[name] {
				continue
			}
			if !saysWho.MatchString(strings.ReplaceAll(doc, "\n", " ")) {
				t.Errorf("%s: the comment of %s does not say how goroutines may share it", dir, name)
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d types found", found)
	}
}
