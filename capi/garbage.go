package main

// reserve is memory that counts as in use, and whose pages nobody touches: garbage is collected once
// the heap takes twice as much. Arrays of callers are borrowed, so that little else is in use, and the
// collector would run, and give back pages that the next call needs, several times in a short fit.
var reserve = make([]byte, 32<<20)
