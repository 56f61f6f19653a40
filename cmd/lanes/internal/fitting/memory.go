package fitting

import (
	"math"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
)

// ParseMemory reads a size as in 8GB, 500M or 2GiB, the value of a flag; "" is 0, for none.
func ParseMemory(flag, text string) (int64, error) {
	if text == "" {
		return 0, nil
	}
	number := strings.TrimRight(text, "BbIiKkMmGgTt ")
	unit := strings.ToLower(strings.TrimSpace(text[len(number):]))
	v, err := strconv.ParseFloat(number, 64)
	known := false
	for exponent, letter := range []string{"", "k", "m", "g", "t"} {
		base := 1000.0
		switch {
		case unit == letter || unit == letter+"b":
		case unit == letter+"ib" && letter != "":
			base = 1024
		default:
			continue
		}
		known = true
		for range exponent {
			v *= base
		}
	}
	if err != nil || !known || !(v >= 1 && v < math.MaxInt64) {
		return 0, console.BadFlag(flag, text, "give a size as in 8GB, 500MB or 2GiB")
	}
	return int64(v), nil
}
