package extract

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/records"
)

const defaultMemory = 256 << 20

// workbook is an XLSX file. Of its parts only the shared strings are held.
type workbook struct {
	files    map[string]*zip.File
	sheets   []sheet
	strings  []string
	formats  []dateFormat // by the number of a style
	date1904 bool
}

type sheet struct {
	name, file string
	hidden     bool
}

// readXLSX reads the sheets of a workbook, each as a table.
func readXLSX(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	memory := opt.MaxMemory
	if memory <= 0 {
		memory = defaultMemory
	}
	raw, size := doc.Raw, doc.Size
	if raw == nil {
		held, err := io.ReadAll(io.LimitReader(doc.Text, memory+1))
		if err != nil {
			return err
		}
		if int64(len(held)) > memory {
			return fault.New("extract.Read", fault.Limit, fault.LimitMemory, "the workbook needs more than %d bytes of memory", memory)
		}
		raw, size = strings.NewReader(string(held)), int64(len(held))
	}
	archive, err := zip.NewReader(raw, size)
	if err != nil {
		return fault.New("extract.Read", fault.Data, fault.RecordFormat,
			"it is no XLSX workbook (an older or encrypted one must be saved as XLSX): %w", err)
	}
	w := &workbook{files: map[string]*zip.File{}}
	for _, f := range archive.File {
		w.files[strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/"))] = f
	}
	if err := w.open(memory); err != nil {
		return err
	}
	source := opt.source()
	for i, s := range w.sheets {
		switch {
		case len(source.Tables) > 0 && !slices.Contains(source.Tables, s.name) && !slices.Contains(source.Tables, strconv.Itoa(i+1)):
			continue
		case s.hidden && !source.Hidden && len(source.Tables) == 0:
			to.Notice(fault.Notice{Code: fault.TableSheetHidden, Severity: fault.Warning,
				Message: fmt.Sprintf("the sheet %q is hidden and is not read", s.name)})
			continue
		}
		name := ""
		if len(w.sheets) > 1 {
			name = s.name
		}
		if err := w.readSheet(ctx, s, &table{ctx: ctx, to: to, source: source, document: doc.Name, sheet: name}); err != nil {
			return err
		}
	}
	return nil
}

// open reads the parts that all sheets share.
func (w *workbook) open(memory int64) error {
	targets := map[string]string{}
	err := w.elements("xl/_rels/workbook.xml.rels", func(e xml.StartElement, _ *xml.Decoder) error {
		if e.Name.Local == "Relationship" {
			targets[attribute(e, "Id")] = attribute(e, "Target")
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = w.elements("xl/workbook.xml", func(e xml.StartElement, _ *xml.Decoder) error {
		switch e.Name.Local {
		case "workbookPr":
			on := attribute(e, "date1904")
			w.date1904 = on == "1" || on == "true"
		case "sheet":
			target := targets[attribute(e, "id")]
			if !strings.HasPrefix(target, "/") {
				target = path.Join("xl", target)
			}
			w.sheets = append(w.sheets, sheet{name: attribute(e, "name"), file: strings.TrimPrefix(target, "/"),
				hidden: attribute(e, "state") == "hidden" || attribute(e, "state") == "veryHidden"})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(w.sheets) == 0 {
		return fault.New("extract.Read", fault.Data, fault.RecordFormat, "the archive is no XLSX workbook: it names no sheets")
	}
	if err := w.readStyles(); err != nil {
		return err
	}
	return w.readStrings(memory)
}

// elements calls a function for each start tag of a part of the workbook.
func (w *workbook) elements(name string, each func(xml.StartElement, *xml.Decoder) error) error {
	f := w.files[strings.ToLower(name)]
	if f == nil {
		return nil
	}
	part, err := f.Open()
	if err != nil {
		return damaged(name, err)
	}
	defer part.Close()
	d := xml.NewDecoder(part)
	d.Strict = false
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return damaged(name, err)
		}
		if e, ok := token.(xml.StartElement); ok {
			if err := each(e, d); err != nil {
				return err
			}
		}
	}
}

func damaged(name string, err error) error {
	return fault.New("extract.Read", fault.Data, fault.RecordFormat, "the workbook is damaged: %s: %w", name, err)
}

func attribute(e xml.StartElement, local string) string {
	for i := range e.Attr {
		if e.Attr[i].Name.Local == local {
			return e.Attr[i].Value
		}
	}
	return ""
}

// readStrings reads the strings that cells share, within a bound of memory.
func (w *workbook) readStrings(memory int64) error {
	return w.elements("xl/sharedStrings.xml", func(e xml.StartElement, d *xml.Decoder) error {
		if e.Name.Local != "si" {
			return nil
		}
		text, err := richText(d, "si")
		if err != nil {
			return damaged("sharedStrings.xml", err)
		}
		w.strings = append(w.strings, text)
		if memory -= int64(len(text)) + 16; memory < 0 {
			return fault.New("extract.Read", fault.Limit, fault.LimitMemory, "the strings of the workbook need more memory than it may have")
		}
		return nil
	})
}

// richText is the text of an element, in runs or not, without how it is pronounced.
func richText(d *xml.Decoder, end string) (string, error) {
	var b strings.Builder
	inText, aside := false, 0
	for {
		token, err := d.RawToken()
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			inText = t.Name.Local == "t"
			if t.Name.Local == "rPh" {
				aside++
			}
		case xml.CharData:
			if inText && aside == 0 {
				b.Write(t)
			}
		case xml.EndElement:
			inText = false
			switch t.Name.Local {
			case "rPh":
				aside--
			case end:
				return b.String(), nil
			}
		}
	}
}
