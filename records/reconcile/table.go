package reconcile

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

// entry is a record while the table is being sealed.
type entry struct {
	hash   uint64 // of its id
	number uint32 // in all inputs, from 0
	input  uint16
	alone  bool // it has no id, or that of another record: it is compared with none
}

// table holds all records of a run. Once it is sealed, records are numbered by the hashes of their ids, so that
// nothing that follows depends on their order in the inputs; these are the numbers that all else uses.
type table struct {
	hashes   []uint64        // of the ids, in the order of the inputs until the table is sealed
	numbers  []uint32        // of each record, its number in all inputs, once the table is sealed
	nameless map[uint32]bool // records without an id, by their numbers in all inputs
	compared int             // so many records, the first, are compared; the others are alone
	firsts   int             // so many of these are of the first input, in the mode one-to-one
	inputs   []Input
	names    []string // of the fields, sorted once the table is sealed
	// What is held of the records is in the order of the inputs.
	folded    pieces
	originals pieces

	index map[string]int
	piece []byte
	value strings.Builder
}

func newTable(temp string, memory int64) *table {
	return &table{
		folded:    pieces{arena: arena{temp: temp, limit: int(memory / 3)}},
		originals: pieces{arena: arena{temp: temp, limit: int(memory / 8)}},
		index:     map[string]int{}, nameless: map[uint32]bool{},
	}
}

// size is how many records there are.
func (t *table) size() int { return len(t.originals.lengths) }

// mostFields is how many fields are compared by themselves. The words of others count as those of a record.
const mostFields = 250

// add adds a record to the last input. Fields that skip says are not compared.
func (t *table) add(r *records.Record, id string, skip func(name string) bool) error {
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
	if err := t.folded.append(b); err != nil {
		return err
	}
	b = appendRecord(appendString(b[:0], id), r)
	t.piece = b
	if id == "" {
		t.nameless[uint32(len(t.hashes))] = true
	}
	t.hashes = append(t.hashes, hashOf(id))
	return t.originals.append(b)
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
	entries := make([]entry, len(t.hashes))
	for i, hash := range t.hashes {
		n := uint32(i)
		entries[i] = entry{hash: hash, number: n, input: uint16(t.inputOfNumber(n)), alone: t.nameless[n]}
	}
	t.nameless = nil
	if err := t.findTwins(entries, apart, tell); err != nil {
		return err
	}
	t.numbers = make([]uint32, len(entries))
	for i := range entries {
		e := &entries[i]
		t.numbers[i], t.hashes[i] = e.number, e.hash
		if e.alone {
			continue
		}
		t.compared++
		if e.input == 0 {
			t.firsts++
		}
	}
	return nil
}

// inputOfNumber is the input of a record by its number in all inputs.
func (t *table) inputOfNumber(number uint32) int {
	return max(0, sort.Search(len(t.inputs), func(i int) bool { return t.inputs[i].From > int64(number) })-1)
}

// inputOf is the input of a record.
func (t *table) inputOf(n uint32) int { return t.inputOfNumber(t.numbers[n]) }

// order sorts the entries: those that are compared, by input if apart, then by id.
func (t *table) order(entries []entry, apart bool) error {
	var failed error
	var buffers [2][]byte
	id := func(e *entry, i int) string {
		b, err := t.originals.get(e.number, &buffers[i])
		if err != nil {
			failed = err
			return ""
		}
		s, _ := readString(b)
		return s
	}
	slices.SortFunc(entries, func(a, b entry) int {
		if a.alone != b.alone {
			if b.alone {
				return -1
			}
			return 1
		}
		if apart && a.input != b.input {
			return cmp.Compare(a.input, b.input)
		}
		c := cmp.Compare(a.hash, b.hash)
		if c == 0 && !a.alone {
			c = strings.Compare(id(&a, 0), id(&b, 1))
		}
		return cmp.Or(c, cmp.Compare(a.number, b.number))
	})
	return failed
}

// findTwins sorts the entries, and sets those apart that have no id, or one that another of their input has.
func (t *table) findTwins(entries []entry, apart bool, tell func(fault.Notice)) error {
	if err := t.order(entries, apart); err != nil {
		return err
	}
	found := false
	for i := range entries {
		e := &entries[i]
		if e.alone {
			r, _, err := t.numbered(e.number)
			if err != nil {
				return err
			}
			found = true
			tell(fault.Notice{Code: fault.ReconcileNoID, Severity: fault.Warning,
				Message: place(r) + ": the record has no id; it is written as it is, and compared with none"})
			continue
		}
		if i == 0 || e.hash != entries[i-1].hash || e.input != entries[i-1].input {
			continue
		}
		first := &entries[i-1]
		r, id, err := t.numbered(e.number)
		if err != nil {
			return err
		}
		before, otherID, err := t.numbered(first.number)
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
	return t.order(entries, apart)
}

// place names where a record is. Findings about records that were read before are those of no document.
func place(r *records.Record) string {
	if r.Pos.Line == 0 {
		return r.Document
	}
	return fmt.Sprintf("%s:%d:%d", r.Document, r.Pos.Line, max(r.Pos.Column, 1))
}

// numbered reads a record as it was added, and its id, by its number in all inputs.
func (t *table) numbered(number uint32) (*records.Record, string, error) {
	var buffer []byte
	b, err := t.originals.get(number, &buffer)
	if err != nil {
		return nil, "", err
	}
	id, b := readString(b)
	return readRecord(b), strings.Clone(id), nil
}

// record reads a record as it was added, and its id.
func (t *table) record(n uint32) (*records.Record, string, error) { return t.numbered(t.numbers[n]) }

// nameOf is the name of a field; empty for one that no record has.
func (t *table) nameOf(field int) string {
	if field >= len(t.names) {
		return ""
	}
	return t.names[field]
}

// id reads the id of a record.
func (t *table) id(n uint32) (string, error) {
	var buffer []byte
	b, err := t.originals.get(t.numbers[n], &buffer)
	if err != nil {
		return "", err
	}
	id, _ := readString(b)
	return strings.Clone(id), nil
}

// values calls each with the field and the folded text of each value of a record, in the order of the record. The
// texts are valid until buffer is used again.
func (t *table) values(n uint32, buffer *[]byte, each func(field int, text string)) error {
	b, err := t.folded.get(t.numbers[n], buffer)
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
