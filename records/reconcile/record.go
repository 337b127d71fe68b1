package reconcile

import (
	"encoding/binary"
	"unsafe"

	"laundromat/internal/fault"
	"laundromat/records"
)

// Records are held as bytes: numbers as varints, texts after their lengths.

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// readString reads a text that shares the bytes.
func readString(b []byte) (string, []byte) {
	n, size := binary.Uvarint(b)
	b = b[size:]
	return unsafe.String(unsafe.SliceData(b), int(n)), b[n:]
}

func appendValue(dst []byte, v *records.Value) []byte {
	dst = append(dst, byte(v.Kind))
	switch v.Kind {
	case records.Text, records.Number, records.Bool:
		dst = appendString(dst, v.Text)
	case records.List:
		dst = binary.AppendUvarint(dst, uint64(len(v.Items)))
		for i := range v.Items {
			dst = appendValue(dst, &v.Items[i])
		}
	case records.Object:
		dst = appendFields(dst, v.Fields)
	}
	return dst
}

func appendFields(dst []byte, fields []records.Field) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(fields)))
	for i := range fields {
		f := &fields[i]
		several := byte(0)
		if f.Several {
			several = 1
		}
		dst = appendPos(append(appendString(appendString(dst, f.Name), f.Element), several), f.Pos)
		dst = appendValue(dst, &f.Value)
	}
	return dst
}

func appendPos(dst []byte, p fault.Pos) []byte {
	return binary.AppendVarint(binary.AppendVarint(binary.AppendVarint(dst, p.Line), p.Column), p.Offset)
}

func appendRecord(dst []byte, r *records.Record) []byte {
	dst = appendString(appendString(appendString(dst, r.Document), r.Table), r.Element)
	repaired := byte(0)
	if r.Repaired {
		repaired = 1
	}
	dst = appendFields(appendPos(append(dst, repaired), r.Pos), r.Fields)
	dst = binary.AppendUvarint(dst, uint64(len(r.Was)))
	for i := range r.Was {
		dst = appendString(appendString(dst, r.Was[i].Field), r.Was[i].Rule)
		dst = appendValue(dst, &r.Was[i].Value)
	}
	return dst
}

// reading reads what was held. Its texts are copies.
type reading struct{ b []byte }

func (r *reading) count() int {
	n, size := binary.Uvarint(r.b)
	r.b = r.b[size:]
	return int(n)
}

func (r *reading) text() string {
	n := r.count()
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reading) byte() byte {
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reading) pos() (p fault.Pos) {
	for _, to := range [...]*int64{&p.Line, &p.Column, &p.Offset} {
		n, size := binary.Varint(r.b)
		*to, r.b = n, r.b[size:]
	}
	return p
}

func (r *reading) value() records.Value {
	v := records.Value{Kind: records.Kind(r.byte())}
	switch v.Kind {
	case records.Text, records.Number, records.Bool:
		v.Text = r.text()
	case records.List:
		v.Items = make([]records.Value, r.count())
		for i := range v.Items {
			v.Items[i] = r.value()
		}
	case records.Object:
		v.Fields = r.fields()
	}
	return v
}

func (r *reading) fields() []records.Field {
	fields := make([]records.Field, r.count())
	for i := range fields {
		f := &fields[i]
		f.Name, f.Element, f.Several = r.text(), r.text(), r.byte() == 1
		f.Pos, f.Value = r.pos(), r.value()
	}
	return fields
}

func readRecord(b []byte) *records.Record {
	in := reading{b}
	r := &records.Record{Document: in.text(), Table: in.text(), Element: in.text(), Repaired: in.byte() == 1}
	r.Pos = in.pos()
	r.Fields = in.fields()
	if n := in.count(); n > 0 {
		r.Was = make([]records.Original, n)
		for i := range r.Was {
			r.Was[i] = records.Original{Field: in.text(), Rule: in.text()}
			r.Was[i].Value = in.value()
		}
	}
	return r
}
