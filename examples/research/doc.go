// Package research has the examples of docs/researchers.md: what a program brings to lanes.
package research
