package contest

import (
	"bytes"
	"os/exec"
	"testing"
)

// The memory of a child is not the memory that its parent had before.
func TestPeakIsOfTheChild(t *testing.T) {
	const most = 200 << 20
	if large := bytes.Repeat([]byte("x"), most); large[len(large)-1] != 'x' {
		t.Fatal("unused")
	}
	command := exec.Command("true")
	if _, _, err := Process(command); err != nil {
		t.Fatal(err)
	}
	if mb, known := PeakMB(command.ProcessState); !known || mb <= 0 || mb > most/2e6 {
		t.Errorf("%v MB, %t", mb, known)
	}
}
