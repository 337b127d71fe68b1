package terms

import "laundromat/rdf"

// PlainNamespace is what a prefix was declared for, and which kinds of bytes that holds. It is nil where something is
// to be said of a name with the prefix, which [Reader.Take] does.
func (t *Reader) PlainNamespace(prefix []byte) (*Namespace, rdf.Bytes) {
	ns := t.NamespaceOf(prefix)
	if ns == nil || ns.Dead != "" || ns.Repaired || ns.EndsInHost {
		return nil, 0
	}
	if ns.bytes == 0 {
		ns.bytes = rdf.BytesOf(ns.IRI)
	}
	return ns, ns.bytes
}
