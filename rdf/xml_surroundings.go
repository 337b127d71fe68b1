package rdf

// Around is what a document in XML says of a part of it that is read as a document of
// its own.
type Around struct {
	// Namespaces holds the namespace of each prefix that is declared around the part; ""
	// is that of names without a prefix.
	Namespaces map[string]string
	// Language is the @xml:lang around the part, as it is; "" if there is none.
	Language string
	// Prolog is what is before the root element, where it declares entities or the
	// defaults of attributes; else empty.
	Prolog []byte
}
