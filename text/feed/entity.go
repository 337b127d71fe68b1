package feed

import (
	"bytes"
	"strings"

	"laundromat/text"
	"laundromat/text/block"
)

// Bounds of what the entities of a feed may bring: their number, and the bytes and levels of what one stands for.
const (
	maxEntities   = 1000
	maxEntityText = 64 << 10
	maxEntityDeep = 9
)

// declare takes the entities that the document type of a feed declares with their text.
func (f *reader) declare(raw []byte) {
	if !bytes.HasPrefix(raw, []byte("<!")) || bytes.HasPrefix(raw, []byte("<!--")) {
		return
	}
	const mark = "<!ENTITY"
	for len(f.entities) < maxEntities {
		_, rest, found := bytes.Cut(raw, []byte(mark))
		if !found {
			return
		}
		raw = rest
		fields := bytes.TrimLeft(rest, " \t\r\n")
		n := bytes.IndexAny(fields, " \t\r\n")
		if n <= 0 || len(fields) == len(rest) || fields[0] == '%' {
			continue
		}
		name := string(fields[:n])
		said := bytes.TrimLeft(fields[n:], " \t\r\n")
		if len(said) == 0 || said[0] != '"' && said[0] != '\'' {
			continue // it is elsewhere
		}
		end := bytes.IndexByte(said[1:], said[0])
		if end < 0 {
			return
		}
		if f.entities == nil {
			f.entities = map[string]string{}
		}
		if _, ok := f.entities[name]; !ok { // XML 1.0 §4.2: the first binds
			// References to characters are read where they stand, others where the entity is (XML 1.0 §4.4).
			f.entities[name] = characters(string(said[1 : 1+end]))
		}
		raw = said[1+end:]
	}
}

// characters decodes the references to characters by their numbers.
func characters(s string) string {
	var b strings.Builder
	for {
		n := strings.Index(s, "&#")
		end := -1
		if n >= 0 {
			end = strings.IndexByte(s[n:], ';')
		}
		if end < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:n])
		decoded, _ := block.Decode(nil, nil, s[n:n+end+1], 0)
		b.Write(decoded)
		s = s[n+end+1:]
	}
}

// nextEntity finds the first reference to an entity that the feed declares.
func (f *reader) nextEntity(raw []byte) (from, to int, said string, ok bool) {
	for from < len(raw) {
		n := bytes.IndexByte(raw[from:], '&')
		if n < 0 {
			return 0, 0, "", false
		}
		from += n
		end := bytes.IndexAny(raw[from:], "; \n<")
		if end > 1 && raw[from+end] == ';' {
			if said, ok := f.entities[string(raw[from+1:from+end])]; ok {
				return from, from + end + 1, said, true
			}
		}
		from++
	}
	return 0, 0, "", false
}

// decodeText appends text of the feed without its escapes.
func (f *reader) decodeText(d decoded, raw []byte, at int) decoded {
	for len(f.entities) > 0 {
		from, to, said, ok := f.nextEntity(raw)
		if !ok {
			break
		}
		d.text, d.places = block.Decode(d.text, d.places, string(raw[:from]), at)
		b := &expansion{entities: f, left: f.entityRoom()}
		b.expand(said, 0, true)
		d = d.stand(b.out, at+from, to-from)
		raw, at = raw[to:], at+to
	}
	d.text, d.places = block.Decode(d.text, d.places, string(raw), at)
	return d
}

// copyText appends text beside elements, which keeps its escapes.
func (f *reader) copyText(d decoded, raw []byte, at int) decoded {
	for len(f.entities) > 0 {
		from, to, said, ok := f.nextEntity(raw)
		if !ok {
			break
		}
		d.copy(raw[:from], at)
		b := &expansion{entities: f, left: f.entityRoom()}
		b.expand(said, 0, false)
		d = d.stand(b.out, at+from, to-from)
		raw, at = raw[to:], at+to
	}
	d.copy(raw, at)
	return d
}

// entityRoom is how much one more reference may bring: what all of them bring does not exceed the feed by far.
func (f *reader) entityRoom() int {
	return max(0, min(maxEntityText, len(f.source)+maxEntityText-f.expanded))
}

// stand appends text that a reference stands for.
func (d decoded) stand(s []byte, at, length int) decoded {
	if len(s) > 0 {
		d.places = append(d.places, text.Run{Text: len(d.text), Length: len(s), Source: at, SourceLength: length})
		d.text = append(d.text, s...)
	}
	return d
}

// expansion is the text of an entity, in which others may be.
type expansion struct {
	entities *reader
	out      []byte
	left     int
}

func (b *expansion) expand(said string, depth int, decode bool) {
	b.left-- // so that what stands for nothing ends, too
	b.entities.expanded++
	write := func(s string) {
		s = s[:min(len(s), max(0, b.left))]
		b.left -= len(s)
		b.entities.expanded += len(s)
		if decode {
			b.out, _ = block.Decode(b.out, nil, s, 0)
		} else {
			b.out = append(b.out, s...)
		}
	}
	raw := []byte(said)
	for depth < maxEntityDeep && b.left > 0 {
		from, to, inner, ok := b.entities.nextEntity(raw)
		if !ok {
			break
		}
		write(string(raw[:from]))
		b.expand(inner, depth+1, decode)
		raw = raw[to:]
	}
	write(string(raw))
}
