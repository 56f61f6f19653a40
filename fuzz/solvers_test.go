package fuzz

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
)

// FuzzSolvers runs every solver of the registry, with parameters and without, on sound
// tasks and on any: an error or a result, but no panic, no hang and no memory beyond
// what the task needs.
func FuzzSolvers(f *testing.F) {
	list := registry.All()
	addCalls(f, len(list), 20)
	path := filepath.Join(f.TempDir(), "file")
	values := []string{"true", "2", "1/3", "1e-300", "-1", "NaN", "1e308"}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		s := list[(int(in.byte())+int(in.byte())<<8)%len(list)]
		c := &caller{in: in, n: in.below(9), d: in.below(7), kept: map[reflect.Type][]reflect.Value{}, path: path}
		c.start(t)
		p := c.kept[reflect.TypeFor[*erm.Problem]()][0].Interface().(*erm.Problem)
		sound := &solvers.Task{Problem: solvers.Problem{X: p.X, Y: p.Y, Loss: p.Loss, Penalty: p.Penalty}, High: 0.5, N: 2}
		solvetest.Only(s.Accepts, sound, new(solvers.Settings))
		c.keep(reflect.ValueOf(sound))
		parameters := map[string]string{}
		if len(s.Parameters) > 0 && in.byte()%2 == 0 {
			parameters[s.Parameters[in.below(len(s.Parameters))].Name] = values[in.below(len(values))]
		}
		ready, err := s.New(parameters)
		if err == nil {
			c.call(t, ready.Text, reflect.ValueOf(ready.Solve), nil)
		}
	})
}

// addCalls adds count inputs for each of the calls of a list, with the call's number first.
func addCalls(f *testing.F, count int, seeds byte) {
	for k := range count {
		for seed := range seeds {
			b := []byte{byte(k), byte(k >> 8), 5 + seed, 3 + seed, seed}
			state := uint32(k)*2654435761 + uint32(seed) + 1
			for range 600 {
				state = state*1664525 + 1013904223
				b = append(b, byte(state>>24))
			}
			f.Add(b)
		}
	}
}
