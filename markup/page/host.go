package page

import "bytes"

// Host is the language that a page is in.
type Host uint8

const (
	Detect    Host = iota // by the first bytes of the text
	HTML                  // HTML 4 and 5, read as browsers read them
	XHTML1                // XHTML 1, and XHTML+RDFa 1.1
	XHTML5                // HTML 5 in XML
	XML                   // SVG and any other XML
	DetectXML             // one of these three, by the first bytes of the text
)

// detect finds the host language by what a page begins with. XML needs an XML declaration, a document
// type of XHTML+RDFa, or a root element that is not html. All else is HTML, as it is for browsers.
// What is known to be XML needs none of them.
func detect(page []byte, xml bool) Host {
	head := page[:min(len(page), 2048)]
	xml = xml || bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("<?xml"))
	lower := bytes.ToLower(head)
	switch name := rootName(head); {
	case bytes.Contains(head, []byte("XHTML+RDFa")):
		return XHTML1
	case bytes.EqualFold(name, []byte("html")) && xml && bytes.Contains(lower, []byte("-//w3c//dtd xhtml")):
		return XHTML1
	case bytes.EqualFold(name, []byte("html")) && xml:
		return XHTML5
	case xml, bytes.Equal(name, []byte("svg")), bytes.IndexByte(name, ':') > 0:
		return XML
	case len(name) > 0 && bytes.Contains(head, []byte("xmlns")) && !bytes.EqualFold(name, []byte("html")) &&
		bytes.HasPrefix(bytes.TrimSpace(head), []byte("<")):
		return XML
	}
	return HTML
}

// rootName finds the name in the first start tag.
func rootName(head []byte) []byte {
	for i := 0; i+1 < len(head); i++ {
		if head[i] != '<' {
			continue
		}
		if bytes.HasPrefix(head[i:], []byte("<!--")) {
			end := bytes.Index(head[i:], []byte("-->"))
			if end < 0 {
				return nil
			}
			i += end
			continue
		}
		if c := head[i+1] | 0x20; c < 'a' || c > 'z' {
			continue
		}
		end := bytes.IndexAny(head[i+1:], " \t\r\n/>")
		if end < 0 {
			return nil
		}
		return head[i+1 : i+1+end]
	}
	return nil
}
