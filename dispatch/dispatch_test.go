package dispatch

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/klauspost/cpuid/v2"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/dense"
)

// printReport makes the test binary print its report instead of testing.
const printReport = "LANES_TEST_PRINT_REPORT"

func TestMain(m *testing.M) {
	if os.Getenv(printReport) != "" {
		out, err := json.Marshal(Report())
		if err != nil {
			panic(err)
		}
		// Something to compute, so that a path the CPU cannot run would trap.
		x := []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
		for n := range x {
			if err := dense.Axpy(2, &x[0], &x[0], n+1, n+1); err != nil {
				panic(err)
			}
		}
		fmt.Printf("report %s\n%v %v\n", out, asm.Active().Dense.Dot(x, x), dense.Dot(x, &x[0]))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// reportOf runs this test binary anew, behind the words of before if any, with
// settings added to the environment. Where the tests run under an emulator, the
// new process may run without one.
func reportOf(t *testing.T, before []string, settings ...string) Machine {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Skipf("cannot run this test binary again: %v", err)
	}
	command := append(before, self)
	c := exec.Command(command[0], command[1:]...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, Env+"=") && !strings.HasPrefix(v, "GODEBUG=") {
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(append(c.Env, printReport+"=1"), settings...)
	out, err := c.CombinedOutput()
	if err != nil && before == nil && strings.Contains(err.Error(), "exec format error") {
		t.Skip("this test binary runs under an emulator that cannot start another")
	}
	for line := range strings.Lines(string(out)) {
		if text, ok := strings.CutPrefix(line, "report "); ok && err == nil {
			var r Machine
			if err := json.Unmarshal([]byte(text), &r); err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			return r
		}
	}
	t.Fatalf("%v: %v\n%s", command, err, out)
	return Machine{}
}

// expected is the best path by another detection than dispatch's own.
func expected() string {
	avx2 := cpuid.CPU.Supports(cpuid.AVX2, cpuid.FMA3, cpuid.BMI1, cpuid.BMI2, cpuid.F16C)
	switch {
	case len(asm.Tables) == 1:
		return "generic"
	case runtime.GOARCH == "arm64":
		return with("neon", "-dot", cpuid.ASIMDDP)
	case avx2 && cpuid.CPU.Supports(cpuid.AVX512F, cpuid.AVX512DQ, cpuid.AVX512VL, cpuid.AVX512BW):
		return with("avx512", "-vnni", cpuid.AVX512VNNI)
	case avx2:
		return with("avx2", "-vnni", cpuid.AVXVNNI)
	}
	return "generic"
}

// with names a path with a feature more, where the CPU has it.
func with(path, more string, feature cpuid.FeatureID) string {
	if cpuid.CPU.Supports(feature) {
		return path + more
	}
	return path
}

// TestProcessorIsDescribed compares what the CPU says of itself with what another reader
// understands.
func TestProcessorIsDescribed(t *testing.T) {
	c, got := &cpuid.CPU, Report()
	if got.Vendor != c.VendorString || got.Name != strings.TrimSpace(c.BrandName) || got.Family != c.Family || got.Model != c.Model {
		t.Errorf("%q %q, family %d, model %d; another reader finds %q %q, %d, %d",
			got.Vendor, got.Name, got.Family, got.Model, c.VendorString, c.BrandName, c.Family, c.Model)
	}
	want := Cache{Line: max(0, c.CacheLine), L1Data: max(0, c.Cache.L1D), L2: max(0, c.Cache.L2), L3: max(0, c.Cache.L3)}
	if got.Cache != want {
		t.Errorf("caches %+v; another reader finds %+v", got.Cache, want)
	}
}

func TestBestPathIsInUse(t *testing.T) {
	if name := os.Getenv(Env); name != "" {
		if Current() != name && Err() == nil {
			t.Errorf("%s=%s, but %s is in use", Env, name, Current())
		}
		t.Skipf("%s is set", Env)
	}
	if strings.Contains(os.Getenv("GODEBUG"), "cpu.") {
		t.Skip("GODEBUG switches CPU features off")
	}
	if Current() != expected() {
		t.Errorf("%s is in use, this machine can run %s", Current(), expected())
	}
}

func TestEveryPathRunsWhenForced(t *testing.T) {
	before := Current()
	x := make([]float64, 100)
	for i := range x {
		x[i] = 1 / float64(i+1)
	}
	want := asm.Generic.Dense.Dot(x, x)
	for _, p := range Paths() {
		restore, err := Force(p.Name)
		if !p.Available {
			if err == nil || !strings.Contains(err.Error(), p.Missing) {
				t.Errorf("Force(%s) = %v, want an error that names %s", p.Name, err, p.Missing)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if Current() != p.Name {
			t.Errorf("forced %s, but %s is in use", p.Name, Current())
		}
		if got := asm.Active().Dense.Dot(x, x); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%s: Dot = %v, want %v", p.Name, got, want)
		}
		restore()
		if Current() != before {
			t.Errorf("after restoring, %s is in use, not %s", Current(), before)
		}
	}
	if _, err := Force("sse9"); err == nil || !strings.Contains(err.Error(), "generic") {
		t.Errorf("Force(sse9) = %v, want an error that lists the paths", err)
	}
}

func TestEnvironmentChoosesThePath(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	free := reportOf(t, nil)
	if free.Forced || free.Error != "" {
		t.Errorf("nothing set: %+v", free)
	}
	for _, p := range free.Paths {
		r := reportOf(t, nil, Env+"="+p.Name)
		if p.Available && (r.Path != p.Name || !r.Forced || r.Error != "" || r.Reason != Env+"="+p.Name) {
			t.Errorf("%s=%s: %+v", Env, p.Name, r)
		}
		if !p.Available && (r.Forced || !strings.Contains(r.Error, p.Missing)) {
			t.Errorf("%s=%s, which cannot run here: %+v", Env, p.Name, r)
		}
	}
	r := reportOf(t, nil, Env+"=itanium")
	if r.Path != free.Path || r.Forced || !strings.Contains(r.Error, `LANES_CPU: unknown CPU path "itanium"; this binary has: generic`) {
		t.Errorf("%s=itanium: %+v", Env, r)
	}
	if r := reportOf(t, nil, Env+"="); r.Path != free.Path || r.Forced || r.Error != "" {
		t.Errorf("%s empty: %+v", Env, r)
	}
}

func TestDebugSettingsSwitchFeaturesOff(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	here := reportOf(t, nil) // of the CPU, where this process may be an emulated one
	below512 := here.Path
	if runtime.GOARCH != "amd64" || below512 == "generic" {
		t.Skip("needs an amd64 binary with assembly, and a CPU with AVX2")
	}
	if strings.HasPrefix(below512, "avx512") {
		for _, path := range here.Paths {
			if path.Available && strings.HasPrefix(path.Name, "avx2") {
				below512 = path.Name
			}
		}
	}
	for setting, want := range map[string]string{
		"cpu.avx=off": "generic", "cpu.avx2=off": "generic", "cpu.fma=off": "generic", "cpu.bmi2=off": "generic",
		"cpu.avx512=off": below512, "cpu.avx512f=off": below512, "cpu.avx512vl=off": below512,
	} {
		if r := reportOf(t, nil, "GODEBUG="+setting); r.Path != want {
			t.Errorf("GODEBUG=%s: %s is in use, want %s", setting, r.Path, want)
		}
	}
	if r := reportOf(t, nil, "GODEBUG=cpu.avx2=off", Env+"=avx2"); r.Path != "generic" || !strings.Contains(r.Error, "AVX2") {
		t.Errorf("forced a path that GODEBUG switched off: %+v", r)
	}
}

// TestEmulatedCPUs starts this binary on CPUs without AVX2 and without AVX-512.
func TestEmulatedCPUs(t *testing.T) {
	if testing.Short() {
		t.Skip("starts an emulator")
	}
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" || len(asm.Tables) == 1 {
		t.Skip("needs a linux/amd64 binary with assembly")
	}
	if level := amd64Level(); level != "v1" {
		t.Skipf("a binary built for GOAMD64=%s does not start on a CPU without AVX2", level)
	}
	qemu, err := exec.LookPath("qemu-x86_64-static")
	if err != nil {
		t.Skip("qemu-x86_64-static (Debian: qemu-user-static) is not installed")
	}
	for model, want := range map[string]string{"Nehalem": "generic", "Haswell": "avx2"} {
		if r := reportOf(t, []string{qemu, "-cpu", model}); r.Path != want {
			t.Errorf("on %s, %s is in use, want %s", model, r.Path, want)
		}
	}
	if r := reportOf(t, []string{qemu, "-cpu", "Nehalem"}, Env+"=avx2"); r.Path != "generic" || !strings.Contains(r.Error, "needs AVX2") {
		t.Errorf("forced AVX2 on Nehalem: %+v", r)
	}
}

// amd64Level returns the GOAMD64 that this binary was built for.
func amd64Level() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "GOAMD64" {
				return setting.Value
			}
		}
	}
	return "v1"
}

func TestTablesAreComplete(t *testing.T) {
	names := map[string]bool{}
	for i, table := range asm.Tables {
		if i == 0 && table != asm.Generic {
			t.Error("the portable table does not come first")
		}
		if names[table.Path] {
			t.Errorf("two tables are called %s", table.Path)
		}
		names[table.Path] = true
		base, _, _ := strings.Cut(table.Path, "-")
		for _, path := range []string{table.Rows.Path, table.Element.Path, table.Dense.Path, table.Single.Path} {
			if path != base {
				t.Errorf("%s has kernels of %s", table.Path, path)
			}
		}
		if table.Vector.Path != table.Path {
			t.Errorf("%s has the vectors of %s", table.Path, table.Vector.Path)
		}
		requireSet(t, table.Path, reflect.ValueOf(*table))
	}
}

func requireSet(t *testing.T, where string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			requireSet(t, where+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			requireSet(t, fmt.Sprintf("%s[%d]", where, i), v.Index(i))
		}
	case reflect.Func:
		if v.IsNil() {
			t.Errorf("%s is nil", where)
		}
	}
}

func TestReportReadsWell(t *testing.T) {
	r := Machine{Path: "avx2", Reason: "LANES_CPU=avx2", Paths: []Path{{"generic", true, ""}, {"avx2", true, ""}, {"avx512", false, "AVX-512F"}},
		OS: "linux", Arch: "amd64", Vendor: "AuthenticAMD", Name: "AMD EPYC", Family: 26, Model: 2, Cores: 2,
		Cache: Cache{64, 48 << 10, 1 << 20, 32 << 20}, GatherReason: "because"}
	want := `path         avx2 (LANES_CPU=avx2)
  generic    yes
  avx2       in use
  avx512     no: needs AVX-512F
system       linux/amd64, 2 cores in use
cpu          AMD EPYC
vendor       AuthenticAMD, family 26, model 2
caches       L1 48 KiB, L2 1 MiB, L3 32 MiB
fast gather  no (because)
`
	if got := r.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if here := Report(); !strings.Contains(here.String(), "in use") || here.GatherReason == "" || here.Reason == "" {
		t.Errorf("%+v", here)
	}
}

func TestFastGather(t *testing.T) {
	for _, c := range []struct {
		vendor        string
		family, model int
		want          bool
	}{{"AuthenticAMD", 25, 17, false}, {"GenuineIntel", 6, 0x3c, false}, {"GenuineIntel", 6, 0x55, false}, {"GenuineIntel", 19, 1, true}, {"CentaurHauls", 6, 15, false}} {
		if got, why := fastGather(c.vendor, c.family, c.model); got != c.want {
			t.Errorf("%v family %d model %d: %v (%s), want %v", c.vendor, c.family, c.model, got, why, c.want)
		}
	}
}
