package dispatch

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/lanes-go/lanes/asm"
)

// Machine says what the kernels run on, and why. A number is 0 and a text empty
// where the system does not tell; outside amd64 that is the rule.
type Machine struct {
	Path   string `json:"path"`   // the path in use
	Reason string `json:"reason"` // why that one
	Forced bool   `json:"forced"` // whether LANES_CPU chose it
	Error  string `json:"error,omitempty"`
	Paths  []Path `json:"paths"` // in ascending preference

	OS     string `json:"os"`
	Arch   string `json:"arch"`
	Vendor string `json:"vendor"` // as the CPU spells it: AuthenticAMD, GenuineIntel
	Name   string `json:"name"`
	Family int    `json:"family"`
	Model  int    `json:"model"`
	Cores  int    `json:"cores"` // logical cores that this process may use
	Cache  Cache  `json:"cache"`

	// FastGather tells whether the instruction that loads scattered elements
	// is known to beat as many scalar loads on this CPU.
	FastGather   bool   `json:"fast_gather"`
	GatherReason string `json:"gather_reason"`
}

// Cache holds sizes in bytes; of a cache that cores share, the whole size.
type Cache struct {
	Line   int `json:"line"`
	L1Data int `json:"l1_data"`
	L2     int `json:"l2"`
	L3     int `json:"l3"`
}

// processor is what a CPU says of itself.
type processor struct {
	vendor, name  string
	family, model int
	cache         Cache
}

// Report reports on this machine and on the path in use now.
func Report() Machine {
	c := describe()
	r := Machine{
		Path:   Current(),
		Paths:  Paths(),
		OS:     runtime.GOOS,
		Arch:   runtime.GOARCH,
		Vendor: c.vendor,
		Name:   strings.TrimSpace(c.name),
		Family: c.family,
		Model:  c.model,
		Cores:  runtime.GOMAXPROCS(0),
		Cache:  c.cache,
	}
	if err := Err(); err != nil {
		r.Error = err.Error()
	}
	r.Forced = refused == nil && os.Getenv(Env) == r.Path
	r.Reason = reason(r)
	r.FastGather, r.GatherReason = fastGather(c.vendor, c.family, c.model)
	return r
}

func reason(r Machine) string {
	switch {
	case r.Forced:
		return Env + "=" + r.Path
	case r.Path != best().Path:
		return "chosen by dispatch.Force"
	case len(asm.Tables) == 1 && (r.Arch == "amd64" || r.Arch == "arm64"):
		return "this binary was built without assembly (tag purego)"
	case len(asm.Tables) == 1:
		return "there is no assembly for " + r.Arch
	}
	for _, p := range r.Paths {
		if !p.Available {
			return fmt.Sprintf("the best path without %s, which this CPU or operating system lacks", p.Missing)
		}
	}
	return "the best path, and this CPU and operating system can run it"
}

// fastGather goes by what vendors and measurements say of a family. AMD's cores
// break a gather into its loads and gain nothing on data in cache. Intel's were
// slow before Skylake, and the microcode against CVE-2022-40982 made those from
// Skylake to Ice Lake and Rocket Lake slow again.
func fastGather(vendor string, family, model int) (bool, string) {
	switch vendor {
	case "AuthenticAMD", "HygonGenuine":
		return false, "AMD cores break a gather into scalar loads"
	case "GenuineIntel":
		if family != 6 {
			return true, "an Intel core later than the gather microcode fix"
		}
		switch model {
		case 0x3c, 0x45, 0x46, 0x3f, 0x3d, 0x47, 0x4f, 0x56:
			return false, "gathers are slow on Intel cores before Skylake"
		case 0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6, 0x66, 0x6a, 0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0xa7:
			return false, "microcode against CVE-2022-40982 slows gathers on this Intel core"
		}
		if missingFeature("avx2") != "" {
			return false, "no AVX2"
		}
		return true, "an Intel core later than the gather microcode fix"
	}
	if runtime.GOARCH == "arm64" {
		return false, "NEON has no gather"
	}
	return false, "nothing is known of this CPU"
}

// String lays the report out for reading, one fact a line.
func (r Machine) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := func(name, format string, values ...any) {
		fmt.Fprintf(w, "%s\t%s\n", name, fmt.Sprintf(format, values...))
	}
	line("path", "%s (%s)", r.Path, r.Reason)
	if r.Error != "" {
		line("error", "%s", r.Error)
	}
	for _, p := range r.Paths {
		switch {
		case !p.Available:
			line("  "+p.Name, "no: needs %s", p.Missing)
		case p.Name == r.Path:
			line("  "+p.Name, "in use")
		default:
			line("  "+p.Name, "yes")
		}
	}
	line("system", "%s/%s, %d cores in use", r.OS, r.Arch, r.Cores)
	name := r.Name
	if name == "" {
		name = "not told"
	}
	line("cpu", "%s", name)
	if r.Vendor != "" {
		line("vendor", "%s, family %d, model %d", r.Vendor, r.Family, r.Model)
	}
	line("caches", "L1 %s, L2 %s, L3 %s", size(r.Cache.L1Data), size(r.Cache.L2), size(r.Cache.L3))
	gather := "no"
	if r.FastGather {
		gather = "yes"
	}
	line("fast gather", "%s (%s)", gather, r.GatherReason)
	w.Flush()
	return b.String()
}

func size(bytes int) string {
	switch {
	case bytes <= 0:
		return "not told"
	case bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}
