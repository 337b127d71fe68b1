package extract

import (
	"bytes"
	"context"
	"errors"
	"io"
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
	wanted   string // the name of the records, as the spec has it; empty: found out
	several  bool
	records  int           // that were read, lost ones too
	open     []openElement // around what is read, outside of records
	repaired bool          // something was repaired since the record began
	lost     *fault.Notice
	isCut    bool   // the document ends in a record
	unclosed string // the innermost element around records that the document ends in
	size     int
	maxItem  int
	record   records.Record
	own      bool     // this program wrote the document
	last     ownMarks // of the element that was read last
}

// openElement is an element that is no record and in none.
type openElement struct {
	name  string
	shape *element // nil where the sketch has none
	pos   fault.Pos
	holds bool   // it has elements or attributes
	text  []byte // the beginning of the text in it
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
	d := &xmlDocument{ctx: ctx, to: to, document: doc.Name, maxItem: opt.MaxItem, wanted: opt.source().Records}
	if d.maxItem <= 0 {
		d.maxItem = 16 << 20
	}
	if d.wanted == "" && isOwnXML(head) {
		d.own, d.wanted = true, "record"
	}
	whole, err := sketch(ctx, head, opt)
	if err != nil {
		return err
	}
	var names []string
	if d.wanted != "" {
		names = []string{d.wanted}
		whole.each(func(e *element) { e.isRecord = e.name == d.wanted })
	} else {
		names = whole.markRecords()
	}
	d.several = len(names) > 1
	if len(names) > 0 {
		to.Notice(fault.Notice{Code: fault.RecordList, Severity: fault.Note,
			Message: "the records are the elements " + strings.Join(names, ", ") + besideThem(whole.beside())})
	}
	d.open = []openElement{{shape: whole}}
	d.Reader = xmltext.NewReader(io.MultiReader(bytes.NewReader(head), doc.Text),
		xmltext.Options{MaxDepth: opt.MaxDepth, MaxToken: d.maxItem}, d)
	defer d.Free()
	err = d.read()
	if err == nil && d.wanted != "" && d.records == 0 && !d.own {
		names = nil
		whole.each(func(e *element) { names = append(names, e.name) })
		to.Notice(noRecords("element "+d.wanted, d.wanted, fault.Pos{}, names))
	}
	return err
}

// read goes through the document to its end.
func (d *xmlDocument) read() error {
	for {
		kind, err := d.Next(d.ctx)
		if err != nil {
			return err
		}
		around := &d.open[len(d.open)-1]
		switch kind {
		case xmltext.End:
			for len(d.open) > 1 {
				d.close()
			}
			if !d.isCut && (d.unclosed != "" || d.Cut().Inside != "") {
				n := d.cutShort(d.unclosed)
				n.Severity = fault.Warning
				d.to.Notice(*n)
			}
			return nil
		case xmltext.StartTag:
			name := tagName(d.Reader)
			around.holds = true
			shape := around.shape.find(name)
			if name == d.wanted || d.wanted == "" && shape != nil && shape.isRecord {
				if err := d.element(name, shape); err != nil {
					return err
				}
				continue
			}
			d.begin(name, shape)
		case xmltext.Text:
			if n := 200 - len(around.text); n > 0 && len(d.open) > 1 {
				around.text = append(around.text, bytes.TrimLeft(d.Text(), " \t\r\n")...)
				around.text = around.text[:min(len(around.text), 200)]
			}
		case xmltext.TooDeep, xmltext.TooLong:
			if lost := d.Lost(); lost != nil {
				n := *lost
				n.Severity, n.Lost = fault.Drop, 1
				d.to.Notice(n)
			}
		case xmltext.EndTag:
			if d.AtEnd() && d.unclosed == "" {
				d.unclosed = around.name
			}
			if len(d.open) > 1 {
				d.close()
			}
		}
	}
}

// cutShort says that the document ends inside an element.
func (d *xmlDocument) cutShort(name string) *fault.Notice {
	n := &fault.Notice{Code: fault.RecordCutShort, Pos: d.Pos(), Message: "the document ends before the end tag of <" + name + ">"}
	if cut := d.Cut(); cut.Inside != "" {
		n.Pos, n.Message, n.Excerpt = cut.Pos, "the document ends inside "+cut.Inside, cut.Excerpt
	}
	return n
}

// begin goes into an element that is no record. Its attributes are beside the records.
func (d *xmlDocument) begin(name string, shape *element) {
	d.open = append(d.open, openElement{name: name, shape: shape, pos: d.Pos()})
	at := &d.open[len(d.open)-1]
	for i := range d.Attrs() {
		a := &d.Attrs()[i]
		if at.holds = true; declares(a) {
			continue
		}
		name := string(a.Local)
		if len(a.Prefix) > 0 {
			name = string(a.Prefix) + ":" + name
		}
		d.to.Notice(beside(d.path()+"/@"+name, d.PosAt(a.ValueAt), a.Value))
	}
}

// close goes out of an element that is no record. Its text is beside the records, and so is the element itself
// where nothing is in it.
func (d *xmlDocument) close() {
	at := &d.open[len(d.open)-1]
	if len(at.text) > 0 || !at.holds {
		d.to.Notice(beside(d.path(), at.pos, at.text))
	}
	d.open = d.open[:len(d.open)-1]
}

// path names the innermost open element by those around it.
func (d *xmlDocument) path() string {
	names := make([]string, 0, len(d.open))
	for i := range d.open[1:] {
		names = append(names, d.open[i+1].name)
	}
	return strings.Join(names, "/")
}

// element reads the element whose start tag was read as a record.
func (d *xmlDocument) element(name string, shape *element) error {
	pos := d.Pos()
	d.records++
	d.repaired, d.lost, d.size = d.Repaired(), nil, 0
	v, err := d.value(shape)
	if err != nil {
		return err
	}
	if d.isCut && d.lost == nil { // its last value may be a part of one
		d.lost = d.cutShort(name)
	}
	if d.lost != nil {
		n := *d.lost
		n.Severity, n.Lost = fault.Drop, 1
		d.to.Notice(n)
		return nil
	}
	if d.own && v.Kind != records.Object { // it has no fields
		v = records.Value{Kind: records.Object}
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

// value is the element that was begun, to its end. Elements that repeat in any of its kind are a list.
func (d *xmlDocument) value(shape *element) (v records.Value, err error) {
	v.Kind = records.Object
	var own ownMarks
	var items []records.Value
	for i := range d.Attrs() {
		a := &d.Attrs()[i]
		if d.own && own.add(a) {
			continue
		}
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
			if d.size += len(d.Text()); d.tooLarge() {
				continue
			}
			if len(text) == 0 {
				textAt = d.Pos()
			}
			text = append(text, d.Text()...)
		case xmltext.StartTag:
			name, pos := tagName(d.Reader), d.Pos()
			d.repaired = d.repaired || d.Repaired()
			d.size += len(name) + 64
			inner := shape.find(name)
			child, err := d.value(inner)
			if err != nil {
				return v, err
			}
			if d.last.named {
				name = d.last.name
			}
			switch {
			case d.tooLarge():
			case own.kind == "list":
				items = append(items, child)
			default:
				addChild(&v, records.Field{Name: name, Value: child, Pos: pos}, inner.repeats() && !d.own)
			}
		case xmltext.EndTag, xmltext.End:
			d.isCut = kind == xmltext.End || d.AtEnd()
			d.last = own
			return own.apply(closeElement(v, text, textAt), items), nil
		}
	}
}

func (d *xmlDocument) loses() {
	if n := d.Lost(); n != nil && d.lost == nil {
		d.lost = n
	}
	d.repaired = d.repaired || d.Repaired()
}

// tooLarge says that a record has more than may be held, and is lost.
func (d *xmlDocument) tooLarge() bool {
	if d.size <= d.maxItem {
		return false
	}
	if d.lost == nil {
		d.lost = &fault.Notice{Code: fault.LimitRecord, Pos: d.Pos(), Message: "the record is larger than may be held"}
	}
	return true
}

// addChild adds a child; those of the same name become a list, and so does one that repeats elsewhere.
func addChild(v *records.Value, f records.Field, repeats bool) {
	for i := range v.Fields {
		old := &v.Fields[i]
		if old.Name != f.Name {
			continue
		}
		if !old.Several {
			old.Value, old.Several = records.Value{Kind: records.List, Items: []records.Value{old.Value}}, true
		}
		old.Value.Items = append(old.Value.Items, f.Value)
		return
	}
	if repeats {
		f.Value, f.Several = records.Value{Kind: records.List, Items: []records.Value{f.Value}}, true
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
