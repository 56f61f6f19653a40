package main

import "testing"

func TestNoteOptions(t *testing.T) {
	for _, c := range [][3]string{
		{"Categories", "in come", `"category": ["in come"]`},
		{"Ignored", "a", `"ignore": ["a"]`},
		{"BadRows", "", `"bad_rows"`},
		{"Scale", "none", `"scale": "none"`},
		{"Penalty.L2", "0.1", `"penalty.l2": "0.1"`},
		{"Unknown", "", `"unknown"`},
	} {
		if got := jsonOption(c[0], c[1]); got != c[2] {
			t.Errorf("%s=%s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}
