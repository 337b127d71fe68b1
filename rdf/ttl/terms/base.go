package terms

import "laundromat/rdf"

// Base is what relative IRIs are resolved against.
type Base struct {
	iri      []byte // absolute; empty if there is none
	Repaired bool   // it is not what the document says, but what it means
	IsFile   bool   // it comes from the place of the file
	warned   bool   // a notice said so
	Used     *bool  // to be set when it is used; nil for one that the document names whole
}

// Begin makes b the base that a document has before it names one.
func (b *Base) Begin(in rdf.Input) {
	if in.Base != "" {
		b.Set([]byte(in.Base))
		b.IsFile, b.Used = in.BaseIsFile, in.BaseUsed
	}
}

// Set makes iri the base.
func (b *Base) Set(iri []byte) { b.iri = append(b.iri[:0], iri...) }
