package catalog

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"laundromat/seedlist"
)

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
		uriColumn: "uri url iri link href downloadurl downloaduri download accessurl location loc dumpurl dump datadump " +
			"resourceurl fileurl address",
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

// separators are what tables are written with.
const separators = "\t,;|"

// separatorLine is the separator that a line names, as spreadsheets write it before the table; 0 if
// it is no such line.
func separatorLine(line string) rune {
	line = strings.Trim(strings.TrimSpace(strings.TrimPrefix(line, "\uFEFF")), `"`)
	if sign, ok := strings.CutPrefix(strings.ToLower(line), "sep="); ok && len(sign) == 1 {
		return rune(sign[0])
	}
	return 0
}

// beginsTable says whether a text begins with a table with a column of URIs.
func beginsTable(text []byte) bool {
	line := firstLine(text)
	if only := separatorLine(line); only != 0 {
		_, ok := tableOf(firstLine([]byte(strings.TrimLeft(string(text[len(line):min(len(text), maxLine)]), "\r\n"))), string(only))
		return ok
	}
	_, ok := tableOf(line, separators)
	return ok
}

// tableOf says whether a line begins a table with a column of URIs, separated by one of these.
func tableOf(line, commas string) (tableHead, bool) {
	for _, comma := range commas {
		fields, err := fieldsOf(line, comma)
		if err != nil || len(fields) < 2 && !(comma == ',' && len(fields) == 1 && columnNames()[plainName(fields[0])] == uriColumn) {
			continue
		}
		if h, ok := headOf(comma, fields); ok {
			return h, true
		}
		if h, ok := valuesOf(comma, fields, line); ok {
			return h, true
		}
	}
	return tableHead{}, false
}

// headOf takes a line for the head of a table. Where no name is known as that of a column of
// addresses, those that speak of one are.
func headOf(comma rune, fields []string) (h tableHead, ok bool) {
	h = tableHead{comma: comma, columns: make([]column, len(fields)), names: make([]string, len(fields)), header: true}
	for i, field := range fields {
		h.names[i] = plainName(field)
		h.columns[i] = columnNames()[h.names[i]]
		ok = ok || h.columns[i] == uriColumn
	}
	if ok {
		return h, true
	}
	for i, field := range fields {
		// A line of Turtle has reserved signs between its semicolons, <> among them.
		if h.columns[i] == otherColumn && !strings.ContainsAny(field, "<>") && speaksOfAddress(field) {
			h.columns[i], ok = uriColumn, true
		}
	}
	return h, ok
}

// Words of the heads of columns.
var (
	addressWords = strings.Fields("uri uris url urls iri iris link links href download downloads dump")
	otherWords   = strings.Fields("license licence rights page pages home homepage web website site landing doc docs documentation " +
		"sparql endpoint image logo thumbnail " +
		"icon publisher organisation organization contact author creator owner schema api service parent catalog profile count number " +
		"size date time status " +
		"format type title name id")
)

// speaksOfAddress says that the head of a column is that of addresses: "Download Link", "data_url",
// "URL of the file", "fileUrl".
func speaksOfAddress(head string) bool {
	var words []string
	for _, word := range strings.FieldsFunc(head, func(c rune) bool { return strings.ContainsRune(" _-./:()[]\"'\u00A0", c) }) {
		start := 0
		for i := 1; i < len(word); i++ { // fileUrl
			if word[i] >= 'A' && word[i] <= 'Z' && word[i-1] >= 'a' && word[i-1] <= 'z' {
				words, start = append(words, word[start:i]), i
			}
		}
		words = append(words, word[start:])
	}
	speaks := false
	if len(words) > 6 {
		return false
	}
	for _, word := range words {
		word = strings.ToLower(word)
		if slices.Contains(otherWords, word) || hasWebScheme(head) {
			return false
		}
		speaks = speaks || slices.Contains(addressWords, word)
	}
	return speaks
}

// valuesOf takes a line for the first of a table without a head, known by its values.
func valuesOf(comma rune, fields []string, line string) (tableHead, bool) {
	h := tableHead{comma: comma, columns: make([]column, len(fields)), names: make([]string, len(fields))}
	uris, numbers, telling, named := 0, 0, false, false
	for i, field := range fields {
		field = strings.TrimSpace(field)
		switch {
		case isURI(field) && (uris == 0 || hasWebScheme(field)):
			h.columns[i] = uriColumn
			telling = telling || uris > 0 && len(addresses(line)) != 1
			named = named || natureOfPath(field) != unknown

			uris++
		case strings.Contains(field, "/") && natureOf(field) != unknown:
			h.columns[i], telling = mediaTypeColumn, true
		case natureOf(field) != unknown:
			h.columns[i], telling = formatColumn, true
		case strings.Trim(field, "0123456789.:-TZ ") == "":
			numbers++ // sizes and dates; of what, nobody says
		}
	}
	telling = telling || named && comma != ';' && !strings.Contains(line, "=http") && uris+numbers == len(fields)
	// A URI may hold these signs itself. A line that is a URI as a whole is a list's, unless its parts say
	// what they are.
	if uris == 0 || comma != '\t' && isURI(line) && !telling || strings.HasPrefix(strings.TrimSpace(line), "<") {
		return h, false
	}
	return h, true
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
	known, commas := false, separators
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
			if only := separatorLine(line); only != 0 && commas == separators {
				commas = string(only)
				return nil
			}
			known = true
			h, ok := tableOf(line, commas)
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
