package fuzz

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/lanes-go/lanes/asm"
)

// counted is the portable table, whose kernels remember that they were called; eachPath
// gives it to every target that takes kernels from a table.
var counted, neverCalled = countCalls()

func countCalls() (*asm.Table, *sync.Map) {
	table, never := *asm.Generic, new(sync.Map)
	table.Path = "counted"
	var wrap func(v reflect.Value, name string)
	wrap = func(v reflect.Value, name string) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				wrap(v.Field(i), name+"."+v.Type().Field(i).Name)
			}
		case reflect.Array:
			for i := range v.Len() {
				wrap(v.Index(i), fmt.Sprintf("%s[%d]", name, i))
			}
		case reflect.Func:
			never.Store(name, true)
			kernel := reflect.ValueOf(v.Interface())
			v.Set(reflect.MakeFunc(v.Type(), func(arguments []reflect.Value) []reflect.Value {
				never.Delete(name)
				return kernel.Call(arguments)
			}))
		}
	}
	wrap(reflect.ValueOf(&table).Elem(), "")
	return &table, never
}

// TestMain fails after a run of all targets if there is a kernel that none of them calls.
func TestMain(m *testing.M) {
	status := m.Run()
	if whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").Value.String() == ""; whole && !fuzzing() && status == 0 {
		var names []string
		neverCalled.Range(func(name, _ any) bool { names = append(names, name.(string)); return true })
		if slices.Sort(names); len(names) > 0 {
			fmt.Printf("no target compares the kernels %v of the paths\nFAIL\n", names)
			status = 1
		}
	}
	os.Exit(status)
}

// fuzzing tells whether this looks for new inputs, and not only runs the kept ones.
func fuzzing() bool {
	worker := flag.Lookup("test.fuzzworker")
	return flag.Lookup("test.fuzz").Value.String() != "" || worker != nil && worker.Value.String() == "true" ||
		flag.Lookup("test.list").Value.String() != ""
}
