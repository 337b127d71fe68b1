package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/records"
)

// xmlDocument reads the elements that repeat, each as a record.
type xmlDocument struct {
	*xmltext.Reader
	ctx      context.Context
	to       records.Sink
	document string
	names    []string // of the elements that are records; empty: the root is
	several  bool
	parent   string // the path of the element that they stand in; "" for any
	path     []string
	repaired bool // something was repaired since the record began
	lost     *fault.Notice
	size     int
	maxItem  int
	record   records.Record
}

// Notice hears what the reader of XML finds.
func (d *xmlDocument) Notice(n fault.Notice) {
	d.repaired = d.repaired || n.Severity == fault.Repair
	n.Lost = 0
	if n.Severity == fault.Drop { // what is lost is a part; the record tells
		n.Severity = fault.Warning
	}
	d.to.Notice(n)
}

// sampleXML is how much of a document is looked at to find the elements that repeat.
const sampleXML = 256 << 10

// readXML reads elements that repeat as records: attributes as @name, text as #text.
func readXML(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	head := make([]byte, sampleXML)
	n, err := io.ReadFull(doc.Text, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return err
	}
	head = head[:n]
	d := &xmlDocument{ctx: ctx, to: to, document: doc.Name, maxItem: opt.MaxItem}
	if d.maxItem <= 0 {
		d.maxItem = 16 << 20
	}
	if name := opt.source().Records; name != "" {
		d.names = []string{name}
	} else if d.parent, d.names, err = repeated(ctx, head, opt); err != nil {
		return err
	}
	d.several = len(d.names) > 1
	if len(d.names) > 0 {
		to.Notice(fault.Notice{Code: fault.RecordList, Severity: fault.Note, Message: "the records are the elements " + strings.Join(d.names, ", ")})
	}
	d.Reader = xmltext.NewReader(io.MultiReader(bytes.NewReader(head), doc.Text), xmltext.Options{MaxDepth: opt.MaxDepth, MaxToken: d.maxItem}, d)
	defer d.Free()
	for {
		kind, err := d.Next(ctx)
		if err != nil {
			return err
		}
		switch kind {
		case xmltext.End:
			if cut := d.Cut(); cut.Inside != "" {
				to.Notice(fault.Notice{Code: fault.RecordCutShort, Severity: fault.Warning, Pos: cut.Pos, Message: "the document ends inside " + cut.Inside, Excerpt: cut.Excerpt})
			}
			return nil
		case xmltext.StartTag:
			name := d.name()
			if len(d.names) == 0 || slices.Contains(d.names, name) && (d.parent == "" || d.parent == strings.Join(d.path, "/")) {
				if err := d.element(name); err != nil {
					return err
				}
				continue
			}
			d.path = append(d.path, name)
		case xmltext.EndTag:
			d.path = d.path[:max(len(d.path)-1, 0)]
		}
	}
}

func (d *xmlDocument) name() string {
	if p := d.Prefix(); len(p) > 0 {
		return string(p) + ":" + string(d.Local())
	}
	return string(d.Local())
}

// element reads the element whose start tag was read as a record.
func (d *xmlDocument) element(name string) error {
	pos := d.Pos()
	d.repaired, d.lost, d.size = d.Repaired(), nil, 0
	v, err := d.value()
	if err != nil {
		return err
	}
	if d.lost != nil {
		n := *d.lost
		n.Severity, n.Lost = fault.Drop, 1
		d.to.Notice(n)
		return nil
	}
	d.record = recordOf(v, pos)
	d.record.Document, d.record.Repaired = d.document, d.repaired
	if d.several {
		d.record.Table = name
	}
	if err := d.to.Record(&d.record); err != nil {
		return &records.SinkError{Err: err}
	}
	return nil
}

// value is the element that was begun, to its end.
func (d *xmlDocument) value() (v records.Value, err error) {
	v.Kind = records.Object
	for i := range d.Attrs() {
		a := &d.Attrs()[i]
		name := string(a.Local)
		if len(a.Prefix) > 0 {
			name = string(a.Prefix) + ":" + name
		}
		if a.Lost != nil && d.lost == nil {
			d.lost = a.Lost
		}
		d.repaired = d.repaired || a.Repaired
		v.Fields = append(v.Fields, records.Field{Name: "@" + name, Value: records.TextOf(string(a.Value)), Pos: d.PosAt(a.ValueAt)})
	}
	var text []byte
	var textAt fault.Pos
	for {
		kind, err := d.Next(d.ctx)
		if err != nil {
			return v, err
		}
		switch kind {
		case xmltext.TooDeep, xmltext.TooLong:
			if d.lost == nil {
				d.lost = d.Lost()
			}
		case xmltext.Text:
			d.loses()
			d.size += len(d.Text())
			if d.size > d.maxItem {
				if d.lost == nil {
					d.lost = &fault.Notice{Code: fault.LimitRecord, Pos: d.Pos(), Message: "the record is larger than may be held"}
				}
				continue
			}
			if len(text) == 0 {
				textAt = d.Pos()
			}
			text = append(text, d.Text()...)
		case xmltext.StartTag:
			name, pos := d.name(), d.Pos()
			d.repaired = d.repaired || d.Repaired()
			d.size += len(name) + 64
			child, err := d.value()
			if err != nil {
				return v, err
			}
			if d.size <= d.maxItem {
				addChild(&v, records.Field{Name: name, Value: child, Pos: pos})
			}
		case xmltext.EndTag, xmltext.End:
			return closeElement(v, text, textAt), nil
		}
	}
}

func (d *xmlDocument) loses() {
	if n := d.Lost(); n != nil && d.lost == nil {
		d.lost = n
	}
	d.repaired = d.repaired || d.Repaired()
}

// addChild adds a child; those of the same name become a list.
func addChild(v *records.Value, f records.Field) {
	for i := range v.Fields {
		old := &v.Fields[i]
		if old.Name != f.Name {
			continue
		}
		if old.Value.Kind != records.List {
			old.Value = records.Value{Kind: records.List, Items: []records.Value{old.Value}}
		}
		old.Value.Items = append(old.Value.Items, f.Value)
		return
	}
	v.Fields = append(v.Fields, f)
}

// closeElement is the value of an element: its text where it has nothing else.
func closeElement(v records.Value, text []byte, at fault.Pos) records.Value {
	if len(v.Fields) == 0 {
		return records.TextOf(string(bytes.TrimSpace(text)))
	}
	if text = bytes.TrimSpace(text); len(text) > 0 {
		v.Fields = append(v.Fields, records.Field{Name: "#text", Value: records.TextOf(string(text)), Pos: at})
	}
	return v
}

// sibling counts the elements of one name in their parents.
type sibling struct {
	path, name string
	depth      int
	most       int // in one parent
	rich       bool
}

// bestSibling is the element that records are most likely; nil if none repeats.
func bestSibling(all []*sibling) (best *sibling) {
	for _, s := range all {
		if s.most < 2 || s.depth == 0 {
			continue
		}
		if best == nil || s.rich && !best.rich || s.rich == best.rich && (s.depth < best.depth || s.depth == best.depth && s.path != best.path && s.most > best.most) {
			best = s
		}
	}
	return best
}

// repeated finds the elements that repeat, the nearest to the root that are more than texts.
func repeated(ctx context.Context, head []byte, opt *Options) (parent string, names []string, err error) {
	r := xmltext.NewReader(bytes.NewReader(head), xmltext.Options{MaxDepth: opt.MaxDepth}, unheard{})
	defer r.Free()
	found := map[string]*sibling{}
	var order []*sibling
	var path []string
	var counts []map[string]int
	var stack []*sibling
	for {
		kind, err := r.Next(ctx)
		if err != nil {
			return "", nil, err
		}
		if kind == xmltext.End {
			break
		}
		switch kind {
		case xmltext.StartTag:
			name := string(r.Local())
			if p := r.Prefix(); len(p) > 0 {
				name = string(p) + ":" + name
			}
			at := strings.Join(path, "/")
			key := fmt.Sprintf("%s/%s", at, name)
			s := found[key]
			if s == nil {
				s = &sibling{path: at, name: name, depth: len(path)}
				found[key] = s
				order = append(order, s)
			}
			if n := len(counts); n > 0 {
				counts[n-1][name]++
				s.most = max(s.most, counts[n-1][name])
				stack[n-1].rich = true
			}
			s.rich = s.rich || len(r.Attrs()) > 0
			path, counts, stack = append(path, name), append(counts, map[string]int{}), append(stack, s)
		case xmltext.EndTag:
			if n := len(path); n > 0 {
				path, counts, stack = path[:n-1], counts[:n-1], stack[:n-1]
			}
		}
	}
	best := bestSibling(order)
	if best == nil {
		return "", nil, nil
	}
	for _, s := range order {
		if s.path == best.path && s.most > 1 && s.rich == best.rich {
			names = append(names, s.name)
		}
	}
	return best.path, names, nil
}

type unheard struct{}

func (unheard) Notice(fault.Notice) {}
