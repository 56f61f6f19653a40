package engine

// Evaluations is the number of evaluations of a run with a schedule of its own.
const Evaluations = 8
