package mend

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Diff says how a diff is written.
type Diff struct {
	Name string // of the document, for the head
	// Mark is what the source begins with that is not in the text: its byte order mark.
	Mark string
	// Encode appends text, whole lines of it, as it is in the source; nil for UTF-8.
	Encode func(dst, text []byte) ([]byte, error)
}

// around is how many lines are around a change.
const around = 3

// WriteDiff writes what the edits change in text, as a unified diff with the lines of
// the source. Before it, in lines that begin with # and that patch skips, is
// how many repairs it holds and which it does not. A text without edits gives those
// lines alone.
func (e *Edits) WriteDiff(to io.Writer, text io.Reader, d Diff) error {
	w := bufio.NewWriterSize(to, 64<<10)
	e.preamble(w, d.Name)
	if len(e.made) > 0 {
		next, err := e.file.read(e.allowed)
		if err != nil {
			return err
		}
		name := headName(d.Name)
		fmt.Fprintf(w, "--- %s\n+++ %s\n", name, name)
		hunks := &hunks{diff: d, to: w, text: bufio.NewReaderSize(text, 64<<10), next: next, body: spill{temp: e.file.temp}}
		defer hunks.body.close()
		if err := hunks.write(); err != nil {
			return err
		}
	}
	return w.Flush()
}

// Sums are how many repairs there are, and how many of them are edits.
func (e *Edits) Sums() (all, made int64) {
	for _, n := range e.made {
		made += n
	}
	all = made
	for _, n := range e.left {
		all += n
	}
	return all, made
}

func (e *Edits) preamble(w io.Writer, name string) {
	all, made := e.Sums()
	name = strings.Map(func(r rune) rune {
		if r < ' ' {
			return '_'
		}
		return r
	}, name)
	fmt.Fprintf(w, "# %s: %d of %d repairs\n", name, made, all)
	for _, code := range slices.Sorted(maps.Keys(e.left)) {
		if n := e.left[code]; n > 0 {
			fmt.Fprintf(w, "# not here: %d × %s: %s\n", n, code, e.Why(code))
		}
	}
}

// headName is a name as patch reads it in the head of a diff.
func headName(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' || r == 0x7F }) {
		var b strings.Builder
		b.WriteByte('"')
		for _, c := range []byte(name) {
			switch {
			case c == '"' || c == '\\':
				b.WriteByte('\\')
				b.WriteByte(c)
			case c < ' ' || c == 0x7F:
				fmt.Fprintf(&b, "\\%03o", c)
			default:
				b.WriteByte(c)
			}
		}
		b.WriteByte('"')
		return b.String()
	}
	if strings.Contains(name, " ") {
		return name + "\t" // ends a name with spaces
	}
	return name
}

// hunks writes a diff line by line.
type hunks struct {
	diff Diff
	to   *bufio.Writer
	text *bufio.Reader
	next func() (edit, bool, error)
	edit edit
	any  bool

	offset   int64 // of what text gives next
	old, new int64 // lines read and written so far
	quiet    [][]byte
	open     bool // a hunk is
	body     spill
	// of the open hunk
	oldStart, newStart, oldLines, newLines int64
	buffer                                 []byte
}

func (h *hunks) write() (err error) {
	if h.edit, h.any, err = h.next(); err != nil {
		return err
	}
	for {
		from := h.offset
		line, err := h.line()
		if err != nil {
			return err
		}
		last := len(line) == 0 || line[len(line)-1] != '\n'
		switch {
		case h.any && (h.edit.from < h.offset || last && h.edit.from <= h.offset):
			if err := h.change(line, from); err != nil {
				return err
			}
			continue
		case len(line) == 0:
			return h.close()
		}
		if err := h.same(line); err != nil {
			return err
		}
	}
}

// line reads a line with its end; it is empty at the end of the text.
func (h *hunks) line() ([]byte, error) {
	line, err := h.text.ReadBytes('\n')
	h.offset += int64(len(line))
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("read the text again: %w", err)
	}
	return line, nil
}

// change makes the edits that begin in a line, and reads on as far as they reach.
func (h *hunks) change(line []byte, from int64) error {
	var made []byte
	at := int64(0) // in line
	for {
		last := len(line) == 0 || line[len(line)-1] != '\n'
		if h.any && (h.edit.from < h.offset || last && h.edit.from <= h.offset) {
			for h.edit.to > h.offset {
				more, err := h.line()
				if err != nil {
					return err
				}
				if len(more) == 0 {
					return io.ErrUnexpectedEOF
				}
				line = append(line, more...)
			}
			made = append(made, line[at:h.edit.from-from]...)
			made = append(made, h.edit.with...)
			at = h.edit.to - from
			var err error
			if h.edit, h.any, err = h.next(); err != nil {
				return err
			}
			continue
		}
		ends := at < int64(len(line)) || len(made) == 0 || made[len(made)-1] == '\n'
		if ends || last {
			break
		}
		// The end of the line was taken away: the next one goes on it.
		more, err := h.line()
		if err != nil {
			return err
		}
		if len(more) == 0 {
			break
		}
		line = append(line, more...)
	}
	made = append(made, line[at:]...)
	return h.changed(line, made)
}

func (h *hunks) changed(old, new []byte) error {
	before, after := lines(old), lines(new)
	for len(before) > 0 && len(after) > 0 && bytes.Equal(before[0], after[0]) {
		if err := h.same(before[0]); err != nil {
			return err
		}
		before, after = before[1:], after[1:]
	}
	if len(before) == 0 && len(after) == 0 {
		return nil
	}
	if err := h.begin(); err != nil {
		return err
	}
	for _, line := range before {
		h.old++
		h.oldLines++
		if err := h.put('-', line, h.old); err != nil {
			return err
		}
	}
	for _, line := range after {
		h.new++
		h.newLines++
		if err := h.put('+', line, h.new); err != nil {
			return err
		}
	}
	return nil
}

func lines(text []byte) [][]byte {
	all := bytes.SplitAfter(text, []byte("\n"))
	if n := len(all); len(all[n-1]) == 0 {
		all = all[:n-1]
	}
	return all
}

// same takes a line that does not change. Those after a change are held back: they
// are its context, or divide it from the next one.
func (h *hunks) same(line []byte) error {
	h.old++
	h.new++
	h.quiet = append(h.quiet, line)
	switch {
	case !h.open && len(h.quiet) > around:
		h.quiet = slices.Delete(h.quiet, 0, 1)
	case h.open && len(h.quiet) > 2*around:
		rest := slices.Clone(h.quiet[around+1:])
		if err := h.end(); err != nil {
			return err
		}
		h.quiet = rest
	}
	return nil
}

// begin opens a hunk, or goes on with the open one, and writes the lines before the change.
func (h *hunks) begin() error {
	if !h.open {
		h.open = true
		h.oldStart, h.newStart = h.old-int64(len(h.quiet))+1, h.new-int64(len(h.quiet))+1
		h.oldLines, h.newLines = 0, 0
	}
	err := h.putQuiet(len(h.quiet))
	h.quiet = nil
	return err
}

func (h *hunks) putQuiet(n int) error {
	number := h.old - int64(len(h.quiet))
	for i, line := range h.quiet[:n] {
		h.oldLines++
		h.newLines++
		if err := h.put(' ', line, number+int64(i)+1); err != nil {
			return err
		}
	}
	return nil
}

// end writes the open hunk with at most three lines of those after it.
func (h *hunks) end() error {
	if err := h.putQuiet(min(len(h.quiet), around)); err != nil {
		return err
	}
	h.open = false
	fmt.Fprintf(h.to, "@@ -%s +%s @@\n", span(h.oldStart, h.oldLines), span(h.newStart, h.newLines))
	body, err := h.body.reader()
	if err == nil {
		_, err = io.Copy(h.to, body)
	}
	if err != nil {
		return err
	}
	return h.body.empty()
}

func span(start, n int64) string {
	if n == 0 {
		start--
	}
	return fmt.Sprintf("%d,%d", start, n)
}

func (h *hunks) close() error {
	if h.open {
		return h.end()
	}
	return nil
}

// put adds a line to the hunk; number is that of the line on its side.
func (h *hunks) put(sign byte, line []byte, number int64) (err error) {
	h.buffer = append(h.buffer[:0], sign)
	if number == 1 {
		h.buffer = append(h.buffer, h.diff.Mark...)
	}
	if h.diff.Encode == nil {
		h.buffer = append(h.buffer, line...)
	} else if h.buffer, err = h.diff.Encode(h.buffer, line); err != nil {
		return err
	}
	if !bytes.HasSuffix(line, []byte("\n")) {
		h.buffer = append(h.buffer, "\n\\ No newline at end of file\n"...)
	}
	_, err = h.body.Write(h.buffer)
	return err
}
