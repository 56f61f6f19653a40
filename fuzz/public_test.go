package fuzz

import (
	"bufio"
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

const module = "github.com/lanes-go/lanes"

// typedPackages returns every package of the module that others can import, type-checked from
// the export data that the go command has built.
func typedPackages(t *testing.T) []*types.Package {
	t.Helper()
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Name}} {{.Export}}", "./...")
	list.Dir, list.Stderr = "..", os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	files, paths := map[string]string{}, []string(nil)
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
		f := strings.Fields(lines.Text())
		if len(f) != 3 {
			continue
		}
		files[f[0]] = f[2]
		if ours(f[0]) && !internal(f[0]) && !strings.HasPrefix(f[0], module+"/cmd/") {
			paths = append(paths, f[0])
		}
	}
	read := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
	var packages []*types.Package
	for _, path := range paths {
		p, err := read.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}

func ours(path string) bool     { return path == module || strings.HasPrefix(path, module+"/") }
func internal(path string) bool { return slices.Contains(strings.Split(path, "/"), "internal") }

// renamed are the only types of internal packages that have a public name, by an alias. A test of
// package sparse lists the methods that they have.
var renamed = []string{"sparse.Dense", "sparse.Matrix", "sparse.Pool", "sparse.Description", "sparse.Values"}

// named returns the types of renamed.
func named(packages []*types.Package) map[types.Type]bool {
	list := map[types.Type]bool{}
	for _, p := range packages {
		for _, name := range p.Scope().Names() {
			if slices.Contains(renamed, p.Name()+"."+name) {
				list[types.Unalias(p.Scope().Lookup(name).Type())] = true
			}
		}
	}
	return list
}

// hidden lists the types of internal packages that users of a package meet: in signatures,
// exported fields, embedded fields, constants, variables and the types that aliases stand for.
// The given types are not hidden; what they show is looked through.
func hidden(p *types.Package, given map[types.Type]bool) (list []string) {
	for _, name := range p.Scope().Names() {
		object := p.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		w := walk{seen: map[types.Type]bool{}, given: given}
		kind, is := object.(*types.TypeName)
		switch {
		case !is:
			w.look(name, object.Type())
		case kind.IsAlias() && !given[types.Unalias(object.Type())]:
			w.look(name, types.Unalias(object.Type()))
		default:
			w.declared(name, types.Unalias(object.Type()).(*types.Named))
		}
		for _, found := range w.found {
			list = append(list, p.Name()+"."+found)
		}
	}
	return list
}

type walk struct {
	given map[types.Type]bool
	seen  map[types.Type]bool
	found []string
}

// declared looks through what a type shows: its exported fields, the types that it embeds, its
// methods, and the bounds of its parameters.
func (w *walk) declared(where string, t *types.Named) {
	w.parameters(where, t.TypeParams())
	w.look(where, t.Underlying())
	if types.IsInterface(t) {
		return
	}
	methods := types.NewMethodSet(types.NewPointer(t))
	for i := range methods.Len() {
		if m := methods.At(i).Obj(); m.Exported() {
			w.look(where+"."+m.Name(), m.Type())
		}
	}
}

func (w *walk) parameters(where string, list *types.TypeParamList) {
	for p := range list.TypeParams() {
		w.look(where, p.Constraint())
	}
}

// look finds internal types in a type as it is written.
func (w *walk) look(where string, t types.Type) {
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	named := func(object *types.TypeName, arguments *types.TypeList) {
		if p := object.Pkg(); p != nil && internal(p.Path()) && ours(p.Path()) && !w.given[t] {
			w.seen[t] = false
			w.found = append(w.found, fmt.Sprintf("%s shows %s", where, types.TypeString(t, (*types.Package).Name)))
		}
		for a := range arguments.Types() {
			w.look(where, a)
		}
	}
	switch t := t.(type) {
	case *types.Alias:
		named(t.Obj(), t.TypeArgs())
		w.look(where, t.Rhs())
	case *types.Named:
		named(t.Obj(), t.TypeArgs())
	case *types.Signature:
		w.parameters(where, t.TypeParams())
		w.look(where, t.Params())
		w.look(where, t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			w.look(where, v.Type())
		}
	case *types.Struct:
		for f := range t.Fields() {
			switch {
			case f.Exported():
				w.look(where+"."+f.Name(), f.Type())
			case f.Embedded(): // its exported fields are fields of t
				of := f.Type()
				if pointer, is := of.(*types.Pointer); is {
					of = pointer.Elem()
				}
				w.look(where, of)
				w.look(where, of.Underlying())
			}
		}
	case *types.Interface:
		for m := range t.ExplicitMethods() {
			if !m.Exported() {
				continue
			}
			w.look(where+"."+m.Name(), m.Type())
		}
		for e := range t.EmbeddedTypes() {
			w.look(where, e)
		}
	case *types.Union:
		for term := range t.Terms() {
			w.look(where, term.Type())
		}
	case *types.Map:
		w.look(where, t.Key())
		w.look(where, t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		w.look(where, t.Elem())
	}
}

// TestNoInternalTypes: what users can name has no type that they cannot.
func TestNoInternalTypes(t *testing.T) {
	repeat.Skip(t)
	packages := typedPackages(t)
	if len(packages) < 20 {
		t.Errorf("only %d packages found", len(packages))
	}
	given := named(packages)
	if len(given) != len(renamed) {
		t.Errorf("of %v only %v are found", renamed, given)
	}
	for _, p := range packages {
		for _, found := range hidden(p, given) {
			t.Error(found)
		}
	}
}
