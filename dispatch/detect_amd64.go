package dispatch

import (
	"strings"

	"golang.org/x/sys/cpu"
)

// missingFeature names the first feature that the path needs and the machine
// lacks, or returns "". Levels build on one another: AVX-512 code uses AVX2 and
// FMA too, and GODEBUG=cpu.avx2=off must switch off both, which x/sys/cpu does
// not do by itself.
func missingFeature(path string) string {
	type feature struct {
		name string
		has  bool
	}
	var needs []feature
	path, more, _ := strings.Cut(path, "-")
	switch path {
	case "avx512":
		needs = []feature{
			{"AVX-512F", cpu.X86.HasAVX512 && cpu.X86.HasAVX512F}, {"AVX-512DQ", cpu.X86.HasAVX512DQ},
			{"AVX-512VL", cpu.X86.HasAVX512VL}, {"AVX-512BW", cpu.X86.HasAVX512BW},
		}
		fallthrough
	case "avx2":
		needs = append([]feature{
			{"AVX2", cpu.X86.HasAVX && cpu.X86.HasAVX2}, {"FMA", cpu.X86.HasFMA},
			{"BMI1", cpu.X86.HasBMI1}, {"BMI2", cpu.X86.HasBMI2}, {"F16C", cpu.X86.HasF16C},
		}, needs...)
	}
	if more == "vnni" {
		needs = append(needs, map[string]feature{"avx2": {"AVX-VNNI", cpu.X86.HasAVXVNNI}, "avx512": {"AVX-512 VNNI", cpu.X86.HasAVX512VNNI}}[path])
	}
	for _, f := range needs {
		if !f.has {
			return f.name
		}
	}
	return ""
}
