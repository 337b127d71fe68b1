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

// Append appends the IRI that ref means, dot segments removed. If ref is relative and there is no
// base, found is fault.IRINoBase, and nothing was appended. It is fault.IRIRelative the first time
// that a relative one was resolved against the place of the file; else "".
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

// AppendJudged is Append for a reference as a document writes it, white space cut off. It
// says what it finds: a fault.Drop if ref means no IRI, and warnings of what is
// doubtful. ok says that an IRI was appended.
func (r *Resolver) AppendJudged(dst, ref []byte, tell func(fault.Code, fault.Severity, string)) (_ []byte, ok bool) {
	dst, found := r.Append(dst, ref)
	var code fault.Code
	var message string
	if !rfc3986.IsAbsolute(ref) {
		code, message = JudgeReference(ref)
	}
	switch {
	case found == fault.IRINoBase && code == fault.IRINoReference:
		tell(code, fault.Drop, message)
	case found == fault.IRINoBase:
		tell(found, fault.Drop, "a relative IRI, and no base that makes it absolute")
	case code != "":
		tell(code, fault.Warning, message)
	}
	if found == fault.IRIRelative {
		tell(found, fault.Warning, r.RelativeToFile())
	}
	return dst, found != fault.IRINoBase
}

// RelativeToFile is the message of a notice fault.IRIRelative.
func (r *Resolver) RelativeToFile() string {
	return "a relative IRI was resolved against the place of the file, <" + r.Base + ">"
}
