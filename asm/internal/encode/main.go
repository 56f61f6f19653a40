// Encode writes the numbers of the arm64 instructions that Go's assembler does not
// know. Its files hold macros whose comment is the instruction, with a letter for each
// register, and whose parameters are the numbers of these registers:
//
//	#define FADD2(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d)) // fadd vD.2d, vN.2d, vM.2d
//
// The comment is the source. What stands before it is made from it: asm2plan9s, built
// for arm64, has GNU as assemble the instruction with some choices of registers, which
// show where each number goes. On other machines asm2plan9s runs under qemu-user, and
// as is Debian's aarch64-linux-gnu-as.
//
// With -check the files are left alone, and a difference is an error.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "compare in place of writing")
	flag.Parse()
	assemble, err := newAssembler()
	if err != nil {
		log.Fatal(err)
	}
	status := 0
	for _, file := range flag.Args() {
		before, err := os.ReadFile(file)
		if err == nil {
			var after []byte
			if after, err = encode(before, assemble.words); err == nil && !bytes.Equal(before, after) {
				if *check {
					err = fmt.Errorf("the encodings are not those of the instructions: make asm writes them")
				} else {
					err = os.WriteFile(file, after, 0o666)
				}
			}
		}
		if err != nil {
			log.Printf("%s: %v", file, err)
			status = 1
		}
	}
	assemble.close()
	os.Exit(status)
}

var macroLine = regexp.MustCompile(`(?m)^(#define (\w+)\(([a-z](?:, [a-z])*)\) WORD \$)\(.*\)( // (.+))$`)

// encode returns the text with the numbers of all its macros made anew. words assembles
// instructions.
func encode(text []byte, words func(instructions []string) ([]uint32, error)) ([]byte, error) {
	var instructions []string
	macros := macroLine.FindAllSubmatch(text, -1)
	for _, m := range macros {
		parameters := strings.Split(string(m[3]), ", ")
		// All registers 0, each one 1 alone, and all of them 31.
		for k := range len(parameters) + 2 {
			instructions = append(instructions, withRegisters(string(m[5]), parameters, k-1))
		}
	}
	if len(macros) != bytes.Count(text, []byte("WORD")) {
		return nil, fmt.Errorf("%d uses of WORD, %d macros with an instruction as comment", bytes.Count(text, []byte("WORD")), len(macros))
	}
	if len(macros) == 0 {
		return text, nil
	}
	encoded, err := words(instructions)
	if err != nil {
		return nil, err
	}
	for _, m := range macros {
		parameters := strings.Split(string(m[3]), ", ")
		base, rest := encoded[0], encoded[1:]
		terms := fmt.Sprintf("0x%08X", base)
		all := base
		for k, p := range parameters {
			bit := rest[k] ^ base
			if bits.OnesCount32(bit) != 1 {
				return nil, fmt.Errorf("%s: register %s of %q is not a number in the encoding", m[2], p, m[5])
			}
			shift := bits.TrailingZeros32(bit)
			all |= 31 << shift
			if terms += " | (" + p + ")"; shift > 0 {
				terms += "<<" + strconv.Itoa(shift)
			}
		}
		if all != rest[len(parameters)] {
			return nil, fmt.Errorf("%s: the registers of %q are not five bits each", m[2], m[5])
		}
		encoded = rest[len(parameters)+1:]
		text = bytes.Replace(text, m[0], fmt.Appendf(nil, "%s(%s)%s", m[1], terms, m[4]), 1)
	}
	return text, nil
}

// withRegisters writes numbers for the letters of an instruction: 1 for one parameter
// and 0 for the others, 0 for all where one is -1, and 31 for all behind the last.
func withRegisters(instruction string, parameters []string, one int) string {
	for k, p := range parameters {
		number := "0"
		if k == one {
			number = "1"
		}
		if one == len(parameters) {
			number = "31"
		}
		instruction = strings.ReplaceAll(instruction, "v"+strings.ToUpper(p)+".", "v"+number+".")
	}
	return instruction
}

// assembler is asm2plan9s in a folder of its own.
type assembler struct {
	folder  string
	command []string
}

func newAssembler() (*assembler, error) {
	folder, err := os.MkdirTemp("", "encode")
	if err != nil {
		return nil, err
	}
	a := &assembler{folder: folder}
	tool := filepath.Join(folder, "asm2plan9s")
	build := exec.Command("go", "build", "-o", tool, "github.com/minio/asm2plan9s")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		a.close()
		return nil, fmt.Errorf("asm2plan9s: %w\n%s", err, out)
	}
	a.command = []string{tool, filepath.Join(folder, "words.s")}
	own := runtime.GOARCH == "arm64"
	name := "aarch64-linux-gnu-as"
	if own {
		name = "as"
	}
	// It calls the assembler as, which has to know the instructions of neon-dot too.
	as, err := exec.LookPath(name)
	if err == nil {
		script := fmt.Sprintf("#!/bin/sh\nexec %s \"$@\" -march=armv8.2-a+dotprod\n", as)
		err = os.WriteFile(filepath.Join(folder, "as"), []byte(script), 0o755)
	}
	var emulator string
	if err == nil && !own {
		emulator, err = exec.LookPath("qemu-aarch64-static")
	}
	if err != nil {
		a.close()
		return nil, fmt.Errorf("%w (Debian: binutils-aarch64-linux-gnu and qemu-user-static)", err)
	}
	if own {
		return a, nil
	}
	a.command = append([]string{emulator}, a.command...)
	return a, nil
}

func (a *assembler) close() { os.RemoveAll(a.folder) }

var wordLine = regexp.MustCompile(`(?m)^\s+WORD \$0x([0-9a-f]{8}) //`)

// words assembles instructions.
func (a *assembler) words(instructions []string) ([]uint32, error) {
	var source bytes.Buffer
	for _, instruction := range instructions {
		// asm2plan9s takes comments that begin in column 65.
		fmt.Fprintf(&source, "%65s// %s\n", "", instruction)
	}
	file := a.command[len(a.command)-1]
	if err := os.WriteFile(file, source.Bytes(), 0o666); err != nil {
		return nil, err
	}
	run := exec.Command(a.command[0], a.command[1:]...)
	run.Dir = a.folder
	run.Env = append(os.Environ(), "PATH="+a.folder+":"+os.Getenv("PATH"), "TMPDIR="+a.folder)
	if out, err := run.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("asm2plan9s: %w\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var words []uint32
	for _, m := range wordLine.FindAllSubmatch(text, -1) {
		word, err := strconv.ParseUint(string(m[1]), 16, 32)
		if err != nil {
			return nil, err
		}
		words = append(words, uint32(word))
	}
	if len(words) != len(instructions) {
		return nil, fmt.Errorf("asm2plan9s assembled %d of %d instructions:\n%s", len(words), len(instructions), text)
	}
	return words, nil
}
