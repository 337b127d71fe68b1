package extract

import (
	"bytes"
	"context"

	"laundromat/internal/fault"
	"laundromat/records"
)

// readCSV reads tables that are written as text: comma-separated values and their kin.
func readCSV(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	return readDelimited(ctx, doc, opt, to, 0)
}

// readTSV reads them with a preference for tabs.
func readTSV(ctx context.Context, doc *Document, opt *Options, to records.Sink) error {
	return readDelimited(ctx, doc, opt, to, '\t')
}

// mostSampled bounds how far the sample grows for rows that are long.
const mostSampled = 4 << 20

// sampleRows shows the beginning of a document, as much as has whole rows. A header of many thousands of
// columns is longer than a sample.
func sampleRows(scan *scanner) (text []byte, err error) {
	for n := searchBytes; n <= mostSampled; n *= 2 {
		if text, err = scan.sample(n); err != nil || len(text) < n {
			break
		}
		head, last := text[:len(text)-1], bytes.LastIndexAny(text[:len(text)-1], "\r\n")
		if last >= 0 && bytes.ContainsAny(bytes.TrimRight(head[:last], "\r\n"), "\r\n") {
			break
		}
	}
	return text, err
}

func readDelimited(ctx context.Context, doc *Document, opt *Options, to records.Sink, hint byte) error {
	scan := newScanner(ctx, doc.Text, opt.MaxRow)
	text, err := sampleRows(scan)
	if err != nil {
		return err
	}
	if bytes.HasPrefix(text, []byte("\uFEFF")) {
		scan.skip(3)
		scan.at.Column = 1
		text = text[3:]
	}
	whole := scan.eof && len(text) == scan.end-scan.first
	f := findDialect(ctx, text, whole, opt.source(), hint)
	at := scan.at
	if _, _, skip := separatorLine(text); skip > 0 {
		scan.skip(skip)
	}
	if len(bytes.TrimSpace(text)) > 0 {
		to.Notice(fault.Notice{Code: fault.TableDialect, Severity: fault.Note, Pos: at, Message: f.String() + " (" + f.evidence + ")"})
	}
	scan.dialect = f.dialect
	t := &table{ctx: ctx, rows: scan, to: to, source: opt.source(), document: doc.Name, delimiter: f.delimiter}
	t.several = countTables(ctx, text, f.dialect, t.source) > 1
	if err := t.run(); err != nil {
		return err
	}
	if scan.mixed.Line > 0 {
		to.Notice(fault.Notice{Code: fault.TableLineEnds, Severity: fault.Note, Pos: scan.mixed,
			Message: "line ends of several kinds (LF, CRLF, CR) are mixed; all of them end rows"})
	}
	return nil
}

// countTables counts the tables at the beginning of a document, so that the first has a name
// where others follow.
func countTables(ctx context.Context, text []byte, d dialect, source *Source) int {
	_, _, skip := separatorLine(text)
	scan := newSampleScanner(ctx, text[skip:], true, d)
	t := &table{ctx: ctx, rows: scan, to: nothing{}, source: source, delimiter: d.delimiter}
	if t.run() != nil {
		return 0
	}
	return t.number
}

// nothing is a sink that keeps nothing.
type nothing struct{}

func (nothing) Record(*records.Record) error { return nil }
func (nothing) Notice(fault.Notice)          {}
