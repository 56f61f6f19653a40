package content

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

func zipOf(names ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		file, _ := w.Create(name)
		file.Write([]byte("application/vnd.oasis.opendocument.text"))
	}
	w.Close()
	return b.String()
}

func tarOf(text string) string {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Name: "a.csv", Size: int64(len(text)), Mode: 0o600})
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

func utf16Of(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, c := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, c)
	}
	return string(b)
}

func utf32Of(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, c := range text {
		b = order.AppendUint32(b, uint32(c))
	}
	return string(b)
}

func TestOther(t *testing.T) {
	csv := "name,age\nAnna,3\n"
	for _, c := range []struct{ begin, want string }{
		{zipOf("[Content_Types].xml", "xl/workbook.xml"), "Excel"},
		{zipOf("a.csv"), "unzip"},
		{zipOf("data.npy"), ".npz"},
		{"PK\x03\x04mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "OpenDocument"},
		{tarOf(csv), "tar xf"},
		{utf16Of(binary.LittleEndian, csv), "UTF-16LE"},
		{utf16Of(binary.BigEndian, csv), "UTF-16BE"},
		{utf16Of(binary.LittleEndian, "\ufeff"+csv), "-f UTF-16LE "},
		{utf16Of(binary.BigEndian, "\ufeff"+csv), "-f UTF-16BE "},
		{utf32Of(binary.LittleEndian, csv), "UTF-32"},
		{utf32Of(binary.BigEndian, "\ufeff"+csv), "UTF-32"},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old Excel"},
		{"% a comment\n@RELATION x\n", "ARFF"},
		{"@relation x\n", "ARFF"},
		{"ARROW1\x00\x00", "Feather"},
		{"ORC\x11", "ORC"},
		{"Obj\x01\x04", "Avro"},
		{"\x80\x04\x95\x10\x00", "pickle"},
		{"RDX3\nX\n", "RData"},
		{"X\n\x00\x00\x00\x03", ".rds"},
		{"SQLite format 3\x00", "sqlite3"},
		{"<!DOCTYPE html><p>", "HTML"},
		{"\ufeff<?xml version='1.0'?>", "XML"},
		{" [\n [\"a\", 1]]", "JSON array"}, {" [\n {\"a\": 1}]", ""},
		{strings.Repeat("a\x01\x02b", 20), "binary"},
		{"", ""}, {csv, ""}, {"1 1:0.5\n", ""}, {"[name],[age]\n", ""}, {"PAR1", ""}, {"{\"a\": 1}", ""}, {"a,b\n1,\x00\n2,3\n1,2\n3,4\n", ""},
		{"ORC 1:1\n", ""}, {"ORC,age\n", ""}, {"a", ""}, {"\x00", ""}, {strings.Repeat("ä,ö\n", 100), ""}, {"%,share\n1,2\n", ""},
	} {
		got := Other([]byte(c.begin))
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%.30q: %q, want %q", c.begin, got, c.want)
		}
	}
}

func TestTable(t *testing.T) {
	for begin, want := range map[string]string{
		"a,b\n1,2\n": "CSV", "ham\tyou\n": "CSV", "1 1:0.5 7:1\n": "", "1,2 1:0.5\n": "", "-1 qid:3 2:5\n": "", "PAR1xx": "a Parquet file", "\ufeff {\"a\": 1}": "JSON lines", "[ {\"a\": 1}": "JSON lines", "{x},{y},z\n1,2,3\n": "CSV",
		"text": "", "": "", "\n\n1;2\n": "CSV", "1\t1:2\n": "",
		"1,5;u;02.01.2016 15:04;3\n": "CSV", "1;02.01.2016 15:04\n": "CSV", "1,02.01.2016 15:04\n": "CSV", "1,2016|x 15:04,3\n": "CSV", "a b:1;2\n": "CSV", "1 3:0.5 4:a,b\n": "CSV",
	} {
		if got := Table([]byte(begin)); got != want {
			t.Errorf("%q: %q, want %q", begin, got, want)
		}
	}
}
