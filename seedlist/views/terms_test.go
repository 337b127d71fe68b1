package views_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"laundromat/internal/fault"
	"laundromat/rdf/statistics"
	"laundromat/seedlist"
	"laundromat/seedlist/memory"
	"laundromat/seedlist/storetest"
	"laundromat/seedlist/views"
)

var (
	longTerm = "http://long.example/" + strings.Repeat("ä", 400)
	// termFacets are those whose values are in clean files.
	termFacets = []views.Facet{views.Class, views.Property, views.Vocabulary, views.Datatype, views.Language, views.LinksTo,
		views.Statistics}
)

// terms are what a clean file uses, made up of its hash. One file in eight is gone.
func terms(_ context.Context, clean string) (*statistics.Terms, error) {
	of := valuesOfClean(clean)
	if of[views.Statistics] != nil && of[views.Statistics][0] == views.StatisticsUnread {
		return nil, fmt.Errorf("open %s: %w", clean, fs.ErrNotExist)
	}
	t := &statistics.Terms{Classes: of[views.Class], Vocabularies: of[views.Vocabulary], Datatypes: of[views.Datatype],
		Languages: of[views.Language], Hosts: of[views.LinksTo], IsCut: of[views.Statistics] != nil}
	for _, one := range of[views.Property] {
		if strings.HasPrefix(one, longTerm[:100]) {
			one = longTerm
		}
		t.Properties = append(t.Properties, one)
	}
	return t, nil
}

// valuesOfClean are the values of the facets of terms that a document with a clean file has.
func valuesOfClean(clean string) map[views.Facet][]string {
	bits := 0
	for _, c := range clean {
		bits = (bits*31 + int(c)) % 65_521
	}
	all := map[views.Facet][]string{}
	if bits%8 == 0 {
		all[views.Statistics] = []string{views.StatisticsUnread}
		return all
	}
	if bits%8 == 1 {
		all[views.Statistics] = []string{views.StatisticsCut}
	}
	for i, f := range termFacets[:6] {
		for n := range 4 {
			if bits>>(i+n)&1 == 1 {
				all[f] = append(all[f], fmt.Sprintf("http://%s.example/%d", f, n))
			}
		}
	}
	if bits&64 != 0 {
		all[views.Property] = append(all[views.Property], views.TermValue(longTerm))
	}
	return all
}

// addTerms adds what the clean file of a seed uses.
func (one *scanned) addTerms(s *seedlist.Seed) {
	if clean := s.ServedClean(); clean != "" && s.Status != seedlist.Cleaned {
		for f, values := range valuesOfClean(clean) {
			one.values[f] = values
		}
	}
}

func TestALongTermKeepsItsOwnValue(t *testing.T) {
	a, b := views.TermValue(longTerm), views.TermValue(longTerm+"b")
	if len(a) > 512 || a == b || views.TermValue("http://short.example/") != "http://short.example/" {
		t.Errorf("%d bytes: %q, %q", len(a), a, b)
	}
}

// While the store of files is away, lists go on without terms. When it is back, these are read without a change of the
// list.
func TestTermsThatCouldNotBeReadAreReadLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		list := memory.New(seedlist.Options{HostConnections: 64, HostDelay: -1})
		defer list.Close()
		isAway, told := atomic.Bool{}, atomic.Int64{}
		isAway.Store(true)
		read := func(ctx context.Context, clean string) (*statistics.Terms, error) {
			if isAway.Load() {
				return nil, fault.New("test", fault.Local, fault.LocalDisk, "%w", errors.New("away"))
			}
			return &statistics.Terms{Classes: []string{"http://c.example/C"}}, nil
		}
		v, err := views.Open(filepath.Join(t.TempDir(), "views.db"), list, read, func(error) { told.Add(1) })
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		storetest.Populate(t, list, 20)
		upToDate(t, v, list)
		washed := count(t, v, views.Statistics)[views.StatisticsUnread]
		if washed == 0 || told.Load() == 0 {
			t.Fatalf("%d documents are unread, %d told of", washed, told.Load())
		}
		isAway.Store(false)
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		if classes := count(t, v, views.Class); classes["http://c.example/C"] != washed || len(count(t, v, views.Statistics)) != 0 {
			t.Errorf("%v use the class, of %d", classes, washed)
		}
	})
}

func count(t *testing.T, v *views.Views, f views.Facet) map[string]int64 {
	t.Helper()
	counts, err := v.Count(t.Context(), []views.Facet{f}, 100)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]int64{}
	for _, c := range counts.Counts {
		all[c.Values[0]] = c.Seeds
	}
	return all
}
