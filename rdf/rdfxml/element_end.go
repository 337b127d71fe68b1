package rdfxml

import (
	"bytes"
	"context"

	"laundromat/markup/xmltext"
)

// neverEnds looks whether the XML literal that begins has no end tag. An element around it ends first,
// or the end is not in sight and nodes of rdf:RDF are. Those are known by where on their lines they
// begin, or by how many they are. RDF that somebody quotes begins with rdf:RDF.
func (p *parser) neverEnds(ctx context.Context) (bool, error) {
	return p.neverEndsFrom(ctx, p.x.Len(), 0, p.x.Name(p.x.Depth()-1), 0)
}

// neverEndsFrom looks so from a byte of the token on, after the first tags there. The literal is of
// an element of a name in which depth elements are open.
func (p *parser) neverEndsFrom(ctx context.Context, from, first int, name []byte, depth int) (bool, error) {
	m := p.mender()
	if !p.may() {
		return false, nil
	}
	var err error
	var whole bool
	if m.tags, whole, err = p.x.Ahead(ctx, from, literalBytes, literalBytes/8, m.tags[:0]); err != nil {
		return false, err
	}
	nodes, atHome, homely, quoted := 0, false, p.homely(), false
	for i := min(first, len(m.tags)); i < len(m.tags); i++ {
		m.steps++
		tag := &m.tags[i]
		if tag.Kind == xmltext.AheadEnd {
			if depth--; depth < 0 || bytes.Equal(tag.Name, name) && !p.opens(m.tags[:i], name) {
				return !bytes.Equal(tag.Name, name), nil
			}
			continue
		}
		if tag.Kind == xmltext.AheadStart {
			depth++
		}
		if tag.Kind == xmltext.AheadText || atHome || quoted || nodes == manyNodes {
			continue
		}
		e := p.look(tag)
		quoted = e.root
		if e.strong {
			nodes++
			atHome = homely && tag.Indent >= 0 && int32(tag.Indent) <= p.home
		}
	}
	return atHome || nodes == manyNodes || whole && nodes > 0, nil
}

// tagsBehind finds the tags after the current one, so many at most, and says whether these are all.
func (m *mender) tagsBehind(ctx context.Context, x *xmltext.Reader, most int) (whole bool, err error) {
	m.tags, whole, err = x.Ahead(ctx, x.Len(), most*(farBytes/farTags), most, m.tags[:0])
	m.steps += int64(2 * most)
	return whole, err
}

// endsAtAll looks whether the element whose start tag was read has an end tag: false if one around it
// ends first, or the document.
func (p *parser) endsAtAll(ctx context.Context) (bool, error) {
	m := p.mender()
	name := p.x.Name(p.x.Depth() - 1)
	for _, most := range []int{newTags, aheadTags, farTags} {
		if !p.may() {
			return true, nil
		}
		whole, err := m.tagsBehind(ctx, p.x, most)
		if err != nil {
			return false, err
		}
		var open [][]byte
		for i := range m.tags {
			tag := &m.tags[i]
			switch tag.Kind {
			case xmltext.AheadStart:
				open = append(open, tag.Name)
			case xmltext.AheadEnd:
				at := len(open) - 1
				for at >= 0 && at > len(open)-maxClosing && !bytes.Equal(open[at], tag.Name) {
					at--
				}
				switch {
				case at >= 0 && bytes.Equal(open[at], tag.Name):
					open = open[:at]
				case bytes.Equal(tag.Name, name):
					return true, nil
				case p.isOpen(tag.Name):
					return false, nil
				}
			}
		}
		if whole {
			return false, nil
		}
	}
	return true, nil
}

// isOpen says that one of the innermost elements has a name.
func (p *parser) isOpen(name []byte) bool {
	top := p.x.Depth() - 1
	for i := top; i >= max(0, top-maxClosing); i-- {
		if bytes.Equal(p.x.Name(i), name) {
			return true
		}
	}
	return false
}

// opens says that an element of a name begins among tags.
func (p *parser) opens(tags []xmltext.Ahead, name []byte) bool {
	p.mending.steps += int64(len(tags))
	for i := range tags {
		if tags[i].Kind == xmltext.AheadStart && bytes.Equal(tags[i].Name, name) {
			return true
		}
	}
	return false
}
