package catalog

import (
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode"

	"laundromat/internal/pattern"
)

// Claims is what a catalog says of a document, by these names. What it does not say
// is absent.
type Claims map[string]string

// The names of claims.
const (
	License      = "license"       // an IRI or a name
	Publisher    = "publisher"     // a name or an IRI
	Format       = "format"        // as claimed
	MediaType    = "media_type"    // without parameters
	Size         = "size"          // bytes; with K, M, G or T after it: rounded, of 1,024
	Checksum     = "checksum"      // algorithm:hex, such as sha256:…
	Modified     = "modified"      // RFC 3339, or without zone, or a date
	Triples      = "triples"       // a number
	Dataset      = "dataset"       // the IRI of what it is a distribution of
	DatasetTitle = "dataset_title" // where the document has a title of its own
	Mirrors      = "mirrors"       // URIs with spaces between them
	Status       = "status"        // the catalog's own word on whether it is there
	ChangeFreq   = "change_freq"   // always, hourly, …, never
	Dialect      = "dialect"       // of a table: a Table Dialect in JSON, or the address of one
	Schema       = "schema"        // of a table: a Table Schema in JSON, or the address of one
	Descriptor   = "descriptor"    // the address of the Data Package that a table is in
)

// maxClaim is the longest claim that is kept, in bytes.
const maxClaim = 1 << 10

// set keeps a claim, as one line.
func (c Claims) set(name, value string) {
	if value = clean(value); value != "" {
		c[name] = value
	}
}

// maxJSON is the longest claim in JSON that is kept, in bytes. A longer one is left out: a part of it is none.
const maxJSON = 16 << 10

// setJSON keeps a claim that is JSON.
func (c Claims) setJSON(name string, value []byte) {
	if len(value) <= maxJSON {
		c[name] = string(value)
	}
}

// clean makes one line of what is in a catalog, of at most maxClaim bytes.
func clean(value string) string {
	value = strings.ToValidUTF8(value, "\uFFFD")
	value = strings.Join(strings.FieldsFunc(value, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	if len(value) > maxClaim {
		value = strings.ToValidUTF8(value[:maxClaim-len("…")], "") + "…"
	}
	return value
}

// setSize keeps a number of bytes: whole, as a decimal that is whole, or rounded
// ("1.9G").
func (c Claims) setSize(value string) {
	value = strings.ToUpper(strings.TrimSpace(value))
	if m := roundedSize.FindStringSubmatch(value); m != nil && m[2] != "" {
		c[Size] = m[1] + m[2]
		return
	}
	if n, ok := wholeNumber(strings.TrimSpace(strings.TrimSuffix(strings.TrimSuffix(value, "BYTES"), "B"))); ok && n > 0 {
		c[Size] = strconv.FormatInt(n, 10)
	}
}

var roundedSize = pattern.New(`^([0-9]{1,6}(?:\.[0-9]{1,3})?) ?([KMGT]?)(?:I?B)?$`)

func (c Claims) setTriples(value string) {
	if n, ok := wholeNumber(value); ok && n > 0 {
		c[Triples] = strconv.FormatInt(n, 10)
	}
}

// wholeNumber reads "147253", "147253.0" or "1,234".
func wholeNumber(value string) (int64, bool) {
	value = strings.ReplaceAll(strings.TrimSpace(value), ",", "")
	if len(value) == 0 || len(value) > 30 || strings.Trim(value, "0123456789.eE+") != "" {
		return 0, false
	}
	if i := strings.IndexAny(value, "eE"); i >= 0 && len(value)-i > 4 {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(value)
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

// setChecksum keeps a checksum in hex; algorithm is its name in any spelling, or an
// IRI of it, or "", when the length shows.
func (c Claims) setChecksum(algorithm, value string) {
	value = strings.ToLower(strings.Trim(strings.TrimSpace(value), `"`))
	if before, after, ok := strings.Cut(value, ":"); ok && algorithm == "" {
		algorithm, value = before, after
	}
	byLength := map[int]string{32: "md5", 40: "sha1", 64: "sha256", 96: "sha384", 128: "sha512"}[len(value)]
	if byLength == "" || strings.Trim(value, "0123456789abcdef") != "" {
		return
	}
	if algorithm = strings.ToLower(algorithm); algorithm != "" {
		bare := strings.NewReplacer("-", "", "_", "", "/", "").Replace(algorithm)
		if !strings.HasSuffix(bare, byLength) {
			return // of another kind than its length: BLAKE2, SHA-3
		}
	}
	c[Checksum] = byLength + ":" + value
}

// setModified keeps a time in one of the shapes in which catalogs write it.
func (c Claims) setModified(value string) {
	if value = Time(value); value != "" {
		c[Modified] = value
	}
}

// layouts are the shapes of times, and the shapes in which they are kept.
var layouts = []struct{ from, to string }{
	{time.RFC3339Nano, time.RFC3339},
	{"2006-01-02T15:04:05.999999999Z0700", time.RFC3339},
	{"2006-01-02T15:04Z07:00", time.RFC3339},
	{"2006-01-02T15:04:05.999999999", "2006-01-02T15:04:05"},
	{"2006-01-02 15:04:05.999999999", "2006-01-02T15:04:05"},
	{"2006-01-02T15:04", "2006-01-02T15:04"},
	{"2006-01-02 15:04", "2006-01-02T15:04"},
	{"02-Jan-2006 15:04", "2006-01-02T15:04"},
	{"02-Jan-2006 15:04:05", "2006-01-02T15:04:05"},
	{"2006-Jan-02 15:04:05", "2006-01-02T15:04:05"},
	{"2006-Jan-02 15:04", "2006-01-02T15:04"},
	{time.RFC1123Z, time.RFC3339},
	{"Mon, _2 Jan 2006 15:04:05 MST", time.RFC3339},
	{"_2 Jan 2006 15:04:05 MST", time.RFC3339},
	{"_2 Jan 2006 15:04:05 -0700", time.RFC3339},
	{"Mon, _2 Jan 2006 15:04:05 -0700", time.RFC3339},
	{"2006-01-02", "2006-01-02"},
	{"2006-01-02Z07:00", "2006-01-02"},
	{"2006-01", "2006-01"},
	{"2006", "2006"},
}

// Time is a time as RFC 3339 writes it, the same without zone, or a date or a part of one. It is "" if
// value is none. Two numbers with strokes between them are not read: which is the month, nobody knows.
func Time(value string) string {
	value = strings.TrimSpace(value)
	if len(value) > 64 {
		return ""
	}
	for _, layout := range layouts {
		at, err := time.Parse(layout.from, value)
		if err != nil {
			continue
		}
		if at.Year() < 1980 || at.Year() > 2200 {
			return "" // 0001-01-01 and the like: not known
		}
		if layout.to == time.RFC3339 {
			at = at.UTC()
		}
		return at.Format(layout.to)
	}
	return ""
}
