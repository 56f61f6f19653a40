package decimal

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

func padded(text string) []byte {
	return append([]byte(text), make([]byte, Pad)...)
}

func checkNumber(t *testing.T, text string) {
	t.Helper()
	want, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(want, 0) {
		t.Fatalf("bad test %q", text)
	}
	for _, tail := range []string{"\n", " 7:3", "9"[:0] + "\t", "#", "x"} {
		got, next := Parse(padded(text+tail), 0)
		same := math.Float64bits(got) == math.Float64bits(want) || math.IsInf(got, 0) && math.IsInf(want, 0)
		if next != len(text) || !same {
			t.Fatalf("%q: %v, %d bytes; want %v, %d", text+tail, got, next, want, len(text))
		}
	}
}

func TestParse(t *testing.T) {
	repeat.Skip(t)
	for _, text := range []string{
		"0", "1", "9", "-0", "+1", "-1", "00", "007", "0.", ".5", "5.", "-.25", "0.1", "1.5", "10.25", "123456789", "0.00001",
		"12345678", "1234567", "123456789012345678", "9007199254740992", "9007199254740993", "9007199254740993.0", "9223372036854775807",
		"18446744073709551615", "18446744073709551616", "99999999999999999999999", "0.00000000000000000000000000001",
		"1e5", "1E5", "1e+5", "1e-05", "1.5e-3", "-2.5E+10", "1e22", "1e23", "1e-22", "1e-23", "4.9e-324", "2e-324", "1e-400", "1e400", "-1e400",
		"1e99999999999999999999", "1e-99999999999999999999", "0e99999999", "1.7976931348623157e308", "2.2250738585072014e-308",
		"0.1234567", "0.12345678", "0.123456789", "0.1234567890123456", "0.12345678901234567", "100000000000000000000.5", "0000000000000000000000000.5",
		"8.41", "0.30000000000000004", "5e-324", "123456.789e3",
	} {
		checkNumber(t, text)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 300000 {
		var text string
		switch random.IntN(5) {
		case 0:
			text = strconv.FormatFloat(math.Float64frombits(random.Uint64()&^(0x7ff<<52)|uint64(random.IntN(2047))<<52), 'g', random.IntN(20)-1, 64)
		case 1:
			text = strconv.FormatFloat(random.Float64(), 'f', random.IntN(22)-1, 64)
		case 2:
			text = strconv.FormatUint(random.Uint64()>>random.IntN(64), 10)
		case 4:
			text = fmt.Sprintf("0.%0*d", 1+random.IntN(22), random.Uint64()>>random.IntN(64))
		case 3:
			text = fmt.Sprintf("%d.%de%d", random.Uint64()>>random.IntN(64), random.Uint64()>>random.IntN(64), random.IntN(80)-40)
		}
		checkNumber(t, text)
	}
}

// TestWhole compares short numbers, and texts with one byte that is no digit, with strconv.
func TestWhole(t *testing.T) {
	repeat.Skip(t)
	random := rand.New(rand.NewPCG(7, 8))
	for range 200000 {
		n := 1 + random.IntN(8)
		text := []byte(fmt.Sprintf("%08d", random.IntN(1e8)))[:n]
		if random.IntN(2) == 0 {
			text[random.IntN(n)] = byte(random.IntN(256))
		}
		digits := !slices.ContainsFunc(text, func(c byte) bool { return c < '0' || c > '9' })
		want, _ := strconv.ParseUint(string(text), 10, 64)
		b := append(slices.Clone(text), "9\xff,5:/\x00\x80"...)
		v, ok := Whole(binary.LittleEndian.Uint64(b), n)
		if ok != digits || ok && v != want {
			t.Fatalf("%q: %d, %v; want %d, %v", text, v, ok, want, digits)
		}
	}
}

// TestShort compares short numbers, and texts with bytes that stand in no number, with strconv.
func TestShort(t *testing.T) {
	repeat.Skip(t)
	random := rand.New(rand.NewPCG(7, 8))
	read, points := 0, 0
	for range 500000 {
		n := 1 + random.IntN(11)
		text := []byte(fmt.Sprintf("%011d", random.Int64N(1e11)))[:n]
		point := ".,"[random.IntN(2)]
		for range random.IntN(3) {
			text[random.IntN(n)] = ".,"[random.IntN(2)]
		}
		if random.IntN(2) == 0 {
			text[0] = '-'
		}
		if random.IntN(4) == 0 {
			text[random.IntN(n)] = byte(random.IntN(256))
		}
		digits := strings.TrimPrefix(string(text), "-")
		whole, part, pointed := strings.Cut(digits, string(point))
		short := len(digits) <= 8 && strings.Trim(whole+part, "0123456789") == "" && whole+part != ""
		want, _ := strconv.ParseFloat(strings.Replace(string(text), ",", ".", 1), 64)
		b := append(slices.Clone(text), "9\xff,5:/\x00\x80.......9"...)
		v, ok := Short(b, n, point)
		if ok != short || ok && math.Float64bits(v) != math.Float64bits(want) {
			t.Fatalf("%q with the point %c: %v, %v; want %v, %v", text, point, v, ok, want, short)
		}
		if ok {
			read++
		}
		if ok && pointed {
			points++
		}
	}
	if read < 100000 || points < 50000 {
		t.Errorf("%d numbers were read, %d with a point", read, points)
	}
	if _, ok := Short(make([]byte, Pad), 0, '.'); ok {
		t.Error("no text is a number")
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", " ", "x", "-", "+", ".", "-.", "e5", ".e5", "1e", "1e+", "1.5e-", "inf", "nan", "-inf", "+-1", ":", "\n"} {
		b := padded(text)
		if _, next := Parse(b, 0); next != 0 {
			t.Errorf("%q read as a number of %d bytes", text, next)
		}
	}
	for _, text := range []string{"0x10", "1_0", "1.5.5", "1,5"} {
		if _, next := Parse(padded(text), 0); next == len(text) {
			t.Errorf("%q read as a number", text)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, text := range []string{"1", "0.04287", "-0.882353", "17", "0.12345678901234567"} {
		b.Run(text, func(b *testing.B) {
			buffer := padded(text + strings.Repeat(" ", 8))
			for b.Loop() {
				Parse(buffer, 0)
			}
		})
	}
}
