package kind

import (
	"bytes"
	"strings"

	"laundromat/rdf/format"
	"laundromat/records/extract"
	"laundromat/text/feed"
	"laundromat/text/job"
)

// Look is what is known of a document before it is read.
type Look struct {
	Found               format.Guessed
	Text                []byte // its beginning, in UTF-8
	MediaType, FileName string
}

// OfBytes is the kind of a document that begins with bytes which are no text, by what [format.GuessBytes] says of them.
func OfBytes(found format.Guessed, raw []byte, mediaType, fileName string) Kind {
	if !bytes.HasPrefix(raw, []byte("PK\x03\x04")) {
		return Kind(found.NotRDF)
	}
	named := extract.ByName(fileName, mediaType)
	switch {
	case found.NotRDF == "Microsoft Excel", found.NotRDF == "ZIP" && named == "xlsx":
		return XLSX
	case found.NotRDF == "OpenDocument spreadsheet", found.NotRDF == "ZIP" && named == "ods":
		return ODS
	}
	return Kind(found.NotRDF)
}

// Of is the kind of a document of text.
func Of(d Look) Kind {
	is := d.Found.NotRDF
	text := bytes.TrimSpace(bytes.TrimPrefix(d.Text, []byte("\xEF\xBB\xBF")))
	isPage := d.Found.Format == format.HTML || strings.HasPrefix(is, "HTML")
	if form, ok := job.IsRecords(d.Text, ""); ok && isPage { // which hold pages
		return Kind(form)
	}
	switch {
	case d.Found.Format == format.RDFXML && feed.Is(d.Text):
		return RSS10
	case isPage:
		return HTML
	case d.Found.Format != "":
		return Kind(d.Found.Format)
	case len(text) > 0 && text[0] == '<' && format.IsXML(is):
		return ofXML(d, text)
	case len(text) > 0 && format.IsJSON(is):
		return ofJSON(d)
	}
	return ofLines(d)
}

func ofXML(d Look, text []byte) Kind {
	switch extract.SheetXML(text) {
	case "fods":
		return FlatODS
	case "spreadsheetml":
		return SpreadsheetML
	}
	switch {
	case !feed.Is(d.Text) && isMarked(d, text):
		return Text
	case !feed.Is(d.Text):
		return XML
	case d.Found.NotRDF == "Atom":
		return Atom
	}
	return RSS
}

// isMarked says that a text only begins with a tag: it is called plain text, and the tag is of no known language.
func isMarked(d Look, text []byte) bool {
	return job.IsPlain(d.FileName, d.MediaType) && strings.HasPrefix(d.Found.NotRDF, "XML (") && !bytes.HasPrefix(text, []byte("<?"))
}

func ofJSON(d Look) Kind {
	switch {
	case feed.IsJSON(d.Text):
		return JSONFeed
	case d.Found.NotRDF == "JSON lines", d.Found.NotRDF == "HexTuples", extract.ByName(d.FileName, d.MediaType) == "jsonl":
		return JSONLines
	}
	return JSON
}

// byName are the kinds of text whose documents may look like anything: what their name or type says is believed.
var byName = map[string]Kind{"csv": CSV, "tsv": TSV, "yaml": YAML, "json": JSON, "jsonl": JSONLines}

// ofLines is the kind of a text that no bracket begins.
func ofLines(d Look) Kind {
	if form, ok := job.IsRecords(d.Text, d.FileName); ok {
		return Kind(form)
	}
	if named, ok := byName[extract.ByName(d.FileName, d.MediaType)]; ok {
		return named
	}
	switch is := d.Found.NotRDF; is {
	case "CSV", "TSV":
		if isProse(d) {
			return Text
		}
		return Kind(is)
	case "YAML", "YAML-LD":
		return YAML
	case "plain text", "Markdown", "AsciiDoc", "wiki text":
		return Text
	default:
		return Kind(is)
	}
}

// isProse says that what looks like a table is sentences, whose commas have a space after them.
func isProse(d Look) bool {
	if d.Found.NotRDF == "TSV" {
		return false
	}
	head := d.Text[:min(len(d.Text), 32<<10)]
	for _, sign := range []byte{',', ';'} {
		signs, spaced := bytes.Count(head, []byte{sign}), bytes.Count(head, []byte{sign, ' '})
		if spaced > 0 && spaced*10 >= signs*9 && isSentences(head) {
			return true
		}
	}
	return false
}

// isSentences says that half of the lines, or more, end as a sentence does.
func isSentences(head []byte) bool {
	lines, ends := 0, 0
	for line := range bytes.Lines(head) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		lines++
		if strings.ContainsRune(".!?:", rune(line[len(line)-1])) {
			ends++
		}
	}
	return ends*2 >= lines
}
