// Package content says what a file is by its beginning, for errors of those who read something
// else.
package content

import (
	"bytes"
	"strings"
)

// kind is a kind of file that lanes does not read.
type kind struct {
	magic string // the first bytes
	what  string
	do    string // how to make something of it that lanes reads
}

const (
	office = "save the sheet as CSV: libreoffice --headless --convert-to csv FILE"
	image  = "lanes reads tables and text"
)

// kinds are told by their first bytes.
var kinds = []kind{
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Excel workbook (.xls) or another Office document", office},
	{"ARROW1\x00\x00", "an Arrow or Feather file", viaPandas("feather")},
	{"FEA1\x00", "a Feather file", viaPandas("feather")},
	{"\xff\xff\xff\xff\x10", "a stream of Arrow", "write it as Parquet"},
	{"Obj\x01", "an Avro file", "write it as JSON lines: avro-tools tojson FILE > FILE.jsonl"},
	{"\x89HDF\r\n\x1a\n", "an HDF5 file", viaPandas("hdf")},
	{"SQLite format 3\x00", "an SQLite database", "write a table of it as CSV: sqlite3 -header -csv FILE \"SELECT * FROM TABLE\" > FILE.csv"},
	{"RDX2\n", "an R workspace (.RData)", "write a table of it as CSV: Rscript -e 'write.csv(get(load(\"FILE\")), \"FILE.csv\", row.names=FALSE)'"},
	{"RDX3\n", "an R workspace (.RData)", "write a table of it as CSV: Rscript -e 'write.csv(get(load(\"FILE\")), \"FILE.csv\", row.names=FALSE)'"},
	{"X\n\x00\x00\x00", "an R object (.rds)", "write it as CSV: Rscript -e 'write.csv(readRDS(\"FILE\"), \"FILE.csv\", row.names=FALSE)'"},
	{"\x93NUMPY", "an array of NumPy (.npy)", "write it as CSV: python3 -c \"import numpy; numpy.savetxt('FILE.csv', numpy.load('FILE'), delimiter=',', fmt='%.17g')\""},
	{"<stata_dta>", "a Stata file", viaPandas("stata")},
	{"$FL2", "an SPSS file", viaPandas("spss")},
	{"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60", "a SAS file", viaPandas("sas")},
	{"%PDF-", "a PDF document", "take the table out of it: tabula FILE -o FILE.csv"},
	{"\x89PNG\r\n\x1a\n", "an image (PNG)", image},
	{"\xff\xd8\xff", "an image (JPEG)", image},
	{"GIF8", "an image (GIF)", image},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive", "unpack it: 7z x FILE"},
	{"Rar!\x1a\x07", "a rar archive", "unpack it: unrar x FILE"},
	{"\x04\x22\x4d\x18", "compressed by lz4", "unpack it: lz4 -d FILE"},
	{"LZIP\x01", "compressed by lzip", "unpack it: lzip -d FILE"},
	{"\x1f\x9d", "compressed by compress", "unpack it: uncompress FILE"},
	{"\xff\x06\x00\x00sNaPpY", "compressed by snappy", "unpack it first"},
	{"\x7fELF", "a program", "lanes reads tables and text"},
}

func viaPandas(format string) string {
	return "write it as CSV: python3 -c \"import pandas; pandas.read_" + format + "('FILE').to_csv('FILE.csv', index=False)\""
}

func viaIconv(encoding string) string {
	return "write it as UTF-8: iconv -f " + encoding + " -t UTF-8 FILE > FILE.csv"
}

// Packed returns the compression of a file that begins like this: gzip, bzip2, xz, zstd, or "" for
// others.
func Packed(begin []byte) string {
	switch {
	case begins(begin, "\x1f\x8b"):
		return "gzip"
	case begins(begin, "BZh"):
		return "bzip2"
	case begins(begin, "\xfd7zXZ\x00"):
		return "xz"
	case begins(begin, "\x28\xb5\x2f\xfd"), len(begin) >= 4 && begin[0]&0xf0 == 0x50 && string(begin[1:4]) == "\x2a\x4d\x18":
		return "zstd"
	}
	return ""
}

// Other says what begins like this and how to make something of it that lanes reads, as "it is an
// SQLite database: write ...". It returns "" for text, for Parquet, and for what Packed knows. 4 KiB
// of the beginning tell all.
func Other(begin []byte) string {
	k := other(begin)
	if k.what == "" {
		return ""
	}
	return "it is " + k.what + ": " + k.do
}

func other(b []byte) kind {
	for _, k := range kinds {
		if bytes.HasPrefix(b, []byte(k.magic)) {
			return k
		}
	}
	switch {
	case bytes.HasPrefix(b, []byte("PK\x03\x04")), bytes.HasPrefix(b, []byte("PK\x05\x06")):
		return zipped(b)
	case bytes.HasPrefix(b, []byte("ORC")) && len(b) > 3 && (b[3] > '~' || manyControls(b[3:4])):
		return kind{what: "an ORC file", do: viaPandas("orc")}
	case len(b) > 2 && b[0] == 0x80 && b[1] >= 2 && b[1] <= 5 && (b[2] == 0x95 || b[1] < 4):
		return kind{what: "a pickle of Python", do: viaPandas("pickle")}
	case len(b) > 262 && string(b[257:262]) == "ustar":
		return kind{what: "a tar archive", do: "unpack it: tar xf FILE"}
	case len(b) > 3 && (string(b[:4]) == "\xff\xfe\x00\x00" || string(b[:4]) == "\x00\x00\xfe\xff"), zeros(b, 4) == 3:
		return kind{what: "text in UTF-32", do: viaIconv("UTF-32")}
	case UTF16(b) != "":
		return kind{what: "text in UTF-16", do: viaIconv(UTF16(b))}
	}
	text := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(b[:min(len(b), 512)], []byte("\ufeff")), " \t\r\n"))
	switch {
	case begins(text, "<!doctype html", "<html"):
		return kind{what: "a web page (HTML)", do: "write a table of it as CSV: python3 -c \"import pandas; pandas.read_html('FILE')[0].to_csv('FILE.csv', index=False)\""}
	case begins(text, "<?xml"):
		return kind{what: "XML", do: viaPandas("xml")}
	case begins(text, "@relation ", "@relation\t"), begins(text, "%") && bytes.Contains(bytes.ToLower(b), []byte("\n@relation")):
		return kind{what: "an ARFF file", do: "the lines after @data are CSV without a header: sed '1,/^@data/Id' FILE > FILE.csv"}
	case isArray(text):
		return kind{what: "a JSON array", do: "write a line for each row, an object each"}
	case len(b) >= 64 && manyControls(b[:min(len(b), 512)]):
		return kind{what: "binary, of a format that is not known here", do: "write it as CSV, Parquet or JSON lines"}
	}
	return kind{}
}

// UTF16 returns UTF-16LE or UTF-16BE for text that begins like this, by its byte-order mark or by
// zeros in every second byte; "" for other files.
func UTF16(begin []byte) string {
	switch {
	case begins(begin, "\xff\xfe\x00\x00"):
		return ""
	case begins(begin, "\xff\xfe"):
		return "UTF-16LE"
	case begins(begin, "\xfe\xff"):
		return "UTF-16BE"
	case zeros(begin, 2) != 1:
		return ""
	case begin[0] == 0:
		return "UTF-16BE"
	}
	return "UTF-16LE"
}

func begins(text []byte, with ...string) bool {
	for _, s := range with {
		if bytes.HasPrefix(text, []byte(s)) {
			return true
		}
	}
	return false
}

// zipped tells the kinds of zip files by the names in them.
func zipped(b []byte) kind {
	switch {
	case bytes.Contains(b, []byte("xl/")):
		return kind{what: "an Excel workbook (.xlsx)", do: office}
	case bytes.Contains(b, []byte("opendocument.spreadsheet")):
		return kind{what: "an OpenDocument sheet (.ods)", do: office}
	case bytes.Contains(b, []byte(".npy")):
		return kind{what: "a zip file of NumPy arrays (.npz)", do: "if it is a sparse matrix, leave --target out (in Go: sparse.ReadFile)"}
	}
	return kind{what: "a zip file", do: "unpack it: unzip FILE"}
}

// zeros returns how many bytes of each unit of the first 64 are always 0, if one of each is never.
func zeros(b []byte, unit int) int {
	b = b[:min(len(b), 64)]
	if len(b) < 2*unit {
		return 0
	}
	always, never := 0, 0
	for k := range unit {
		n, all := 0, 0
		for i := k; i < len(b); i += unit {
			if all++; b[i] == 0 {
				n++
			}
		}
		switch n {
		case all:
			always++
		case 0:
			never++
		}
	}
	if never != 1 {
		return 0
	}
	return always
}

// isObject tells whether text begins with a JSON object.
func isObject(text []byte) bool {
	if !begins(text, "{") {
		return false
	}
	text = bytes.TrimLeft(text[1:], " \t\r\n")
	return len(text) == 0 || strings.IndexByte("\"'}", text[0]) >= 0
}

// isArray tells whether text begins with a JSON array of arrays, strings or numbers.
func isArray(text []byte) bool {
	if !begins(text, "[") {
		return false
	}
	text = bytes.TrimLeft(text[1:], " \t\r\n")
	return len(text) == 0 || strings.IndexByte("[\"]-0123456789", text[0]) >= 0
}

// manyControls tells whether more than a tenth of b are control characters that text does not
// have.
func manyControls(b []byte) bool {
	n := 0
	for _, c := range b {
		if c < '\t' || c > '\r' && c < ' ' && c != 0x1b {
			n++
		}
	}
	return n > len(b)/10
}

// The kinds of tables.
const (
	Parquet   = "a Parquet file"
	JSONLines = "JSON lines"
	CSV       = "CSV"
)

// Table says which kind of table begins like this: Parquet, JSONLines, CSV, or "" for what looks
// like no table. Text of LIBSVM is no table.
func Table(begin []byte) string {
	begin = bytes.TrimPrefix(begin, []byte("\ufeff"))
	text := bytes.TrimLeft(begin, " \t\r\n")
	switch {
	case begins(begin, "PAR1", "PARE"):
		return Parquet
	case isObject(text), begins(text, "[") && isObject(bytes.TrimLeft(text[1:], " \t\r\n")):
		return JSONLines
	}
	if line, _, _ := bytes.Cut(text, []byte("\n")); bytes.ContainsAny(line, ",;\t|") && !LIBSVM(begin) {
		return CSV
	}
	return ""
}

// LIBSVM tells whether the first line that is not empty looks like LIBSVM text: a label, then
// pairs of an index and a value.
func LIBSVM(begin []byte) bool {
	for line := range bytes.Lines(begin) {
		fields := bytes.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if label, last, _ := bytes.Cut(fields[0], []byte(",")); bytes.ContainsAny(label, ";|") || bytes.ContainsAny(last, ".;|") {
			return false // cells of CSV, and the time of a day
		}
		for _, field := range fields[1:] {
			index, value, found := bytes.Cut(field, []byte(":"))
			if !found || len(index) == 0 || len(bytes.Trim(index, "0123456789")) > 0 && string(index) != "qid" || bytes.ContainsAny(value, ",;|") {
				return false
			}
		}
		return len(fields) > 1
	}
	return false
}
