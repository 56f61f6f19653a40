// Command ap compares the solvers of average precision with logistic regression, and in
// speed with plain Go.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"
)

func main() {
	folder := flag.String("data", os.Getenv("LANES_DATA"), "folder of the data sets (default $LANES_DATA, else ../shared/data)")
	part := flag.String("part", "defaults,speed", "parts to run")
	names := flag.String("sets", "mushrooms,a9a,w8a,ijcnn1,dorothea", "data sets")
	seeds := flag.Int("seeds", 5, "runs of each method")
	only := flag.String("only", "", "one method")
	set := flag.String("set", "", "parameters of every method, as in \"positives=20 negatives=20\"")
	flag.Parse()
	if *folder == "" {
		*folder = "../shared/data"
	}
	var sets []*split
	for _, name := range strings.Split(*names, ",") {
		s, err := load(*folder, name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Printf("- %s: %d training rows, %.2f %% positive; %d test rows\n", s.name, len(s.y), 100*s.positiveShare, len(s.testY))
		sets = append(sets, s)
	}
	parameters := map[string]string{}
	for _, s := range strings.Fields(*set) {
		name, value, _ := strings.Cut(s, "=")
		parameters[name] = value
	}
	for _, p := range strings.Split(*part, ",") {
		begun := time.Now()
		fmt.Println()
		switch p {
		case "defaults":
			defaults(sets, *seeds, *only, parameters)
		case "speed":
			speed(*folder, min(3, *seeds))
		default:
			fmt.Fprintf(os.Stderr, "there is no part %q\n", p)
			os.Exit(2)
		}
		fmt.Fprintf(os.Stderr, "ap: %s took %.0f s\n", p, time.Since(begun).Seconds())
	}
}
