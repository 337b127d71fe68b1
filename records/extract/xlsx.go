package extract

import (
	"context"
	"path"

	"laundromat/internal/fault"
	"laundromat/markup/xmltext"
	"laundromat/records"
)

// xlsx is a workbook of Office Open XML. Of its parts only the shared strings are held.
type xlsx struct {
	*pack
	sheets  []sheet
	strings []string
	formats []dateFormat // by the number of a style
}

// readXLSX reads the sheets of a workbook, each as a table.
func readXLSX(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	p, err := openPack(newWorkbook(ctx, doc, opt, to), doc, opt.memory())
	if err != nil {
		return err
	}
	w := &xlsx{pack: p}
	if err := w.open(opt.memory()); err != nil {
		return err
	}
	w.several = len(w.sheets) > 1
	for i, s := range w.sheets {
		if !w.wants(i, s) {
			continue
		}
		if err := w.readSheet(s); err != nil {
			return err
		}
	}
	w.tellMissing()
	return nil
}

// open reads the parts that all sheets share.
func (w *xlsx) open(memory int64) error {
	all, err := w.relations("")
	if err != nil {
		return err
	}
	main := ofKind(all, "officeDocument", "xl/workbook.xml")
	if w.part(main) == nil {
		main = "xl/workbook.xml"
	}
	if all, err = w.relations(main); err != nil {
		return err
	}
	err = w.elements(main, func(d *xmltext.Reader, _ func() xmltext.Kind) error {
		switch string(d.Local()) {
		case "workbookPr": // an extension has one too, which knows nothing of dates
			if on := attribute(d, "date1904"); on != "" {
				w.date1904 = isTrue(on)
			}
		case "sheet":
			w.sheets = append(w.sheets, sheet{name: unescapeX(attribute(d, "name")), file: all[attribute(d, "id")].target,
				hidden: attribute(d, "state") == "hidden" || attribute(d, "state") == "veryHidden"})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if len(w.sheets) == 0 {
		return fault.New("extract.Read", fault.Data, fault.RecordFormat, "the archive isn't an XLSX workbook: it names no sheets")
	}
	if err := w.readStyles(ofKind(all, "styles", path.Join(path.Dir(main), "styles.xml"))); err != nil {
		return err
	}
	return w.readStrings(ofKind(all, "sharedStrings", path.Join(path.Dir(main), "sharedStrings.xml")), memory)
}

// readStrings reads the strings that cells share, within a bound of memory.
func (w *xlsx) readStrings(name string, memory int64) error {
	return w.elements(name, func(d *xmltext.Reader, token func() xmltext.Kind) error {
		if string(d.Local()) != "si" {
			return nil
		}
		text := richText(d, token, int(memory))
		w.strings = append(w.strings, text)
		if memory -= int64(len(text)) + 16; memory < 0 {
			return fault.New("extract.Read", fault.Limit, fault.LimitMemory,
				"the strings of the workbook need more memory than it may have")
		}
		return nil
	})
}
