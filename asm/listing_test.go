package asm

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"testing"
)

var (
	listedKernel = regexp.MustCompile(`^(?:(\S+)\.)?(\w+) STEXT .*\bargs=(0x[0-9a-f]+) locals=(0x[0-9a-f]+) `)
	listedRow    = regexp.MustCompile(`^\t0x[0-9a-f]+ (\d+) \((.*)\)\t([A-Z]\w*)\S*(.*)$`)
)

// rooms are the packages with assembly.
var rooms = []string{"rows", "element", "dense", "machine", "single", "vector"}

// A listed is a kernel as the assembler lists it, all macros expanded.
type listed struct {
	pkg          string // its import path
	args, locals int64  // bytes
	code         []instruction
}

type instruction struct {
	offset             int // in the code of the kernel
	where, op, operand string
}

// assemble lists the kernels of the package in a folder.
func assemble(t *testing.T, folder, arch string) map[string]*listed {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command, which assembles")
	}
	c := exec.Command("go", "build", "-asmflags=-S", ".")
	c.Dir = folder
	c.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "GOFLAGS=", "GOWORK=off")
	listing, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, listing)
	}
	kernels := map[string]*listed{}
	var current *listed
	for line := range bytes.Lines(listing) {
		if m := listedKernel.FindSubmatch(line); m != nil {
			current = &listed{pkg: string(m[1]), args: number(t, m[3]), locals: number(t, m[4])}
			kernels[string(m[2])] = current
		} else if m := listedRow.FindSubmatch(bytes.TrimRight(line, "\n")); m != nil && !bytes.HasSuffix(m[3], []byte("DATA")) {
			current.code = append(current.code, instruction{int(number(t, m[1])), string(m[2]), string(m[3]), string(m[4])})
		}
	}
	return kernels
}

func number(t *testing.T, text []byte) int64 {
	base := 10 // offsets have leading zeros
	if bytes.HasPrefix(text, []byte("0x")) {
		base, text = 16, text[2:]
	}
	v, err := strconv.ParseInt(string(text), base, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
