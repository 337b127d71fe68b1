// Package mend writes the repairs of a document into its source.
//
// A reader reports each repair as a notice with its code and place. The notice has its edits, too, if they
// were asked for and the reader knows them ([fault.Notice.Edits]). A [List] takes the notices of one reading.
// With the text read once more it makes them into [Edits]: the smallest changes of the text after which
// nothing has to be repaired. These are applied to the text as it streams ([Edits.Apply]), or written as a
// unified diff that the program patch applies ([Edits.WriteDiff]).
//
// What is found to be wrong with a term after it was read comes without edits. How such repairs are written
// is in one table, by code, and next to it what can't be written as an edit, and why. An edit is made only
// where the text at its place looks as it must for that edit. Any other repair is left out and counted.
// Whether the text with its edits says the same as the text without is for the caller to prove. It washes
// it, and takes back the codes that were wrong ([Edits.Leave]).
package mend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"laundromat/internal/fault"
	"laundromat/internal/linesort"
)

// List takes the repairs of one document, of any number. It belongs to one goroutine.
type List struct {
	sorter *linesort.Sorter // nil while there are no repairs
	temp   string
	n      int64
	// heads are the declarations that prefixes lack. Each is due once, before all that uses it.
	heads []fault.Edit
	err   error
}

// listMemory is what a List holds in memory, in bytes, before it writes to its
// temporary folder.
const listMemory = 8 << 20

// NewList returns a list whose temporary files lie in the folder temp; "" for the
// system's. It must be closed.
func NewList(temp string) *List {
	return &List{temp: temp}
}

// repair is what is kept of a notice.
type repair struct {
	Code    fault.Code
	Offset  int64
	Edits   []fault.Edit
	Meant   string
	Excerpt string
	Bytes   int64
	Placed  bool
}

// Notice takes a finding; all but repairs are skipped. It never fails: Edits
// returns what went wrong.
func (l *List) Notice(n fault.Notice) {
	if n.Severity != fault.Repair || l.err != nil {
		return
	}
	if l.n++; l.sorter == nil {
		l.sorter = linesort.New(linesort.Options{Memory: listMemory, Temp: l.temp, Workers: 1})
	}
	if n.Code == fault.SyntaxUndeclaredPrefix {
		for _, e := range n.Edits {
			if !slices.Contains(l.heads, e) {
				l.heads = append(l.heads, e)
			}
		}
	}
	line, err := json.Marshal(repair{n.Code, n.Offset, n.Edits, n.Meant, n.Excerpt, n.Bytes, n.Line > 0})
	if err == nil {
		// Places sort as text; the number keeps repairs of one place in their order.
		err = l.sorter.Add(0, append(fmt.Appendf(nil, "%016x%016x", n.Offset, l.n), line...))
	}
	l.err = err
}

// keyLength is the length of what the lines of the sort begin with.
const keyLength = 32

// Count is how many repairs there are.
func (l *List) Count() int64 { return l.n }

// Close removes temporary files.
func (l *List) Close() error {
	if l.sorter == nil {
		return nil
	}
	return l.sorter.Close()
}

// Source says what a text is.
type Source struct {
	Format string // by the name that records show
	Base   string // that relative IRIs are resolved against; "" if no edit may write it
}

// reach is how far from the place of a repair its edits may lie, in bytes.
const reach = 64 << 10

// LongestLine is the longest line, in bytes, that is shown in a diff: a text with a
// longer one gets no edits.
const LongestLine = 16 << 20

// Edits makes edits of the repairs in a text, which is UTF-8 and is read to its end.
// It is called once. An error is that of text, of ctx or of the temporary files.
func (l *List) Edits(ctx context.Context, text io.Reader, of Source) (*Edits, error) {
	if l.err != nil {
		return nil, l.err
	}
	e := &Edits{file: editFile{spill{temp: l.temp}}, made: map[fault.Code]int64{}, left: map[fault.Code]int64{},
		why: map[fault.Code]string{}}
	if of.Base == "" {
		e.why[fault.IRIRelativeInLine] = "the base is the place of the file, which is not written into it; --base gives another"
	}
	m := &maker{v: view{family: familyOf(of.Format), base: of.Base}, text: text, out: e}
	if err := l.make(ctx, m); err != nil {
		e.Close()
		return nil, err
	}
	if m.longest > LongestLine {
		for code := range e.made {
			e.Leave(code, "the document has a line that is too long for a diff")
		}
	}
	return e, nil
}

func (l *List) make(ctx context.Context, m *maker) error {
	if err := m.slide(0); err != nil {
		return err
	}
	m.declare(l.heads)
	if l.sorter == nil {
		return m.finish()
	}
	_, err := l.sorter.Write(ctx, func(int) string { return "" }, func(line []byte) error {
		var r repair
		if err := json.Unmarshal(line[keyLength:], &r); err != nil {
			return fmt.Errorf("read the list of repairs again: %w", err)
		}
		return m.repair(&r)
	})
	if err != nil {
		return err
	}
	return m.finish()
}

// maker makes edits while a window slides over the text.
type maker struct {
	v       view
	text    io.Reader
	ended   bool
	line    int64 // length of the line that the window ends in
	longest int64
	pending []edit // sorted, not yet written
	widest  int64  // of all edits, in bytes that are changed
	out     *Edits
	block   []byte
	headed  map[fault.Edit]bool // the declarations that are made
}

// slide makes the window hold reach bytes on each side of an offset.
func (m *maker) slide(offset int64) error {
	for !m.ended && m.v.at+int64(len(m.v.text)) < offset+reach {
		if keep := offset - reach - m.v.at; keep >= 4*reach {
			keep = min(keep, int64(len(m.v.text)))
			m.v.text = append(m.v.text[:0], m.v.text[keep:]...)
			m.v.at += keep
		}
		if err := m.more(); err != nil {
			return err
		}
	}
	return nil
}

func (m *maker) more() error {
	if m.block == nil {
		m.block = make([]byte, 64<<10)
	}
	n, err := io.ReadFull(m.text, m.block)
	m.v.text = append(m.v.text, m.block[:n]...)
	for _, b := range m.block[:n] {
		if m.line++; b == '\n' {
			m.line = 0
		}
		m.longest = max(m.longest, m.line)
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		m.ended = true
	case err != nil:
		return fmt.Errorf("read the text again: %w", err)
	}
	m.v.ended = m.ended
	return nil
}

// repair makes the edits of one; repairs come in the order of their places.
func (m *maker) repair(r *repair) error {
	if err := m.slide(r.Offset); err != nil {
		return err
	}
	if err := m.write(r.Offset - reach); err != nil {
		return err
	}
	edits, isDone := m.editsOf(r)
	if !isDone && (len(edits) == 0 || !m.take(edits, r.Code)) {
		m.leave(r.Code)
		return nil
	}
	m.out.made[r.Code]++
	return nil
}

// editsOf are the edits that a repair carries, or those that its row of the table makes. isDone says that they are
// made already.
func (m *maker) editsOf(r *repair) (edits []edit, isDone bool) {
	row := table[r.Code]
	here := r.Offset - m.v.at
	switch {
	case row.why != "", m.out.why[r.Code] != "":
		return nil, false
	case r.Code == fault.SyntaxUndeclaredPrefix:
		return nil, len(r.Edits) == 1 && m.headed[r.Edits[0]]
	case len(r.Edits) > 0:
		for _, e := range r.Edits {
			edits = append(edits, m.v.asEdit(e))
		}
		return edits, false
	case row.make == nil || !r.Placed || here < 0 || here > int64(len(m.v.text)):
		return nil, false
	}
	m.v.here = int(here)
	return row.make(&m.v, r), false
}

// declare puts the declarations in that are missing.
func (m *maker) declare(heads []fault.Edit) {
	m.headed = map[fault.Edit]bool{}
	for _, head := range heads {
		if m.take([]edit{m.v.asEdit(head)}, fault.SyntaxUndeclaredPrefix) {
			m.headed[head] = true
		}
	}
}

func (m *maker) leave(code fault.Code) { m.out.left[code]++ }

// take adds the edits of one repair if all of them can be made together with those there
// are. A change that is there already need not be made twice; what is put in is, since
// two brackets may be missing in one place.
func (m *maker) take(edits []edit, code fault.Code) bool {
	for i := range edits {
		e := &edits[i]
		if e.from < m.out.written || e.to < e.from || e.to > m.v.at+int64(len(m.v.text)) {
			return false
		}
		for j := m.first(e.from - m.widest); j < len(m.pending) && m.pending[j].from <= e.to; j++ {
			p := &m.pending[j]
			if e.crosses(p) && !(e.from < e.to && e.same(p)) {
				return false
			}
		}
	}
	for i := range edits {
		e := edits[i]
		e.code = code
		at := m.first(e.from + 1)
		if e.from < e.to {
			there := m.pending[m.first(e.from):at]
			if slices.ContainsFunc(there, func(p edit) bool { return e.same(&p) }) {
				continue
			}
			m.widest = max(m.widest, e.to-e.from)
		} else {
			// What is put in is before what is changed at the same place.
			for at > 0 && m.pending[at-1].from == e.from && m.pending[at-1].to > e.from {
				at--
			}
		}
		m.pending = slices.Insert(m.pending, at, e)
	}
	return true
}

// first is the index of the first pending edit that begins at an offset or after it.
func (m *maker) first(offset int64) int {
	i, _ := slices.BinarySearchFunc(m.pending, offset, func(e edit, at int64) int {
		if e.from < at {
			return -1
		}
		return 1
	})
	return i
}

// pendingMost is how many edits are held back before those that are done are written.
const pendingMost = 4096

// write writes the pending edits that end before an offset, after which those to come lie.
func (m *maker) write(before int64) error {
	n := 0
	if len(m.pending) < pendingMost && before < math.MaxInt64 {
		return nil
	}
	for ; n < len(m.pending) && m.pending[n].to < before; n++ {
		if err := m.out.file.add(&m.pending[n]); err != nil {
			return err
		}
	}
	if n > 0 {
		m.out.written = m.pending[n-1].to
		m.pending = slices.Delete(m.pending, 0, n)
	}
	return nil
}

func (m *maker) finish() error {
	for !m.ended {
		m.v.at += int64(len(m.v.text))
		m.v.text = m.v.text[:0]
		if err := m.more(); err != nil {
			return err
		}
	}
	m.out.size = m.v.at + int64(len(m.v.text))
	return m.write(math.MaxInt64)
}

// Edits are the changes of a text that its repairs come to.
type Edits struct {
	file    editFile
	written int64 // where the last edit in file ends
	size    int64 // of the text
	made    map[fault.Code]int64
	left    map[fault.Code]int64
	why     map[fault.Code]string // why a code was left that has edits
}

// Close removes temporary files.
func (e *Edits) Close() { e.file.close() }

// Made counts the repairs that are written as edits, and Left the others, by code.
func (e *Edits) Made() map[fault.Code]int64 { return maps.Clone(e.made) }

// Left counts the repairs that are not written as edits, by code.
func (e *Edits) Left() map[fault.Code]int64 { return maps.Clone(e.left) }

// Leave takes back the edits of a code; why is part of a sentence.
func (e *Edits) Leave(code fault.Code, why string) {
	e.left[code] += e.made[code]
	delete(e.made, code)
	e.why[code] = why
}

// Only takes back the edits of all codes but those named, with no word about it: the
// function that it returns undoes that. A caller tries with it which codes are sound.
func (e *Edits) Only(codes ...fault.Code) (undo func()) {
	made := e.made
	e.made = map[fault.Code]int64{}
	for _, code := range codes {
		if n, ok := made[code]; ok {
			e.made[code] = n
		}
	}
	return func() { e.made = made }
}

// Why says why repairs of a code are left out.
func (e *Edits) Why(code fault.Code) string {
	if why := e.why[code]; why != "" {
		return why
	}
	if row := table[code]; row.make == nil && row.why != "" {
		return row.why
	}
	return "the text at its place leaves more than one way to write it"
}

func (e *Edits) allowed(code fault.Code) bool { return e.made[code] > 0 }

// Apply reads text, which is the same as before, with the edits made in it.
func (e *Edits) Apply(text io.Reader) (io.Reader, error) {
	next, err := e.file.read(e.allowed)
	if err != nil {
		return nil, err
	}
	return newEdited(text, next), nil
}
