package command

import (
	"encoding/binary"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/lanes-go/lanes/internal/testing/parquettest"
)

// TestNestedColumns: a list in a Parquet file is left out with a note, or without one if it is
// ignored by its name; predict prints the other columns. A model that needs a list is refused.
func TestNestedColumns(t *testing.T) {
	t.Chdir(t.TempDir())
	const rows = 40
	var x, y, tags []byte
	for i := range rows {
		x = binary.LittleEndian.AppendUint64(x, math.Float64bits(float64(i*7%10)))
		y = binary.LittleEndian.AppendUint64(y, uint64(i*7%10/5))
		tags = binary.LittleEndian.AppendUint64(tags, uint64(i))
	}
	page := func(data []byte) [][]parquettest.Page {
		return [][]parquettest.Page{{parquettest.Data(format.Plain, rows, nil, data)}}
	}
	list := parquettest.Flat("tags", format.Int64, false, nil)
	list.RepetitionType = thrift.New(format.Repeated)
	within := parquettest.Column{Schema: parquettest.Flat("x", format.Double, false, nil), Path: []string{"a", "x"}, Groups: page(x),
		Within: []format.SchemaElement{{Name: "a", RepetitionType: thrift.New(format.Required), NumChildren: thrift.New(int32(1))}}}
	file := parquettest.File([]int64{rows}, within, parquettest.Column{Schema: parquettest.Flat("y", format.Int64, false, nil), Groups: page(y)}, parquettest.Column{Schema: list, Groups: page(tags)})
	single := parquettest.File([]int64{rows}, parquettest.Column{Schema: parquettest.Flat("x", format.Double, false, nil), Groups: page(x)})
	for name, text := range map[string][]byte{"t.parquet": file, "one.parquet": single} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const said = "column tags: cells are arrays or objects"
	var weights string
	for flags, noted := range map[string]bool{"": true, " --ignore tags": false} {
		o := done(t, "train t.parquet --target y --json --model m"+flags)
		if strings.Contains(o.stderr, said) != noted {
			t.Errorf("train%s: %s", flags, o.stderr)
		}
		hash := object(t, o.out)["weights_sha256"].(string)
		if weights != "" && hash != weights {
			t.Errorf("train%s: other weights", flags)
		}
		weights = hash
		o = done(t, "predict m t.parquet")
		if list := readCSV(t, o.out); len(list) != rows+1 || strings.Join(list[0][:2], " ") != "a.x y" || !strings.Contains(o.stderr, said+": not printed") {
			t.Errorf("predict%s: %q, %s", flags, list[0], o.stderr)
		}
		done(t, "eval m t.parquet")
		if o := done(t, "info t.parquet --target y"+flags); !strings.Contains(o.out, "tags") || !strings.Contains(o.out, "a.x") {
			t.Errorf("info%s: %s", flags, o.out)
		}
	}
	if o := done(t, "info one.parquet"); !strings.Contains(o.out, "rows             40") {
		t.Errorf("info of one column: %s", o.out)
	}
	for _, line := range []string{"train t.parquet --target y --category tags", "predict m t.parquet --id tags"} {
		if o := inside(strings.Fields(line)...); o.status != exitData || !strings.Contains(o.stderr, `column "tags" cannot be read: it is repeated`) {
			t.Errorf("%s: %d, %s", line, o.status, o.stderr)
		}
	}
}
