package terms

import (
	"bytes"

	"laundromat/internal/rfc3986"
	"laundromat/rdf"
)

// Base is what relative IRIs are resolved against. Pieces of it are kept ready, so
// that resolving the usual forms is putting two pieces together.
type Base struct {
	iri      []byte // absolute; empty if there is none
	Repaired bool   // it is not what the document says, but what it means
	IsFile   bool   // it comes from the place of the file
	warned   bool   // a notice said so
	Used     *bool  // to be set when it is used; nil for one that the document names whole

	document  int // length without the fragment
	directory int // length up to the last / of the path; 0 if the quick way is not safe
	authority int // length of scheme and authority; 0 if there is no authority
}

// Begin makes b the base that a document has before it names one.
func (b *Base) Begin(in rdf.Input) {
	if in.Base != "" {
		b.Set([]byte(in.Base))
		b.IsFile, b.Used = in.BaseIsFile, in.BaseUsed
	}
}

// Set makes iri the base.
func (b *Base) Set(iri []byte) {
	b.iri = append(b.iri[:0], iri...)
	b.document, b.directory, b.authority = len(iri), 0, 0
	if i := bytes.IndexByte(iri, '#'); i >= 0 {
		b.document = i
	}
	c := rfc3986.Split(b.iri)
	if !c.HasAuthority || len(c.Path) == 0 || bytes.Contains(c.Path, []byte("/.")) {
		return
	}
	b.authority = len(c.Scheme) + len("://") + len(c.Authority)
	b.directory = b.authority + bytes.LastIndexByte(c.Path, '/') + 1
}

// appendResolved appends the IRI that the relative reference ref means.
func (b *Base) appendResolved(dst, ref []byte) []byte {
	switch {
	case len(ref) == 0 || ref[0] == '#':
		return append(append(dst, b.iri[:b.document]...), ref...)
	case b.directory == 0 || ref[0] == '?' || ref[0] == '.' || bytes.Contains(ref, []byte("/.")):
	case ref[0] != '/':
		return append(append(dst, b.iri[:b.directory]...), ref...)
	case len(ref) == 1 || ref[1] != '/':
		return append(append(dst, b.iri[:b.authority]...), ref...)
	}
	return rfc3986.AppendResolved(dst, b.iri, ref)
}
