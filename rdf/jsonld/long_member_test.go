package jsonld

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/rdftest"
)

// Whatever the context makes of a member, its array says the same where its values are read one by one. Order
// and numbers of nodes are the same too, wherever the member stands in its object.
func TestALongMemberSaysWhatOneHeldSays(t *testing.T) {
	const context = `"@context":{"@vocab":"http://v/","id":"@id","T":{"@context":{"p":"http://t/p","m":{"@type":"@id"}}},
"list":{"@container":"@list"},"set":{"@container":"@set"},"graph":{"@container":"@graph"},"back":{"@reverse":"http://v/b"},
"json":{"@type":"@json"},"date":{"@type":"http://v/d"},"text":{"@language":"en"},"map":{"@container":"@language"},
"keyed":{"@container":"@id"},"none":null,"inside":{"@context":{"p":"http://i/p"}},"held":"@included","nest":"@nest"}`
	values := `[` + strings.Repeat(`{"p":{"q":"inner"}},`, 3) +
		`{"id":"n"},"free",{"@value":"x","@language":"de"},5,true,null,["in",["two",{}]],
{"@list":["a",{"p":1}]},{"@set":[1,2]},{"@graph":[{"p":"g"}]},{"id":"named","T":"x","@type":"T","p":"y"},{"@reverse":{"r":{"p":"z"}}},{"p":"last"}]`
	for _, name := range []string{
		"p", "m", "list", "set", "graph", "back", "json", "date", "text", "map", "keyed", "none", "inside", "held", "nest",
		"http://full/iri", "x:y", "@type", "@id", "@value", "@list", "@included", "@grpah", "@foo", "", "back",
	} {
		for _, beside := range [][]string{
			{}, {`"id":"name"`}, {`"id":5`}, {`"@type":"T"`}, {`"p":"a"`, `"q":{"p":"b"}`}, {`"@value":"v"`},
			{`"list":[` + strings.Repeat("1,", 200) + `2]`}, {`"@graph":[` + strings.Repeat(`{"p":1},`, 60) + `{"p":2}]`},
		} {
			permutations(append([]string{context, fmt.Sprintf("%q:%s", name, values)}, beside...), func(members []string) {
				text := strings.ReplaceAll("{"+strings.Join(members, ",")+"}", "\n", "")
				for _, text := range []string{text, "[" + text + "," + text + "]", text[:len(text)-1]} {
					sameAsHeld(t, text, 128)
				}
			})
		}
	}
}

// A sound object says the same however it is laid out: no column of a bracket speaks against what is JSON.
func TestNoLayoutSpeaksAgainstASoundLongObject(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var value func(depth int) string
	object := func(depth int) string {
		members := []string{fmt.Sprintf(`"@id":"http://n/%d"`, random.Uint32())}
		for i := range random.IntN(4) {
			members = append(members, fmt.Sprintf(`"p%d":%s`, i, value(depth+1)))
		}
		return "{" + strings.Join(members, " , ") + "}"
	}
	value = func(depth int) string {
		switch n := random.IntN(6); {
		case n == 0 && depth < 5:
			var items []string
			for range random.IntN(4) {
				items = append(items, object(depth+1))
			}
			return "[" + strings.Join(items, " , ") + "]"
		case n < 3 && depth < 5:
			return object(depth)
		}
		return []string{`"x"`, "5", "true", `"{"`, `"]"`}[random.IntN(5)]
	}
	for range 300 {
		members := []string{`"@context":{"@vocab":"http://v/"}`, `"@id":"http://n/0"`}
		for i := range 3 {
			var items []string
			for range random.IntN(20) {
				items = append(items, object(1))
			}
			members = append(members, fmt.Sprintf(`"a%d":[%s]`, i, strings.Join(items, " , ")), fmt.Sprintf(`"o%d":%s`, i, object(1)))
		}
		text := "{" + strings.Join(members, " , ") + "}"
		if random.IntN(2) == 0 {
			text = "[" + text + " , " + text + "]"
		}
		var laid bytes.Buffer
		if err := json.Indent(&laid, []byte(text), "", "    "); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(laid.String(), "\n")
		for range 3 { // a stretch was pasted from elsewhere
			from := random.IntN(len(lines))
			to := min(len(lines), from+1+random.IntN(12))
			by := random.IntN(12)
			for i := from; i < to; i++ {
				lines[i] = strings.Repeat(" ", by) + strings.TrimPrefix(lines[i], strings.Repeat(" ", random.IntN(2)*8))
			}
		}
		text = strings.Join(lines, "\n")
		sameAsHeld(t, text, 200)
	}
}

// The same holds for all documents at hand that we did not make, however short an array may be that is held.
func TestLongMembersOfRealDocumentsSayWhatHeldOnesSay(t *testing.T) {
	documents := 0
	for _, folder := range []string{rdftest.Shared(t, "conformance"), rdftest.Shared(t, "real")} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !slices.Contains([]string{".jsonld", ".json"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil || len(text) > 300_000 {
				return err
			}
			documents++
			holds := []int64{1, 40, 1000}
			if len(text) > 20_000 {
				holds = holds[2:]
			}
			for _, hold := range holds {
				sameAsHeld(t, string(text), hold)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d documents", documents)
	if documents < 500 {
		t.Errorf("only %d documents", documents)
	}
}

func sameAsHeld(t *testing.T, text string, hold int64) {
	t.Helper()
	want := readHolding(t, text, Options{}, false)
	got := readHolding(t, text, Options{hold: hold}, false)
	if a, b := got.Lines(), want.Lines(); !slices.Equal(a, b) || !slices.Equal(notices(got.Notices), notices(want.Notices)) {
		i := 0
		for ; i < min(len(a), len(b)) && a[i] == b[i]; i++ {
		}
		t.Errorf("hold %d, %.1500s\ngives %d lines, not %d, from %d on\n%.300s\nand not\n%.300s\n%v\nand not\n%v", hold, text, len(a),
			len(b), i,
			strings.Join(a[i:], "\n"), strings.Join(b[i:], "\n"), notices(got.Notices), notices(want.Notices))
	}
}
