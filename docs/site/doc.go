// Command site builds the documentation as a folder of plain pages from the Markdown files of the
// repository. It fails on a relative link whose page, file or heading does not exist.
package main
