package main

// chapter is a heading of the menu and the Markdown files below it.
type chapter struct {
	title string
	files []string
}

// contents is the menu, in order. Paths count from the root of the repository.
var contents = []chapter{
	{"Start", []string{"README.md", "docs/solvers.md", "docs/tables.md"}},
	{"Tutorials", []string{
		"docs/tutorials/first-table.md",
		"docs/tutorials/claims.md",
		"docs/tutorials/from-liblinear.md",
		"docs/tutorials/from-scikit-learn.md",
		"docs/tutorials/from-vw.md",
		"docs/tutorials/ranking.md",
		"docs/tutorials/portfolios.md",
		"docs/tutorials/past-memory.md",
		"docs/tutorials/processes.md",
		"docs/tutorials/service.md",
	}},
	{"Research", []string{"docs/researchers.md"}},
	{"Python and C", []string{"python/README.md"}},
	{"How it works", []string{"docs/certificates.md", "docs/architecture.md", "docs/scaling.md", "docs/vectors.md"}},
	{"Numbers", []string{"docs/bench.md", "bench/RESULTS.md", "docs/papers/README.md"}},
	{"Project", []string{"CONTRIBUTING.md", "CHANGELOG.md"}},
}
