package views_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/quality"
	"laundromat/seedlist/storetest"
	"laundromat/seedlist/views"
)

// scanned is what a scan of the list knows of a seed.
type scanned struct {
	number   uint64
	values   map[views.Facet][]string
	order    map[views.Sort]float64 // -1: not known
	relative bool
	sums     quality.Sums
	steps    []quality.Step
	findings map[fault.Code]int64
	turns    map[string]time.Time
}

func scan(t testing.TB, list seedlist.List) (all []scanned) {
	t.Helper()
	var seeds []seedlist.Numbered
	byHash := map[string]*seedlist.Seed{}
	for after := uint64(0); ; after = seeds[len(seeds)-1].Number {
		page, err := list.NumberedAfter(t.Context(), after, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		seeds = append(seeds, page...)
	}
	for i := range seeds {
		byHash[seeds[i].Seed.Hash] = &seeds[i].Seed
	}
	for _, n := range seeds {
		root := &n.Seed
		for root.Parent != "" {
			root = byHash[root.Parent]
		}
		all = append(all, scanOne(n, root))
	}
	return all
}

// scanOne is what is known of a seed; root is itself, or that of the archive that it is in.
func scanOne(n seedlist.Numbered, root *seedlist.Seed) scanned {
	washer := n.Seed.Washer
	raw := n.Seed
	n.Seed = n.Seed.Served()
	n.Seed.Washer = washer
	s := n.Seed
	one := scanned{
		number: n.Number, relative: s.Relative,
		values: map[views.Facet][]string{views.State: {string(s.Status)}},
		order:  map[views.Sort]float64{views.BySize: -1, views.ByStatements: -1, views.ByDropped: -1, views.ByProcessed: -1},
	}
	one.sums, one.steps, one.findings = quality.Of(&s), quality.Steps(&raw), s.Notices
	if raw.Parent == "" && len(raw.HTTP) > 0 && raw.HTTP[len(raw.HTTP)-1].Status > 0 {
		one.values[views.HTTPStatus] = []string{fmt.Sprint(raw.HTTP[len(raw.HTTP)-1].Status)}
	}
	for f, name := range map[views.Facet]string{views.Publisher: "publisher", views.Licence: "license"} {
		if value := root.Claims[name]; value != "" {
			one.values[f] = []string{value}
		}
	}
	if host, found := strings.CutPrefix(root.URI, "http://"); found {
		host, _, _ = strings.Cut(host, "/")
		one.values[views.Host] = []string{host}
	}
	for f, value := range map[views.Facet]string{views.Format: s.Format, views.Source: s.Source, views.Parent: s.Parent,
		views.Washer: s.Washer} {
		if value != "" {
			one.values[f] = []string{value}
		}
	}
	for name, n := range s.Sources { // of the parts of a page, which may be none
		if n > 0 && name != "page" && s.Format != "" && name != s.Format {
			one.values[views.Format] = append(one.values[views.Format], name)
		}
	}
	if s.Encoding != nil {
		one.values[views.Encoding] = []string{cmp.Or(s.Encoding.Chosen, s.Encoding.Presumed)}
	}
	if s.Error != nil {
		one.values[views.Error] = []string{string(s.Error.Code)}
	}
	products := map[string]seedlist.Product{}
	if s.ServedClean() != "" {
		products["statements"] = seedlist.Product{SHA256: "some"}
	}
	for _, p := range s.Products {
		if p.Name == "statements" {
			p.SHA256 = products["statements"].SHA256
		}
		products[p.Name] = p
	}
	for name, p := range products {
		if p.SHA256 != "" {
			one.values[views.Product] = append(one.values[views.Product], name)
		}
		if !p.None && (p.Error != nil || p.SHA256 != "" && s.Error != nil) {
			one.values[views.Product] = append(one.values[views.Product], name+"!")
		}
	}
	for code := range s.Notices {
		one.values[views.Notice] = append(one.values[views.Notice], string(code))
	}
	for _, c := range root.Catalogs {
		if !c.Gone {
			one.values[views.Catalog] = append(one.values[views.Catalog], c.Catalog)
		}
	}
	one.addTerms(&s)
	one.addTurns(&raw)
	if s.Content != nil {
		one.order[views.BySize] = float64(s.Content.NumberOfBytes)
	}
	if s.Statements != nil {
		one.order[views.ByStatements] = float64(s.Statements.Written)
		one.order[views.ByDropped] = float64(s.Statements.Dropped) / float64(max(1, s.Statements.Read))
	}
	if !s.Processed.IsZero() {
		one.order[views.ByProcessed] = float64(s.Processed.Unix())
	}
	return one
}

// listed is what a scan finds for a query, in order.
func listed(all []scanned, q *views.Query) (numbers []uint64) {
	var found []scanned
	for _, s := range all {
		ok := q.Relative == nil || s.relative == *q.Relative
		if _, isOfState := q.Where[views.State]; q.NoFiles && !isOfState {
			ok = ok && !slices.Contains(s.values[views.State], string(seedlist.Cleaned))
		}
		for f, value := range q.Where {
			ok = ok && slices.Contains(s.values[f], value)
		}
		if ok {
			found = append(found, s)
		}
	}
	slices.SortFunc(found, func(a, b scanned) int {
		c := cmp.Or(cmp.Compare(a.order[q.Sort], b.order[q.Sort]), cmp.Compare(a.number, b.number))
		if q.Descending {
			return -c
		}
		return c
	})
	for _, s := range found {
		numbers = append(numbers, s.number)
	}
	return numbers
}

// whole reads all pages of a query.
func whole(t testing.TB, v *views.Views, q views.Query) (numbers []uint64) {
	t.Helper()
	for {
		page, err := v.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Numbers) > q.Limit || page.Looked > views.MostLooked {
			t.Fatalf("%d seeds of a page of %d, %d rows looked at", len(page.Numbers), q.Limit, page.Looked)
		}
		numbers = append(numbers, page.Numbers...)
		if page.Next == "" {
			return numbers
		}
		q.Cursor = page.Next
	}
}

// compare holds views against a scan: each value alone, random pairs, each order, and the counts.
func compare(t testing.TB, v *views.Views, list seedlist.List, random *rand.Rand) {
	t.Helper()
	all := scan(t, list)
	var queries []views.Query
	counts := map[string]map[string]int64{}
	type one struct {
		f     views.Facet
		value string
	}
	values := map[one]bool{}
	for _, s := range all {
		for f, of := range s.values {
			for _, value := range of {
				values[one{f, value}] = true
				add(counts, f.String(), value)
			}
		}
		for _, pair := range views.Pairs() {
			a, b, _ := strings.Cut(pair, ",")
			f, _ := views.FacetNamed(a)
			g, _ := views.FacetNamed(b)
			for _, x := range s.values[f] {
				for _, y := range s.values[g] {
					add(counts, pair, x+","+y)
				}
			}
		}
	}
	every := slices.SortedFunc(maps.Keys(values),
		func(a, b one) int { return cmp.Or(cmp.Compare(a.f, b.f), cmp.Compare(a.value, b.value)) })
	queries = append(queries, views.Query{})
	for _, x := range every {
		queries = append(queries, views.Query{Where: map[views.Facet]string{x.f: x.value}})
		y := every[random.IntN(len(every))]
		if x.f != y.f {
			queries = append(queries, views.Query{Where: map[views.Facet]string{x.f: x.value, y.f: y.value}})
		}
	}
	for _, q := range queries {
		q.Limit = 1 + random.IntN(8)
		q.Sort, q.Descending = views.Sort(random.IntN(len(views.Sorts()))), random.IntN(2) == 0
		if relative := random.IntN(2) == 0; random.IntN(4) == 0 {
			q.Relative = &relative
		}
		q.NoFiles = random.IntN(3) == 0
		if got, want := whole(t, v, q), listed(all, &q); !slices.Equal(got, want) {
			t.Fatalf("%+v lists\n%v, a scan finds\n%v", q, got, want)
		}
		compareAmong(t, v, all, q)
	}
	compareSums(t, v, all)
	compareTurns(t, v, all, random)
	for _, by := range append(views.Pairs(), "state", "host", "format", "encoding", "error", "notice", "source", "catalog", "parent",
		"washer", "product", "http_status", "publisher", "licence", "score", "class", "property", "vocabulary",
		"datatype", "language", "links_to", "statistics") {
		var facets []views.Facet
		for name := range strings.SplitSeq(by, ",") {
			f, _ := views.FacetNamed(name)
			facets = append(facets, f)
		}
		found, err := v.Count(t.Context(), facets, 1000)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int64{}
		for _, c := range found.Counts {
			got[strings.Join(c.Values, ",")] = c.Seeds
		}
		if !maps.Equal(got, counts[by]) || found.Total != len(got) {
			t.Fatalf("by %s: counted\n%v, a scan finds\n%v", by, got, counts[by])
		}
	}
}

// compareSums holds the sums, the notices and the months against a scan.
func compareSums(t testing.TB, v *views.Views, all []scanned) {
	t.Helper()
	for _, name := range views.Groups() {
		by, _ := views.FacetNamed(name)
		want := map[string]quality.Sums{}
		findings, tallies := map[string]map[fault.Code]views.Finding{}, map[string]quality.Tally{}
		for _, s := range all {
			for _, value := range s.values[by] {
				if s.sums.Documents == 0 {
					continue
				}
				sums, tally := want[value], tallies[value]
				sums.Add(&s.sums, 1)
				for _, step := range s.steps {
					tally.Add(&step.Tally, 1)
				}
				want[value], tallies[value] = sums, tally
				if findings[value] == nil {
					findings[value] = map[fault.Code]views.Finding{}
				}
				for code, n := range s.findings {
					f := findings[value][code]
					findings[value][code] = views.Finding{Code: code, Documents: f.Documents + 1, Times: f.Times + n}
				}
			}
		}
		found, err := v.Sums(t.Context(), by)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]quality.Sums{}
		for _, g := range found.Groups {
			got[g.Value] = g.Sums
		}
		if !maps.Equal(got, want) {
			t.Fatalf("by %s the sums are\n%+v, a scan finds\n%+v", name, got, want)
		}
		for value := range want {
			whole, ok, err := v.Whole(t.Context(), by, value)
			if err != nil || !ok || whole.Sums != want[value] {
				t.Fatalf("of %s %s: %+v, %v, %v, a scan finds %+v", name, value, whole, ok, err, want[value])
			}
			of := map[fault.Code]views.Finding{}
			for _, f := range whole.Findings {
				of[f.Code] = f
			}
			if !maps.Equal(of, findings[value]) {
				t.Fatalf("notices of %s %s: %v, a scan finds %v", name, value, of, findings[value])
			}
			var months, days quality.Tally
			if n := len(whole.Months); n > 0 {
				months = whole.Months[n-1].Tally
			}
			if n := len(whole.Days); n > 0 {
				days = whole.Days[n-1].Tally
			}
			if months != tallies[value] || days != tallies[value] {
				t.Fatalf("%s %s is now %+v by month, %+v by day, a scan finds %+v", name, value, months, days, tallies[value])
			}
		}
	}
}

func add(counts map[string]map[string]int64, by, value string) {
	if counts[by] == nil {
		counts[by] = map[string]int64{}
	}
	counts[by][value]++
}

func open(t testing.TB, path string, list views.Seeds) *views.Views {
	t.Helper()
	v, err := views.Open(path, list, terms, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// upToDate waits until the views hold all that the list does.
func upToDate(t testing.TB, v *views.Views, list seedlist.List) {
	t.Helper()
	revision, err := list.Revision(t.Context())
	if err == nil {
		err = v.Wait(t.Context(), revision)
	}
	if err != nil {
		t.Fatal(err)
	}
	if asOf := v.AsOf(); asOf.Revision != revision || asOf.Building {
		t.Fatalf("as of %+v, the list has come to %d", asOf, revision)
	}
}

func TestViewsAreWhatAScanFinds(t *testing.T) {
	for seedOfTest := range uint64(3) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seedOfTest, 13))
			list := memory.New(seedlist.Options{Interval: 30 * time.Minute, HostConnections: 2, KeepChanges: 300})
			defer list.Close()
			path := filepath.Join(t.TempDir(), "views.db")
			v := open(t, path, list)
			defer func() { v.Close() }()
			history := storetest.History{Store: list, Random: random}
			for step := range 800 {
				history.Step(t)
				if step%40 != 39 {
					continue
				}
				switch random.IntN(5) {
				case 0: // closed while the list goes on, sometimes further than it tells
					v.Close()
					for range random.IntN(400) {
						history.Step(t)
					}
					v = open(t, path, list)
				case 1:
					v.Close()
					os.Remove(path)
					v = open(t, path, list)
				}
				upToDate(t, v, list)
				compare(t, v, list, random)
			}
		})
	}
}

func TestViewsOfAnotherListAreMadeAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "views.db")
		for life := range 3 {
			list := memory.New(seedlist.Options{})
			for i := range 20 {
				storetest.Add(t, list, fmt.Sprintf("http://h%d.example/%d", life, i))
			}
			v := open(t, path, list)
			upToDate(t, v, list)
			compare(t, v, list, rand.New(rand.NewPCG(1, 1)))
			v.Close()
			list.Close()
			time.Sleep(time.Second)
		}
	})
}

func TestADamagedFileIsMadeAnew(t *testing.T) {
	list := memory.New(seedlist.Options{})
	storetest.Add(t, list, "http://a.example/", "http://b.example/")
	path := filepath.Join(t.TempDir(), "views.db")
	for _, text := range []string{"no database", "", strings.Repeat("\x00", 1<<16)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		v := open(t, path, list)
		upToDate(t, v, list)
		compare(t, v, list, rand.New(rand.NewPCG(1, 1)))
		v.Close()
	}
}

func TestAFileThatWasOpenWhenTheMachineDiedIsMadeAnew(t *testing.T) {
	list := memory.New(seedlist.Options{})
	storetest.Add(t, list, "http://a.example/")
	path := filepath.Join(t.TempDir(), "views.db")
	v := open(t, path, list)
	upToDate(t, v, list)
	if _, err := os.Stat(path + ".open"); err != nil {
		t.Fatal(err)
	}
	v.Close()
	if _, err := os.Stat(path + ".open"); err == nil {
		t.Fatal("the note stays when the file was closed")
	}
	for note, scans := range map[string]bool{"": false, "another start": true} {
		if note != "" {
			if err := os.WriteFile(path+".open", []byte(note), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		counted := &scanCounter{Store: list}
		v = open(t, path, counted)
		upToDate(t, v, list)
		v.Close()
		if counted.scans.Load() > 0 != scans {
			t.Errorf("with the note %q the list was scanned %d times", note, counted.scans.Load())
		}
	}
}

// scanCounter counts how often the list is asked for all seeds.
type scanCounter struct {
	*memory.Store
	scans atomic.Int32
}

func (c *scanCounter) NumberedAfter(ctx context.Context, after uint64, limit int) ([]seedlist.Numbered, error) {
	c.scans.Add(1)
	return c.Store.NumberedAfter(ctx, after, limit)
}

func TestNoMoreThanSomeRowsAreLookedAtForAPage(t *testing.T) {
	list := memory.New(seedlist.Options{})
	var uris []string
	for i := range views.MostLooked + 2000 {
		uris = append(uris, fmt.Sprintf("http://a.example/%d", i))
	}
	storetest.Add(t, list, append(uris, "../relative")...)
	v := open(t, filepath.Join(t.TempDir(), "views.db"), list)
	defer v.Close()
	upToDate(t, v, list)
	isRelative := true
	for _, sort := range []views.Sort{views.ByAge, views.BySize} {
		q := views.Query{Relative: &isRelative, Sort: sort, Limit: 10}
		first, err := v.List(t.Context(), q)
		if err != nil || len(first.Numbers) != 0 || first.Looked != views.MostLooked || !first.IsCut(q.Limit) {
			t.Fatalf("%+v, %v", first, err)
		}
		q.Cursor = first.Next
		second, err := v.List(t.Context(), q)
		if err != nil || len(second.Numbers) != 1 || second.Next != "" || second.IsCut(q.Limit) {
			t.Errorf("%+v, %v", second, err)
		}
		q.Descending = true
		if _, err := v.List(t.Context(), q); err != seedlist.ErrCursor {
			t.Errorf("the cursor of another list: %v", err)
		}
	}
}

func TestWaitingEndsWithItsContext(t *testing.T) {
	list := memory.New(seedlist.Options{})
	v := open(t, filepath.Join(t.TempDir(), "views.db"), list)
	defer v.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := v.Wait(ctx, 5); err != context.Canceled {
		t.Error(err)
	}
}
