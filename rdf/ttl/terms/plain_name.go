package terms

import "laundromat/rdf"

// AppendName appends the IRI that a prefixed name without escapes means, and says which kinds of bytes its namespace
// holds. False means that something is to be said of it, and that [Reader.Take] does so.
func (t *Reader) AppendName(dst, prefix, local []byte) (_ []byte, seen rdf.Bytes, ok bool) {
	ns := t.NamespaceOf(prefix)
	if ns == nil || ns.Dead != "" || ns.Repaired || ns.EndsInHost {
		return dst, 0, false
	}
	if ns.bytes == 0 {
		ns.bytes = rdf.BytesOf(ns.IRI)
	}
	return append(append(dst, ns.IRI...), local...), ns.bytes, true
}
