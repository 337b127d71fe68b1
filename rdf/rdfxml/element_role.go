package rdfxml

import (
	"bytes"
	"encoding/binary"

	"laundromat/markup/xmltext"
	"laundromat/rdf"
)

// role is what an element has been seen as. Node elements and property elements alternate (§2.1), so
// that a name is hardly ever used for both.
type role uint8

const (
	asNode role = 1 << iota
	asProperty
)

// roles remembers the roles of names, as they are written, by hashes of 64 bits. It holds the first
// 3,072, of which 2,048 may be properties.
type roles struct {
	slots      []roleSlot
	n          int
	properties int
}

// unlearned is the role of a name that is learned when its element has ended as it should: faults near it left it open.
type unlearned struct {
	hash  uint64
	as    role
	depth int // how many elements were open with it
}

// learnLate learns the role of the element that ends.
func (p *parser) learnLate() {
	last := len(p.unlearned) - 1
	if u := p.unlearned[last]; u.depth > p.x.Depth() {
		p.unlearned = p.unlearned[:last]
		if u.depth == p.x.Depth()+1 && p.skipping == 0 && !p.x.Implied() && !p.x.Misnamed() {
			p.roles.learn(u.hash, u.as)
		}
	}
}

type roleSlot struct {
	hash uint64
	role role
}

const (
	roleSlots  = 4096
	firstSlots = 64 // most documents know few names
)

// hashName is never 0.
func hashName(name []byte) uint64 {
	h := uint64(len(name))*0x9E3779B97F4A7C15 + 1
	for len(name) > 16 {
		h = (h ^ binary.LittleEndian.Uint64(name)) * 0xD6E8FEB86659FD93
		h ^= h >> 32
		name = name[8:]
	}
	// The rest is read from both ends, which may overlap.
	var first, last uint64
	switch n := len(name); {
	case n >= 8:
		first, last = binary.LittleEndian.Uint64(name), binary.LittleEndian.Uint64(name[n-8:])
	case n >= 4:
		first, last = uint64(binary.LittleEndian.Uint32(name)), uint64(binary.LittleEndian.Uint32(name[n-4:]))
	case n > 0:
		first, last = uint64(name[0])|uint64(name[n/2])<<8, uint64(name[n-1])
	}
	h = (h ^ first) * 0xD6E8FEB86659FD93
	h = (h ^ h>>32 ^ last) * 0xD6E8FEB86659FD93
	return h ^ h>>32 | 1
}

func (r *roles) find(hash uint64) *roleSlot {
	if r.slots == nil {
		r.slots = make([]roleSlot, firstSlots)
	}
	mask := uint64(len(r.slots) - 1)
	i := hash >> 20 & mask
	for r.slots[i].hash != 0 && r.slots[i].hash != hash {
		i = (i + 1) & mask
	}
	return &r.slots[i]
}

// grow makes room for another name.
func (r *roles) grow() {
	old := r.slots
	r.slots = make([]roleSlot, min(8*len(old), roleSlots))
	for _, slot := range old {
		if slot.hash != 0 {
			*r.find(slot.hash) = slot
		}
	}
}

func (r *roles) of(hash uint64) role { return r.find(hash).role }

// full says that no further property will be remembered.
func (r *roles) full() bool { return r.properties >= roleSlots/2 }

func (r *roles) learn(hash uint64, as role) {
	slot := r.find(hash)
	if slot.hash == 0 {
		if r.n >= roleSlots*3/4 || as == asProperty && r.full() {
			return
		}
		if r.n >= len(r.slots)*3/4 {
			r.grow()
			slot = r.find(hash)
		}
		r.n++
		if as == asProperty {
			r.properties++
		}
		slot.hash = hash
	}
	slot.role |= as
}

// evidence is what speaks against a tag ahead being a node element or a property
// element, and what it would hold as the latter.
type evidence struct {
	// By what no document may hold, and by what is only not to be expected.
	hardNode, hardProperty damage
	node, property         damage
	holds                  place
	strong                 bool // it is a node by its name or by rdf:about
	known                  bool // its name is one of RDF, or was that of a node or a property before
	junk                   bool // it begins a page of HTML
	foreign                bool // its name is in no namespace that is known
	root                   bool // it is rdf:RDF
}

// look judges a tag ahead by its name and attributes.
func (p *parser) look(a *xmltext.Ahead) (e evidence) {
	hash := hashName(a.Name)
	e.holds = placeProperty
	prefix, local := splitName(a.Name)
	n := p.space(prefix, a.Attrs)
	e.foreign = n == noName || n == lostName
	if len(prefix) == 0 && bytes.EqualFold(local, htmlName) && p.roles.of(hash) == 0 {
		e.junk = true
	}
	if e.foreign && p.rules.on(evidenceForeign) {
		e.node, e.property = doubtful, doubtful
	}
	if n == rdfName {
		switch name := string(local); {
		case name == "RDF":
			e.root = true
			e.hardProperty += impossible
		case name == "Description":
			e.hardProperty += impossible
			e.strong = true
		case name == "Bag", name == "Seq", name == "Alt", name == "Statement", name == "List", name == "Property":
			// They may be used as properties, too, and hardly ever are.
			e.property += unlikely
			e.strong = true
		case vocabulary[name], isMember(local):
			e.node += unlikely
		}
	}
	e.known = n == rdfName || p.roles.of(hash) != 0
	switch as := p.roles.of(hash); {
	case (as == asNode || as == asProperty) && !p.rules.on(evidenceRole):
	case as == asNode:
		e.property += unlikely
		e.strong = !e.foreign
	case as == asProperty:
		e.node += unlikely
	}
	if len(a.Attrs) > 0 {
		p.lookAttrs(a, &e)
	}
	return e
}

var htmlName = []byte("html")

// lookAttrs judges a tag by the names of its attributes.
func (p *parser) lookAttrs(a *xmltext.Ahead, e *evidence) {
	attrs := a.Attrs
	resource, properties := false, false
	for len(attrs) > 0 {
		var name, value []byte
		if name, value, attrs = nextAttr(attrs); len(name) == 0 {
			break
		}
		prefix, local := splitName(name)
		if len(prefix) == 0 || string(prefix) == "xml" || string(prefix) == "xmlns" {
			continue
		}
		if p.space(prefix, a.Attrs) != rdfName {
			properties = true
			continue
		}
		switch string(local) {
		case "about", "aboutEach":
			e.hardProperty += impossible
			e.strong = !e.foreign
		case "resource":
			e.hardNode += impossible
			e.strong = false
			resource = true
		case "nodeID":
			resource = true
			if a.Kind == xmltext.AheadStart {
				e.hardProperty += doubtful
			}
		case "datatype":
			e.hardNode += impossible
			e.strong = false
		case "parseType":
			e.hardNode += impossible
			e.strong = false
			switch string(value) {
			case "Resource":
				e.holds = placeNode
			case "Collection":
				e.holds = placeList
			case "Triple":
			default:
				e.holds = placeXML
			}
		case "ID", "type":
		default:
			properties = true
		}
	}
	if e.holds == placeProperty && (resource || properties) {
		e.holds = placeEmpty
	}
}

// nextAttr takes the first attribute off the raw rest of a tag. Its name lacks what no text
// holds.
func nextAttr(raw []byte) (name, value, rest []byte) {
	for len(name) == 0 {
		raw = bytes.TrimLeft(raw, " \t\r\n/")
		n, odd := 0, false
		for n < len(raw) && raw[n] != '=' && (raw[n] > ' ' || bytes.IndexByte(spaces, raw[n]) < 0) {
			odd = odd || raw[n] < ' ' || raw[n] >= 0x80
			n++
		}
		name, rest = raw[:n], bytes.TrimLeft(raw[n:], " \t\r\n")
		if odd {
			name = xmltext.SoundName(name)
		}
		if n == 0 {
			break
		}
		raw = rest
	}
	if len(rest) == 0 || rest[0] != '=' {
		return name, nil, rest
	}
	rest = bytes.TrimLeft(rest[1:], " \t\r\n")
	if len(rest) > 0 && (rest[0] == '"' || rest[0] == '\'') {
		if n := bytes.IndexByte(rest[1:], rest[0]); n >= 0 {
			return name, rest[1 : n+1], rest[n+2:]
		}
	}
	n := 0
	for n < len(rest) && rest[n] > ' ' {
		n++
	}
	return name, rest[:n], rest[n:]
}

var spaces = []byte(" \t\r\n")

// space says whose a prefix is, by the declarations in force and those in the tag itself.
func (p *parser) space(prefix, attrs []byte) nameKind {
	if string(prefix) == "xml" {
		return itsName
	}
	var iri []byte
	if bytes.Contains(attrs, xmlnsName) {
		for len(attrs) > 0 {
			var name, value []byte
			if name, value, attrs = nextAttr(attrs); len(name) == 0 {
				break
			}
			outer, local := splitName(name)
			if string(outer) == "xmlns" && bytes.Equal(local, prefix) || len(outer)+len(prefix) == 0 && string(name) == "xmlns" {
				iri = bytes.TrimSpace(value)
			}
		}
	}
	if iri == nil {
		b := p.scope.Find(prefix)
		if b == nil && len(prefix) > 0 {
			b = p.guessed.Find(prefix)
		}
		if b == nil {
			meant, ok := rdf.WellKnown(string(prefix))
			if !ok {
				if len(prefix) == 0 {
					return noName
				}
				return lostName
			}
			iri = []byte(meant)
		} else {
			iri = b.IRI
		}
	}
	switch {
	case len(iri) == 0, string(iri) == xhtml:
		return noName
	case string(iri) == rdf.RDF:
		return rdfName
	}
	return itsName
}

var xmlnsName = []byte("xmlns")

func splitName(name []byte) (prefix, local []byte) {
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return nil, name
}
