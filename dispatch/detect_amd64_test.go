package dispatch

import (
	"testing"

	"golang.org/x/sys/cpu"
)

// TestEveryFeatureIsNeeded takes the features away one at a time: a path must not be taken on a CPU
// that lacks a feature of its x86-64 level.
func TestEveryFeatureIsNeeded(t *testing.T) {
	if !cpu.X86.HasAVX2 {
		t.Skip("needs a CPU with AVX2")
	}
	avx2 := map[string]*bool{"AVX": &cpu.X86.HasAVX, "AVX2": &cpu.X86.HasAVX2, "FMA": &cpu.X86.HasFMA, "BMI1": &cpu.X86.HasBMI1, "BMI2": &cpu.X86.HasBMI2,
		"F16C": &cpu.X86.HasF16C}
	avx512 := map[string]*bool{"AVX-512": &cpu.X86.HasAVX512, "AVX-512F": &cpu.X86.HasAVX512F, "AVX-512DQ": &cpu.X86.HasAVX512DQ,
		"AVX-512VL": &cpu.X86.HasAVX512VL, "AVX-512BW": &cpu.X86.HasAVX512BW}
	vnni, vnni512 := map[string]*bool{"AVX-VNNI": &cpu.X86.HasAVXVNNI}, map[string]*bool{"AVX-512 VNNI": &cpu.X86.HasAVX512VNNI}
	for path, needs := range map[string][]map[string]*bool{"avx2": {avx2}, "avx2-vnni": {avx2, vnni}, "avx512": {avx2, avx512}, "avx512-vnni": {avx2, avx512, vnni512}} {
		var all []*bool
		for _, features := range needs {
			for _, has := range features {
				all = append(all, has)
			}
		}
		before := make([]bool, len(all))
		for i, has := range all {
			before[i], *has = *has, true
		}
		if missing := missingFeature(path); missing != "" {
			t.Errorf("%s with every feature there: %s is missing", path, missing)
		}
		for _, features := range needs {
			for name, has := range features {
				*has = false
				want := map[string]string{"AVX": "AVX2", "AVX-512": "AVX-512F"}[name]
				if want == "" {
					want = name
				}
				if missing := missingFeature(path); missing != want {
					t.Errorf("%s without %s: %q is missing, want %q", path, name, missing, want)
				}
				*has = true
			}
		}
		for i, has := range all {
			*has = before[i]
		}
	}
}
