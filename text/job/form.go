package job

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/text/feed"
	"laundromat/text/spinn3r"
)

// Form is what a document is, by the name that reports give it.
type Form string

const (
	HTML  Form = "HTML"
	XHTML Form = "XHTML"
	Feed  Form = "feed"
	Plain Form = "text"
	F5    Form = "f5"
	Full5 Form = "full5"
)

// Forms are all of them, in lower case, as flags name them.
func Forms() []string { return []string{"html", "xhtml", "feed", "text", "f5", "full5"} }

// Named finds a form by such a name.
func Named(name string) (Form, bool) {
	for _, form := range []Form{HTML, XHTML, Feed, Plain, F5, Full5} {
		if strings.EqualFold(string(form), name) {
			return form, true
		}
	}
	return "", false
}

var (
	plainEndings = []string{".txt", ".text", ".md", ".markdown", ".rst", ".adoc", ".asc", ".org", ".log"}
	pageEndings  = []string{".html", ".htm", ".shtml", ".xhtml", ".xht", ".mhtml", ".php", ".asp", ".aspx", ".jsp"}
	otherEndings = []string{".css", ".js", ".mjs", ".json", ".jsonl", ".geojson", ".jsonld", ".csv", ".tsv", ".ttl", ".nt", ".nq", ".trig",
		".n3", ".svg",
		".yaml", ".yml", ".toml", ".ini", ".ics", ".vcf"}
	// otherTypes are parts of media types of what is text, but none to be read.
	otherTypes = []string{"json", "javascript", "ecmascript", "css", "csv", "tab-separated", "turtle", "n-triples", "n-quads", "trig",
		"svg", "image/", "audio/",
		"video/", "font/", "pdf", "dns", "warc", "yaml", "calendar", "vcard", "postscript", "msword", "rtf", "opendocument",
		"openxml"}
)

// Guess says what a document is by its media type, its name, and the beginning of its text. It is sure if the type or
// the name said so, or the beginning can be nothing else. The error is for what is no text that people read.
func Guess(doc *Document, head []byte) (form Form, sure bool, err error) {
	mediaType, _, _ := strings.Cut(strings.ToLower(doc.MediaType), ";")
	mediaType = strings.TrimSpace(mediaType)
	ending := strings.ToLower(path.Ext(doc.FileName))
	isHTML := strings.Contains(mediaType, "html")
	if isHTML {
		ending = "" // a server that shows a file as a page keeps its name in the URL
	}
	isPage := slices.Contains(pageEndings, ending)
	isJSONFeed := feed.IsJSON(head)
	if !isHTML && !isJSONFeed && slices.ContainsFunc(otherTypes, func(part string) bool { return strings.Contains(mediaType, part) }) {
		return "", true, refused("it is served as " + mediaType)
	}
	switch {
	case ending == ".f5":
		return F5, true, nil
	case ending == ".full5":
		return Full5, true, nil
	case isServedPlain(mediaType) && !feed.Is(head), slices.Contains(plainEndings, ending) && !strings.Contains(mediaType, "xml"):
		if form, ok := records(head); ok {
			return form, true, nil
		}
		return Plain, true, nil
	}
	if !isHTML && !isJSONFeed && slices.Contains(otherEndings, ending) {
		return "", true, refused("its name ends in " + ending)
	}
	isXML := strings.Contains(mediaType, "xml") || strings.HasPrefix(ending, ".xht")
	return byContent(head, isPage || isHTML, isXML)
}

// isServedPlain says that a media type is that of text without markup of its own.
func isServedPlain(mediaType string) bool {
	return mediaType == "text/plain" || strings.HasSuffix(mediaType, "markdown") || mediaType == "text/x-rst" || mediaType == "text/org"
}

// byContent goes by the beginning of a document, where its name or type says at most that it is a page.
func byContent(head []byte, isPage, isXML bool) (form Form, sure bool, err error) {
	trimmed := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n\f")
	if feed.Is(head) {
		return Feed, true, nil
	}
	if form, ok := records(trimmed); ok && !isPage {
		return form, true, nil
	}
	beginsXML := bytes.HasPrefix(trimmed, []byte("<?xml"))
	root := firstTag(trimmed)
	switch {
	case isPage && isXML, (isPage || isXML || beginsXML) && root == "html" && (isXML || !isPage):
		return XHTML, true, nil
	case isPage:
		return HTML, true, nil
	case isHTMLAt(trimmed):
		return HTML, true, nil
	case len(trimmed) > 0 && trimmed[0] == '<' && root != "":
		if isElement[root] {
			return HTML, true, nil
		}
		return "", true, refused("it is XML or the like that begins with <" + fault.Excerpt([]byte(root)) + ">")
	case bytes.HasPrefix(trimmed, []byte(`{"`)), bytes.HasPrefix(trimmed, []byte(`[{`)):
		return "", true, refused("it is JSON")
	case isCardAt(trimmed):
		return "", true, refused("it is a calendar or a card")
	}
	return Plain, false, nil
}

// isCardAt says that a text begins as iCalendar (RFC 5545) and vCard (RFC 6350) do.
func isCardAt(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	name, value, ok := strings.Cut(strings.ToLower(strings.TrimSpace(string(line[:min(len(line), 64)]))), ":")
	return ok && name == "begin" && (value == "vcalendar" || value == "vcard")
}

func refused(why string) error {
	return fault.New("text", fault.Data, fault.TextFormat, "no page, feed or text: %s", why)
}

// IsPlain says that a name or a media type is that of plain text.
func IsPlain(fileName, mediaType string) bool {
	mediaType, _, _ = strings.Cut(strings.ToLower(mediaType), ";")
	return isServedPlain(strings.TrimSpace(mediaType)) || slices.Contains(plainEndings, strings.ToLower(path.Ext(fileName)))
}

// IsRecords says that a text is one of f5 or full5, by its beginning or the ending of its name.
func IsRecords(head []byte, fileName string) (Form, bool) {
	switch strings.ToLower(path.Ext(fileName)) {
	case ".f5":
		return F5, true
	case ".full5":
		return Full5, true
	}
	return records(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")), " \t\r\n\f"))
}

// records says that a text is one of f5 or full5. A letter and a tab may begin any table: the second line must too.
func records(head []byte) (Form, bool) {
	form, ok := spinn3r.Guess(head)
	if !ok {
		return "", false
	}
	if form == spinn3r.F5 {
		return F5, true
	}
	_, rest, _ := bytes.Cut(bytes.TrimLeft(head, "\r\n"), []byte("\n"))
	again, ok := spinn3r.Guess(rest)
	return Full5, ok && again == spinn3r.Full5
}

// isHTMLAt says that a text says of itself that it is HTML, somewhere at its beginning.
func isHTMLAt(head []byte) bool {
	lower := bytes.ToLower(head[:min(len(head), 4<<10)])
	for _, sign := range []string{"<!doctype html", "<html>", "<html ", "<body>", "<body "} {
		if bytes.Contains(lower, []byte(sign)) {
			return true
		}
	}
	return false
}

// firstTag is the name of the first element, in lower case.
func firstTag(head []byte) string {
	tags := page.NewTags(head)
	for kind := tags.Next(); kind != page.EndOfTags; kind = tags.Next() {
		if kind == page.StartTag {
			name := strings.ToLower(tags.Name())
			return name[strings.LastIndexByte(name, ':')+1:]
		}
	}
	return ""
}

// isElement are elements of HTML that a page without a head may begin with.
var isElement = func() map[string]bool {
	known := map[string]bool{}
	for _, name := range strings.Fields("a abbr address article aside b base basefont big blockquote body br button caption center cite " +
		"code col dd del dfn dir " +
		"div dl dt em fieldset figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr i iframe img input ins kbd li " +
		"link main map mark " +
		"menu meta nav noscript ol p picture pre q s samp script section select small span strike strong style sub sup table tbody td " +
		"textarea tfoot th " +
		"thead title tr tt u ul var video wbr") {
		known[name] = true
	}
	return known
}()
