package spinn3r

import (
	"fmt"
	"slices"
	"strings"

	"laundromat/internal/fault"
)

// Options say how a record is written.
type Options struct {
	// Extra writes I, V, S and G in f5 as well.
	Extra bool
	// Notice is called for what the form can't hold; it may be nil.
	Notice func(fault.Notice)
}

// Append appends a record in a form. In the form that it was read in, it comes out as it was.
func (r *Record) Append(dst []byte, form Form, o Options) []byte {
	if form == r.Form && r.raw != nil {
		return append(dst, r.raw...)
	}
	w := writer{record: r, form: form, out: dst, options: o}
	if form == F5 {
		w.line()
	} else {
		w.lines()
	}
	return w.out
}

type writer struct {
	record  *Record
	form    Form
	out     []byte
	options Options
	content *index
}

// extra are the letters that f5 has on demand, in their order.
const extra = "IVSG"

// line writes a record as one line of f5.
func (w *writer) line() {
	first, hidden := true, ""
	write := func(f *Field) {
		if !first {
			w.out = append(w.out, '\t')
		}
		first = false
		if f.Letter != 0 {
			w.out = append(w.out, f.Letter, ':')
		}
		w.out = append(w.out, w.value(f)...)
	}
	var late []*Field
	for i := range w.record.Fields {
		f := &w.record.Fields[i]
		if strings.IndexByte(extra, f.Letter) >= 0 && (w.record.Form == Full5 || w.record.made) {
			if w.options.Extra {
				late = append(late, f)
			} else if !strings.Contains(hidden, string(f.Letter)) {
				hidden += string(f.Letter)
			}
			continue
		}
		write(f)
	}
	slices.SortStableFunc(late, func(a, b *Field) int {
		return strings.IndexByte(extra, a.Letter) - strings.IndexByte(extra, b.Letter)
	})
	for _, f := range late {
		write(f)
	}
	w.out = append(w.out, '\n')
	if hidden != "" {
		w.lost(nil, fmt.Sprintf("f5 without its extra columns does not hold %s", strings.Join(strings.Split(hidden, ""), ", ")))
	}
}

// lines writes a record as lines of full5, in its order. Fields of unknown letters come last.
func (w *writer) lines() {
	write := func(f *Field) {
		if f.Letter == 0 {
			w.lost(f, "full5 can't hold a column without a letter")
			return
		}
		w.out = append(w.out, f.Letter, '\t')
		w.out = append(w.out, w.value(f)...)
		w.out = append(w.out, '\n')
	}
	for _, letter := range []byte(letters) {
		for i := range w.record.Fields {
			if f := &w.record.Fields[i]; f.Letter == letter {
				write(f)
			}
		}
	}
	for i := range w.record.Fields {
		if f := &w.record.Fields[i]; strings.IndexByte(letters, f.Letter) < 0 || f.Letter == 0 {
			write(f)
		}
	}
	w.out = append(w.out, '\n')
}

// value is the value of a field in the form that is written.
func (w *writer) value(f *Field) string {
	from := w.record.Form
	if from == w.form {
		return f.Value
	}
	switch f.Letter {
	case 'D':
		return date(f.Value, w.form)
	case 'L', 'Q':
		if w.content == nil {
			w.content = w.record.index()
		}
		p, rest, ok := place(f.Value, from.separator(), w.content)
		if !ok {
			w.lost(f, "a place that isn't a number stays as it is")
			return written(w.record.plain(f.Value), f.Letter, w.form)
		}
		return w.place(p) + w.text(f, w.record.plain(rest))
	case 'S', 'G':
		return w.parts(f.Value)
	}
	return w.text(f, w.record.plain(f.Value))
}

// text writes a plain value, and tells what the form can't hold of it.
func (w *writer) text(f *Field, value string) string {
	out := written(value, f.Letter, w.form)
	switch {
	case w.form == Full5 && f.Letter == 'H' && strings.Contains(value, newline):
		out = strings.ReplaceAll(out, newline, "&#10;")
	case w.form == Full5 && (strings.Contains(value, "&#10;") || strings.Contains(value, "&#9;")):
		w.lost(f, "a reference that the text itself holds is read as a tab or newline in full5")
	case w.form == F5 && out != value:
		w.lost(f, "f5 can't hold tabs, nor the number of newlines in a row")
	}
	return out
}

// place writes a place. A link of the title is empty in f5 and -1 in full5.
func (w *writer) place(p Place) string {
	s := string(w.form.separator())
	part := func(n int) string {
		switch {
		case n >= 0:
			return fmt.Sprint(n)
		case w.form == Full5:
			return "-1"
		}
		return ""
	}
	if p.Start >= 0 && p.Length < 0 {
		return part(p.Start) + s
	}
	return part(p.Start) + s + part(p.Length) + s
}

// parts changes what stands between the parts of a language, or of what is said of the whole. The latter ends in a
// further tab in full5.
func (w *writer) parts(value string) string {
	from, to := string(w.record.Form.separator()), string(w.form.separator())
	return strings.ReplaceAll(value, from, to)
}

// lost tells what a form can't hold.
func (w *writer) lost(f *Field, message string) {
	if w.options.Notice == nil {
		return
	}
	n := fault.Notice{Code: fault.TextFormatLoss, Severity: fault.Warning, Pos: fault.Pos{Line: w.record.Line}, Message: message}
	if f != nil {
		n.Pos = f.pos
		n.Excerpt = fault.Excerpt([]byte(f.Value))
		if f.Letter != 0 {
			n.Field = string(f.Letter)
		}
	}
	w.options.Notice(n)
}
