package jsonread_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

// plain is the guide of a format of which few words are known.
type plain struct{}

var words = jsonread.Words{Sign: '%', ID: "%id", Type: "%type", Context: "%context", Value: "%value", Language: "%language",
	Direction: "%direction", Index: "%index", List: "%list", Set: "%set", Graph: "%graph", Reverse: "%reverse", Included: "%included",
	Nest: "%nest", Usual: struct{ ID, Type, Value, Language string }{"key", "sort", "is", "in"}}

func (plain) Words() *jsonread.Words { return &words }
func (plain) IsWord(s string) bool   { return strings.HasPrefix(s, "%") }
func (plain) Define(*jsonread.Value, func(name, word string)) (intricate bool) {
	return false
}
func (plain) Lost(name jsonread.BrokenName) (words []jsonread.BrokenName, whole bool) {
	return nil, false
}

// collector keeps what is read, as text.
type collector struct {
	reader  *jsonread.Reader
	values  []string
	notices []string
}

func (c *collector) Notice(n fault.Notice) {
	c.notices = append(c.notices, fmt.Sprintf("%d:%d %s %s %d", n.Line, n.Column, n.Severity, n.Code, n.Lost))
}

func (c *collector) Value(v *jsonread.Value, inArray bool, long []*jsonread.Spill) (more bool) {
	for _, s := range long {
		if !s.Load(v) {
			return true
		}
	}
	c.reader.Begin()
	if v.Nameless { // what it is about may be lost
		c.values = append(c.values, "nameless "+written(v))
		return true
	}
	c.values = append(c.values, written(v))
	return true
}

// written writes a value as JSON.
func written(v *jsonread.Value) string {
	var b strings.Builder
	switch v.Kind {
	case jsonread.Text:
		text, _ := json.Marshal(v.Text)
		b.Write(text)
	case jsonread.Array:
		for i, item := range v.Items {
			b.WriteString([]string{"[", ","}[min(i, 1)] + written(item))
		}
		b.WriteString([]string{"[]", "]"}[min(len(v.Items), 1)])
	case jsonread.Object:
		for i, m := range v.Members {
			name, _ := json.Marshal(m.Name)
			b.WriteString([]string{"{", ","}[min(i, 1)] + string(name) + ":" + written(m.Value))
		}
		b.WriteString([]string{"{}", "}"}[min(len(v.Members), 1)])
	case jsonread.Null:
		return "null"
	case jsonread.Lost:
		return "lost"
	default:
		return v.Text
	}
	return b.String()
}

func options(t *testing.T, hold int64) jsonread.Options {
	return jsonread.Options{Guide: plain{}, Format: "JSON", MaxBytes: 1 << 20, Hold: hold, MaxWeight: 50 << 20, MaxDepth: 50,
		Temp: t.TempDir()}
}

func read(t *testing.T, text string, hold int64, split bool) *collector {
	t.Helper()
	c := &collector{}
	if c.reader = jsonread.NewReader(context.Background(), strings.NewReader(text), options(t, hold), c); split {
		c.reader = jsonread.NewReader(context.Background(), iotest.OneByteReader(strings.NewReader(text)), options(t, hold), c)
	}
	for c.reader.More() {
		c.reader.Read()
	}
	if err := c.reader.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

// Each row: a text, the values that are read, and the notices.
func TestBrokenTextCostsTheSmallestThing(t *testing.T) {
	for _, row := range []struct {
		name, text      string
		values, notices []string
	}{
		{"sound", `{"a":[1,true,null,"x"]}`, []string{`{"a":[1,true,null,"x"]}`}, nil},
		{"items", `[{"a":1},2]`, []string{`{"a":1}`, `2`}, nil},
		{"lines", "{\"a\":1}\n{\"a\":2}\n", []string{`{"a":1}`, `{"a":2}`}, nil},
		{"a comma too many", `{"a":1,,"b":2}`, []string{`{"a":1,"b":2}`}, []string{"1:8 repair syntax/json-comma 0"}},
		{"a comma too few", `{"a":1 "b":2}`, []string{`{"a":1,"b":2}`}, []string{"1:8 repair syntax/json-comma 0"}},
		{"a colon too few", `{"a" "x","b":2}`, []string{`{"a":"x","b":2}`}, []string{"1:6 repair syntax/json-colon 0"}},
		{"no quotation marks", `{a:1}`, []string{`{"a":1}`}, []string{"1:2 repair syntax/json-quotes 0"}},
		{"apostrophes", `{"a":'x'}`, []string{`{"a":"x"}`}, []string{"1:6 repair syntax/json-quotes 0"}},
		{"a comment", "{\"a\":1 // one\n}", []string{`{"a":1}`}, []string{"1:8 repair syntax/json-comment 0"}},
		{"an unknown escape", `{"a":"\q","b":2}`, []string{`{"b":2}`}, []string{"1:6 drop syntax/json 1"}},
		{"a name twice", `{"a":1,"a":2}`, []string{`{"a":2}`}, []string{"1:2 drop syntax/json-duplicate-name 1"}},
		{"a brace too few", "[{\"%id\":\"x\",\"b\":1,\n{\"%id\":\"y\",\"b\":2}]", []string{`{"%id":"x","b":1}`, `{"%id":"y","b":2}`},
			[]string{"1:18 repair syntax/json-bracket 0"}},
		{"the end is missing", `{"%id":"x","a":"y","b":"z`, []string{`{"%id":"x","a":"y"}`}, []string{"1:24 drop syntax/json-cut-short 1"}},
		{"the end is missing of what has no name", `{"a":"y","b":"z`, []string{`nameless {"a":"y"}`},
			[]string{"1:14 drop syntax/json-cut-short 1"}},
		{"a literal that lost its type", `{"p":{"%value":"x","%type:"y"},"q":2}`, []string{`{"q":2}`}, []string{"1:20 drop syntax/json 1"}},
		{"what isn't a literal lost as much", `{"p":{"value":"x","type:"y"},"q":2}`, []string{`{"p":{"value":"x"},"q":2}`},
			[]string{"1:19 drop syntax/json 1"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := read(t, row.text, 1<<16, false)
			if !slices.Equal(got.values, row.values) {
				t.Errorf("values %q\n  want %q", got.values, row.values)
			}
			if !slices.Equal(got.notices, row.notices) {
				t.Errorf("notices %q\n   want %q", got.notices, row.notices)
			}
		})
	}
}

// random makes values of JSON.
type random struct{ *rand.Rand }

func (r random) value(depth int) any {
	switch kind := r.IntN(8); {
	case kind == 0:
		return nil
	case kind == 1:
		return r.IntN(2) == 0
	case kind == 2:
		return float64(r.IntN(1000)) / 4
	case kind < 5 || depth == 0:
		return r.text()
	case kind == 5:
		items := make([]any, r.IntN(4))
		for i := range items {
			items[i] = r.value(depth - 1)
		}
		return items
	default:
		return r.object(depth - 1)
	}
}

func (r random) object(depth int) map[string]any {
	members := map[string]any{}
	for range 1 + r.IntN(5) {
		members[r.text()] = r.value(depth)
	}
	return members
}

func (r random) text() string {
	parts := []string{"a", "name", "é", "\"", "\\", "\n", "{", "}]", ", ", ":", "//", "#", "\u200b", "😀", "%x", strconv.Itoa(r.IntN(100))}
	text := ""
	for range 1 + r.IntN(3) {
		text += parts[r.IntN(len(parts))]
	}
	return text
}

// document is a list of objects, on lines or on one.
func (r random) document(t *testing.T) (text string, items []any) {
	for range 1 + r.IntN(6) {
		items = append(items, r.object(3))
	}
	indent := []string{"", "  "}[r.IntN(2)]
	made, err := json.MarshalIndent(items, "", indent)
	if indent == "" {
		made, err = json.Marshal(items)
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(made), items
}

// What is sound is read as encoding/json reads it, without a notice, however little is held at once.
func TestWhatIsSoundIsReadAsItStands(t *testing.T) {
	for seed := range uint64(200) {
		r := random{rand.New(rand.NewPCG(seed, 24))}
		text, items := r.document(t)
		for _, hold := range []int64{1 << 16, 40} {
			got := read(t, text, hold, false)
			if len(got.notices) > 0 || len(got.values) != len(items) {
				t.Fatalf("%s\n%d values of %d, notices %q", text, len(got.values), len(items), got.notices)
			}
			for i, value := range got.values {
				var back any
				if err := json.Unmarshal([]byte(value), &back); err != nil || !reflect.DeepEqual(back, items[i]) {
					t.Fatalf("%s\nitem %d is %s (%v)", text, i, value, err)
				}
			}
		}
	}
}

// damaged is a text with a few bytes changed, put in or left out.
func (r random) damaged(text string) string {
	b := []byte(text)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(b))
		switch sign := `{}[],:"x \`[r.IntN(10)]; r.IntN(3) {
		case 0:
			b[i] = sign
		case 1:
			b = slices.Insert(b, i, sign)
		default:
			b = slices.Delete(b, i, min(len(b)-1, i+1+r.IntN(4)))
		}
	}
	return string(b)
}

// In pieces a text is read as in one. No notice is outside of it. What [jsonread.Sound] makes of it is JSON.
func TestDamagedTextIsReadAlikeInPieces(t *testing.T) {
	for seed := range uint64(200) {
		r := random{rand.New(rand.NewPCG(seed, 25))}
		text, _ := r.document(t)
		text = r.damaged(text)
		whole, pieces := read(t, text, 1<<16, false), read(t, text, 1<<16, true)
		if !slices.Equal(whole.values, pieces.values) || !slices.Equal(whole.notices, pieces.notices) {
			t.Fatalf("%s\nin one    %q %q\nin pieces %q %q", text, whole.values, whole.notices, pieces.values, pieces.notices)
		}
		lines := int64(strings.Count(text, "\n") + 1)
		sound, err := jsonread.Sound(context.Background(), []byte(text), options(t, 0), func(n fault.Notice) {
			if n.Line < 1 || n.Line > lines || n.Offset > int64(len(text)) {
				t.Errorf("%s\nthe notice %s stands in %d:%d", text, n.Code, n.Line, n.Column)
			}
		})
		if err != nil || len(sound) > 0 && !json.Valid(sound) || bytes.Contains(sound, []byte("\n")) {
			t.Fatalf("%s\n%s %v", text, sound, err)
		}
	}
}
