package rdfa

import (
	"fmt"
	"strings"

	"laundromat/internal/fault"
	"laundromat/markup/page"
	"laundromat/rdf"
)

// copyPatterns copies the properties of patterns to what copies them (HTML+RDFa 1.1
// §3.5), and takes the patterns that were copied out.
func (p *processor) copyPatterns() {
	if !p.pattern {
		return
	}
	patterns := map[string]bool{}
	known := make(map[string]bool, len(p.triples))
	for i := range p.triples {
		t := &p.triples[i]
		known[t.key()] = true
		if t.p.value == rdf.Type && t.o.kind == rdf.IRI && t.o.value == rdfaNS+"Pattern" {
			patterns[t.s.key()] = true
		}
	}
	bySubject := map[string][]int{}
	for i := range p.triples {
		if key := p.triples[i].s.key(); patterns[key] {
			bySubject[key] = append(bySubject[key], i)
		}
	}
	referenced := map[string]bool{}
	most := len(p.triples) + maxCopies
	// Triples are added behind while the loop runs, so that copies of copies are met.
copying:
	for i := 0; i < len(p.triples); i++ {
		t := p.triples[i]
		from := t.o.key()
		if t.p.value != rdfaNS+"copy" || !patterns[from] {
			continue
		}
		referenced[from] = true
		to := t.s.key()
		for _, j := range bySubject[from] {
			one := p.triples[j]
			if one.p.value == rdf.Type && one.o.value == rdfaNS+"Pattern" {
				continue
			}
			one.s = t.s
			if key := one.key(); !known[key] {
				known[key] = true
				if len(p.triples) == most {
					p.to.Notice(fault.Notice{Code: fault.LimitExpansion, Severity: fault.Drop, Pos: t.p.pos, Lost: 1,
						Message: fmt.Sprintf("patterns make more than %d statements by being copied; the others are lost", maxCopies),
						Excerpt: "rdfa:copy"})
					break copying
				}
				if patterns[to] {
					bySubject[to] = append(bySubject[to], len(p.triples))
				}
				p.triples = append(p.triples, one)
			}
		}
	}
	kept := p.triples[:0]
	for _, t := range p.triples {
		if referenced[t.s.key()] || t.p.value == rdfaNS+"copy" && patterns[t.o.key()] {
			continue
		}
		kept = append(kept, t)
	}
	p.triples = kept
}

// maxCopies bounds what patterns that copy one another can make of a small page.
const maxCopies = 1 << 16

// mayCopy says that there may be rdfa:Pattern or rdfa:copy on a page, however they are
// written.
func mayCopy(e *page.Element) bool {
	for i := range e.Attrs {
		switch a := &e.Attrs[i]; a.Name {
		case "typeof", "property", "rel", "rev":
			for word := range strings.FieldsFuncSeq(a.Value, page.IsSpace) {
				if strings.HasSuffix(word, "copy") || strings.HasSuffix(word, "Pattern") {
					return true
				}
			}
		default:
			// A prefix or a vocabulary that is the beginning of one of the two.
			if len(a.Value) <= len(rdfaNS) || !matters(a.Name) {
				continue
			}
			if i := strings.Index(a.Value, rdfaNS); i >= 0 && i+len(rdfaNS) < len(a.Value) && !page.IsSpace(rune(a.Value[i+len(rdfaNS)])) {
				return true
			}
		}
	}
	for i := range e.Children {
		if c := e.Children[i].Element; c != nil && mayCopy(c) {
			return true
		}
	}
	return false
}

func (t *term) key() string {
	return fmt.Sprintf("%d %p %q %q %q", t.kind, t.node, t.value, t.datatype, t.language)
}

func (t *triple) key() string { return t.s.key() + t.p.key() + t.o.key() }
