package main

import (
	_ "embed"
	"html/template"
)

//go:embed page.html
var pageText string

// pageTemplate is one file without any reference to another.
var pageTemplate = template.Must(template.New("page").Parse(pageText))
