package daemon_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// ofRecords is a recipe whose spec makes statements of its records.
func ofRecords(parts ...string) string {
	return "name: r\nmatch: {uri: '*'}\nspec:\n  " + strings.Join(append(parts,
		`rdf: {context: {name: "http://x/name", knows: {"@id": "http://x/knows", "@type": "@id"}, at: {"@id": "http://x/at"}}, id: "http://x/{id}"}`),
		"\n  ") + "\n"
}

const aTable = "id,name,knows\n1,Ann,http://x/2\n2,Ben,\n3,Ćin,http://x/1\n"

// annSaysHerself is a page with a statement of its own, and a table.
const annSaysHerself = `<!DOCTYPE html><html><body><p prefix="x: http://x/" typeof="x:P"><b property="x:own">x</b></p>` +
	`<ul><li data-id="1"><i>Ann</i></li><li data-id="2"><i>Ben</i></li></ul></body></html>`

// anOwnNode is what it says by itself.
const anOwnNode = `<https://lodlaundromat.org/.well-known/genid/KEY/-1> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://x/P> .
<https://lodlaundromat.org/.well-known/genid/KEY/-1> <http://x/own> "x" .
`

const selectPeople = `select: ["li", {id: {attr: data-id}, name: i}]`

// The statements of a document's records are in its clean file, beside those that it has itself, and all are
// accounted for.
func TestStatementsOfRecordsAreInTheCleanFile(t *testing.T) {
	named := func(id, name string) string { return fmt.Sprintf("<http://x/%s> <http://x/name> %q .\n", id, name) }
	knows := func(a, b string) string { return fmt.Sprintf("<http://x/%s> <http://x/knows> <http://x/%s> .\n", a, b) }
	for _, c := range []struct {
		name, recipe, path, media, body string
		want                            string // KEY stands for the hash, OTHER for that of records beside it
		dropped, without                int64
	}{
		{"a table", ofRecords(), "/a.csv", "text/csv", aTable, knows("1", "2") + named("1", "Ann") + named("2", "Ben") + knows("3", "1") +
			named("3", "Ćin"), 1, 0},
		{"a record without an IRI", ofRecords(), "/a.csv", "text/csv", "id,name\n1,Ann\n,Ben\n", named("1", "Ann"), 1, 1},
		{"a record that the schema drops", ofRecords("schema: {fields: [{name: id, type: integer}, {name: name, type: string}]}"), "/a.csv",
			"text/csv", "id,name\n1,Ann\nx,Ben\n", named("1", "Ann"), 0, 1},
		{"a statement that is lost", ofRecords(), "/a.csv", "text/csv",
			"id,name,knows\n1,Ann,http://[x/\n", named("1", "Ann"), 1, 0},
		{"typed by the schema", ofRecords("schema: {fields: [{name: id, type: string}, {name: at, type: date}]}"), "/a.csv", "text/csv",
			"id,at\n1,2020-01-02\n", `<http://x/1> <http://x/at> "2020-01-02"^^<http://www.w3.org/2001/XMLSchema#date> .` + "\n", 0, 0},
		{"no IRI at all", strings.Replace(ofRecords(), `, id: "http://x/{id}"`, "", 1), "/a.csv", "text/csv", "id,name\n1,Ann\n",
			`<https://lodlaundromat.org/.well-known/genid/KEY/-1> <http://x/name> "Ann" .` + "\n", 0, 0},
		{"JSON", ofRecords(), "/a.json", "application/json", `[{"id": 1, "name": "Ann"}, {"id": 2, "name": ["Ben", "Benny"]}]`,
			named("1", "Ann") + named("2", "Ben") + named("2", "Benny"), 0, 0},
		{"lines of JSON", ofRecords(), "/a.jsonl", "application/jsonl", "{\"id\": 1, \"name\": \"Ann\"}\n{\"id\": 2, \"name\": \"Ben\"}\n",
			named("1", "Ann") + named("2", "Ben"), 0, 0},
		{"in windows-1252", ofRecords(), "/a.csv", "text/csv; charset=windows-1252", "id,name\n1,Zo\xeb\n", named("1", "Zoë"), 0, 0},
		{"called UTF-8 and windows-1252", ofRecords(), "/a.csv", "text/csv; charset=utf-8",
			"id,name\n" + strings.Repeat("0,Ann\n", 60_000) + "1,Zo\xeb\n", named("0", "Ann") + named("1", "Zoë"), 0, 0},
		{"a page without data", ofRecords(selectPeople), "/a.html", "text/html",
			strings.NewReplacer("typeof", "title", "property", "lang").Replace(annSaysHerself),
			named("1", "Ann") + named("2", "Ben"), 0, 0},
		{"a page with data", ofRecords(selectPeople), "/a.html", "text/html", annSaysHerself,
			anOwnNode + named("1", "Ann") + named("2", "Ben"), 0, 0},
		{"a page with data, and records without an IRI",
			strings.Replace(ofRecords(selectPeople), `, id: "http://x/{id}"`, "", 1), "/a.html", "text/html",
			strings.Replace(annSaysHerself, "<li data-id=\"2\"><i>Ben</i></li>", "", 1),
			anOwnNode + `<https://lodlaundromat.org/.well-known/genid/OTHER/-1> <http://x/name> "Ann" .` + "\n", 0, 0},
		{"a statement that both say", ofRecords("select: [\"li\", {id: {attr: data-id}, name: i}]"), "/a.html", "text/html",
			`<p about="http://x/1" property="http://x/name">Ann</p><ul><li data-id="1"><i>Ann</i></li></ul>`, named("1", "Ann"), 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.putRecipe(c.recipe, "")
			w.serve(c.path, c.media, c.body)
			w.add(c.path)
			w.run()
			seed := w.seed(c.path)
			if seed.Status != seedlist.Parsed {
				t.Fatal(seed.Status, seed.Error)
			}
			want := strings.NewReplacer("KEY", seed.Hash, "OTHER", seedlist.ChildKey(seed.Hash, "records", 1)).Replace(c.want)
			if got := w.clean(seed); sortedLines(got) != sortedLines(want) || got == "" {
				t.Errorf("clean:\n%s\nwant:\n%s", got, want)
			}
			attempts := w.attempts(seed.Hash)
			n := attempts[len(attempts)-1].Counts
			if n["records_with_node"]+n["records_without_node"] != n["records_read"] || n["records_without_node"] != c.without ||
				seed.Statements.Dropped != c.dropped {
				t.Errorf("%v, %+v: want %d without a node, %d dropped", n, *seed.Statements, c.without, c.dropped)
			}
			var sum int64
			for _, n := range seed.Sources {
				sum += n
			}
			if seed.HasSyntax("records") || slices.Contains(seed.Syntaxes(), "records") {
				t.Errorf("its syntaxes are %v", seed.Syntaxes())
			}
			if seed.Sources != nil && sum != seed.Statements.Read {
				t.Errorf("sources %v of %d", seed.Sources, seed.Statements.Read)
			}
			if w.records(c.path) == "" {
				t.Error("there are no records")
			}
			w.sound()
			w.wholeStore()
		})
	}
}

func sortedLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(slices.Sorted(slices.Values(lines)), "\n")
}

// A notice about a statement of a record leads to line, column and field.
func TestNoticesAboutStatementsOfRecordsHaveTheirPlaces(t *testing.T) {
	for _, c := range []struct {
		name, recipe, body string
		want               fault.Notice
	}{
		{"an IRI", ofRecords(), "id,name,knows\n1,Ann,http://x/a b\n",
			fault.Notice{Code: fault.IRISpace, Pos: fault.Pos{Line: 2, Column: 7}, Field: "knows"}},
		{"no IRI", ofRecords(), "id,name\n1,Ann\n,Ben\n",
			fault.Notice{Code: fault.RecordNoNode, Pos: fault.Pos{Line: 3, Column: 1}, Field: "id"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.putRecipe(c.recipe, "")
			w.serve("/a.csv", "text/csv", c.body)
			w.add("/a.csv")
			w.run()
			for _, n := range w.listed(w.seed("/a.csv")) {
				if n.Code == c.want.Code && n.Field == c.want.Field && n.Line == c.want.Line && n.Column == c.want.Column &&
					n.Product == seedlist.ProductStatements {
					return
				}
			}
			t.Errorf("%+v", w.listed(w.seed("/a.csv")))
		})
	}
}

// What can't be made of the records keeps the last good clean file; what is made again is compared with it.
func TestStatementsOfRecordsGoWithTheRecords(t *testing.T) {
	w := newWorld(t, seedlist.Options{})
	w.putRecipe(ofRecords(), "")
	p := w.page("/a.csv", []byte("id,name\n1,Ann\n2,Ben\n"))
	w.add("/a.csv")
	w.run()
	first := w.clean(w.seed("/a.csv"))
	p.set(200, []byte("id,name\n1,Ann\n3,Cin\n"))
	w.retry("/a.csv")
	w.run()
	seed := w.seed("/a.csv")
	if seed.Changes == nil || seed.Changes.Added.Count != 1 || seed.Changes.Removed.Count != 1 || w.clean(seed) == first {
		t.Errorf("%+v, changes %+v", seed.Statements, seed.Changes)
	}
	second := w.clean(seed)
	p.set(200, []byte("<!DOCTYPE html><title>Log in</title><p>Who are you?</p>"))
	w.retry("/a.csv")
	w.run()
	seed = w.seed("/a.csv")
	if seed.Clean = seed.ServedClean(); w.clean(seed) != second || seed.Status != seedlist.Failed {
		t.Errorf("%s: %q", seed.Status, w.clean(seed))
	}
	// Another form makes them anew.
	p.set(200, []byte("id,name\n1,Ann\n3,Cin\n"))
	w.putRecipe(strings.ReplaceAll(ofRecords(), "http://x/name", "http://x/label"), "")
	w.retry("/a.csv")
	w.run()
	if got := w.clean(w.seed("/a.csv")); !strings.Contains(got, "http://x/label") || strings.Contains(got, "http://x/name") {
		t.Errorf("after another form: %q", got)
	}
	w.sound()
}

// A context that the spec names by its IRI is got as those of JSON-LD are, and what is wrong in it costs the statements
// alone.
func TestTheContextOfARecipeIsGotAsThoseOfDocuments(t *testing.T) {
	for _, c := range []struct {
		name, context string
		status        int
		want          string
	}{
		{"sound", aContext, 200, `<http://x/1> <http://example.org/name> "Ann" .` + "\n"},
		{"not there", "", http.StatusNotFound, ""},
		{"no context", "[", 200, ""},
		{"wrong", `{"@context": {"name": {"@id": 5}}}`, 200, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.mux.HandleFunc("/context", func(reply http.ResponseWriter, _ *http.Request) {
				reply.Header().Set("Content-Type", "application/ld+json")
				reply.WriteHeader(c.status)
				reply.Write([]byte(c.context))
			})
			w.putRecipe("name: r\nmatch: {format: CSV}\nspec: {rdf: {context: '"+w.uri("/context")+"', id: 'http://x/{id}'}}\n", "")
			w.serve("/a.csv", "text/csv", "id,name\n1,Ann\n")
			w.add("/a.csv")
			w.run()
			seed := w.seed("/a.csv")
			if w.records("/a.csv") == "" {
				t.Errorf("%s without records: %+v", seed.Status, seed.Error)
			}
			if c.want != "" && w.clean(seed) != c.want {
				t.Errorf("clean: %q of %+v", w.clean(seed), seed.Products)
			}
			if p := seed.Product(seedlist.ProductStatements); c.want == "" && (seed.Clean != "" || p == nil || p.Error == nil) {
				t.Errorf("%s, clean %q, products %+v", seed.Status, seed.Clean, seed.Products)
			}
		})
	}
}
