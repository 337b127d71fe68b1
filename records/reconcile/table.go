package reconcile

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// entry is what memory holds of a record. All else is in the arenas.
type entry struct {
	hash     uint64 // of the id
	folded   int64  // where its folded values begin
	original int64  // where the record itself begins
	number   uint32 // of the record in all inputs, from 0
	lengths  [2]uint32
	input    uint8 // once the table is sealed
	alone    bool  // it has no id, or that of another record: it is compared with none
}

// table holds all records of a run. Once it is sealed, records are numbered by the hashes of their ids, so that
// nothing that follows depends on their order in the inputs.
type table struct {
	entries   []entry
	compared  int // so many entries, the first, are compared; the others are alone
	firsts    int // so many of these are of the first input, in the mode one-to-one
	inputs    []Input
	names     []string // of the fields, sorted once the table is sealed
	folded    arena
	originals arena

	index map[string]int
	piece []byte
	value strings.Builder
}

func newTable(temp string, memory int64) *table {
	return &table{
		folded: arena{temp: temp, limit: int(memory / 3)}, originals: arena{temp: temp, limit: int(memory / 8)},
		index: map[string]int{},
	}
}

// mostFields is how many fields are compared by themselves. The words of others count as those of a record.
const mostFields = 250

// add adds a record to the last input. Fields that skip says are not compared.
func (t *table) add(r *records.Record, id string, skip func(name string) bool) error {
	e := entry{hash: hashOf(id), number: uint32(len(t.entries)), alone: id == ""}
	b := t.piece[:0]
	for i := range r.Fields {
		f := &r.Fields[i]
		if skip(f.Name) {
			continue
		}
		t.value.Reset()
		appendText(&t.value, &f.Value)
		text := strings.TrimSpace(fold(t.value.String()))
		if text == "" {
			continue
		}
		at, known := t.index[f.Name]
		if !known {
			at = mostFields
			if len(t.names) < mostFields {
				at = len(t.names)
				t.names = append(t.names, strings.Clone(f.Name))
				t.index[t.names[at]] = at
			}
		}
		b = appendString(binary.AppendUvarint(b, uint64(at)), text)
	}
	t.piece = b
	var err error
	if e.folded, err = t.folded.add(b); err != nil {
		return err
	}
	e.lengths[0] = uint32(len(b))
	b = appendRecord(appendString(b[:0], id), r)
	t.piece = b
	if e.original, err = t.originals.add(b); err != nil {
		return err
	}
	e.lengths[1] = uint32(len(b))
	t.entries = append(t.entries, e)
	return nil
}

// appendText appends the texts of a value, apart by spaces.
func appendText(to *strings.Builder, v *records.Value) {
	switch v.Kind {
	case records.Text, records.Number, records.Bool:
		if to.Len() > 0 {
			to.WriteByte(' ')
		}
		to.WriteString(v.Text)
	}
	for i := range v.Items {
		appendText(to, &v.Items[i])
	}
	for i := range v.Fields {
		appendText(to, &v.Fields[i].Value)
	}
}

// seal numbers the records. Those of the first input come first if apart says so. It tells of records that have no
// id, or that of another.
func (t *table) seal(apart bool, tell func(fault.Notice)) error {
	if err := t.folded.seal(); err != nil {
		return err
	}
	if err := t.originals.seal(); err != nil {
		return err
	}
	for i := range t.entries {
		e := &t.entries[i]
		for int(e.input)+1 < len(t.inputs) && uint32(t.inputs[e.input+1].From) <= e.number {
			e.input++
		}
	}
	if err := t.findTwins(apart, tell); err != nil {
		return err
	}
	for i := range t.entries {
		if t.entries[i].alone {
			break
		}
		t.compared++
		if t.entries[i].input == 0 {
			t.firsts++
		}
	}
	return nil
}

// order sorts the entries: those that are compared, by input if apart, then by id.
func (t *table) order(apart bool) error {
	var failed error
	var buffers [2][]byte
	id := func(e *entry, i int) string {
		b, err := t.originals.at(e.original, int(e.lengths[1]), &buffers[i])
		if err != nil {
			failed = err
			return ""
		}
		s, _ := readString(b)
		return s
	}
	slices.SortFunc(t.entries, func(a, b entry) int {
		flag := func(b bool) int {
			if b {
				return 1
			}
			return 0
		}
		c := cmp.Compare(flag(a.alone), flag(b.alone))
		if c == 0 && apart {
			c = cmp.Compare(a.input, b.input)
		}
		if c == 0 {
			c = cmp.Compare(a.hash, b.hash)
		}
		if c == 0 && !a.alone {
			c = strings.Compare(id(&a, 0), id(&b, 1))
		}
		if c == 0 {
			c = cmp.Compare(a.number, b.number)
		}
		return c
	})
	return failed
}

// findTwins sorts the entries, and sets those apart that have no id, or one that another of their input has.
func (t *table) findTwins(apart bool, tell func(fault.Notice)) error {
	if err := t.order(apart); err != nil {
		return err
	}
	found := false
	for i := range t.entries {
		e := &t.entries[i]
		if e.alone {
			r, _, err := t.record(e)
			if err != nil {
				return err
			}
			found = true
			tell(fault.Notice{Code: fault.ReconcileNoID, Severity: fault.Warning,
				Message: place(r) + ": the record has no id; it is written as it is, and compared with none"})
			continue
		}
		if i == 0 || e.hash != t.entries[i-1].hash || e.input != t.entries[i-1].input {
			continue
		}
		first := &t.entries[i-1]
		r, id, err := t.record(e)
		if err != nil {
			return err
		}
		before, otherID, err := t.record(first)
		if err != nil {
			return err
		}
		if id != otherID {
			continue
		}
		found = true
		tell(fault.Notice{Code: fault.ReconcileSameID, Severity: fault.Warning, Message: fmt.Sprintf(
			"%s: the record has the id %q, as the one of %s; both are written as they are, and compared with none", place(r), id,
			place(before))})
		first.alone, e.alone = true, true
	}
	if !found {
		return nil
	}
	return t.order(apart)
}

// place names where a record is. Findings about records that were read before are those of no document.
func place(r *records.Record) string {
	if r.Pos.Line == 0 {
		return r.Document
	}
	return fmt.Sprintf("%s:%d:%d", r.Document, r.Pos.Line, max(r.Pos.Column, 1))
}

// record reads the record of an entry as it was added, and its id.
func (t *table) record(e *entry) (*records.Record, string, error) {
	var buffer []byte
	b, err := t.originals.at(e.original, int(e.lengths[1]), &buffer)
	if err != nil {
		return nil, "", err
	}
	id, b := readString(b)
	return readRecord(b), strings.Clone(id), nil
}

// nameOf is the name of a field; empty for one that no record has.
func (t *table) nameOf(field int) string {
	if field >= len(t.names) {
		return ""
	}
	return t.names[field]
}

// id reads the id of an entry.
func (t *table) id(e *entry) (string, error) {
	var buffer []byte
	b, err := t.originals.at(e.original, int(e.lengths[1]), &buffer)
	if err != nil {
		return "", err
	}
	id, _ := readString(b)
	return strings.Clone(id), nil
}

// values calls each with the field and the folded text of each value of a record, in the order of the record. The
// texts are valid until buffer is used again.
func (t *table) values(n uint32, buffer *[]byte, each func(field int, text string)) error {
	e := &t.entries[n]
	b, err := t.folded.at(e.folded, int(e.lengths[0]), buffer)
	if err != nil {
		return err
	}
	for len(b) > 0 {
		at, size := binary.Uvarint(b)
		var text string
		text, b = readString(b[size:])
		each(int(at), text)
	}
	return nil
}

func (t *table) close() {
	t.folded.close()
	t.originals.close()
}
