package states

import (
	"context"
	"fmt"
	"hash/maphash"
	"io"
	"maps"
	"slices"

	"laundromat/encoding"
	"laundromat/internal/fault"
	"laundromat/mend"
	"laundromat/rdf/clean"
)

// Diffs is where a Washer writes the repairs of each document, as a unified diff
// against its source. Each diff is proved before it is written: the text with its
// edits is washed too, and gives the same statements.
type Diffs struct {
	To io.Writer
	// Repairs is how many repairs were made so far, and Written how many of these the
	// diffs hold.
	Repairs, Written int64
}

// Write reads a document for its repairs alone, and writes their diff, as a [Washer] does of a document that it
// washes. Of a document without repairs it writes nothing. An error means that the document could not be read, or
// that To failed.
func (d *Diffs) Write(ctx context.Context, document Document, guessed Guessed, opt ParseOptions) error {
	work := &diffing{to: d, temp: opt.Temp}
	defer work.close()
	opt.Hashes, opt.Edits = ForNothing, true
	reading, err := Parse(ctx, document, guessed, opt, Output{Begin: func() (clean.Lines, func(fault.Notice), error) {
		lines, notice := work.begin(func([]byte, int) error { return nil }, func(fault.Notice) {})
		return lines, notice, nil
	}})
	if err != nil {
		return err
	}
	return work.write(ctx, document, guessed, reading, opt)
}

// diffing is the work on the diff of one document.
type diffing struct {
	to    *Diffs
	temp  string
	list  *mend.List
	lines lineSum
}

func (w *Washer) newDiffing() *diffing {
	if w.Diffs == nil {
		return nil
	}
	return &diffing{to: w.Diffs, temp: w.Temp}
}

// begin wraps the sinks of a reading; what came of the one before is forgotten.
func (d *diffing) begin(lines clean.Lines, notice func(fault.Notice)) (clean.Lines, func(fault.Notice)) {
	if d == nil {
		return lines, notice
	}
	d.close()
	list := mend.NewList(d.temp)
	d.list, d.lines = list, lineSum{}
	return d.lines.lines().Then(lines), func(n fault.Notice) {
		list.Notice(n)
		notice(n)
	}
}

func (d *diffing) close() {
	if d != nil && d.list != nil {
		d.list.Close()
		d.list = nil
	}
}

// write writes the diff of a document that was washed.
func (d *diffing) write(ctx context.Context, document Document, presumed Guessed, parsed Reading, opt ParseOptions) error {
	if d == nil || d.list == nil || d.list.Count() == 0 {
		return nil
	}
	d.to.Repairs += d.list.Count()
	source := mend.Source{Format: string(parsed.Format)}
	if !document.BaseIsFile {
		source.Base = document.Base
	}
	encode, encodable := encoding.NewEncoder(parsed.Encoding.Name)
	raw, err := document.Bytes(ctx)
	if err != nil {
		return err
	}
	defer raw.Close()
	witness := mend.NewWitness(WithContext(ctx, raw), encode)
	text, err := textOf(ctx, &document, parsed.Encoding)
	if err != nil {
		return err
	}
	defer text.Close()
	edits, err := d.list.Edits(ctx, io.TeeReader(text, witness), source)
	if err != nil {
		return blamed(err)
	}
	defer edits.Close()
	mark, same := witness.Agrees()
	if !encodable || !same {
		for code := range edits.Made() {
			edits.Leave(code, fmt.Sprintf("the text can't be written back into %s as it was", parsed.Encoding.Name))
		}
	}
	trial := &trial{document: document, presumed: presumed, parsed: parsed, opt: opt, want: d.lines, edits: edits}
	if err := trial.settle(ctx); err != nil {
		return err
	}
	again, err := textOf(ctx, &document, parsed.Encoding)
	if err != nil {
		return err
	}
	defer again.Close()
	if err := edits.WriteDiff(&diffWriter{d.to.To}, again, mend.Diff{Name: document.Name, Mark: mark, Encode: encode}); err != nil {
		return err
	}
	_, made := edits.Sums()
	d.to.Written += made
	return nil
}

// diffWriter distinguishes the errors of writing a diff from those of the document.
type diffWriter struct{ to io.Writer }

func (w *diffWriter) Write(p []byte) (int, error) {
	n, err := w.to.Write(p)
	if err != nil {
		err = &targetError{err}
	}
	return n, err
}

// textOf opens the text of a document in the encoding that was proved.
func textOf(ctx context.Context, d *Document, proved encoding.Choice) (io.ReadCloser, error) {
	raw, err := d.Bytes(ctx)
	if err != nil {
		return nil, err
	}
	text, err := encoding.NewReader(WithContext(ctx, raw), proved.Name, encoding.Options{Tolerate: true, Undouble: proved.Doubled})
	if err != nil {
		raw.Close()
		return nil, err
	}
	return closing{text, raw}, nil
}

// closing reads from one and closes another.
type closing struct {
	io.Reader
	io.Closer
}

// trial washes the text with its edits.
type trial struct {
	document Document
	presumed Guessed
	parsed   Reading
	opt      ParseOptions
	want     lineSum
	edits    *mend.Edits
	all      map[fault.Code]int64 // the repairs of the document
}

// unproved is why edits are taken back that the trial refuted.
const unproved = "written so, the document would say another thing"

// settle leaves only edits that are proved. If all of them together are not, they are
// tried code by code, and each is kept that goes with those kept before.
func (t *trial) settle(ctx context.Context) error {
	codes := slices.Sorted(maps.Keys(t.edits.Made()))
	if len(codes) == 0 {
		return nil
	}
	t.all = t.edits.Left()
	for code, n := range t.edits.Made() {
		t.all[code] += n
	}
	if sound, err := t.sound(ctx); sound || err != nil {
		return err
	}
	var kept []fault.Code
	for _, code := range codes {
		undo := t.edits.Only(append(kept, code)...)
		sound, err := t.sound(ctx)
		undo()
		if err != nil {
			return err
		}
		if sound {
			kept = append(kept, code)
		} else {
			t.edits.Leave(code, unproved)
		}
	}
	return nil
}

// sound says that the edits leave the statements as they were, and no repair to be made but those that they do not
// write.
func (t *trial) sound(ctx context.Context) (bool, error) {
	made := t.edits.Made()
	d := t.document
	d.Size = -1
	d.Open = func(ctx context.Context) (io.ReadCloser, error) {
		text, err := textOf(ctx, &t.document, t.parsed.Encoding)
		if err != nil {
			return nil, err
		}
		applied, err := t.edits.Apply(text)
		if err != nil {
			text.Close()
			return nil, err
		}
		return closing{applied, text}, nil
	}
	presumed := t.presumed
	presumed.Encoding = t.parsed.Encoding
	presumed.Encoding.Name, presumed.tolerate = "utf-8", true
	presumed.Format = t.parsed.Format
	presumed.FormatGuessed = false
	opt := t.opt
	opt.Hashes, opt.Edits = ForNothing, false
	var got lineSum
	var again map[fault.Code]int64
	parsed, err := Parse(ctx, d, presumed, opt, Output{Begin: func() (clean.Lines, func(fault.Notice), error) {
		got, again = lineSum{}, map[fault.Code]int64{}
		return got.lines(), func(n fault.Notice) {
			if n.Severity == fault.Repair {
				again[n.Code]++
			}
		}, nil
	}})
	if err != nil {
		if ctx.Err() != nil || fault.KindOf(err) == fault.Local {
			return false, err
		}
		return false, nil
	}
	for code, n := range again {
		if n > t.all[code]-made[code] {
			return false, nil
		}
	}
	return got == t.want && parsed.Format == t.parsed.Format && parsed.Statements.Dropped == t.parsed.Statements.Dropped, nil
}

// lineSum distinguishes bags of lines, in whatever order these come.
type lineSum struct {
	n    int64
	a, b uint64
}

var sumSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// lines adds what it is given.
func (s *lineSum) lines() clean.Lines {
	return clean.EachLine(func(line []byte) error {
		s.n++
		s.a += maphash.Bytes(sumSeeds[0], line)
		s.b += maphash.Bytes(sumSeeds[1], line)
		return nil
	})
}
