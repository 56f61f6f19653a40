package main

import (
	"strings"
	"testing"
)

// arithmetic stands for an assembler: it knows add, whose registers lie as in fadd, and
// one instruction that encodes a register in four bits.
func arithmetic(instructions []string) ([]uint32, error) {
	var words []uint32
	for _, text := range instructions {
		var d, n, m uint32
		fields := strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' })
		for k, v := range []*uint32{&d, &n, &m} {
			for _, digit := range fields[k] {
				*v = *v*10 + uint32(digit-'0')
			}
		}
		if strings.HasPrefix(text, "short") {
			m &= 15
		}
		words = append(words, 0x4E60D400|m<<16|n<<5|d)
	}
	return words, nil
}

func TestEncode(t *testing.T) {
	const sound = "// A comment.\n#define FADD2(m, n, d) WORD $(0x4E60D400 | (m)<<16 | (n)<<5 | (d)) // add vD., vN., vM.\n"
	for _, c := range []struct{ before, after, problem string }{
		{sound, sound, ""},
		{strings.Replace(sound, "4E", "4F", 1), sound, ""},
		{strings.Replace(sound, "<<5", "<<6", 1), sound, ""},
		{sound + sound, sound + sound, ""},
		{strings.Replace(sound, "add vD., vN.", "add vD., vD.", 1), "", "register n of"},
		{strings.Replace(sound, "add", "short", 1), "", "not five bits each"},
		{strings.Replace(sound, " // add vD., vN., vM.", "", 1), "", "0 macros with an instruction"},
	} {
		after, err := encode([]byte(c.before), arithmetic)
		if c.problem != "" {
			if err == nil || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%q: error %v, want %q", c.before, err, c.problem)
			}
		} else if err != nil || string(after) != c.after {
			t.Errorf("%q: %q, %v", c.before, after, err)
		}
	}
}
