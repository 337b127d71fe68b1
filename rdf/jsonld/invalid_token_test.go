package jsonld_test

import (
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/jsonld"
)

// A name without quotation marks ends before its colon, also where a number or a word follows at once.
func TestANameWithoutQuotationMarksEndsBeforeItsColon(t *testing.T) {
	const context = `{"@context":{"p":"http://p/","n":"http://p/n"},"@id":"http://e/a",`
	for _, row := range []struct{ bare, quoted string }{
		{`n:5`, `"n":5`},
		{`n:-5,p:q:true,"p:r":1`, `"n":-5,"p:q":true,"p:r":1`},
		{`p:q:{n:false}`, `"p:q":{"n":false}`},
		{`p:q:[1,{n:2.5E3}]`, `"p:q":[1,{"n":2.5E3}]`},
	} {
		want := read(t, context+row.quoted+"}", jsonld.Options{}).Lines()
		if got := read(t, context+row.bare+"}", jsonld.Options{}); !slices.Equal(got.Lines(), want) {
			t.Errorf("%s: %s, not %s\n%v", row.bare, got.Lines(), want, shown(got.Notices))
		}
	}
}

// What stands in the place of a name in one of many nodes is no name, whatever it is.
func TestANodeWithAColonForANameCostsItself(t *testing.T) {
	for _, mark := range []string{`:`, `,`, `"`, `{`, `[`, `]`, `:,`, `:"`, `::"x"`, `"":`} {
		text := `{"@id":"http://e/c","http://p/has":[{` + mark + `"@id":"http://e/0","http://p/a":"x"},` +
			strings.Repeat(`{"@id":"http://e/n","http://p/a":"y"},`, 5) + `{"@id":"http://e/1","http://p/a":"z"}]}`
		if got := strings.Join(read(t, text, jsonld.Options{}).Lines(), "\n"); !strings.Contains(got, `<http://e/1> <http://p/a> "z"`) {
			t.Errorf("%s: %s", mark, got)
		}
	}
}
