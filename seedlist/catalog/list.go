package catalog

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"laundromat/seedlist"
)

// maxLine is the longest line of a list, in bytes.
const maxLine = 1 << 20

// lines calls each with every line; one that is too long is refused, and the reading
// goes on after it.
func (r *reading) lines(each func(number int64, line string) error) error {
	in := bufio.NewReaderSize(&lineEnds{from: r.text}, 64<<10)
	var line []byte
	for number := int64(1); ; number++ {
		line = line[:0]
		long := false
		var err error
		for {
			var piece []byte
			piece, err = in.ReadSlice('\n')
			if len(line)+len(piece) <= maxLine {
				line = append(line, piece...)
			} else {
				long = true
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if long {
			r.refuse(string(line[:80]), Damaged, "line "+itoa(number)+" is longer than a line may be")
		} else if len(line) > 0 {
			if number == 1 {
				line = bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))
			}
			if err := each(number, strings.TrimRight(string(line), "\r\n")); err != nil {
				return err
			}
		}
		if err != nil {
			return nil
		}
	}
}

// lineEnds makes LF of all line ends: CR alone ends lines on old Macs, and in what
// spreadsheets write there.
type lineEnds struct {
	from    io.Reader
	afterCR bool
}

func (l *lineEnds) Read(p []byte) (int, error) {
	for {
		n, err := l.from.Read(p)
		kept := p[:0]
		for _, b := range p[:n] {
			behind := l.afterCR
			switch l.afterCR = b == '\r'; {
			case b == '\r':
				b = '\n'
			case b == '\n' && behind:
				continue
			}
			kept = append(kept, b)
		}
		if len(kept) > 0 || err != nil || n == 0 {
			return len(kept), err
		}
	}
}

// list reads a URI a line: text/uri-list, sitemaps in text, and what people keep in
// files. Blank lines and lines that begin with # are skipped.
func (r *reading) list() error {
	return r.lines(func(number int64, line string) error {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			return nil
		}
		if len(line) > 2 && line[0] == '<' && line[len(line)-1] == '>' {
			line = line[1 : len(line)-1]
		}
		return r.take(found{uri: line, sure: true})
	})
}

// column is what a column of a table holds.
type column uint8

const (
	otherColumn column = iota
	uriColumn
	titleColumn
	formatColumn
	mediaTypeColumn
	licenseColumn
	publisherColumn
	sizeColumn
	checksumColumn
	modifiedColumn
	triplesColumn
)

// columnNames are the names of columns, in lower case and without separators.
var columnNames = sync.OnceValue(func() map[string]column {
	all := map[string]column{}
	for c, names := range map[column]string{
		uriColumn:       "uri url iri link href downloadurl downloaduri download accessurl location loc dumpurl dump datadump resourceurl fileurl address",
		titleColumn:     "title name label",
		formatColumn:    "format type extension filetype serialization serialisation",
		mediaTypeColumn: "mediatype mimetype mime contenttype",
		licenseColumn:   "license licence licenseurl rights",
		publisherColumn: "publisher organization organisation owner",
		sizeColumn:      "size bytes bytesize filesize contentlength",
		checksumColumn:  "checksum hash md5 sha1 sha256 sha512 digest",
		modifiedColumn:  "modified lastmodified lastmod updated date",
		triplesColumn:   "triples statements",
	} {
		for name := range strings.FieldsSeq(names) {
			all[name] = c
		}
	}
	return all
})

// tableHead is the head of a table.
type tableHead struct {
	comma   rune
	columns []column
	names   []string
	header  bool // the first line names the columns
}

// tableOf says whether a line begins a table with a column of URIs.
func tableOf(line string) (tableHead, bool) {
	for _, comma := range "\t,;|" {
		fields, err := fieldsOf(line, comma)
		if err != nil || len(fields) < 2 && !(comma == ',' && len(fields) == 1 && columnNames()[plainName(fields[0])] == uriColumn) {
			continue
		}
		h := tableHead{comma: comma, columns: make([]column, len(fields)), names: make([]string, len(fields))}
		uris := 0
		for i, field := range fields {
			h.names[i] = plainName(field)
			h.columns[i] = columnNames()[h.names[i]]
			if h.columns[i] == uriColumn {
				uris++
			}
		}
		if uris > 0 {
			h.header = true
			return h, true
		}
		// Without a head: a column whose first value is a URI.
		for i, field := range fields {
			if isURI(field) && !slices.Contains(h.columns, uriColumn) {
				h.columns[i] = uriColumn
				uris++
			} else {
				h.columns[i] = otherColumn
			}
		}
		if uris > 0 && comma != ';' && comma != '|' && !strings.HasPrefix(strings.TrimSpace(line), "<") {
			// A URI may hold commas itself: a line that is a URI as a whole is a list's.
			if comma == ',' && isURI(line) {
				continue
			}
			return h, true
		}
	}
	return tableHead{}, false
}

func isURI(s string) bool {
	s = strings.TrimSpace(s)
	u, err := seedlist.ParseURI(s)
	return err == nil && !u.Relative && !strings.ContainsAny(s, " \t")
}

func plainName(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "", "\uFEFF", "").Replace(strings.TrimSpace(s)))
}

func fieldsOf(line string, comma rune) ([]string, error) {
	in := csv.NewReader(strings.NewReader(line))
	in.Comma, in.FieldsPerRecord, in.LazyQuotes = comma, -1, false
	in.TrimLeadingSpace = comma != '\t'
	fields, err := in.Read()
	if err == nil {
		if _, again := in.Read(); !errors.Is(again, io.EOF) {
			return nil, csv.ErrFieldCount
		}
	}
	return fields, err
}

// maxRowLines is how many lines a row with quoted line ends may take. A quote that is
// never closed costs its own line and not the rest of the table.
const maxRowLines = 20

// table reads CSV (RFC 4180) and TSV, with or without a head.
func (r *reading) table() error {
	var head tableHead
	known := false
	type held struct {
		number int64
		line   string
	}
	var waiting []held // lines of a row that is not closed
	row := func(number int64, fields []string) error {
		if len(fields) == 1 && strings.TrimSpace(fields[0]) == "" {
			return nil
		}
		return r.row(head, number, fields)
	}
	// settle tries the row that begins with the first waiting line, in as few lines as it needs. If
	// there is none, force gives up the first line.
	settle := func(force bool) error {
		for len(waiting) > 0 {
			text := ""
			done := false
			for i, w := range waiting {
				if i > 0 {
					text += "\n"
				}
				text += w.line
				if fields, err := fieldsOf(text, head.comma); err == nil {
					number := waiting[0].number
					waiting = waiting[i+1:]
					if err := row(number, fields); err != nil {
						return err
					}
					done = true
					break
				}
			}
			if done {
				continue
			}
			if !force && len(waiting) < maxRowLines {
				return nil
			}
			r.refuse(waiting[0].line, Damaged, "line "+itoa(waiting[0].number)+": quotation marks that can't be read")
			waiting = waiting[1:]
		}
		return nil
	}
	err := r.lines(func(number int64, line string) error {
		if strings.TrimSpace(line) == "" && len(waiting) == 0 {
			return nil
		}
		if !known {
			if strings.HasPrefix(line, "#") && !strings.ContainsAny(line, "\t,") {
				return nil
			}
			known = true
			h, ok := tableOf(line)
			if !ok {
				return damaged("no column of the table is called uri, url or the like, and none begins with one")
			}
			if head = h; head.header {
				return nil
			}
		}
		waiting = append(waiting, held{number, line})
		return settle(false)
	})
	if err != nil {
		return err
	}
	return settle(true)
}

// row gives out a row of a table: an entry for each column of URIs that has one.
func (r *reading) row(head tableHead, number int64, fields []string) error {
	claims := Claims{}
	f := found{claims: claims}
	var uris []string
	for i, field := range fields {
		if i >= len(head.columns) {
			break
		}
		switch field = strings.TrimSpace(field); head.columns[i] {
		case uriColumn:
			if field != "" {
				uris = append(uris, field)
			}
		case titleColumn:
			f.title = firstOf(f.title, field)
		case formatColumn:
			f.formats = append(f.formats, field)
		case mediaTypeColumn:
			f.formats = append(f.formats, field)
			claims.set(MediaType, mediaType(field))
		case licenseColumn:
			claims.set(License, field)
		case publisherColumn:
			claims.set(Publisher, field)
		case sizeColumn:
			claims.setSize(field)
		case checksumColumn:
			name := head.names[i]
			if name == "checksum" || name == "hash" || name == "digest" {
				name = ""
			}
			claims.setChecksum(name, field)
		case modifiedColumn:
			claims.setModified(field)
		case triplesColumn:
			claims.setTriples(field)
		}
	}
	if len(uris) == 0 {
		return r.refuse(f.title, NoURI, "line "+itoa(number))
	}
	for _, uri := range uris {
		f.uri, f.claims = uri, clone(claims)
		if err := r.take(f); err != nil {
			return err
		}
	}
	return nil
}
