package certificate_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// declared returns the functions of the Go files in a folder, a method as Type.Method.
func declared(t *testing.T, folder string, tests bool) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no Go files", folder)
	}
	names := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") != tests {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				of := f.Recv.List[0].Type
				if pointer, is := of.(*ast.StarExpr); is {
					of = pointer.X
				}
				if typ, is := of.(*ast.Ident); is {
					name = typ.Name + "." + name
				}
			}
			names[name] = true
		}
	}
	return names
}

// TestCertificatesPage: every function and every test that docs/certificates.md names is there,
// and every section names both.
func TestCertificatesPage(t *testing.T) {
	t.Parallel()
	const root = "../.."
	page, err := os.ReadFile(filepath.Join(root, "docs", "certificates.md"))
	if err != nil {
		t.Fatal(err)
	}
	pair := regexp.MustCompile("`([a-z/]+)` `([A-Za-z.]+)`")
	known := map[string]map[string]bool{}
	for _, section := range strings.Split(string(page), "\n## ")[1:] {
		title, _, _ := strings.Cut(section, "\n")
		for _, c := range []struct {
			begins string
			tests  bool
		}{{"Computed by ", false}, {"Pinned by ", true}} {
			found := 0
			for line := range strings.Lines(section) {
				if !strings.HasPrefix(line, c.begins) {
					continue
				}
				list := pair.FindAllStringSubmatch(line, -1)
				if found += len(list); 4*len(list) != strings.Count(line, "`") {
					t.Errorf("%s: a folder and a function each are expected in %s", title, line)
				}
				for _, m := range list {
					key := m[1]
					if c.tests {
						key += " tests"
					}
					if known[key] == nil {
						known[key] = declared(t, filepath.Join(root, m[1]), c.tests)
					}
					if !known[key][m[2]] {
						t.Errorf("%s: %s has no %s", title, m[1], m[2])
					}
				}
			}
			if found == 0 {
				t.Errorf("%s: no line that begins with %q", title, c.begins)
			}
		}
	}
}
