package rdf

import (
	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
)

// Resolver makes IRIs absolute against the base of a document, for readers whose
// format has no base of its own.
type Resolver struct {
	Input
	warned bool
}

// Append appends the IRI that ref means, dot segments removed. found is fault.IRINoBase
// if ref is relative and there is no base, so that nothing was appended;
// fault.IRIRelative the first time that a relative one was resolved against the place
// of the file; else "".
func (r *Resolver) Append(dst, ref []byte) (_ []byte, found fault.Code) {
	if rfc3986.IsAbsolute(ref) {
		return rfc3986.AppendResolved(dst, nil, ref), ""
	}
	if r.Base == "" {
		return dst, fault.IRINoBase
	}
	r.UseBase()
	if r.BaseIsFile && !r.warned {
		r.warned, found = true, fault.IRIRelative
	}
	return rfc3986.AppendResolved(dst, []byte(r.Base), ref), found
}

// RelativeToFile is the message of a notice fault.IRIRelative.
func (r *Resolver) RelativeToFile() string {
	return "a relative IRI was resolved against the place of the file, <" + r.Base + ">"
}
