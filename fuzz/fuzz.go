// Package fuzz holds the fuzz targets over the public face of every package and
// over every CPU path of every kernel; testdata/fuzz holds their seed corpora.
//
// Run one with
//
//	go test ./fuzz -run '^$' -fuzz FuzzRows
//
// or all of them with make fuzz.
package fuzz
