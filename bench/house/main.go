// Command house prints the size of the source tree: lines by package, named numbers of the solvers
// and exported names of sparse. It also prints imports that point to a higher layer and comments
// that are hard to read. Further counts show whether losses, penalties and matrices are parts. It
// reads the source tree only, so it runs on any commit:
//
//	go run ./house ..         # the counts
//	go run ./house -words ..  # every comment that does not name its noun
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/lanes-go/lanes/"

// layers lists directories from the lowest layer up; a package belongs to its longest prefix.
// Packages of one layer may import one another.
var layers = [][]string{
	{"internal/base"},
	{"notes"},
	{"asm"},
	{"dispatch"},
	{"kernels"},
	{"internal/matrix", "internal/draw"},
	{"sparse", "metrics"},
	{"internal/direct", "internal/bigmath"},
	{"loss", "penalty"},
	{"solvers"}, // settings and results
	{"internal"},
	{"solvers/"}, // families
	{"returns", "model", "table", ".", "examples"},
	{"cmd"},
	{"distributed", "capi"},
	{"bench", "fuzz", ".ci", "internal/testing"},
}

// house holds the counts.
type house struct {
	lines    map[string]int
	numbers  map[string]int
	exported int
	arrows   map[string]bool
	upward   []string
	words    words
	parts    parts
}

func main() {
	list := flag.Bool("words", false, "print every comment that does not name its noun")
	flag.Parse()
	root := cmp.Or(flag.Arg(0), "..")
	h := house{lines: map[string]int{}, numbers: map[string]int{}, arrows: map[string]bool{}, parts: parts{pairs: map[string]bool{}, askers: map[string]bool{}}}
	if err := h.walk(root); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
	if *list {
		fmt.Println(strings.Join(h.words.places, "\n"))
		return
	}
	h.print()
}

// walk counts the files of code, lines only outside of tests, and the pages of docs.
func (h *house) walk(root string) error {
	return fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "out" || entry.Name() == "bin" || entry.Name() == ".git"):
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		page := path.Ext(name) == ".md" && path.Dir(name) == "docs"
		if !slices.Contains([]string{".go", ".s", ".h", ".c", ".cc", ".py", ".sh"}, path.Ext(name)) && !page {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if page {
			h.words.markdown(string(text))
			return nil
		}
		h.words.source(name, string(text))
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		h.lines[path.Dir(name)] += bytes.Count(text, []byte("\n"))
		if path.Ext(name) != ".go" {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			return err
		}
		h.count(path.Dir(name), file)
		h.parts.file(name, path.Dir(name), file)
		h.parts.tokens += tokens(text)
		return nil
	})
}

// count adds the declarations and imports of one file.
func (h *house) count(dir string, file *ast.File) {
	for _, spec := range file.Imports {
		to, _ := strconv.Unquote(spec.Path.Value)
		if to, ours := strings.CutPrefix(to, module); ours && !h.arrows[dir+" -> "+to] {
			h.arrows[dir+" -> "+to] = true
			if layer(to) > layer(dir) {
				h.upward = append(h.upward, dir+" -> "+to)
			}
		}
	}
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				h.spec(dir, d.Tok, spec)
			}
		case *ast.FuncDecl:
			of := ""
			if d.Recv != nil {
				of = receiver(d.Recv.List[0].Type)
			}
			// Matrix and Pool of package sparse are these types of internal/matrix.
			public := dir == "sparse" && (d.Recv == nil || ast.IsExported(of)) || dir == "internal/matrix" && (of == "Matrix" || of == "Pool")
			if public && d.Name.IsExported() {
				h.exported++
			}
		}
	}
}

// spec counts a constant, a variable or a type.
func (h *house) spec(dir string, kind token.Token, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for k, name := range s.Names {
			if dir == "sparse" && name.IsExported() {
				h.exported++
			}
			if kind == token.CONST && strings.HasPrefix(dir, "solvers") && k < len(s.Values) && number(s.Values[k]) {
				h.numbers[dir]++
			}
		}
	case *ast.TypeSpec:
		if dir == "sparse" && s.Name.IsExported() {
			h.exported++
		}
	}
}

// tokens returns the number of tokens of a file, without comments and the ends of lines.
func tokens(text []byte) int {
	set, n := token.NewFileSet(), 0
	var s scanner.Scanner
	s.Init(set.AddFile("", set.Base(), len(text)), text, nil, 0)
	for {
		_, kind, literal := s.Scan()
		switch {
		case kind == token.EOF:
			return n
		case kind != token.SEMICOLON || literal != "\n":
			n++
		}
	}
}

// number tells whether an expression is made of numbers, not of text or iota.
func number(e ast.Expr) bool {
	is := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch v := n.(type) {
		case *ast.BasicLit:
			is = is && v.Kind != token.STRING
		case *ast.Ident:
			is = is && v.Name != "iota"
		}
		return true
	})
	return is
}

func receiver(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// layer returns the layer of a package, by the longest directory that holds it. A directory
// that ends in a slash holds packages below it, and not the package of its name.
func layer(dir string) int {
	found, length := -1, -1
	for k, dirs := range layers {
		for _, prefix := range dirs {
			below := strings.HasPrefix(dir, strings.TrimSuffix(prefix, "/")+"/")
			if (dir == prefix || below) && len(prefix) > length {
				found, length = k, len(prefix)
			}
		}
	}
	return found
}

func (h *house) print() {
	total, numbers := 0, 0
	top := map[string]int{}
	for dir, n := range h.lines {
		total += n
		top[strings.Split(dir, "/")[0]] += n
	}
	for _, n := range h.numbers {
		numbers += n
	}
	fmt.Printf("| what | count |\n|---|--:|\n| lines without tests | %d |\n| named numbers in solvers | %d |\n| exported names of sparse | %d |\n| imports between packages | %d |\n| imports of a higher layer | %d |\n",
		total, numbers, h.exported, len(h.arrows), len(h.upward))
	fmt.Printf("| comments, with tests | %d |\n| comments that do not name their noun | %d |\n| comments with a sentence over %d words | %d |\n| median words of a sentence in docs/*.md | %d |\n\n",
		h.words.comments, h.words.nounless, mostWords, h.words.long, h.words.median())
	h.parts.print()
	table("directory", top)
	table("package", h.lines)
	table("named numbers", h.numbers)
	for _, arrow := range h.upward {
		fmt.Println("upward:", arrow)
	}
}

// table prints counts, the largest first.
func table(title string, counts map[string]int) {
	fmt.Printf("| %s | lines |\n|---|--:|\n", title)
	keys := make([]string, 0, len(counts))
	for key := range counts {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return counts[b] - counts[a] })
	for _, key := range keys {
		fmt.Printf("| %s | %d |\n", key, counts[key])
	}
	fmt.Println()
}
