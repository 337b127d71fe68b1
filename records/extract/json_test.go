package extract_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"laundromat/records/extract"
)

// trees is what is wrong in JSON, and what comes of it.
var trees = []struct {
	name, in string
	records  []string
	notices  []string
}{
	{"nothing but a strange white space before an object", "\v\u00a0{\"a\":1}", []string{`{"a":1}`}, []string{"repair record/stray 1:1"}},
	{"a list", `[{"a":1,"b":[1,{"c":null}]},{"a":"x"}]`, []string{`{"a":1,"b":[1,{"c":null}]}`, `{"a":"x"}`}, nil},
	{"all digits", `[{"a":12345678901234567890.1234567890123456789e+400}]`, []string{`{"a":12345678901234567890.1234567890123456789e+400}`},
		nil},
	{"an object with a list", `{"total":2,"items":[{"a":1},{"a":2}]}`, []string{`{"a":1}`, `{"a":2}`},
		[]string{"note record/list 1:20 items", "warning record/beside 1:10 total"}},
	{"a list further in", `{"result":{"n":1,"rows":[{"a":1},{"a":2}]}}`, []string{`{"a":1}`, `{"a":2}`},
		[]string{"note record/list 1:25 rows", "warning record/beside 1:16 result.n"}},
	{"an object", `{"a":1,"b":{"c":[1,2]}}`, []string{`{"a":1,"b":{"c":[1,2]}}`}, nil},
	{"two lists", `{"a":[{"x":1}],"b":[{"y":1}]}`, []string{`{"a":[{"x":1}],"b":[{"y":1}]}`}, nil},
	{"a text", `"x"`, []string{`{"value":"x"}`}, nil},
	{"a list of texts", `["x",1]`, []string{`{"value":"x"}`, `{"value":1}`}, nil},
	{"objects one behind the other", "{\"a\":1}\n{\"a\":2}", []string{`{"a":1}`, `{"a":2}`}, nil},
	{"a comma at the end", `[{"a":1,},{"a":2},]`, []string{`{"a":1}`, `{"a":2}`},
		[]string{"repair record/comma 1:8", "repair record/comma 1:18"}},
	{"a missing comma", "[{\"a\":1}\n{\"a\":2 \"b\":3}]", []string{`{"a":1}`, `{"a":2,"b":3}`},
		[]string{"repair record/comma 2:1", "repair record/comma 2:8"}},
	{"a comment", "[{\"a\":1, // one\n\"b\":2} /* two */]", []string{`{"a":1,"b":2}`},
		[]string{"repair record/comment 1:10", "repair record/comment 2:8"}},
	{"apostrophes", `[{'a':'it"s',b:"x"}]`, []string{`{"a":"it\"s","b":"x"}`},
		[]string{"repair record/quotes 1:3", "repair record/quotes 1:7", "repair record/quotes 1:14"}},
	{"brackets missing at the end", `[{"a":1},{"a":[1,2],"b":"x"`, []string{`{"a":1}`, `{"a":[1,2],"b":"x"}`},
		[]string{"repair record/bracket 1:28", "repair record/bracket 1:28"}},
	{"cut within a number", `[{"a":1},{"a":12`, []string{`{"a":1}`}, []string{"drop record/cut-short 1:15", "repair record/bracket 1:17"}},
	{"cut within a string", `[{"a":1},{"a":"xy`, []string{`{"a":1}`}, []string{"drop record/cut-short 1:15", "repair record/bracket 1:18"}},
	{"NaN", `[{"a":NaN,"b":-Infinity,"c":+1,"d":.5,"e":007}]`, []string{`{"a":"NaN","b":"-Infinity","c":1,"d":0.5,"e":"007"}`},
		[]string{"repair record/number 1:7", "repair record/number 1:15", "repair record/number 1:29", "repair record/number 1:36",
			"warning record/number 1:43"}},
	{"Python", `[{"a":True,"b":None}]`, []string{`{"a":true,"b":null}`}, []string{"repair record/word 1:7", "repair record/word 1:16"}},
	{"a name twice", `[{"a":1,"a":2,"a":3}]`, []string{`{"a":1,"a_2":2,"a_3":3}`}, []string{"warning record/name-repeated 1:9 a_2",
		"warning record/name-repeated 1:15 a_3"}},
	{"a broken item", "[{\"a\":1},\n{\"a\":x y},\n{\"a\":3}]", []string{`{"a":1}`, `{"a":3}`}, []string{"drop record/syntax 2:6"}},
	{"an item without its end", "[\n{\"a\":1,\n{\"a\":2},\n{\"a\":3}\n]", []string{`{"a":2}`, `{"a":3}`},
		[]string{"drop record/syntax 3:1"}},
	{"a string without its end", "[\n{\"a\":\"x,\n\"b\":1},\n{\"a\":3}\n]", []string{`{"a":3}`}, []string{"drop record/syntax 2:6"}},
	{"a call", `callback([{"a":1}]);`, []string{`{"a":1}`}, []string{"repair record/stray 1:1", "repair record/stray 1:19"}},
	{"a raw line end", "[{\"a\":\"x\ny\"}]", []string{`{"a":"x\ny"}`}, []string{"repair record/control-character 1:7"}},
	{"an escape", `[{"a":"C:\dir"}]`, []string{`{"a":"C:\\dir"}`}, []string{`repair record/escape 1:10`}},
	{"a colon", `[{"a" "x"}]`, []string{`{"a":"x"}`}, []string{"repair record/colon 1:7"}},
	{"nothing", ``, nil, nil},
	{"an empty list", `[]`, nil, nil},
}

func TestFaultyTrees(t *testing.T) {
	for _, c := range trees {
		k := read(t, "a.json", c.in, extract.Options{})
		if !slices.Equal(k.records, c.records) || !slices.Equal(k.notices, c.notices) {
			t.Errorf("%s: %s\ngot  %s\nwant %s\ngot  %q\nwant %q", c.name, c.in, strings.Join(k.records, " "), strings.Join(c.records, " "),
				k.notices, c.notices)
		}
	}
}

func TestBrokenLinesCostThemselves(t *testing.T) {
	k := read(t, "a.jsonl", "{\"a\":1}\n{\"a\":\n\n{\"a\":\"x}\n{\"a\":2},\r\n# no\n{\"a\":{\"b\":3}} x\n[1]\n{\"a\":4", extract.Options{})
	want := []string{`{"a":1}`, `{"a":2}`, `{"value":[1]}`}
	notices := []string{"drop record/cut-short 2:6", "drop record/cut-short 4:6", "repair record/comma 5:8", "repair record/comment 6:1",
		"drop record/syntax 7:15", "drop record/cut-short 9:6"}
	if !slices.Equal(k.records, want) || !slices.Equal(k.notices, notices) {
		t.Errorf("%q\n%q", k.records, k.notices)
	}
}

// Items that are too deep or too large are lost, and no others.
func TestTreesEndByALimit(t *testing.T) {
	deep := strings.Repeat("[", 1000) + strings.Repeat("]", 1000)
	large := `{"a":"` + strings.Repeat("x", 1<<20) + `"}`
	for _, bad := range []string{deep, large} {
		k := read(t, "a.json", "[{\"a\":1},\n"+bad+",\n{\"a\":2}]", extract.Options{MaxItem: 100 << 10})
		if !slices.Equal(k.records, []string{`{"a":1}`, `{"a":2}`}) || k.lost != 1 {
			t.Errorf("%.200q %q", k.records, k.notices)
		}
		k = read(t, "a.jsonl", "{\"a\":1}\n"+bad+"\n{\"a\":2}", extract.Options{MaxItem: 100 << 10})
		if k.records[0] != `{"a":1}` || k.records[len(k.records)-1] != `{"a":2}` || k.lost < 1 {
			t.Errorf("%.200q %q", k.records, k.notices)
		}
	}
	var b strings.Builder
	b.WriteString(`{"n":1,"items":[`)
	for i := range 20000 {
		fmt.Fprintf(&b, "{\"a\":%d},", i)
	}
	b.WriteString(`{"a":"end"}]}`)
	if k := read(t, "a.json", b.String(), extract.Options{MaxItem: 10 << 10}); len(k.records) != 20001 || k.lost > 0 {
		t.Errorf("%d records of a large list", len(k.records))
	}
}

// What a writer of JSON wrote is read as it was.
func TestWrittenTreesAreReadAsTheyWere(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var value func(depth int) any
	value = func(depth int) any {
		switch n := r.IntN(8); {
		case n < 2 && depth < 4:
			m := map[string]any{}
			for range r.IntN(4) {
				m[string(rune('a'+r.IntN(26)))+"é\"\n"[:r.IntN(4)]] = value(depth + 1)
			}
			return m
		case n < 4 && depth < 4:
			l := []any{}
			for range r.IntN(4) {
				l = append(l, value(depth+1))
			}
			return l
		case n < 6:
			return []string{"", "x", "a\"b\\", "\u2028\t", "𝄞", "// no"}[r.IntN(6)]
		}
		return []any{nil, true, false, 1.5, -3e100, 12}[r.IntN(6)]
	}
	for n := range 300 {
		var items []map[string]any
		for range 1 + r.IntN(5) {
			items = append(items, map[string]any{"id": value(0), "x": value(0)})
		}
		text, err := json.Marshal(items)
		if n%2 == 0 {
			text, err = json.MarshalIndent(items, "", " ")
		}
		if err != nil {
			t.Fatal(err)
		}
		k := read(t, "a.json", string(text), extract.Options{})
		var want, got []any
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte("["+strings.Join(k.records, ",")+"]"), &got); err != nil || !reflect.DeepEqual(got, want) ||
			len(k.notices) > 0 {
			t.Fatalf("%s\n%q %q %v", text, k.records, k.notices, err)
		}
	}
}

func FuzzSplitTreeIsTheWhole(f *testing.F) {
	for _, c := range trees {
		f.Add(c.in, false)
		f.Add(c.in, true)
	}
	f.Fuzz(func(t *testing.T, text string, lines bool) {
		name := "a.json"
		if lines {
			name = "a.jsonl"
		}
		whole, split := &kept{all: true}, &kept{all: true}
		for k, from := range map[*kept]io.Reader{whole: strings.NewReader(text), split: iotest.OneByteReader(strings.NewReader(text))} {
			if err := extract.Read(context.Background(), extract.Document{Name: name, Text: from}, extract.Options{}, k); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(whole, split) {
			t.Errorf("whole %+v\nsplit %+v", whole, split)
		}
		for _, record := range whole.records {
			if !json.Valid([]byte(record)) {
				t.Errorf("%q isn't JSON", record)
			}
		}
	})
}

func BenchmarkJSON(b *testing.B) {
	var text bytes.Buffer
	text.WriteByte('[')
	for i := range 100000 {
		fmt.Fprintf(&text, "{\"id\":%d,\"name\":\"Person number %d\",\"tags\":[\"a\",\"b\"],\"at\":{\"x\":1.5,\"y\":%d}},\n", i, i, i)
	}
	text.WriteString("{}]")
	b.SetBytes(int64(text.Len()))
	for range b.N {
		var t tally
		if err := extract.Read(context.Background(), extract.Document{Name: "a.json", Text: bytes.NewReader(text.Bytes())},
			extract.Options{}, &t); err != nil || t.records != 100001 {
			b.Fatal(t, err)
		}
	}
}
