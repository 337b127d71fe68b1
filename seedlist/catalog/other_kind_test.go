package catalog_test

import (
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist/catalog"
)

// What comes in the place of a catalog names nothing, also where the kind of the catalog was said.
func TestWhatIsNoCatalogOfItsKindNamesNothing(t *testing.T) {
	for name, text := range map[string]string{
		"a page":             `<!doctype html><html><head><title>Maintenance</title></head><body><h1>We will be back soon</h1></body></html>`,
		"a form to sign in":  `<!doctype html><html><body><form action="/login"><input name="user"><a href="/help.html">Help</a></form></body></html>`,
		"no bytes":           "",
		"blanks":             " \n\n",
		"an error in JSON":   `{"error":{"code":500,"message":"Internal error"}}`,
		"null":               "null",
		"an empty list":      "[]",
		"an empty object":    "{}",
		"an error in XML":    `<?xml version="1.0"?><Error><Code>InternalError</Code><Message>Please try again.</Message></Error>`,
		"a word":             "unavailable\n",
		"a sentence":         "Service temporarily unavailable\n",
		"a number":           "503",
		"a warning of PHP":   "<br />\n<b>Warning</b>: mysqli_connect() in <b>/var/www/x.php</b> on line <b>3</b><br />\n",
		"data of no dataset": "<http://h.example/s> <http://h.example/p> \"o\" .\n",
	} {
		for _, kind := range append(catalog.Kinds(), catalog.Any) {
			t.Run(name+" in place of "+string(kind), func(t *testing.T) {
				s := site{"http://site.example/api/3/action/package_search": {body: []byte(text)}}
				out, result, err := harvest(t, s, "http://site.example/api/3/action/package_search", catalog.Options{Kind: kind})
				if len(out.entries) > 0 || err == nil && !result.IsEmpty() {
					t.Errorf("named %v, refused %v", out.entries, out.refused)
				}
				if err != nil && fault.KindOf(err) != fault.Data {
					t.Error(err)
				}
			})
		}
	}
}
