package job

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"

	"laundromat/text/near"
)

// Repeats is what is done about articles that repeat others.
type Repeats uint8

const (
	IgnoreRepeats Repeats = iota
	CountRepeats          // they are counted, and written as they are
	MarkRepeats           // and say which article they repeat, where the format has room for that
	DropRepeats           // they are not written
)

// WriterOptions say how articles are written.
type WriterOptions struct {
	Output
	Repeats Repeats
	Blocks  bool   // blocks say how many articles of their host have them, too, where repeats are marked
	Temp    string // the folder for what does not fit into memory
	Memory  int64  // for articles that wait and for the search of repeats; by default 64 MiB
}

// Writer writes articles, in the order in which they are put. Where repeats are marked or dropped, nothing is
// written before Finish.
type Writer struct {
	opt   WriterOptions
	to    io.Writer
	run   *near.Run
	held  *held
	table *table // where the format is Parquet
	input string // at hand
	begun bool   // an article is written
}

// Batch is the articles of a document, as they are written.
type Batch struct {
	input string // the name of the input, for which repeats are counted

	text  []byte
	parts []part
}

// part is one article in a batch.
type part struct {
	end    int // of its text
	id     string
	entry  *near.Entry
	number int // of the article among all that are compared; -1 if it is none of them
}

// NewWriter returns a writer to a stream. It must be closed.
func NewWriter(to io.Writer, opt WriterOptions) (*Writer, error) {
	if opt.Memory <= 0 {
		opt.Memory = 64 << 20
	}
	w := &Writer{opt: opt, to: to}
	if opt.Repeats == MarkRepeats && opt.Format != "jsonl" {
		w.opt.Repeats = CountRepeats
	}
	if w.opt.Repeats != IgnoreRepeats {
		w.run = near.New(near.Options{Temp: opt.Temp, Memory: opt.Memory * 3 / 4})
	}
	if w.opt.Repeats > CountRepeats {
		w.held = &held{temp: opt.Temp, most: int(opt.Memory / 4)}
	}
	if opt.Format == "parquet" {
		var err error
		w.table, err = newTable(to)
		return w, err
	}
	_, err := to.Write(opt.Begin())
	return w, err
}

// batches are empty ones, whose memory serves again.
var batches = sync.Pool{New: func() any { return new(Batch) }}

// Batch is an empty batch, for a document of an input.
func (w *Writer) Batch(input string) *Batch {
	b := batches.Get().(*Batch)
	b.input = input
	return b
}

// Append adds an article to a batch. It may be called beside other work of the writer, with a batch of its own.
func (w *Writer) Append(b *Batch, item *Item, to Listener) {
	before := len(b.text)
	if w.table != nil {
		if item.Article.Text != "" {
			b.text = appendRow(b.text, item.Article)
		}
	} else {
		b.text = append(b.text, w.opt.separator()...)
		from := len(b.text)
		if b.text = w.opt.Append(b.text, item, to); len(b.text) == from {
			b.text = b.text[:before]
		}
	}
	if len(b.text) == before {
		return
	}
	p := part{end: len(b.text), number: -1}
	if w.run != nil && item.Article.Text != "" {
		p.id, p.entry = item.Article.ID, near.Look(item.Article)
		if w.opt.Blocks && w.held != nil && w.opt.Format == "jsonl" {
			p.entry.LookAtBlocks(item.Article)
		}
	}
	b.parts = append(b.parts, p)
}

// Put writes a batch, and empties it.
func (w *Writer) Put(b *Batch) error {
	from := 0
	for _, p := range b.parts {
		text := b.text[from:p.end]
		from = p.end
		if p.entry != nil {
			var err error
			if b.input != w.input {
				w.run.Input(b.input)
				w.input = b.input
			}
			if p.number, err = w.run.Add(p.entry); err != nil {
				return err
			}
		}
		var err error
		if w.held != nil {
			err = w.held.add(p, text)
		} else {
			err = w.write(text)
		}
		if err != nil {
			return err
		}
	}
	b.text, b.parts = b.text[:0], b.parts[:0]
	return nil
}

// Free gives a batch back once it is of no more use.
func (b *Batch) Free() {
	if cap(b.text) <= mostKept {
		clear(b.parts[:cap(b.parts)])
		b.text, b.parts = b.text[:0], b.parts[:0]
		batches.Put(b)
	}
}

// mostKept is the largest text whose memory serves again.
const mostKept = 4 << 20

// write writes an article.
func (w *Writer) write(text []byte) error {
	if w.table != nil {
		return w.table.row(text)
	}
	if !w.begun {
		text = text[len(w.opt.separator()):]
		w.begun = true
	}
	_, err := w.to.Write(text)
	return err
}

// Finish writes all that waits, and returns the repeats of each input; nil if they were not looked for.
func (w *Writer) Finish(ctx context.Context) ([]near.Counts, error) {
	var counts []near.Counts
	if w.run != nil {
		repeats, err := w.run.Finish(ctx)
		if err != nil {
			return nil, err
		}
		counts = repeats.Inputs
		if w.held != nil {
			firsts := newFirsts(repeats.Firsts())
			if err := w.held.each(func(p part, text []byte) error { return w.settled(ctx, repeats, firsts, p, text) }); err != nil {
				return nil, err
			}
		}
	}
	if w.table != nil {
		return counts, w.table.close()
	}
	return counts, nil
}

// settled writes an article of which it is known whether it repeats another.
func (w *Writer) settled(ctx context.Context, repeats *near.Repeats, firsts *firsts, p part, text []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if p.number < 0 {
		return w.write(text)
	}
	firsts.keep(p)
	text, err := markBlocks(repeats, p.number, text)
	if err != nil {
		return err
	}
	first, likeness, isRepeat, err := repeats.Of(p.number)
	switch {
	case err != nil:
		return err
	case !isRepeat:
		return w.write(text)
	case w.opt.Repeats == DropRepeats:
		return nil
	}
	return w.write(mark(text, firsts.id(first), likeness))
}

// markBlocks adds to the blocks of a line of JSON how many articles of the host have them. Each block has its place in
// the document, and no text has that member's name without an escape.
func markBlocks(repeats *near.Repeats, number int, line []byte) ([]byte, error) {
	var marked []byte
	from, block := 0, 0
	err := repeats.Blocks(number, func(index, pages int) {
		for ; from < len(line); block++ {
			end := from + bytes.Index(line[from:], []byte(`"bytes":[`))
			if end < from {
				return
			}
			marked = append(marked, line[from:end]...)
			if block == index {
				marked = fmt.Appendf(marked, `"on_pages":%d,`, pages)
			}
			marked = append(marked, `"bytes":[`...)
			from = end + len(`"bytes":[`)
			if block == index {
				block++
				return
			}
		}
	})
	if err != nil || marked == nil {
		return line, err
	}
	return append(marked, line[from:]...), nil
}

// mark adds to a line of JSON which article it repeats. The metadata are its last member.
func mark(line []byte, id string, likeness float64) []byte {
	end := len(line) - len("}}\n")
	tail := string(line[end:])
	line = line[:end]
	if line[end-1] != '{' {
		line = append(line, ',')
	}
	line = append(line, `"duplicate_of":{"id":`...)
	line = appendJSON(line, id)
	line = append(line, `,"likeness":`...)
	line = strconv.AppendFloat(line, likeness, 'f', -1, 64)
	line = append(line, '}')
	return append(line, tail...)
}

func appendJSON(dst []byte, s string) []byte {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err) // no string fails
	}
	return append(dst, data...)
}

// Close removes what is on disk.
func (w *Writer) Close() (err error) {
	if w.run != nil {
		err = w.run.Close()
	}
	if w.held != nil {
		if closed := w.held.close(); err == nil {
			err = closed
		}
	}
	return err
}

// firsts has the ids of articles that others repeat. Nearly all ids are 32 digits, which are kept as 16 bytes.
type firsts struct {
	numbers []int32 // in order
	digits  [][16]byte
	others  map[int32]string
}

func newFirsts(numbers []int32) *firsts {
	return &firsts{numbers: numbers, digits: make([][16]byte, len(numbers)), others: map[int32]string{}}
}

func (f *firsts) keep(p part) {
	i, found := slices.BinarySearch(f.numbers, int32(p.number))
	if !found {
		return
	}
	digits, err := hex.DecodeString(p.id)
	if err != nil || hex.EncodeToString(digits) != p.id || len(digits) != 16 {
		f.others[int32(p.number)] = p.id
		return
	}
	f.digits[i] = [16]byte(digits)
}

func (f *firsts) id(number int) string {
	if id, ok := f.others[int32(number)]; ok {
		return id
	}
	i, _ := slices.BinarySearch(f.numbers, int32(number))
	return hex.EncodeToString(f.digits[i][:])
}
