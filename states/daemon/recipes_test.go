package daemon_test

import (
	"strings"
	"testing"

	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/states/daemon"
	"laundromat/states/recipe"
)

// putRecipe puts a recipe into the list, and returns the SHA-256 of its form.
func (w *world) putRecipe(text, before string) string {
	w.t.Helper()
	r, err := recipe.Parse("recipe", []byte(text), "")
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.seeds.PutRecipe(w.t.Context(), seedlist.Recipe{Name: r.Name, Body: r.Body()}, before); err != nil {
		w.t.Fatal(err)
	}
	return r.SHA256
}

// records are the lines of the product records that a record names.
func (w *world) records(path string) string {
	w.t.Helper()
	seed := w.seed(path)
	p := seed.Product(seedlist.ProductRecords)
	if p == nil || p.SHA256 == "" {
		return ""
	}
	return w.changeFile(files.Key(seed.Hash, p.Fence), files.Records)
}

// Whatever becomes of a recipe between guessing and parsing, a document is washed by the form that was found for it.
func TestAFormThatWasFoundIsTakenWhateverBecomesOfIt(t *testing.T) {
	const first = "name: r\nmatch: {format: CSV}\nspec: {map: {one: {from: a}}}\nproducts: [records]\n"
	for _, c := range []struct {
		name   string
		change func(w *world)
	}{
		{"nothing", func(*world) {}},
		{"another form", func(w *world) { w.putRecipe(strings.Replace(first, "one", "two", 1), "") }},
		{"another match", func(w *world) { w.putRecipe(strings.Replace(first, "CSV", "HTML", 1), "") }},
		{"another product", func(w *world) { w.putRecipe("name: r\nmatch: {format: CSV}\nproducts: [statements]\n", "") }},
		{"another before it", func(w *world) {
			w.putRecipe("name: q\nmatch: {format: CSV}\nspec: {map: {two: {from: a}}}\nproducts: [records]\n", "r")
		}},
		{"removed", func(w *world) {
			if err := w.seeds.RemoveRecipe(t.Context(), "r"); err != nil {
				t.Fatal(err)
			}
		}},
		{"changed, then removed", func(w *world) {
			w.putRecipe(strings.Replace(first, "one", "two", 1), "")
			if err := w.seeds.RemoveRecipe(t.Context(), "r"); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			sum := w.putRecipe(first, "")
			w.serve("/a.csv", "text/csv", "a,b\n1,2\n3,4\n")
			w.add("/a.csv")
			w.run()
			if got := w.records("/a.csv"); !strings.Contains(got, `"one":"1"`) {
				t.Fatalf("the records are %q", got)
			}
			// To be read again from the stored bytes, as far as guessing.
			hash := w.seed("/a.csv").Hash
			again := seedlist.Again{Asked: seedlist.Rewash, To: seedlist.Filed}
			if answers, err := w.seeds.WashAgain(t.Context(), again, hash); err != nil || answers[0].Err != nil {
				t.Fatal(answers, err)
			}
			for _, stage := range []seedlist.State{seedlist.Unarchiving, seedlist.Guessing} {
				claims, err := w.seeds.Claim(t.Context(), stage, "test", 1)
				if err != nil || len(claims) != 1 {
					t.Fatal(stage, claims, err)
				}
				o := seedlist.Outcome{Next: seedlist.Unarchived}
				if stage == seedlist.Guessing {
					o = seedlist.Outcome{Next: seedlist.Guessed, Update: func(r *seedlist.Record) {
						r.Format, r.Recipe = "CSV", &seedlist.RecipeUse{Name: "r", SHA256: sum}
					}}
				}
				if err := w.seeds.Complete(t.Context(), claims[0], o); err != nil {
					t.Fatal(err)
				}
			}
			c.change(w)
			w.run()
			seed := w.seed("/a.csv")
			if got := w.records("/a.csv"); seed.Recipe == nil || seed.Recipe.SHA256 != sum || !strings.Contains(got, `"one":"1"`) {
				t.Errorf("%s by %+v: %q", seed.Status, seed.Recipe, got)
			}
		})
	}
}

// Bytes that come twice are washed once only where both are washed by the same form of a recipe.
func TestOnlyEqualRecipesShareAWash(t *testing.T) {
	for _, c := range []struct {
		name, recipes string
		isShared      bool
	}{
		{"none", "", true},
		{"one for both", "name: r\nmatch: {uri: '*'}\nproducts: [statements]", true},
		{"one for the second", "name: r\nmatch: {uri: '*/b.nt'}\nproducts: [statements]", false},
		{"one for the first", "name: r\nmatch: {uri: '*/a.nt'}\nproducts: [statements]", false},
		{"one with a base", "name: r\nmatch: {uri: '*'}\nread: {base: 'http://base.example/'}\nproducts: [statements]", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			if c.recipes != "" {
				w.putRecipe(c.recipes, "")
			}
			for _, path := range []string{"/a.nt", "/b.nt"} {
				w.serve(path, "application/n-triples", nt("a"))
				w.add(path)
				w.run()
			}
			if seed := w.seed("/b.nt"); seed.Status != seedlist.Parsed || (seed.WashedFrom != "") != c.isShared {
				t.Errorf("%s, taken over from %q", seed.Status, seed.WashedFrom)
			}
			w.sound()
		})
	}
}

// A recipe may call a document what it is not: no records are made of what no table, tree or page is.
func TestARecipeMakesNoRecordsOfWhatIsNoText(t *testing.T) {
	for name, body := range map[string]string{
		"pdf": "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n", "png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR,a\n1,2\n",
		"sqlite": "SQLite format 3\x00\x10\x00,a\n1,2\n", "gif": "GIF89a\x01\x00\x01\x00,a\n1,2\n",
	} {
		for _, read := range []string{"read: {format: csv}", "spec: {source: {format: csv}}"} {
			t.Run(name+" "+read, func(t *testing.T) {
				w := newWorld(t, seedlist.Options{})
				w.putRecipe("name: r\nmatch: {uri: '*'}\nproducts: [records]\n"+read+"\n", "")
				w.serve("/a", "text/csv", body)
				w.add("/a")
				w.run()
				if seed := w.seed("/a"); seed.Status != seedlist.Failed || len(w.records("/a")) > 0 || seed.Recipe == nil {
					t.Errorf("%s by %+v: %q", seed.Status, seed.Recipe, w.records("/a"))
				}
			})
		}
	}
}

// A wash beside is by the recipe that a wash would have now, and not by that of the record.
func TestAWashBesideIsByThePresentRecipe(t *testing.T) {
	const by = "name: r\nmatch: {format: CSV}\nspec: {rdf: {context: {a: 'http://x/%s'}, id: 'http://x/{a}'}}\n"
	for _, c := range []struct {
		name           string
		change         func(w *world)
		added, removed int64
		fails          bool
	}{
		{"the same", func(*world) {}, 0, 0, false},
		{"another form", func(w *world) { w.putRecipe(strings.Replace(by, "%s", "b", 1), "") }, 2, 2, false},
		{"another recipe", func(w *world) {
			w.putRecipe(strings.Replace(strings.Replace(by, "%s", "b", 1), "name: r", "name: q", 1), "r")
		}, 2, 2, false},
		{"none", func(w *world) {
			if err := w.seeds.RemoveRecipe(t.Context(), "r"); err != nil {
				t.Fatal(err)
			}
		}, 0, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			w.putRecipe(strings.Replace(by, "%s", "a", 1), "")
			w.serve("/a.csv", "text/csv", "a,b\n1,2\n3,4\n")
			w.add("/a.csv")
			w.run()
			c.change(w)
			beside, err := daemon.WashBeside(t.Context(), w.runner(), w.seed("/a.csv"))
			if err != nil || beside.Added != c.added || beside.Removed != c.removed || (beside.Failed != nil) != c.fails {
				t.Errorf("%+v, %v", beside, err)
			}
		})
	}
}

// What a recipe leaves out is lacking of no document that it is for.
func TestARecipeSaysWhatADocumentLacks(t *testing.T) {
	for _, c := range []struct {
		name, format, recipe, product string
		want                          bool
	}{
		{"no recipe", "CSV", "", "records", true},
		{"no statements of a table", "CSV", "", "statements", false},
		{"RDF/XML, which may be a feed", "RDF/XML", "", "articles", true},
		{"no records of RDF/XML", "RDF/XML", "", "records", false},
		{"no articles of Turtle", "Turtle", "", "articles", false},
		{"what a version before did not name", "", "", "articles", true},
		{"a recipe without records", "CSV", "name: r\nmatch: {format: CSV}\nproducts: [articles]\n", "records", false},
		{"a recipe for others", "CSV", "name: r\nmatch: {format: HTML}\nproducts: [articles]\n", "records", true},
		{"statements of records", "CSV", "name: r\nmatch: {format: CSV}\nspec: {rdf: {context: {a: 'http://x/a'}}}\n", "statements", true},
		{"a spec without rdf", "CSV", "name: r\nmatch: {format: CSV}\nspec: {map: {a: {from: b}}}\n", "statements", false},
		{"a feed in RDF/XML by a recipe without articles", "RDF/XML", "name: r\nmatch: {format: RDF/XML}\nproducts: [statements]\n",
			"articles", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, seedlist.Options{})
			if c.recipe != "" {
				w.putRecipe(c.recipe, "")
			}
			seed := seedlist.Seed{Hash: strings.Repeat("0", 32)}
			seed.URI, seed.Format = "http://a.example/a", c.format
			making, err := daemon.NewRecipes(w.seeds).Making(t.Context(), c.product, []seedlist.Seed{seed})
			if err != nil || (len(making) == 1) != c.want {
				t.Errorf("%d, %v", len(making), err)
			}
		})
	}
}
