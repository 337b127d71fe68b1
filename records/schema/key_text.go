package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"laundromat/records"
)

// PrimaryKey are the fields of the primary key of a Table Schema; none where it has none.
func (s *Schema) PrimaryKey() []string {
	if s.table != nil {
		for _, k := range s.table.unique {
			if k.primary {
				return k.names
			}
		}
	}
	return nil
}

// mostKeyText is the longest key that is written as it is, in bytes. Indexes of databases hold little more.
const mostKeyText = 1000

// KeyText is the key of a record as a text: the value of its only field, or of several an array in JSON. Equal values,
// and no others, have the same text, but a number has that of its digits. A long key has that of its SHA-256. ok is
// false where a part is absent, null or empty.
func KeyText(r *records.Record, names []string) (text string, ok bool) {
	parts := records.Value{Kind: records.List}
	for _, name := range names {
		f := r.Field(name)
		if f == nil || f.Value.Kind == records.Null || f.Value.Kind == records.Text && f.Value.Text == "" {
			return "", false
		}
		switch v := &f.Value; v.Kind {
		case records.Text, records.Bool:
			text = v.Text
		case records.Number:
			text = numberText(v.Text)
		default:
			text = string(v.AppendJSON(nil))
		}
		parts.Items = append(parts.Items, records.TextOf(text))
	}
	if len(parts.Items) != 1 || strings.Contains(text, "\x00") {
		text = string(parts.AppendJSON(nil))
	}
	if len(text) > mostKeyText {
		sum := sha256.Sum256([]byte(text))
		text = "sha256:" + hex.EncodeToString(sum[:])
	}
	return text, true
}

// numberText is a number in one spelling: 1 for 1.0 and 10e-1.
func numberText(s string) string {
	v := records.NumberOf(s)
	key := appendKey(nil, &v)
	text := string(key[1 : len(key)-1])
	if sign, digits, isFraction := strings.Cut(text, "."); isFraction {
		return sign + "0." + digits
	}
	return text
}

// SumOf is a hash of fields of a record. Equal values, and no others, have the same, in whichever order the fields are.
func SumOf(fields []records.Field) string {
	v := records.Value{Kind: records.Object, Fields: fields}
	sum := sha256.Sum256(appendKey(nil, &v))
	return hex.EncodeToString(sum[:])
}

// IsSameNumber says that two numbers, as JSON writes them, have the same value.
func IsSameNumber(a, b string) bool { return numberText(a) == numberText(b) }

// Keys is a set of keys in bounded memory: what it has no room for is in files.
type Keys struct{ set *keySet }

// NewKeys makes a set that takes so many bytes of memory, with its files in a folder.
func NewKeys(memory int64, temp string) *Keys { return &Keys{newKeySet(memory, 1<<40, temp)} }

// Add puts a key into the set; it says whether it was new.
func (k *Keys) Add(key string) (isNew bool, err error) {
	return k.set.add(k.set.fingerprint([]byte(key)))
}

// Close gives the files back.
func (k *Keys) Close() { k.set.close() }
