package statistics

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
)

// JSON is how statistics are written.
type JSON struct {
	Indent bool // by two spaces, without escapes that only HTML needs
}

// Write writes statistics as encoding/json does, without its cost for each row of a list.
func (j JSON) Write(to io.Writer, s *Statistics) error {
	head := *s
	head.ByClass, head.ByProperty, head.Vocabularies = []Class{}, []Property{}, []Vocabulary{}
	head.Datatypes, head.Languages, head.Hosts = []Name{}, []Name{}, []Name{}
	var rest bytes.Buffer
	if err := j.encode(&rest, &head); err != nil {
		return err
	}
	w := &rows{to: to, json: j}
	w.begin(&rest, "by_class")
	for i := range s.ByClass {
		c := &s.ByClass[i]
		w.row("iri", c.IRI, number{"entities", c.Entities}, number{"triples", c.Triples})
	}
	w.begin(&rest, "by_property")
	for i := range s.ByProperty {
		p := &s.ByProperty[i]
		w.row("iri", p.IRI, number{"triples", p.Triples}, number{"subjects", p.Subjects})
	}
	w.begin(&rest, "vocabularies")
	for i := range s.Vocabularies {
		v := &s.Vocabularies[i]
		w.row("namespace", v.Namespace, number{"properties", v.Properties}, number{"classes", v.Classes}, number{"triples", v.Triples})
	}
	for _, list := range []struct {
		key   string
		names []Name
	}{{"datatypes", s.Datatypes}, {"languages", s.Languages}, {"hosts", s.Hosts}} {
		w.begin(&rest, list.key)
		for i := range list.names {
			w.row("name", list.names[i].Name, number{"triples", list.names[i].Triples})
		}
	}
	w.end()
	w.line = append(w.line, rest.Bytes()...)
	w.flush()
	return w.err
}

func (j JSON) encode(to io.Writer, value any) error {
	encoder := json.NewEncoder(to)
	if j.Indent {
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
	}
	return encoder.Encode(value)
}

// number is a key and its number.
type number struct {
	key   string
	value int64
}

// rows writes lists of rows.
type rows struct {
	to      io.Writer
	json    JSON
	line    []byte // not written yet
	hasRows bool   // the list that was begun has
	hasList bool
	err     error
}

// begin writes the text up to a list that is empty in it, and takes it away from the text with the list.
func (w *rows) begin(rest *bytes.Buffer, key string) {
	w.end()
	mark := `"` + key + `":`
	if w.json.Indent {
		mark += " "
	}
	at := bytes.Index(rest.Bytes(), []byte(mark+"[]"))
	w.line = append(w.line, rest.Next(at+len(mark))...)
	w.line = append(w.line, '[')
	rest.Next(len("[]"))
	w.hasList, w.hasRows = true, false
}

// end ends the list that was begun.
func (w *rows) end() {
	if !w.hasList {
		return
	}
	if w.hasRows && w.json.Indent {
		w.line = append(w.line, "\n  "...)
	}
	w.line = append(w.line, ']')
}

// row writes a row of the list that was begun.
func (w *rows) row(key, name string, numbers ...number) {
	between, before, colon, after := "", "", `":`, "}"
	if w.json.Indent {
		between, before, colon, after = "\n    ", "\n      ", `": `, "\n    }"
	}
	if w.hasRows {
		w.line = append(w.line, ',')
	}
	w.hasRows = true
	w.line = append(append(w.line, between...), '{')
	w.line = append(append(append(append(w.line, before...), '"'), key...), colon...)
	w.string(name)
	for _, n := range numbers {
		w.line = append(append(w.line, ','), before...)
		w.line = append(append(append(w.line, '"'), n.key...), colon...)
		w.line = strconv.AppendInt(w.line, n.value, 10)
	}
	if w.line = append(w.line, after...); len(w.line) >= 64<<10 {
		w.flush()
	}
}

// string writes a string, by itself if it needs no escapes.
func (w *rows) string(text string) {
	for i := 0; i < len(text); i++ {
		if !isPlainInJSON[text[i]] {
			var b bytes.Buffer
			if err := w.json.encode(&b, text); err != nil && w.err == nil {
				w.err = err
			}
			w.line = append(w.line, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
			return
		}
	}
	w.line = append(append(append(w.line, '"'), text...), '"')
}

// isPlainInJSON has the bytes that JSON writes as they are, with and without regard to HTML.
var isPlainInJSON = func() (plain [256]bool) {
	for b := byte(' '); b < 0x7F; b++ {
		plain[b] = !bytes.ContainsRune([]byte(`"\<>&`), rune(b))
	}
	return plain
}()

func (w *rows) flush() {
	if w.err == nil {
		_, w.err = w.to.Write(w.line)
	}
	w.line = w.line[:0]
}
