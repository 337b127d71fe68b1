package rdfxml

import (
	"bytes"
	"context"

	"laundromat/rdf"
)

// lookForRDF looks whether rdf:RDF is in the root element that comes. That is none of RDF/XML then, although it may
// seem to be a node: no node holds rdf:RDF.
func (p *parser) lookForRDF(ctx context.Context) error {
	const first, most = 64 << 10, 8 << 20 // as much as a guess looks at
	if p.isRootNode() {
		return nil
	}
	for size := first; size <= most; size *= 2 {
		b, err := p.x.Behind(ctx, size)
		if err != nil {
			return err
		}
		if p.embeds = p.embedsRDF(b); p.embeds || len(b) < size {
			return nil
		}
	}
	return nil
}

// isRootNode says that the root that comes is a node by its attributes, or rdf:RDF itself.
func (p *parser) isRootNode() bool {
	prefix, local := splitName(p.x.TagName())
	if p.isOfRDF(prefix, p.x.Raw()) && (string(local) == "RDF" || string(local) == "Description") {
		return true
	}
	for i := range p.x.Attrs() {
		if a := &p.x.Attrs()[i]; string(a.Local) == "about" && p.isOfRDF(a.Prefix, p.x.Raw()) {
			return true
		}
	}
	return false
}

// embedsRDF says that a start tag in b is that of rdf:RDF.
func (p *parser) embedsRDF(b []byte) bool {
	for at := 0; ; {
		n := bytes.IndexByte(b[at:], '<')
		if n < 0 {
			return false
		}
		at += n
		rest := b[at:]
		var end []byte
		switch {
		case bytes.HasPrefix(rest, comment):
			end = commentEnd
		case bytes.HasPrefix(rest, cdata):
			end = cdataEnd
		case bytes.HasPrefix(rest, instruction):
			end = instructionEnd
		}
		if end != nil {
			if n = bytes.Index(rest, end); n < 0 {
				return false
			}
			at += n
			continue
		}
		if n = bytes.IndexAny(rest, " \t\r\n/>"); n > 0 {
			if prefix, local := splitName(rest[1:n]); string(local) == "RDF" {
				tag := rest
				if n := bytes.IndexByte(rest, '>'); n >= 0 {
					tag = rest[:n]
				}
				if p.isOfRDF(prefix, tag) || p.isOfRDF(prefix, b[:at]) || p.isOfRDF(prefix, p.x.Raw()) {
					return true
				}
			}
		}
		at++
	}
}

// isOfRDF says that a prefix is declared for RDF, in the text of tags or around the document, or is rdf and is not.
func (p *parser) isOfRDF(prefix, tags []byte) bool {
	name := append([]byte("xmlns:"), prefix...)
	if len(prefix) == 0 {
		name = name[:len("xmlns")]
	}
	for rest := tags; ; {
		n := bytes.Index(rest, name)
		if n < 0 {
			break
		}
		rest = bytes.TrimLeft(rest[n+len(name):], " \t\r\n")
		if len(rest) > 0 && rest[0] == '=' {
			value := bytes.TrimLeft(rest[1:], " \t\r\n\"'")
			return bytes.HasPrefix(value, []byte(rdf.RDF)) || bytes.HasPrefix(value, []byte("&"))
		}
	}
	return string(prefix) == "rdf" || p.scope.Find(prefix) != nil && p.space(prefix, nil) == rdfName
}
