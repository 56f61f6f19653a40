package main

import (
	"flag"
	"fmt"
	"log"
	"os"
)

func main() {
	log.SetFlags(0)
	root := flag.String("root", "../..", "folder of the repository")
	out := flag.String("out", "", "folder to write; without it, links are checked and nothing is written")
	lanes := flag.String("lanes", "", "the command, whose help becomes pages; without it, there are no such pages")
	flag.Parse()
	if err := build(*root, *out, *lanes); err != nil {
		log.Fatal(err)
	}
}

// build reads the pages of contents below root, checks their links, and writes the site to out.
func build(root, out, lanes string) error {
	s := &site{root: root}
	for _, c := range contents {
		if err := s.add(c); err != nil {
			return err
		}
	}
	if lanes != "" {
		if err := s.addHelp(lanes); err != nil {
			return err
		}
	}
	if wrong := s.check(); len(wrong) > 0 {
		for _, w := range wrong {
			fmt.Fprintln(os.Stderr, w)
		}
		return fmt.Errorf("%d broken links", len(wrong))
	}
	if out == "" {
		fmt.Printf("%d pages, all relative links resolve\n", len(s.pages))
		return nil
	}
	if err := s.write(out); err != nil {
		return err
	}
	fmt.Printf("%d pages in %s; open %s/index.html\n", len(s.pages), out, out)
	return nil
}
