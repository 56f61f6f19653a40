package pathtest

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

func TestPaths(t *testing.T) {
	before := dispatch.Current()
	var met []string
	for path := range Paths(t) {
		if met = append(met, path); dispatch.Current() != path {
			t.Errorf("%s is in force, not %s", dispatch.Current(), path)
		}
	}
	for _, path := range dispatch.Paths() {
		if path.Available != slices.Contains(met, path.Name) {
			t.Errorf("%s: available %t, met %v", path.Name, path.Available, met)
		}
	}
	for range Paths(t) {
		break
	}
	if dispatch.Current() != before {
		t.Errorf("%s stays in force, not %s", dispatch.Current(), before)
	}
}
