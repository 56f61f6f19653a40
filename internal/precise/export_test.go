package precise

// MinimiseIn is Minimise in numbers of so many bits.
var MinimiseIn = minimise
