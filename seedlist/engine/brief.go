package engine

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"time"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
)

// Who follows the feed reads every record that changes, and most of a record is what no list asks for: headers,
// evidence, history. So it is not decoded as a whole. It is known to be what [seedlist.Stored.Encode] wrote: JSON
// without white space between tokens.

// fields are those of an object that are read: for each where its value goes. That is a pointer, the fields of an
// object, or what is called for each object of an array.
type fields map[string]func(c *seedlist.Stored) any

type items func(c *seedlist.Stored) any

// listedClaims are those that lists and sums are made by, and those in words, which are searched.
var listedClaims = []string{catalog.Publisher, catalog.License, catalog.DatasetTitle, "description", "keywords"}

// claims are those of them that a record has.
type claims map[string]string

// cleanProducts are products, unless they are no more than the clean file.
type cleanProducts []seedlist.Product

// briefly is what lists and events tell of a record.
var briefly = fields{
	"hash":      func(c *seedlist.Stored) any { return &c.Hash },
	"uri":       func(c *seedlist.Stored) any { return &c.URI },
	"added":     func(c *seedlist.Stored) any { return &c.Added },
	"retrieved": func(c *seedlist.Stored) any { return &c.Retrieved },
	"processed": func(c *seedlist.Stored) any { return &c.Processed },
	"broken":    func(c *seedlist.Stored) any { return &c.Broken },
	"mended":    func(c *seedlist.Stored) any { return &c.Mended },
	"source":    func(c *seedlist.Stored) any { return &c.Source },
	"title":     func(c *seedlist.Stored) any { return &c.Title },
	"claims":    func(c *seedlist.Stored) any { return (*claims)(&c.Claims) },
	"http": func(*seedlist.Stored) any {
		return items(func(c *seedlist.Stored) any {
			c.HTTP = append(c.HTTP, seedlist.Exchange{})
			return ofExchange
		})
	},
	"content": func(c *seedlist.Stored) any {
		c.Content = new(digest.Content)
		return ofContent
	},
	"archive":   func(c *seedlist.Stored) any { return &c.Archive },
	"parent":    func(c *seedlist.Stored) any { return &c.Parent },
	"document":  func(c *seedlist.Stored) any { return &c.Document },
	"clean":     func(c *seedlist.Stored) any { return &c.Clean },
	"records":   func(c *seedlist.Stored) any { return &c.Records },
	"articles":  func(c *seedlist.Stored) any { return &c.Articles },
	"products":  func(c *seedlist.Stored) any { return (*cleanProducts)(&c.Products) },
	"recipe":    func(c *seedlist.Stored) any { return &c.Recipe },
	"previous":  func(c *seedlist.Stored) any { return &c.Previous },
	"last_good": func(c *seedlist.Stored) any { return &c.Good },
	"encoding": func(c *seedlist.Stored) any {
		c.Encoding = new(seedlist.Encoding)
		return ofEncoding
	},
	"format": func(c *seedlist.Stored) any { return &c.Format },
	"statements": func(c *seedlist.Stored) any {
		c.Statements = new(digest.Statements)
		return ofStatements
	},
	"sources": func(c *seedlist.Stored) any { return &c.Sources },
	"notices": func(c *seedlist.Stored) any { return &c.Notices },
	"error":   func(c *seedlist.Stored) any { return &c.Error },
	"washer":  func(c *seedlist.Stored) any { return &c.Washer },
	"history": func(*seedlist.Stored) any {
		return items(func(c *seedlist.Stored) any {
			c.History = append(c.History, seedlist.Version{})
			return ofVersion
		})
	},
}

var (
	ofExchange = fields{
		"status": func(c *seedlist.Stored) any { return &c.HTTP[len(c.HTTP)-1].Status },
		"robots": func(c *seedlist.Stored) any { return &c.HTTP[len(c.HTTP)-1].Robots },
	}
	ofContent  = fields{"number_of_bytes": func(c *seedlist.Stored) any { return &c.Content.NumberOfBytes }}
	ofEncoding = fields{
		"presumed": func(c *seedlist.Stored) any { return &c.Encoding.Presumed },
		"chosen":   func(c *seedlist.Stored) any { return &c.Encoding.Chosen },
	}
	ofStatements = fields{
		"read":     func(c *seedlist.Stored) any { return &c.Statements.Read },
		"kept":     func(c *seedlist.Stored) any { return &c.Statements.Kept },
		"repaired": func(c *seedlist.Stored) any { return &c.Statements.Repaired },
		"dropped":  func(c *seedlist.Stored) any { return &c.Statements.Dropped },
		"written":  func(c *seedlist.Stored) any { return &c.Statements.Written },
	}
	ofVersion = fields{
		"washed":   func(c *seedlist.Stored) any { return &lastOf(c).Washed },
		"clean":    func(c *seedlist.Stored) any { return &lastOf(c).Clean },
		"written":  func(c *seedlist.Stored) any { return &lastOf(c).Written },
		"read":     func(c *seedlist.Stored) any { return &lastOf(c).Read },
		"repaired": func(c *seedlist.Stored) any { return &lastOf(c).Repaired },
		"dropped":  func(c *seedlist.Stored) any { return &lastOf(c).Dropped },
		"changes":  func(c *seedlist.Stored) any { return &lastOf(c).Changes },
	}
)

func lastOf(c *seedlist.Stored) *seedlist.Version { return &c.History[len(c.History)-1] }

// brief is the part of a record that [seedlist.Feed] gives of numbered seeds. One that is written otherwise than
// expected is decoded as a whole.
func brief(data []byte) (c seedlist.Stored, err error) {
	if take(&c, briefly, data) {
		return c, nil
	}
	return seedlist.DecodeStored(data)
}

// take takes a value to its place; false: it is not written as expected.
func take(c *seedlist.Stored, to any, value []byte) (ok bool) {
	switch to := to.(type) {
	case fields:
		return eachField(value, func(name, value []byte) bool {
			place := to[string(name)]
			return place == nil || take(c, place(c), value)
		})
	case items:
		return eachPart(value, '[', ']', func(rest []byte) int {
			n := valueLength(rest)
			if n <= 0 || !take(c, to(c), rest[:n]) {
				return -1
			}
			return n
		})
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
	case *claims:
		return eachField(value, func(name, value []byte) bool {
			if !slices.Contains(listedClaims, string(name)) {
				return true
			}
			if *to == nil {
				*to = claims{}
			}
			var text string
			ok := take(c, &text, value)
			(*to)[string(name)] = text
			return ok
		})
	case *cleanProducts:
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
