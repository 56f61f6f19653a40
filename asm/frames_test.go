package asm

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// TestFrames compares every kernel with its Go declaration. It compares the size of the
// arguments, the results, and the name, place and width of each argument that the code reads or
// writes. No store to the stack may leave the frame. Vet does the same for TEXT lines in .s
// files, but skips TEXT lines in headers.
func TestFrames(t *testing.T) {
	repeat.Skip(t)
	for _, arch := range []string{"amd64", "arm64"} {
		count := 0
		for _, room := range rooms {
			kernels := assemble(t, room, arch)
			for _, complaint := range compareFrames(kernels, declared(t, room, arch), arch) {
				t.Errorf("%s: %s", arch, complaint)
			}
			count += len(kernels)
		}
		t.Logf("%s: %d kernels", arch, count)
		if least := map[string]int{"amd64": 400, "arm64": 250}[arch]; count < least {
			t.Errorf("%s: only %d kernels", arch, count)
		}
	}
}

// A place is where an argument or a part of one lies.
type place struct{ offset, size int64 }

// A stub is the declaration of a kernel: its arguments by the names that assembly uses,
// and the parts of the parameters and of the results in their order.
type stub struct {
	size            int64
	places          map[string]place
	params, results []string
	inGo            bool // whether it has a body
}

// declared lists the functions of the package in a folder.
func declared(t *testing.T, folder, arch string) map[string]stub {
	t.Helper()
	context := build.Default
	context.GOARCH, context.GOOS, context.CgoEnabled, context.BuildTags = arch, "linux", false, nil
	source, err := context.ImportDir(folder, 0)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range source.GoFiles {
		file, err := parser.ParseFile(set, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	// Signatures need no other package; what is not found elsewhere does not matter.
	config := types.Config{IgnoreFuncBodies: true, Error: func(error) {}}
	pkg, _ := config.Check(folder, set, files, nil)
	sizes := types.SizesFor("gc", arch)
	stubs := map[string]stub{}
	for _, file := range files {
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv == nil && f.Type.TypeParams == nil && f.Name.Name != "init" {
				s := stubOf(pkg.Scope().Lookup(f.Name.Name).Type().(*types.Signature), sizes)
				s.inGo = f.Body != nil
				stubs[f.Name.Name] = s
			}
		}
	}
	return stubs
}

func stubOf(signature *types.Signature, sizes types.Sizes) stub {
	s := stub{places: map[string]place{}}
	word := sizes.Sizeof(types.Typ[types.Uintptr])
	add := func(name string, kind types.Type) (parts []string) {
		s.size = up(s.size, sizes.Alignof(kind))
		switch under := kind.Underlying().(type) {
		case *types.Slice:
			for k, part := range []string{"_base", "_len", "_cap"} {
				s.places[name+part] = place{s.size + int64(k)*word, word}
				parts = append(parts, name+part)
			}
		case *types.Interface:
			s.places[name] = place{s.size, 2 * word} // both at once
			for k, part := range []string{"_itable", "_data"} {
				s.places[name+part] = place{s.size + int64(k)*word, word}
				parts = append(parts, name+part)
			}
		case *types.Struct:
			for k := range under.NumFields() {
				field := under.Field(k)
				s.places[name+"_"+field.Name()] = place{s.size + sizes.Offsetsof(fields(under))[k], sizes.Sizeof(field.Type())}
				parts = append(parts, name+"_"+field.Name())
			}
		default:
			s.places[name] = place{s.size, sizes.Sizeof(kind)}
			parts = append(parts, name)
		}
		s.size += sizes.Sizeof(kind)
		return parts
	}
	for k := range signature.Params().Len() {
		p := signature.Params().At(k)
		s.params = append(s.params, add(p.Name(), p.Type())...)
	}
	for k := range signature.Results().Len() {
		if k == 0 {
			s.size = up(s.size, word)
		}
		r := signature.Results().At(k)
		name := r.Name()
		if name == "" {
			name = "ret"
		}
		s.results = append(s.results, add(name, r.Type())...)
	}
	return s
}

func up(v, align int64) int64 { return (v + align - 1) / align * align }

func fields(s *types.Struct) []*types.Var {
	list := make([]*types.Var, s.NumFields())
	for k := range list {
		list[k] = s.Field(k)
	}
	return list
}

// begins tells whether the arguments of one stub begin with the arguments of another, at the same
// offsets. Then code of the first stub may jump to the second.
func begins(s stub, parts []string, to stub, first []string) bool {
	for k, part := range first {
		if k >= len(parts) || s.places[parts[k]] != to.places[part] {
			return false
		}
	}
	return true
}

var (
	elsewhere = regexp.MustCompile(`^\s+\S+\.(\w+)\(SB\)$`)
	argument  = regexp.MustCompile(`\b([a-zA-Z]\w*)(\+\d+)?\(FP\)`)
	layout    = regexp.MustCompile(`I(32|16)(F64|F32|Ones|Decimals|Codes)`)
	onStack   = regexp.MustCompile(`(-?\d+)?\(R?SP\)`)
	register  = regexp.MustCompile(`\b([XYZ])\d+\b`)
)

// widths are the bytes of memory that an instruction reads or writes.
var widths = map[string]int64{
	"MOVQ": 8, "MOVL": 4, "MOVB": 1, "MOVBLZX": 1, "MOVBLSX": 1, "MOVSD": 8, "MOVSS": 4, "VMOVSS": 4, "VMOVSD": 8, "VBROADCASTSD": 8, "VMOVDDUP": 8,
	"VBROADCASTSS": 4, "FMOVS": 4, "MOVUPS": 16, "VMOVUPS": 16,
	"CMPQ": 8, "SUBQ": 8, "ADDQ": 8, "LEAQ": 8, "VMOVQ": 8, "VPBROADCASTQ": 8,
	"MOVD": 8, "FMOVD": 8, "MOVH": 2,
}

// wordWidth is the width in bytes of MOVW, by architecture.
var wordWidth = map[string]int64{"amd64": 2, "arm64": 4}

// compareFrames says what is wrong with kernels, given their declarations.
func compareFrames(kernels map[string]*listed, stubs map[string]stub, arch string) (complaints []string) {
	for _, name := range slices.Sorted(maps.Keys(kernels)) {
		k := kernels[name]
		where := ""
		complain := func(format string, values ...any) {
			complaints = append(complaints, fmt.Sprintf("%s (%s): ", name, where)+fmt.Sprintf(format, values...))
		}
		s, known := stubs[name]
		if !known { // the kernel of a layout: its entry is declared
			s, known = stubs[layout.ReplaceAllString(name, "")]
		}
		if !known || s.inGo {
			complain("no Go declaration")
			continue
		}
		if k.args != s.size {
			complain("%d bytes of arguments, Go has %d", k.args, s.size)
		}
		// The assembler lists arguments from the stack pointer on: above the frame and
		// the return address on amd64, and as they are written on arm64.
		shift := k.locals + 8
		if arch == "arm64" {
			if shift = 0; k.locals != 0 {
				complain("a frame on arm64, which this test cannot read")
			}
		}
		written := map[string]bool{}
		for _, in := range k.code {
			where = in.where
			if m := elsewhere.FindStringSubmatch(in.operand); m != nil && strings.HasPrefix(in.op, "J") {
				to, known := stubs[m[1]]
				switch {
				case !known:
					complain("jumps to %s, which has no Go declaration", m[1])
				case !begins(s, s.params, to, to.params) || to.inGo && len(to.params) != len(s.params):
					complain("jumps to %s, which has other arguments", m[1])
				case !begins(s, s.results, to, to.results) || to.inGo && len(to.results) != len(s.results):
					complain("jumps to %s, which has other results", m[1])
				case len(to.results) > 0:
					for _, r := range s.results {
						written[r] = true
					}
				}
				continue
			}
			for _, m := range argument.FindAllStringSubmatch(in.operand, -1) {
				offset, _ := strconv.ParseInt(strings.TrimPrefix(m[2], "+"), 10, 64)
				offset -= shift
				p, known := s.places[m[1]]
				width, measured := widths[in.op]
				if in.op == "MOVW" {
					width, measured = wordWidth[arch], true
				}
				switch {
				case !known:
					complain("%s has no argument %s", in.op, m[1])
				case p.offset != offset:
					complain("%s+%d(FP), Go has %s at %d", m[1], offset, m[1], p.offset)
				case !measured:
					complain("how wide is %s? Enter it in widths", in.op)
				case width != p.size:
					complain("%s moves %d bytes of %s, which has %d", in.op, width, m[1], p.size)
				}
				if strings.HasSuffix(in.operand, m[0]) {
					written[m[1]], written[m[1]+"_itable"], written[m[1]+"_data"] = true, true, true
				}
			}
			if m := onStack.FindStringSubmatch(in.operand); m != nil {
				offset, _ := strconv.ParseInt(m[1], 10, 64)
				size := int64(8)
				if r := register.FindStringSubmatch(in.operand); r != nil {
					size = map[string]int64{"X": 16, "Y": 32, "Z": 64}[r[1]]
				}
				// Beside what the kernel asked for, the frame holds the caller's BP.
				if offset < 0 || offset+size > k.locals-8 {
					complain("%s at %d(SP) with a frame of %d", in.op, offset, max(0, k.locals-8))
				}
			}
		}
		where = k.pkg
		for _, r := range s.results {
			if !written[r] {
				complain("%s is never written", r)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(stubs)) {
		if kernels[name] == nil && !stubs[name].inGo {
			complaints = append(complaints, name+": declared without assembly")
		}
	}
	return complaints
}

// TestFramesFindsMistakes: in a header, where vet does not look.
func TestFramesFindsMistakes(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module wrong\n\ngo 1.26\n",
		"k.go": `package wrong
type pair struct{ first uint32; second float64 }
func right(x []float64, p pair, n int32) (sum float64, ok bool)
func offset(x []float64, p pair, n int32) (sum float64, ok bool)
func name(x []float64, p pair, n int32) (sum float64, ok bool)
func width(x []float64, p pair, n int32) (sum float64, ok bool)
func size(x []float64, p pair, n int32) (sum float64, ok bool)
func result(x []float64, p pair, n int32) (sum float64, ok bool)
func stack(x []float64, p pair, n int32) (sum float64, ok bool)
func absent()
func jump(x []float64, p pair, n int32) (sum float64, ok bool)
func leap(x []float64, p pair, n int32) (sum float64, ok bool)
func hop(x []float64, p pair, n int32) (sum float64, ok bool)
func kernel(x []float64, p pair)
func sums(x []float64, p pair, n int32) (sum float64, ok bool) { return 0, false }
func fewer(x []float64, n int32) (sum float64, ok bool) { return 0, false }
func early(x []float64, p pair, n int32) (sum float64) { return 0 }
`,
		"k_amd64.h": `TEXT NAME(SB), NOSPLIT, $32-SIZE
	MOVQ x_base+0(FP), AX
	MOVQ SECOND(FP), BX
	MOVL COUNT, CX
	VMOVUPD Y0, STACK(SP)
	MOVQ BX, sum+48(FP)
	OK
	VZEROUPPER
	RET
#undef NAME
`,
		"k_amd64.s": `#include "textflag.h"
#define OK MOVB $1, ok+56(FP)
#define STACK 0
#define COUNT n+40(FP)
#define SECOND p_second+32
#define SIZE 57
#define NAME ·right
#include "k_amd64.h"
#undef SECOND
#define SECOND p_second+24
#define NAME ·offset
#include "k_amd64.h"
#undef SECOND
#define SECOND p_third+32
#define NAME ·name
#include "k_amd64.h"
#undef SECOND
#define SECOND p_second+32
#undef COUNT
#define COUNT p_second+32(FP)
#define NAME ·width
#include "k_amd64.h"
#undef COUNT
#define COUNT n+40(FP)
#undef SIZE
#define SIZE 64
#define NAME ·size
#include "k_amd64.h"
#undef SIZE
#define SIZE 57
#undef STACK
#define STACK 8
#define NAME ·stack
#include "k_amd64.h"
#undef STACK
#define STACK 0
#undef OK
#define OK
#define NAME ·result
#include "k_amd64.h"
`,
		"j_amd64.s": `#include "textflag.h"
TEXT ·kernel(SB), NOSPLIT, $0-40
	RET
TEXT ·jump(SB), NOSPLIT, $0-57
	JEQ to
	MOVQ $0, sum+48(FP)
	MOVB $0, ok+56(FP)
	JMP ·kernel(SB)
to:
	JMP ·sums(SB)
TEXT ·leap(SB), NOSPLIT, $0-57
	JMP ·fewer(SB)
TEXT ·hop(SB), NOSPLIT, $0-57
	JMP ·early(SB)
`} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	complaints := compareFrames(assemble(t, folder, "amd64"), declared(t, folder, "amd64"), "amd64")
	want := []string{
		"jumps to early, which has other results", "hop (wrong): sum is never written", "ok is never written",
		"jumps to fewer, which has other arguments", "leap (wrong): sum is never written", "ok is never written",
		"p_third", "p_second+24(FP), Go has p_second at 32", "ok is never written", "64 bytes of arguments, Go has 57",
		"VMOVUPD at 8(SP) with a frame of 32", "MOVL moves 4 bytes of p_second, which has 8", "absent: declared without assembly",
	}
	if len(complaints) != len(want) {
		t.Errorf("%d complaints of %d mistakes", len(complaints), len(want))
	}
	for k, complaint := range complaints {
		if k < len(want) && !strings.Contains(complaint, want[k]) {
			t.Errorf("%q does not say %q", complaint, want[k])
		}
	}
}
