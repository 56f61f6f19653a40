package contest

import (
	"os/exec"
	"syscall"
	"testing"
)

// The memory of a child is not the memory that its parent had before.
func TestPeakIsOfTheChild(t *testing.T) {
	const most = 200 << 20
	// Not memory of Go's heap, for which the race detector keeps a copy of its own.
	large, err := syscall.Mmap(-1, 0, most, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_POPULATE)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Munmap(large); err != nil {
		t.Fatal(err)
	}
	command := exec.Command("true")
	if _, _, err := Process(command); err != nil {
		t.Fatal(err)
	}
	if mb, known := PeakMB(command.ProcessState); !known || mb <= 0 || mb > most/2e6 {
		t.Errorf("%v MB, %t", mb, known)
	}
}
