package parquet

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// maxDecimal bounds the digits of a decimal number, and its bytes. Usual ones have 38 digits.
const maxDecimal = 256

// setType says how the values of a column become text, or why they cannot.
func (c *column) setType(e *format.SchemaElement) {
	if !e.Type.Valid {
		c.refused = "it has no type"
		return
	}
	if scale, ok := scaleOf(e); ok && (scale < 0 || scale > maxDecimal) {
		c.refused = fmt.Sprintf("its numbers have %d decimals", scale)
		return
	}
	c.physical = e.Type.V
	_, decimal := scaleOf(e)
	c.plain = decimal || c.physical != format.ByteArray && c.physical != format.FixedLenByteArray
	switch c.physical {
	case format.Boolean:
		c.width, c.text = 1, func(to, v []byte) []byte { return strconv.AppendBool(to, v[0] != 0) }
	case format.Int32:
		c.width = 4
		c.text = wholeText(c.physical, e)
	case format.Int64:
		c.width = 8
		c.text = wholeText(c.physical, e)
	case format.Int96:
		c.width, c.text = 12, int96Text
	case format.Float:
		c.width, c.text = 4, func(to, v []byte) []byte {
			return appendFloat(to, float64(math.Float32frombits(binary.LittleEndian.Uint32(v))), 32)
		}
	case format.Double:
		c.width, c.text = 8, func(to, v []byte) []byte {
			return appendFloat(to, math.Float64frombits(binary.LittleEndian.Uint64(v)), 64)
		}
	case format.ByteArray, format.FixedLenByteArray:
		c.text = func(to, v []byte) []byte { return append(to, v...) }
		if c.physical == format.FixedLenByteArray {
			if c.width = int(e.TypeLength.V); c.width <= 0 {
				c.refused = "its values have no length"
			}
		}
		c.setBytes(e)
	default:
		c.refused = "its type is " + c.physical.String()
	}
}

// setBytes says what the bytes of a column mean where they are no text.
func (c *column) setBytes(e *format.SchemaElement) {
	if scale, ok := scaleOf(e); ok {
		c.text = func(to, v []byte) []byte { return appendDecimal(to, bigEndian(v), scale) }
		c.most = maxDecimal
		return
	}
	switch e.LogicalType.Value.(type) {
	case *format.UUIDType:
		if c.width == 16 {
			c.text = uuidText
		}
	case *format.Float16Type:
		if c.width == 2 {
			c.plain = true
			c.text = func(to, v []byte) []byte { return appendFloat(to, half(binary.LittleEndian.Uint16(v)), 32) }
		}
	}
	if e.ConvertedType.Valid && e.ConvertedType.V == deprecated.Interval {
		c.refused = "it holds intervals of time"
	}
}

// scaleOf returns the number of decimals of a decimal number, and whether e is one.
func scaleOf(e *format.SchemaElement) (int, bool) {
	if t, ok := e.LogicalType.Value.(*format.DecimalType); ok {
		return int(t.Scale), true
	}
	return int(e.Scale.V), e.ConvertedType.Valid && e.ConvertedType.V == deprecated.Decimal
}

// wholeText returns how a whole number becomes text: it may be a date, a time or a decimal.
func wholeText(physical format.Type, e *format.SchemaElement) func(to, v []byte) []byte {
	number := func(v []byte) int64 { return int64(int32(binary.LittleEndian.Uint32(v))) }
	if physical == format.Int64 {
		number = func(v []byte) int64 { return int64(binary.LittleEndian.Uint64(v)) }
	}
	if scale, ok := scaleOf(e); ok {
		return func(to, v []byte) []byte { return appendDecimal(to, big.NewInt(number(v)), scale) }
	}
	unsigned, date, second, ofDay, utc := false, false, int64(0), false, false
	switch t := e.LogicalType.Value.(type) {
	case *format.IntType:
		unsigned = !t.IsSigned
	case *format.DateType:
		date = true
	case *format.TimeType:
		second, ofDay = unitOf(&t.Unit), true
	case *format.TimestampType:
		second, utc = unitOf(&t.Unit), t.IsAdjustedToUTC
	case nil:
		if e.ConvertedType.Valid {
			switch e.ConvertedType.V {
			case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
				unsigned = true
			case deprecated.Date:
				date = true
			case deprecated.TimeMillis:
				second, ofDay = 1e3, true
			case deprecated.TimeMicros:
				second, ofDay = 1e6, true
			case deprecated.TimestampMillis:
				second, utc = 1e3, true
			case deprecated.TimestampMicros:
				second, utc = 1e6, true
			}
		}
	}
	layout := "2006-01-02T15:04:05.999999999"
	switch {
	case date:
		layout, second = time.DateOnly, 1
		days := number
		number = func(v []byte) int64 { return days(v) * 86400 }
	case ofDay:
		layout = "15:04:05.999999999"
	case utc:
		layout += "Z07:00"
	}
	switch {
	case second > 0:
		return func(to, v []byte) []byte { return appendTime(to, number(v), second, layout) }
	case unsigned && physical == format.Int32:
		return func(to, v []byte) []byte {
			return strconv.AppendUint(to, uint64(binary.LittleEndian.Uint32(v)), 10)
		}
	case unsigned:
		return func(to, v []byte) []byte { return strconv.AppendUint(to, binary.LittleEndian.Uint64(v), 10) }
	}
	return func(to, v []byte) []byte { return strconv.AppendInt(to, number(v), 10) }
}

// unitOf returns the number of units in a second.
func unitOf(u *format.TimeUnit) int64 {
	switch u.Value.(type) {
	case *format.MilliSeconds:
		return 1e3
	case *format.MicroSeconds:
		return 1e6
	}
	return 1e9
}

// appendTime writes the time of v units since 1970; second is the number of units in a second.
func appendTime(to []byte, v, second int64, layout string) []byte {
	return time.Unix(v/second, v%second*(1e9/second)).UTC().AppendFormat(to, layout)
}

// int96Text writes a time as old versions of Spark, Hive and Impala have it: nanoseconds of the
// day and the Julian day.
func int96Text(to, v []byte) []byte {
	const epoch = 2440588 // Julian day of 1970-01-01
	day := int64(binary.LittleEndian.Uint32(v[8:]))
	nanoseconds := int64(binary.LittleEndian.Uint64(v))
	t := time.Unix((day-epoch)*86400+nanoseconds/1e9, nanoseconds%1e9).UTC()
	return t.AppendFormat(to, "2006-01-02T15:04:05.999999999")
}

// appendFloat writes the shortest decimal that stands for v among floats of this size.
func appendFloat(to []byte, v float64, size int) []byte {
	switch a := math.Abs(v); {
	case math.IsInf(v, 1):
		return append(to, "inf"...)
	case math.IsInf(v, -1):
		return append(to, "-inf"...)
	case a != 0 && (a < 1e-6 || a >= 1e21):
		return strconv.AppendFloat(to, v, 'e', -1, size)
	}
	return strconv.AppendFloat(to, v, 'f', -1, size)
}

// half returns the number that 16 bits of IEEE 754 stand for.
func half(b uint16) float64 {
	sign, exponent, fraction := 1.0, int(b>>10&31), float64(b&1023)
	if b>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// bigEndian returns the number that bytes stand for in two's complement.
func bigEndian(v []byte) *big.Int {
	n := new(big.Int).SetBytes(v)
	if len(v) > 0 && v[0] >= 128 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(v))))
	}
	return n
}

// appendDecimal writes n / 10^scale.
func appendDecimal(to []byte, n *big.Int, scale int) []byte {
	begin := len(to)
	to = n.Append(to, 10)
	if to[begin] == '-' {
		begin++
	}
	if scale <= 0 {
		return to
	}
	for len(to)-begin <= scale {
		to = slices.Insert(to, begin, '0')
	}
	return slices.Insert(to, len(to)-scale, '.')
}

func uuidText(to, v []byte) []byte {
	for k, end := range []int{4, 6, 8, 10, 16} {
		if k > 0 {
			to = append(to, '-')
		}
		to = hex.AppendEncode(to, v[[]int{0, 4, 6, 8, 10}[k]:end])
	}
	return to
}
