// Command wanted compares what lanes train --for chooses with every single way to train, on
// rows that neither has seen. With -two-way it measures the two-way partial AUC of ways to train
// for it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	folder := flag.String("data", os.Getenv("LANES_DATA"), "folder of the data sets (default $LANES_DATA, else ../shared/data)")
	names := flag.String("sets", "", "data sets whose names have one of these in them, parted by commas (default all)")
	goals := flag.String("for", "ap auc pauc:0,0.05 logloss", "metrics")
	inside := flag.Bool("inside", false, "hold out every third training row of either class, and leave test sets alone, whose rows may be of another kind")
	every := flag.Bool("every", false, "print every way that was tried")
	both := flag.Bool("two-way", false, "compare ways to train for the two-way partial AUC instead, on data sets with test rows of their own")
	flag.Parse()
	if *folder == "" {
		*folder = filepath.Join("..", "shared", "data")
	}
	c := &comparison{goals: strings.Fields(*goals), every: *every}
	var measured [][]string
	for k := range sources {
		o := &sources[k]
		if *names != "" && !anyIn(o.name, strings.Split(*names, ",")) {
			continue
		}
		if *both && o.test == "" {
			continue
		}
		if *inside {
			o.test = ""
		}
		s, err := o.load(*folder)
		if err != nil {
			fmt.Printf("%s is left out: %v\n", o.name, err)
			continue
		}
		if *both {
			rows, err := twoWay(s)
			if err != nil {
				fmt.Fprintf(os.Stderr, "%s: %v\n", o.name, err)
				os.Exit(1)
			}
			measured = append(measured, rows...)
			continue
		}
		for _, goal := range c.goals {
			if err := c.run(s, goal); err != nil {
				fmt.Fprintf(os.Stderr, "%s, %s: %v\n", o.name, goal, err)
				os.Exit(1)
			}
		}
	}
	if *both {
		printTwoWay(measured)
	} else {
		c.print()
	}
}

func anyIn(name string, list []string) bool {
	for _, part := range list {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
