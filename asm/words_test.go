package asm

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	wordLine   = regexp.MustCompile(`\bWORD\s+\$`)
	wordMacro  = regexp.MustCompile(`^#define\s+(\w+)\(([\w, ]+)\)\s+WORD\s+\$\(([^/]*)\)\s*//\s*(.+)$`)
	plainWord  = regexp.MustCompile(`^\s*WORD\s+\$(0[xX][0-9a-fA-F]+)\s*;?\s*\\?\s*//\s*(.+)$`)
	wordTerm   = regexp.MustCompile(`^\((\w+)\)(?:<<(\d+))?$`)
	objdumpRow = regexp.MustCompile(`^\s*[0-9a-f]+:\s+[0-9a-f]{8}\s+(.+)$`)
)

// A word is an encoded instruction and what the source says it is.
type word struct {
	where, claim string
	bits         uint32
}

// TestWords disassembles every instruction that the arm64 assembly gives as a
// number. A macro names its registers by one letter each and must say in a
// comment what it is, with the registers as capitals:
//
//	#define NAME(m, n, d) WORD $(0x... | (m)<<16 | (n)<<5 | (d)) // fadd vD.2d, vN.2d, vM.2d
//
// A plain WORD needs its instruction as comment.
func TestWords(t *testing.T) {
	objdump, err := exec.LookPath("aarch64-linux-gnu-objdump")
	if err != nil {
		t.Skip("aarch64-linux-gnu-objdump (package binutils-aarch64-linux-gnu) is not installed")
	}
	var words []word
	for _, pattern := range []string{"*/*_arm64.s", "*/*_arm64.h"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			found, err := wordsOf(file)
			if err != nil {
				t.Error(err)
			}
			words = append(words, found...)
		}
	}
	if len(words) == 0 {
		t.Fatal("no WORD found in the arm64 assembly")
	}
	image := make([]byte, 0, 4*len(words))
	for _, w := range words {
		image = binary.LittleEndian.AppendUint32(image, w.bits)
	}
	binaryFile := filepath.Join(t.TempDir(), "words")
	if err := os.WriteFile(binaryFile, image, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(objdump, "-D", "-b", "binary", "-m", "aarch64", binaryFile).Output()
	if err != nil {
		t.Fatal(err)
	}
	var decoded []string
	for line := range strings.Lines(string(out)) {
		if row := objdumpRow.FindStringSubmatch(strings.TrimRight(line, "\n")); row != nil {
			decoded = append(decoded, row[1])
		}
	}
	if len(decoded) != len(words) {
		t.Fatalf("%d words, %d instructions decoded:\n%s", len(words), len(decoded), out)
	}
	for i, w := range words {
		if got, want := tidy(decoded[i]), tidy(w.claim); got != want {
			t.Errorf("%s: %08x is %q, the source says %q", w.where, w.bits, got, want)
		}
	}
	t.Logf("%d encodings checked", len(words))
}

func tidy(instruction string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(strings.ToLower(instruction)), " "), ", ", ",")
}

// wordsOf lists the words of a file; a macro counts with three choices of
// registers, which between them set every bit of a register number both ways.
func wordsOf(file string) ([]word, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var words []word
	for i, line := range strings.Split(string(text), "\n") {
		line = strings.TrimRight(line, " \t\r")
		where := fmt.Sprintf("%s:%d", file, i+1)
		if code, _, _ := strings.Cut(line, "//"); !wordLine.MatchString(code) {
			continue
		}
		if plain := plainWord.FindStringSubmatch(line); plain != nil {
			bits, err := strconv.ParseUint(plain[1], 0, 32)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", where, err)
			}
			words = append(words, word{where, plain[2], uint32(bits)})
			continue
		}
		macro := wordMacro.FindStringSubmatch(line)
		if macro == nil {
			return nil, fmt.Errorf("%s: WORD without its instruction in a comment, or in a form this test cannot read: %s", where, line)
		}
		parameters := strings.Split(strings.ReplaceAll(macro[2], " ", ""), ",")
		for _, numbers := range [][]int{{1, 2, 3, 4}, {31, 0, 21, 10}, {10, 21, 12, 31}} {
			value, claim := map[string]int{}, macro[4]
			for k, p := range parameters {
				value[p] = numbers[k]
				claim = strings.ReplaceAll(claim, strings.ToUpper(p), strconv.Itoa(numbers[k]))
			}
			bits, err := evaluateWord(macro[3], value)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", where, err)
			}
			words = append(words, word{where + " " + macro[1], claim, bits})
		}
	}
	return words, nil
}

// evaluateWord computes base | (register)<<shift | ... .
func evaluateWord(expression string, value map[string]int) (uint32, error) {
	var bits uint64
	for term := range strings.SplitSeq(expression, "|") {
		term = strings.ReplaceAll(term, " ", "")
		if m := wordTerm.FindStringSubmatch(term); m != nil {
			number, ok := value[m[1]]
			if !ok {
				return 0, fmt.Errorf("%s is not a parameter", m[1])
			}
			shift, _ := strconv.Atoi(m[2])
			bits |= uint64(number) << shift
			continue
		}
		constant, err := strconv.ParseUint(term, 0, 32)
		if err != nil {
			return 0, err
		}
		bits |= constant
	}
	return uint32(bits), nil
}
