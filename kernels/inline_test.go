package kernels_test

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestDoorsAreInlined asks the compiler what it inlines where testdata/caller calls the entry
// points: those themselves, and the parts of them that do a few elements. What counts too much for
// that is right all the same, but a short vector pays for one call more.
func TestDoorsAreInlined(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the counts are those of doors in assembly, which amd64 has")
	}
	command, err := exec.LookPath("go")
	if err != nil {
		t.Skipf("what is inlined only the compiler tells: %v", err)
	}
	out, err := exec.Command(command, "build", "-gcflags=-m", "./testdata/caller").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	inlined := map[string]bool{}
	instance := regexp.MustCompile(`\[[^\]]*\]`)
	for line := range strings.Lines(string(out)) {
		if _, name, found := strings.Cut(line, ": inlining call to "); found {
			inlined[instance.ReplaceAllString(strings.TrimSpace(name), "")] = true
		}
	}
	// Few elements of these are closures, and of others functions that take what does more.
	wanted := []string{
		"Axpy.Axpy.func1", "ScaleAdd.ScaleAdd.func1", "Mul.Mul.func1",
		"LossGradient.LossGradient.func1", "LossSum.LossSum.func1", "kernels.shortLoss", "kernels.shortHuber",
		"kernels.shortDot", "kernels.longDot", "kernels.shortSum", "kernels.longSum",
		"kernels.shortArgMax", "arguments.SameOrDisjoint",
	}
	source, err := os.ReadFile("testdata/caller/caller.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range regexp.MustCompile(`(kernels\.\w+)\(`).FindAllStringSubmatch(string(source), -1) {
		wanted = append(wanted, call[1])
	}
	if len(wanted) < 33 {
		t.Errorf("the caller calls %d doors", len(wanted))
	}
	for _, name := range wanted {
		if !inlined[name] {
			t.Errorf("%s is not inlined where it is called; go build -gcflags=-m=2 ./kernels says what it counts", name)
		}
	}
}
