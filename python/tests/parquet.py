"""Writes Parquet files for tests: required columns of doubles and of texts, in plain encoding."""

import struct

DOUBLE, BYTES = 5, 6


def _varint(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out + bytes([n]))


def _value(v):
    """The type and the bytes of a value in Thrift's compact protocol; an int has 64 bits."""
    if isinstance(v, bytes):
        return 8, _varint(len(v)) + v
    if isinstance(v, list):
        kind, items = _value(v[0])[0], b"".join(_value(item)[1] for item in v)
        return 9, (bytes([len(v) << 4 | kind]) if len(v) < 15 else bytes([0xF0 | kind]) + _varint(len(v))) + items
    if isinstance(v, dict):
        out, last = b"", 0
        for field, item in v.items():
            wide = not isinstance(item, tuple)
            kind, data = _value(item if wide else item[0])
            out, last = out + bytes([(field - last) << 4 | (kind if wide else 5)]) + data, field
        return 12, out + b"\0"
    return 6, _varint(v << 1)


def _i32(v):
    return (v,)


def write(path, frame):
    """Writes the columns of a frame: numbers as doubles, other values as texts."""
    out, chunks, n = bytearray(b"PAR1"), [], len(frame)
    schema = [{4: b"schema", 5: _i32(len(frame.columns))}]
    for name in frame.columns:
        number = frame[name].dtype.kind in "if"
        data = frame[name].to_numpy("<f8").tobytes() if number else b"".join(struct.pack("<I", len(v)) + v for v in (str(v).encode() for v in frame[name]))
        kind = DOUBLE if number else BYTES
        page = _value({1: _i32(0), 2: _i32(len(data)), 3: _i32(len(data)), 5: {1: _i32(n), 2: _i32(0), 3: _i32(3), 4: _i32(3)}})[1] + data
        schema.append({1: _i32(kind), 3: _i32(0), 4: name.encode()} if number else {1: _i32(kind), 3: _i32(0), 4: name.encode(), 6: _i32(0)})
        about = {1: _i32(kind), 2: [0], 3: [name.encode()], 4: _i32(0), 5: n, 6: len(page), 7: len(page), 9: len(out)}
        chunks.append({2: len(out), 3: about})
        out += page
    footer = _value({1: _i32(1), 2: schema, 3: n, 4: [{1: chunks, 2: len(out), 3: n}]})[1]
    with open(path, "wb") as file:
        file.write(out + footer + struct.pack("<I", len(footer)) + b"PAR1")
