package engine

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
)

// Who follows the feed reads every record that changes, and most of a record is what no list asks for: headers,
// evidence, history. So it is not decoded as a whole. It is known to be what [seedlist.Stored.Encode] wrote: JSON
// without white space between tokens.

// names are those of the fields of an object, or of each object of an array, that are read, and of the fields of these;
// nil: all of a value is.
type names map[string]names

// told is what lists and events tell of a record. Of the claims of a catalog it is those that lists and sums are made
// by, and those in words, which are searched.
var told = names{
	"hash": nil, "uri": nil, "added": nil, "retrieved": nil, "processed": nil, "broken": nil, "mended": nil, "source": nil, "title": nil,
	"claims":  {catalog.Publisher: nil, catalog.License: nil, catalog.DatasetTitle: nil, "description": nil, "keywords": nil},
	"http":    {"status": nil, "robots": nil},
	"content": {"number_of_bytes": nil},
	"archive": nil, "parent": nil, "document": nil, "clean": nil, "products": nil, "records": nil, "articles": nil, "recipe": nil,
	"previous": nil, "last_good": nil,
	"encoding":   {"presumed": nil, "chosen": nil},
	"format":     nil,
	"statements": {"read": nil, "kept": nil, "repaired": nil, "dropped": nil, "written": nil},
	"sources":    nil, "notices": nil, "error": nil, "washer": nil,
	"history": {"washed": nil, "clean": nil, "written": nil, "read": nil, "repaired": nil, "dropped": nil, "changes": nil},
}

// place is where a value goes: a field of a struct by its index, and in it those of its fields that are read; nil: all.
type place struct {
	index  []int
	fields map[string]*place
}

// briefly is where the values of a record go.
var briefly = placeOf(reflect.TypeFor[seedlist.Stored](), told)

func placeOf(of reflect.Type, told names) *place {
	for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice && told != nil {
		of = of.Elem()
	}
	p := new(place)
	for name, below := range told {
		if p.fields == nil {
			p.fields = map[string]*place{}
		}
		if of.Kind() == reflect.Map {
			p.fields[name] = new(place)
			continue
		}
		for _, f := range reflect.VisibleFields(of) {
			if is, _, _ := strings.Cut(f.Tag.Get("json"), ","); is == name {
				p.fields[name] = placeOf(f.Type, below)
				p.fields[name].index = f.Index
			}
		}
	}
	return p
}

// brief is the part of a record that [seedlist.Feed] gives of numbered seeds. One that is written otherwise than
// expected is decoded as a whole.
func brief(data []byte) (c seedlist.Stored, err error) {
	if take(briefly, reflect.ValueOf(&c).Elem(), data) {
		return c, nil
	}
	return seedlist.DecodeStored(data)
}

// take takes a value to its place; false: it is not written as expected.
func take(p *place, to reflect.Value, value []byte) bool {
	switch kind := to.Kind(); {
	case p.fields == nil:
		return takeWhole(to.Addr().Interface(), value)
	case kind == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return take(p, to.Elem(), value)
	case kind == reflect.Slice:
		return eachPart(value, '[', ']', func(rest []byte) int {
			n := valueLength(rest)
			to.Set(reflect.Append(to, reflect.Zero(to.Type().Elem())))
			if n <= 0 || !take(p, to.Index(to.Len()-1), rest[:n]) {
				return -1
			}
			return n
		})
	case kind == reflect.Map:
		all := map[string]string{}
		ok := eachField(value, func(name, value []byte) bool {
			var text string
			if p.fields[string(name)] == nil {
				return true
			}
			ok := takeWhole(&text, value)
			all[string(name)] = text
			return ok
		})
		to.Set(reflect.ValueOf(all))
		return ok
	}
	return eachField(value, func(name, value []byte) bool {
		below := p.fields[string(name)]
		return below == nil || take(below, to.FieldByIndex(below.index), value)
	})
}

// takeWhole decodes a value.
func takeWhole(to any, value []byte) (ok bool) {
	switch to := to.(type) {
	case *string:
		if len(value) >= 2 && value[0] == '"' && bytes.IndexByte(value, '\\') < 0 {
			*to = string(value[1 : len(value)-1])
			return true
		}
	case *int64:
		*to, ok = numberIn(value)
		return ok
	case *time.Time:
		return to.UnmarshalJSON(value) == nil
	case *map[string]int64:
		return takeNumbers(to, value)
	case *map[fault.Code]int64:
		return takeNumbers(to, value)
	case *[]seedlist.Product:
		return isCleanFile(value) || json.Unmarshal(value, to) == nil
	}
	return json.Unmarshal(value, to) == nil
}

func takeNumbers[Name ~string](to *map[Name]int64, value []byte) bool {
	*to = map[Name]int64{}
	return eachField(value, func(name, value []byte) (ok bool) {
		(*to)[Name(name)], ok = numberIn(value)
		return ok
	})
}

func numberIn(value []byte) (n int64, ok bool) {
	for _, b := range value {
		if b < '0' || b > '9' || n > math.MaxInt64/10-1 {
			n, err := strconv.ParseInt(string(value), 10, 64)
			return n, err == nil
		}
		n = 10*n + int64(b-'0')
	}
	return n, true
}

// isCleanFile says that products are no more than the clean file, which the record names elsewhere too.
func isCleanFile(products []byte) bool {
	return bytes.HasPrefix(products, []byte(`[{"name":"statements","sha256":`)) && bytes.Count(products, []byte(`"name":`)) == 1 &&
		!bytes.Contains(products, []byte(`"error":`)) && !bytes.Contains(products, []byte(`"none":`))
}

// eachField calls visit for the fields of an object, until it returns false. It returns false then, and where the
// object is not written as expected.
func eachField(object []byte, visit func(name, value []byte) bool) bool {
	return eachPart(object, '{', '}', func(rest []byte) int {
		n := stringLength(rest)
		if n < 0 || n >= len(rest) || rest[n] != ':' || bytes.IndexByte(rest[:n], '\\') >= 0 {
			return -1
		}
		length := valueLength(rest[n+1:])
		if length <= 0 || !visit(rest[1:n-1], rest[n+1:n+1+length]) {
			return -1
		}
		return n + 1 + length
	})
}

// eachPart calls take for each part of an object or an array, with all that follows. take returns how long it is; below
// 0: it is not as expected.
func eachPart(text []byte, begin, end byte, take func(rest []byte) int) bool {
	if len(text) < 2 || text[0] != begin || text[len(text)-1] != end {
		return false
	}
	for rest := text[1 : len(text)-1]; len(rest) > 0; {
		n := take(rest)
		if n <= 0 || n < len(rest) && (rest[n] != ',' || n+1 == len(rest)) {
			return false
		}
		rest = rest[min(n+1, len(rest)):]
	}
	return true
}

// stringLength is how long the string is that a text begins with, with its quotes; -1 if it begins with none.
func stringLength(text []byte) int {
	if len(text) == 0 || text[0] != '"' {
		return -1
	}
	for at := 1; ; {
		end := bytes.IndexByte(text[at:], '"')
		if end < 0 {
			return -1
		}
		at += end
		escapes := 0
		for text[at-1-escapes] == '\\' {
			escapes++
		}
		at++
		if escapes%2 == 0 {
			return at
		}
	}
}

// valueLength is how long the value is that a text begins with; -1 if it does not end.
func valueLength(text []byte) int {
	depth := 0
	for at := 0; at < len(text); {
		switch text[at] {
		case '"':
			n := stringLength(text[at:])
			if n < 0 {
				return -1
			}
			at += n
		case '{', '[':
			depth++
			at++
			continue
		case '}', ']':
			depth--
			at++
		default:
			if depth > 0 {
				at++
				continue
			}
			n := bytes.IndexByte(text, ',')
			switch {
			case text[0] <= ' ':
				return -1
			case n < 0:
				return len(text)
			}
			return n
		}
		if depth <= 0 {
			return at
		}
	}
	return -1
}
