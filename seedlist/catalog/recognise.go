package catalog

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"path"
	"strings"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/rdf/jsonld"
	"laundromat/seedlist"
)

// headSize is how much of a page is looked at to find its kind, in bytes. It is more than the comments
// and prefixes before the first statement.
const headSize = 256 << 10

// peek reads the head of a text; rest is the whole of it, with the error that it
// ends in. Only a text that gives nothing but an error is one.
func peek(text io.Reader) (head []byte, rest io.Reader, whole bool, err error) {
	head = make([]byte, headSize)
	n, err := io.ReadFull(text, head)
	head = head[:n]
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return head, bytes.NewReader(head), true, nil
	}
	if err != nil && n > 0 {
		return head, io.MultiReader(bytes.NewReader(head), failing{err}), false, nil
	}
	return head, io.MultiReader(bytes.NewReader(head), text), false, err
}

// failing is the end of a text that broke off.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Recognise finds the kind of catalog that a page is, by its beginning in UTF-8; whole
// says that this is all of it. Any: none that is known. Of a page in HTML or RDF it
// can't be known whether it names any data: that comes out in reading.
func Recognise(head []byte, whole bool, contentType, uri string) Kind {
	start := bytes.TrimLeft(head, " \t\r\n\f\v\x00\uFEFF")
	if len(start) == 0 {
		return Any
	}
	if at := xmlStart(head[:min(len(head), xmlHead)]); at > len(head)-len(start) {
		if kind := recogniseMarkup(head[at:], uri); kind != Any && kind != HTML && kind != Listing {
			return kind
		}
	}
	switch start[0] {
	case '{', '[':
		if kind := recogniseJSON(start); kind != Any {
			return kind
		}
	case '<':
		if kind := recogniseMarkup(start, uri); kind != Any {
			return kind
		}
	}
	switch mediaType(contentType) {
	case "text/uri-list":
		return List
	case "text/csv", "text/tab-separated-values":
		return Table
	}
	if beginsTable(start) {
		return Table
	}
	if line := firstURI(start); line != "" {
		return List
	}
	switch f := format.Guess(head, whole, contentType, uri).Format; f {
	case "":
	case format.HTML:
		return pageKind(head, uri)
	default:
		return recogniseRDF(start)
	}
	return Any
}

// recogniseRDF distinguishes VoID from DCAT by what the head speaks of more often. Both are
// read in the same way: the name is for people.
func recogniseRDF(head []byte) Kind {
	void := bytes.Count(head, []byte("rdfs.org/ns/void")) + bytes.Count(head, []byte("void:"))
	dcat := bytes.Count(head, []byte("/ns/dcat#")) + bytes.Count(head, []byte("dcat:"))
	if void > dcat {
		return VoID
	}
	return DCAT
}

// recogniseJSON looks at the keys of the first object, and those of the first
// objects inside it.
func recogniseJSON(head []byte) Kind {
	keys := keysOf(head)
	has := func(depth int, names ...string) bool {
		for _, name := range names {
			if keys[depth][name] == 0 {
				return false
			}
		}
		return true
	}
	switch {
	case has(0, "success", "result"), has(0, "success", "error"):
		return CKAN
	case isDataPackage(keys):
		return Package
	case isPackage(keys, 0), isPackage(keys, 1) && !has(0, "dataset"):
		return CKAN
	case has(0, "nsp", "prefix", "uri"), has(1, "nsp", "prefix", "uri") && !has(0, "success"), has(0, "nsp", "versions"):
		return LOV
	case has(1, "full_download"), has(1, "other_download"), has(0, "full_download"), has(0, "other_download"):
		return LODCloud
	case has(0, "@context") && (bytes.Contains(head, []byte("databus/context")) ||
		bytes.Contains(head, []byte(`"formatExtension"`)) || bytes.Contains(head, []byte("dataid.dbpedia.org"))):
		return Databus
	case bytes.Contains(head, []byte("void#")), bytes.Contains(head, []byte(`"void:`)):
		return VoID
	case has(0, "@context"), has(0, "@graph"), has(0, "@id"), has(1, "@id"), has(1, "@type"), has(1, "@context"):
		return DCAT
	}
	for _, key := range []string{"dataset", "datasets", "catalog", "catalogs", "distribution", "downloadURL", "accessURL", "contentUrl",
		"member", "itemListElement"} {
		if has(0, key) || has(1, key) || has(0, "dcat:"+key) || has(1, "dcat:"+key) {
			return DCAT // data.json of Project Open Data without a context
		}
	}
	return Any
}

// isDataPackage says that an object is the descriptor of a Data Package: its resources have paths or data, which those
// of CKAN have not.
func isDataPackage(keys [2]map[string]int) bool {
	for _, other := range []string{"metadata_modified", "num_resources", "owner_org", "@context", "success"} {
		if keys[0][other] > 0 {
			return false
		}
	}
	return keys[0]["resources"] > 0 && (keys[1]["path"] > 0 || keys[1]["data"] > 0)
}

// isPackage says that the objects of a depth are packages of CKAN, without a reply around them.
func isPackage(keys [2]map[string]int, depth int) bool {
	has := func(name string) bool { return keys[depth][name] > 0 }
	if !has("resources") {
		return false
	}
	return has("metadata_modified") || has("num_resources") || has("owner_org") || has("license_id") || depth == 0 && has("name") &&
		keys[1]["url"] > 0
}

// keysOf counts the keys of objects by their depth, 0 and 1, in the beginning of a
// JSON text. An array adds no depth, but the outermost one. A text that is broken before it
// ends is read with recovery.
func keysOf(head []byte) [2]map[string]int {
	keys, err := countKeys(head)
	if !errors.As(err, new(*json.SyntaxError)) {
		return keys
	}
	sound, err := jsonld.Sound(context.Background(), head, soundHeadMemory, func(fault.Notice) {})
	if err == nil && sound != nil {
		keys, _ = countKeys(sound)
	}
	return keys
}

// countKeys counts keys up to the error that ends the text.
func countKeys(text []byte) (keys [2]map[string]int, err error) {
	keys[0], keys[1] = map[string]int{}, map[string]int{}
	decoder := json.NewDecoder(bytes.NewReader(text))
	type level struct{ object, key bool }
	var open []level
	for objects := -1; ; {
		token, err := decoder.Token()
		if err != nil {
			return keys, err
		}
		var top *level
		if len(open) > 0 {
			top = &open[len(open)-1]
		}
		switch t := token.(type) {
		case json.Delim:
			switch t {
			case '{':
				if top != nil && top.object {
					top.key = true
				}
				open = append(open, level{object: true, key: true})
				objects++
			case '[':
				if top == nil {
					objects++ // an array of records: their keys are of depth 1
				} else if top.object {
					top.key = true
				}
				open = append(open, level{})
			case '}':
				open = open[:len(open)-1]
				objects--
			case ']':
				open = open[:len(open)-1]
			}
		case string:
			if top != nil && top.object && top.key {
				if objects >= 0 && objects < len(keys) {
					keys[objects][t]++
				}
				top.key = false
				continue
			}
			if top != nil && top.object {
				top.key = true
			}
		default:
			if top != nil && top.object {
				top.key = true
			}
		}
	}
}

// soundHeadMemory is what the head may take in memory while it is mended, in bytes.
const soundHeadMemory = 64 << 20

// recogniseMarkup looks at the root element; uri is the page's own.
func recogniseMarkup(head []byte, uri string) Kind {
	name := strings.ToLower(rootElement(head))
	_, local, prefixed := strings.Cut(name, ":")
	if !prefixed {
		local = name
	}
	switch local {
	case "urlset", "sitemapindex":
		return Sitemap
	case "dataset":
		if bytes.Contains(head, []byte("sitemapextension")) {
			return Sitemap
		}
	case "rss", "feed":
		return Feed
	case "listbucketresult":
		return Bucket
	case "rdf":
		if bytes.Contains(head, []byte("http://purl.org/rss/1.0/")) {
			return Feed
		}
		return recogniseRDF(head)
	case "html", "head", "title", "body", "h1", "pre", "table", "a", "ul":
		return pageKind(head, uri)
	}
	return Any
}

// pageKind distinguishes the pages in HTML.
func pageKind(head []byte, uri string) Kind {
	if isListing(head, uri) {
		return Listing
	}
	return HTML
}

// rootElement is the name of the first start tag; "html" for a document type of HTML.
func rootElement(text []byte) string {
	for {
		i := bytes.IndexByte(text, '<')
		if i < 0 || i+1 >= len(text) {
			return ""
		}
		text = text[i:]
		switch {
		case bytes.HasPrefix(text, []byte("<!--")):
			end := bytes.Index(text, []byte("-->"))
			if end < 0 {
				return ""
			}
			text = text[end+3:]
		case text[1] == '?':
			text = text[2:]
		case text[1] == '!':
			declaration := strings.ToLower(string(text[:min(len(text), 40)]))
			if strings.HasPrefix(declaration, "<!doctype html") {
				return "html"
			}
			text = text[2:]
		default:
			end := bytes.IndexAny(text, " \t\r\n/>")
			if end < 0 || bytes.Contains(text[:end], []byte("://")) {
				return "" // an IRI of a line format
			}
			if text[end] == '/' && end == 1 {
				text = text[1:]
				continue
			}
			return string(text[1:end])
		}
	}
}

// compatible says that what a page was recognised as overrules the kind that was
// named: within one catalog some kinds lead to one another.
func compatible(named, found Kind) bool {
	switch named {
	case Sitemap:
		return found == List
	case DCAT, VoID:
		return found == DCAT || found == VoID || found == HTML
	case Databus:
		return found == List || found == Table
	case HTML, Listing:
		return found == HTML || found == Listing
	}
	return false
}

func firstLine(text []byte) string {
	if end := bytes.IndexAny(text, "\r\n"); end >= 0 {
		text = text[:end]
	}
	return string(text)
}

// firstURI is the first line that is neither blank nor a comment, if it is a URI.
func firstURI(text []byte) string {
	for line := range bytes.FieldsFuncSeq(text, func(c rune) bool { return c == '\r' || c == '\n' }) {
		s := strings.TrimSpace(string(line))
		if s == "" || strings.HasPrefix(s, "#") {
			continue
		}
		s = withoutRemark(s)
		if all := addresses(s); len(all) > 1 {
			return all[0]
		}
		if u, err := seedlist.ParseURI(s); err == nil && !u.Relative && !strings.ContainsAny(s, " <>\"") {
			return s
		}
		return ""
	}
	return ""
}

// describe says what a page is that is no catalog.
func describe(head []byte, whole bool, contentType, uri string) string {
	guess := format.Guess(head, whole, contentType, uri)
	switch {
	case len(bytes.TrimSpace(head)) == 0:
		return "the page is empty"
	case guess.NotRDF != "":
		return guess.NotRDF
	}
	return "text"
}

// mediaType cuts the parameters off a Content-Type.
func mediaType(contentType string) string {
	if parsed, _, err := mime.ParseMediaType(contentType); err == nil {
		return parsed
	}
	bare, _, _ := strings.Cut(contentType, ";")
	return strings.ToLower(strings.TrimSpace(bare))
}

// extensions are those of the last segment of a URI's path, the last first, without
// dots and in lower case: "gz", "nt" of dump.nt.gz.
func extensions(uri string) (all []string) {
	uri, _, _ = strings.Cut(uri, "#")
	uri, _, _ = strings.Cut(uri, "?")
	if _, rest, ok := strings.Cut(uri, "://"); ok {
		if _, inside, ok := strings.Cut(rest, "/"); ok {
			uri = inside
		} else {
			uri = ""
		}
	}
	name := strings.ToLower(path.Base(uri))
	for range 3 {
		extension := path.Ext(name)
		if extension == "" || extension == name {
			break
		}
		all = append(all, extension[1:])
		name = name[:len(name)-len(extension)]
	}
	return all
}
