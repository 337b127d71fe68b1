package jsonld_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf"
	"laundromat/rdf/jsonld"
	"laundromat/rdf/jsonld/contexts"
	"laundromat/rdf/rdftest"
)

// A context in the program means what the same one means that is given as a file, wherever it is named.
func TestAContextInTheProgramIsAsOneThatIsGiven(t *testing.T) {
	const protected = `protected term redefinition: the term is protected, and would get another meaning; it keeps the one that it has (term "name")`
	dir := t.TempDir()
	for _, p := range contexts.All() {
		t.Run(p.File, func(t *testing.T) {
			text, _ := contexts.Find(p.IRIs[0])
			file := filepath.Join(dir, p.File)
			if err := os.WriteFile(file, text, 0o600); err != nil {
				t.Fatal(err)
			}
			const members = `"@id":"a","id":"urn:i","type":"Person","@type":["Thing","Dataset"],"name":"x","url":"http://u/","author":{"name":"y"},` +
				`"created":"2020-01-01","label":{"en":["z"]},"items":[{"id":"b"},"c"],"hasPart":{"@id":"d"},"actor":"e","target":["f"]`
			for _, form := range []string{`{"@context":%q,` + members + `}`, `{"@context":[{"name":"http://n"},%q],` + members + `}`,
				`{"@context":[%q,{"name":"http://n","@base":"http://c/"}],` + members + `}`, `{"http://q":{"@context":%q,` + members +
					`}}`, `{"@context":%q,"http://q":{"@context":%[1]q,` + members + `}}`,
				`{"@context":[%q,{"@language":"de","@base":"http://c/"}],"http://q":{"@context":%[1]q,` + members + `}}`,
				`{"@context":[%q,{"name":"http://n"}],"http://q":{"@context":%[1]q,` + members + `}}`} {
				document := fmt.Sprintf(form, p.IRIs[0])
				given := read(t, document, jsonld.Options{Contexts: map[string]string{p.IRIs[0]: file}})
				shipped := read(t, document, jsonld.Options{})
				if !slices.Equal(given.Lines(), shipped.Lines()) || !slices.Equal(shown(given.Notices), shown(shipped.Notices)) {
					t.Errorf("%s\n%s\n%s\ngiven as a file\n%s\n%s", document, strings.Join(shipped.Lines(), "\n"),
						strings.Join(shown(shipped.Notices), "\n"),
						strings.Join(given.Lines(), "\n"), strings.Join(shown(given.Notices), "\n"))
				}
				for _, n := range shipped.Notices {
					if n.Code == fault.JSONContext && n.Severity == fault.Drop && n.Message != protected ||
						n.Code == fault.JSONContextNotAvailable && !strings.Contains(p.File, "openbadges-v1") {
						t.Errorf("%+v", n)
					}
				}
			}
		})
	}
}

// What is made of a context in the program is shared by readings at the same time.
func TestContextsInTheProgramAreSharedByReadings(t *testing.T) {
	want := read(t, `{"@context":"https://w3id.org/ro/crate/1.1/context","@id":"a","name":"x"}`, jsonld.Options{}).Lines()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for i := range 20 {
				document := `{"@context":"https://w3id.org/ro/crate/1.1/context","@id":"a","name":"x"}`
				if i%2 > 0 {
					document = `{"@context":["https://w3id.org/ro/crate/1.1/context",{"own":"http://o"}],"@id":"a","name":"x"}`
				}
				var got rdftest.Collector
				err := jsonld.Read(context.Background(), strings.NewReader(document), rdf.Input{Base: "http://b/"}, jsonld.Options{}, &got)
				if err != nil || !slices.Equal(got.Lines(), want) {
					t.Errorf("%v %v", got.Lines(), err)
				}
			}
		})
	}
	all.Wait()
}

// shelf is a ContextLoader that has contexts by their IRIs.
type shelf struct {
	has   map[string]string
	at    string // where they are in the end
	err   error  // of others
	asked []string
}

func (s *shelf) LoadContext(ctx context.Context, iri string) (jsonld.ContextDocument, error) {
	s.asked = append(s.asked, iri)
	if text, ok := s.has[iri]; ok {
		return jsonld.ContextDocument{Text: []byte(text), IRI: s.at}, nil
	}
	if ctx.Err() != nil {
		return jsonld.ContextDocument{}, errors.New("cut off")
	}
	return jsonld.ContextDocument{}, s.err
}

func TestALoaderIsAskedForWhatIsNotAtHand(t *testing.T) {
	const inner = `{"@context":{"q":"http://q"}}`
	for _, c := range []struct {
		name, document string
		shelf          shelf
		quads, asked   []string
		told           string
	}{
		{"one", `{"@context":"http://c/1","@id":"a","q":"x"}`, shelf{has: map[string]string{"http://c/1": inner}},
			[]string{`<http://b/a> <http://q> "x" .`}, []string{"http://c/1"}, ""},
		{"each once", `[{"@context":"http://c/1","@id":"a","q":"x"},{"@context":["http://c/1",{"z":"http://z"}],"@id":"a","q":"x"}]`,
			shelf{has: map[string]string{"http://c/1": inner}},
			[]string{`<http://b/a> <http://q> "x" .`, `<http://b/a> <http://q> "x" .`}, []string{"http://c/1"}, ""},
		{"not for one in the program", `{"@context":"https://schema.org/","@id":"a","name":"x"}`, shelf{},
			[]string{`<http://b/a> <http://schema.org/name> "x" .`}, nil, ""},
		{"relative to the base", `{"@context":"c","@id":"a","q":"x"}`, shelf{has: map[string]string{"http://b/c": inner}},
			[]string{`<http://b/a> <http://q> "x" .`}, []string{"http://b/c"}, ""},
		{"relative to where one was found", `{"@context":"http://c/1","@id":"a","q":"x"}`,
			shelf{at: "http://d/e/", has: map[string]string{"http://c/1": `{"@context":"f"}`, "http://d/e/f": inner}},
			[]string{`<http://b/a> <http://q> "x" .`}, []string{"http://c/1", "http://d/e/f"}, ""},
		{"one imported", `{"@context":{"@import":"http://c/1"},"@id":"a","q":"x"}`, shelf{has: map[string]string{"http://c/1": inner}},
			[]string{`<http://b/a> <http://q> "x" .`}, []string{"http://c/1"}, ""},
		{"one of a term", `{"@context":{"p":{"@id":"http://p","@context":"http://c/1"}},"@id":"a","p":{"@id":"b","q":"x"}}`,
			shelf{has: map[string]string{"http://c/1": inner}},
			[]string{`<http://b/a> <http://p> <http://b/b> .`, `<http://b/b> <http://q> "x" .`}, []string{"http://c/1"}, ""},
		{"none to be had", `{"@context":"http://c/1","@id":"a","q":"x","r":["y","z"]}`, shelf{err: errors.New("404 Not Found")},
			nil, []string{"http://c/1"}, "<http://c/1>: 404 Not Found; this cost "},
		{"no JSON", `{"@context":"http://c/1","@id":"a","q":"x"}`, shelf{has: map[string]string{"http://c/1": "<html>"}},
			nil, []string{"http://c/1"}, "<http://c/1>: it can't be read"},
		{"too long", `{"@context":"http://c/1","@id":"a","q":"x"}`,
			shelf{has: map[string]string{"http://c/1": `{"@context":{"q":"http://q"},"x":"` + strings.Repeat("x", 5<<20) + `"}`}},
			nil, []string{"http://c/1"}, "<http://c/1>: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read(t, c.document, jsonld.Options{Loader: &c.shelf})
			if !slices.Equal(got.Lines(), c.quads) || !slices.Equal(c.shelf.asked, c.asked) {
				t.Errorf("%v, asked for %v", got.Lines(), c.shelf.asked)
			}
			if c.told == "" && len(got.Notices) > 0 || c.told != "" && !slices.ContainsFunc(got.Notices, func(n fault.Notice) bool {
				return n.Code == fault.JSONContextMissing && strings.Contains(n.Message, c.told)
			}) {
				t.Errorf("%+v", got.Notices)
			}
		})
	}
}

// A reading ends where a context is due, and where its own time has ended.
func TestAReadingEndsWhereAContextIsDue(t *testing.T) {
	for _, document := range []string{`{"@context":"http://c/1","@id":"a","q":"x"}`,
		`[{"@id":"a","http://q":"x"},{"@context":["https://schema.org/","http://c/1"]}]`,
		`{"@context":{"@import":"http://c/1"},"@id":"a","q":"x"}`, `{"@context":{"p":{"@id":"http://p","@context":"http://c/1"}},"p":{}}`} {
		var got rdftest.Collector
		err := jsonld.Read(context.Background(), strings.NewReader(document), rdf.Input{Base: "http://b/"},
			jsonld.Options{Loader: &shelf{err: fmt.Errorf("wait: %w", jsonld.ErrContextDue)}}, &got)
		if !errors.Is(err, jsonld.ErrContextDue) {
			t.Errorf("%s: %v", document, err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		stopping := loaderFunc(func(context.Context, string) (jsonld.ContextDocument, error) {
			cancel()
			return jsonld.ContextDocument{}, errors.New("cut off")
		})
		if err := jsonld.Read(ctx, strings.NewReader(document), rdf.Input{Base: "http://b/"}, jsonld.Options{Loader: stopping},
			&got); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", document, err)
		}
	}
}

type loaderFunc func(context.Context, string) (jsonld.ContextDocument, error)

func (f loaderFunc) LoadContext(ctx context.Context, iri string) (jsonld.ContextDocument, error) {
	return f(ctx, iri)
}

// However many contexts a document names, a loader is asked for no more than a hundred.
func TestALoaderIsAskedForAHundredContexts(t *testing.T) {
	var document strings.Builder
	for i := range 150 {
		fmt.Fprintf(&document, `{"@context":"http://c/%d","@id":"a","http://q":"x","r":"y"}`+"\n", i)
	}
	with := &shelf{err: errors.New("404")}
	got := read(t, document.String(), jsonld.Options{Loader: with})
	if len(got.Quads) != 150 || len(with.asked) != 100 {
		t.Errorf("%d statements, asked %d times", len(got.Quads), len(with.asked))
	}
}

// A context that is not at hand is named once, with what it cost, and each loss is told in its place.
func TestAMissingContextIsNamedOnceWithItsCost(t *testing.T) {
	got := read(t, `[{"@context":"http://c/1","@id":"a","http://q":"x","r":"y","s":"z"},{"@context":"http://c/1","@id":"a","t":"z"},`+
		`{"@context":["http://c/2"],"@id":"a","http://q":"x"},{"@context":"http://c/3","@id":"b","@type":"T"}]`, jsonld.Options{})
	var named []string
	lost := 0
	for _, n := range got.Notices {
		if n.Code == fault.JSONContextMissing {
			named = append(named, n.Message)
		} else if strings.Contains(n.Message+n.Excerpt, "http://c/") {
			t.Errorf("%+v names the context too", n)
		}
		lost += n.Lost
	}
	if len(named) != 3 || lost != 4 || !strings.Contains(named[0], "http://c/1>") || !strings.Contains(named[0], "cost 3 statements") ||
		!strings.Contains(named[1], "cost no statement") || !strings.Contains(named[2], "cost 1 statement;") {
		t.Errorf("%d lost: %q", lost, named)
	}
	for _, way := range []string{"--context IRI=FILE", "--fetch-contexts"} {
		if !strings.Contains(named[0], way) {
			t.Errorf("%q: no %s", named[0], way)
		}
	}
}
