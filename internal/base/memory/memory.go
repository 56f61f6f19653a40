// Package memory tells how much memory the process has taken and may still take. A program can
// then refuse work that cannot fit with a reason, before it ends in the runtime's stack trace.
package memory

import "fmt"

// Available returns about how many bytes the process may still take, and whether that is known.
// It counts the machine's free memory and the limits of the process and its group.
func Available() (bytes int64, known bool) {
	r, _, known := latest.ask()
	return r.pieces, known
}

// Peak returns the largest resident size of the process so far in bytes, nil where the
// system does not tell.
func Peak() *int64 { return peak() }

// mostOf32Bits is the largest heap in a 32-bit address space.
const mostOf32Bits = 1 << 31

// Text writes a size for people, rounded up.
func Text(bytes int64) string {
	const gigabyte, megabyte, kilobyte = 1e9, 1e6, 1e3
	switch {
	case bytes >= 10*gigabyte:
		return fmt.Sprintf("%d GB", (bytes+gigabyte-1)/gigabyte)
	case bytes >= gigabyte:
		return fmt.Sprintf("%.1f GB", float64((bytes+gigabyte/10-1)/(gigabyte/10))/10)
	case bytes >= megabyte:
		return fmt.Sprintf("%d MB", (bytes+megabyte-1)/megabyte)
	}
	return fmt.Sprintf("%d KB", (bytes+kilobyte-1)/kilobyte)
}
