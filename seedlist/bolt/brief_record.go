package bolt

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strconv"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// Who follows the feed reads every record that changes. Most of a record is what no list asks for:
// headers, evidence, history. So a record that has a checksum is not decoded as a whole. It is known to
// be what [seedlist.Stored.Encode] wrote: JSON without white space between tokens.

// brief is the part of a record that [seedlist.Feed] gives of numbered seeds. One that is written
// otherwise than expected is decoded as a whole.
func brief(said []byte) (c seedlist.Stored, err error) {
	if readBrief(said, &c) {
		return c, nil
	}
	var whole lean
	err = json.Unmarshal(said, &whole)
	return whole.Stored, err
}

// lean is a record without what is long and what no list asks for.
type lean struct {
	seedlist.Stored
	FormatEvidence skipped `json:"format_evidence"`
	Changes        skipped `json:"changes"`
}

// skipped is a value that is not decoded.
type skipped struct{}

// UnmarshalJSON leaves the value where it is.
func (*skipped) UnmarshalJSON([]byte) error { return nil }

// readBrief reads what lists and events tell of a seed. It answers false where it met what it does
// not know.
func readBrief(said []byte, c *seedlist.Stored) bool {
	f := recordFieldsOf(said)
	for f.next() {
		switch string(f.name) {
		case "hash":
			c.Hash = f.text()
		case "uri":
			c.URI = f.text()
		case "processed":
			f.require(c.Processed.UnmarshalJSON(f.value) == nil)
		case "source":
			c.Source = f.text()
		case "title":
			c.Title = f.text()
		case "content":
			c.Content = f.content()
		case "archive":
			f.require(json.Unmarshal(f.value, &c.Archive) == nil)
		case "parent":
			c.Parent = f.text()
		case "encoding":
			c.Encoding = f.encoding()
		case "format":
			c.Format = f.text()
		case "products":
			if !isCleanFile(f.value) {
				f.require(json.Unmarshal(f.value, &c.Products) == nil)
			}
		case "statements":
			c.Statements = f.statements()
		case "sources":
			c.Sources = countsIn[string](&f)
		case "notices":
			c.Notices = countsIn[fault.Code](&f)
		case "error":
			f.require(json.Unmarshal(f.value, &c.Error) == nil)
		case "washer":
			c.Washer = f.text()
		case "recipe":
			f.require(json.Unmarshal(f.value, &c.Recipe) == nil)
		case "clean":
			c.Clean = f.text()
		case "previous":
			c.Previous = f.text()
		case "last_good":
			f.require(json.Unmarshal(f.value, &c.Good) == nil)
		default:
			f.readSummed(c)
		}
	}
	return !f.isBad
}

// isCleanFile says that products are no more than the clean file, which the record names elsewhere too.
func isCleanFile(products []byte) bool {
	return bytes.HasPrefix(products, []byte(`[{"name":"statements","sha256":`)) && bytes.Count(products, []byte(`"name":`)) == 1 &&
		!bytes.Contains(products, []byte(`"error":`)) && !bytes.Contains(products, []byte(`"none":`))
}

func (f *recordFields) content() *digest.Content {
	c := &digest.Content{}
	in := recordFieldsOf(f.value)
	for in.next() {
		if string(in.name) == "number_of_bytes" {
			c.NumberOfBytes = in.number()
		}
	}
	f.require(!in.isBad)
	return c
}

func (f *recordFields) encoding() *seedlist.Encoding {
	e := &seedlist.Encoding{}
	in := recordFieldsOf(f.value)
	for in.next() {
		switch string(in.name) {
		case "presumed":
			e.Presumed = in.text()
		case "chosen":
			e.Chosen = in.text()
		}
	}
	f.require(!in.isBad)
	return e
}

func (f *recordFields) statements() *digest.Statements {
	n := &digest.Statements{}
	in := recordFieldsOf(f.value)
	for in.next() {
		switch string(in.name) {
		case "read":
			n.Read = in.number()
		case "kept":
			n.Kept = in.number()
		case "repaired":
			n.Repaired = in.number()
		case "dropped":
			n.Dropped = in.number()
		case "written":
			n.Written = in.number()
		}
	}
	f.require(!in.isBad)
	return n
}

// countsIn are numbers by their names.
func countsIn[Name ~string](f *recordFields) map[Name]int64 {
	counts := map[Name]int64{}
	in := recordFieldsOf(f.value)
	for in.next() {
		counts[Name(in.name)] = in.number()
	}
	f.require(!in.isBad)
	return counts
}

// recordFields goes through the fields of an object.
type recordFields struct {
	rest        []byte // behind the last value: from a brace or a comma on, or nothing
	name, value []byte // of the field at hand
	isBad       bool   // something was met that is not expected
}

// recordFieldsOf are the fields of an object, which must be all of a text.
func recordFieldsOf(text []byte) (f recordFields) {
	f.require(len(text) >= 2 && text[0] == '{' && text[len(text)-1] == '}')
	if !f.isBad && len(text) > 2 {
		f.rest = text[:len(text)-1]
	}
	return f
}

// require notes that something is not as expected.
func (f *recordFields) require(isSo bool) { f.isBad = f.isBad || !isSo }

// next goes to the next field; false: there is none, or something is bad.
func (f *recordFields) next() bool {
	if f.isBad || len(f.rest) == 0 {
		return false
	}
	rest := f.rest[1:] // what is before a field is known: a brace or a comma
	n := stringLength(rest)
	if n < 0 || n >= len(rest) || rest[n] != ':' || bytes.IndexByte(rest[:n], '\\') >= 0 {
		f.isBad = true
		return false
	}
	f.name, rest = rest[1:n-1], rest[n+1:]
	n = valueLength(rest)
	if n <= 0 || n < len(rest) && (rest[n] != ',' || n+1 == len(rest)) {
		f.isBad = true
		return false
	}
	f.value, f.rest = rest[:n], rest[n:]
	return true
}

// text is the value at hand, which must be a string.
func (f *recordFields) text() (s string) {
	v := f.value
	switch {
	case len(v) < 2 || v[0] != '"':
		f.isBad = true
	case bytes.IndexByte(v, '\\') < 0:
		return string(v[1 : len(v)-1])
	case json.Unmarshal(v, &s) != nil:
		f.isBad = true
	}
	return s
}

// number is the value at hand, which must be a whole number.
func (f *recordFields) number() (n int64) {
	for _, b := range f.value {
		if b < '0' || b > '9' || n > math.MaxInt64/10-1 {
			n, err := strconv.ParseInt(string(f.value), 10, 64)
			f.require(err == nil)
			return n
		}
		n = 10*n + int64(b-'0')
	}
	return n
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
			if n < 0 {
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

// Numbered returns the seeds of these numbers that are there. Whoever follows the feed reads each seed that changes,
// and asks for little of it.
func (s *Store) Numbered(ctx context.Context, numbers ...uint64) (all []seedlist.Numbered, err error) {
	all = make([]seedlist.Numbered, 0, len(numbers))
	err = s.view(ctx, func(t *tables) error {
		roots := map[uint64]*seedlist.Root{}
		for _, number := range numbers {
			if seed, ok := t.numbered(number, roots); ok {
				s.Attend(claimOf(number, &seed), &seed)
				all = append(all, seedlist.Numbered{Number: number, Seed: seed})
			}
		}
		return nil
	})
	return all, err
}

// NumberedAfter is Numbered for the seeds that follow a number, oldest first.
func (s *Store) NumberedAfter(ctx context.Context, after uint64, limit int) (all []seedlist.Numbered, err error) {
	err = s.view(ctx, func(t *tables) error {
		roots := map[uint64]*seedlist.Root{}
		t.scan(inHot, nil, appendNumber(nil, after+1), func(key, _ []byte) bool {
			if len(all) >= min(limit, maxRows) {
				return false
			}
			if seed, ok := t.numbered(lastNumber(key), roots); ok {
				s.Attend(claimOf(lastNumber(key), &seed), &seed)
				all = append(all, seedlist.Numbered{Number: lastNumber(key), Seed: seed})
			}
			return true
		})
		return nil
	})
	return all, err
}

// numbered reads the seed of a number, with its catalogs; false if there is none. Of a record that can't
// be read there is its standing: one must not keep all others from who follows the feed. The roots of archives that
// were met are kept in roots.
func (t *tables) numbered(number uint64, roots map[uint64]*seedlist.Root) (seed seedlist.Seed, ok bool) {
	h, ok := t.hot(number)
	if !ok {
		return seed, false
	}
	var c seedlist.Stored
	key := appendNumber(nil, number)
	data, err := checkSum(inCold, key, t.get(inCold, key))
	if err == nil {
		c, err = brief(data)
	}
	moves := h.moves()
	if err != nil {
		return seedlist.Seed{Standing: moves.Standing()}, true
	}
	seed = seedlist.Seed{Hash: c.Hash, URI: c.URI, Standing: moves.Standing(), Record: c.Record}
	switch {
	case h.parent != 0:
		seed.Root = t.rootOf(h.parent, roots)
	case !h.is(isClean):
		seed.Catalogs = t.listings(number)
	}
	return seed, true
}

// rootOf is the root of the members of an archive; nil where its record can't be read.
func (t *tables) rootOf(archive uint64, roots map[uint64]*seedlist.Root) *seedlist.Root {
	if root, ok := roots[archive]; ok {
		return root
	}
	var root *seedlist.Root
	h, isThere := t.hot(archive)
	if h.parent != 0 {
		root = t.rootOf(h.parent, roots)
	} else if isThere {
		key := appendNumber(nil, archive)
		data, err := checkSum(inCold, key, t.get(inCold, key))
		if err == nil {
			var c seedlist.Stored
			if c, err = brief(data); err == nil {
				root = &seedlist.Root{URI: c.URI, Catalogs: t.listings(archive), Claims: c.Claims}
			}
		}
	}
	roots[archive] = root
	return root
}
