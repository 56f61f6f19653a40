package returns_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/lanes-go/lanes/returns"
)

// A table in percent, of which fractions are wanted; -99.99 is a missing value.
func ExampleRead() {
	text := `Average Value Weighted Returns -- Monthly
        Food   Beer   Smoke
192607   1.5   -5.0    2.0
192608   3.0   -99.99  6.5
192609   1.0    4.0    0.5
`
	table, err := returns.Read(context.Background(), strings.NewReader(text), "example", returns.Options{Fraction: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(table.Assets, table.Periods, "periods")
	for i, date := range table.Dates {
		fmt.Println(date, table.Rows(i, i+1))
	}
	// Output:
	// [Food Beer Smoke] 2 periods
	// 192607 [0.015 -0.05 0.02]
	// 192609 [0.01 0.04 0.005]
}
