package story

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/docker/go-units"

	"laundromat/internal/digest"
	"laundromat/seedlist"
)

// WriteCounts writes counts by state, format, error and notice, a row each.
func WriteCounts(w io.Writer, counts seedlist.Counts) error {
	out := bufio.NewWriter(w)
	row := func(group, name string, n int64) {
		fmt.Fprintf(out, "%-11s %-32s %12d\n", group, name, n)
	}
	for _, state := range seedlist.States() {
		n := counts.States[state]
		if state == seedlist.Added { // these two never wait
			n -= counts.Relative + counts.Fragments
		}
		if n > 0 {
			row("state", state.Words(), n)
		}
	}
	row("relative", "never fetched", counts.Relative)
	if counts.Fragments > 0 {
		row("fragments", "of documents among these", counts.Fragments)
	}
	row("served", "have a file to serve", counts.Washed)
	row("refreshed", "are being fetched again", counts.Refreshed)
	for _, name := range seedlist.Products() {
		if p, isAsked := counts.Products[name]; isAsked {
			row("product", name, p.Seeds)
			if p.Errors > 0 {
				row("product", name+", could not be made", p.Errors)
			}
			if p.None > 0 {
				row("product", name+", the document has none", p.None)
			}
		}
	}
	for name, n := range Largest(counts.Formats) {
		row("format", name, n)
	}
	for code, n := range Largest(counts.Errors) {
		row("error", string(code), n)
	}
	for code, found := range LargestBy(counts.Notices, func(f seedlist.Found) int64 { return f.Times }) {
		row("notice", string(code), found.Times)
	}
	s := counts.Statements
	fmt.Fprintf(out, "statements  %d read = %d kept + %d repaired + %d dropped; %d duplicates; %d written\n",
		s.Read, s.Kept, s.Repaired, s.Dropped, s.Duplicates, s.Written)
	fmt.Fprintf(out, "clean       %d files, %d lines, %s\n", counts.Clean.Files, counts.Clean.Lines,
		units.BytesSize(float64(counts.Clean.Bytes)))
	if p, isAsked := counts.Products[seedlist.ProductRecords]; isAsked {
		fmt.Fprintf(out, "records     %d read = %d kept + %d repaired + %d dropped; %d served, %s\n", p.Read, p.Kept, p.Repaired, p.Dropped,
			p.Written, units.BytesSize(float64(p.Bytes)))
	}
	if p, isAsked := counts.Products[seedlist.ProductArticles]; isAsked {
		fmt.Fprintf(out, "articles    %d read = %d kept + %d empty; %d repeated; %d served, %s\n", p.Read, p.Kept, p.Empty, p.Repeated,
			p.Written, units.BytesSize(float64(p.Bytes)))
	}
	if r := counts.Removed; r != (seedlist.Trimmed{}) {
		fmt.Fprintf(out, "not kept    bytes of %d documents (%s), notices of %d, %d files of older versions, %d attempts\n", r.Dirty,
			units.BytesSize(float64(r.DirtyBytes)), r.Notices, r.Versions, r.Attempts)
	}
	return out.Flush()
}

// Waits are waits in plain words, the hosts that are named and the rest.
func Waits(w seedlist.Waits) (all []string) {
	for _, host := range w.Hosts {
		why := "all its connections are in use"
		switch host.Why {
		case seedlist.HostPaused:
			why = fmt.Sprintf("paused; \"laundromat host resume %s\" goes on", host.Host)
		case seedlist.HostResting:
			why = "until " + host.Until.Format(time.RFC3339)
		}
		all = append(all, fmt.Sprintf("%s for %s: %s", seedsIn(host.Seeds), host.Host, why))
	}
	if more := w.HostsTotal - len(w.Hosts); more > 0 {
		all = append(all, fmt.Sprintf("seeds of %d more hosts", more))
	}
	if w.Later > 0 {
		all = append(all, fmt.Sprintf("%s to be tried again, the first at %s", seedsIn(w.Later), w.Next.Format(time.RFC3339)))
	}
	return all
}

// seedsIn is a number of seeds, which is counted up to a bound.
func seedsIn(n int) string {
	switch {
	case n >= seedlist.MostCounted:
		return fmt.Sprintf("%d or more seeds", n)
	case n == 1:
		return "1 seed"
	}
	return fmt.Sprintf("%d seeds", n)
}

// Orders are orders of washed documents, by their names.
var Orders = map[string]func(a, b seedlist.Seed) int{
	"uri":        func(a, b seedlist.Seed) int { return cmp.Compare(NameOf(a), NameOf(b)) },
	"statements": func(a, b seedlist.Seed) int { return cmp.Compare(statements(b).Written, statements(a).Written) },
	"records":    func(a, b seedlist.Seed) int { return cmp.Compare(madeOf(&b).records, madeOf(&a).records) },
	"articles":   func(a, b seedlist.Seed) int { return cmp.Compare(madeOf(&b).articles, madeOf(&a).articles) },
	"dropped":    func(a, b seedlist.Seed) int { return cmp.Compare(madeOf(&b).dropped, madeOf(&a).dropped) },
	"bytes":      func(a, b seedlist.Seed) int { return cmp.Compare(bytesOf(b), bytesOf(a)) },
	"notices":    func(a, b seedlist.Seed) int { return cmp.Compare(noticesOf(b), noticesOf(a)) },
}

func statements(seed seedlist.Seed) digest.Statements {
	if seed.Statements == nil {
		return digest.Statements{}
	}
	return *seed.Statements
}

func bytesOf(seed seedlist.Seed) int64 {
	if seed.Content == nil {
		return 0
	}
	return seed.Content.NumberOfBytes
}

func noticesOf(seed seedlist.Seed) (n int64) {
	for _, times := range seed.Notices {
		n += times
	}
	return n
}

// made is what was made of a document, of all its products.
type made struct{ statements, records, articles, repaired, dropped int64 }

func madeOf(seed *seedlist.Seed) made {
	s := statements(*seed)
	m := made{statements: s.Written, repaired: s.Repaired, dropped: s.Dropped}
	if p := seed.Product(seedlist.ProductRecords); p != nil && p.Written != nil {
		m.records = *p.Written
	}
	if p := seed.Product(seedlist.ProductArticles); p != nil && p.Written != nil {
		m.articles = *p.Written
	}
	if r := seed.Records; r != nil {
		m.repaired, m.dropped = m.repaired+r.Repaired, m.dropped+r.Dropped
	}
	return m
}

// columns are those of what was made: records and articles only where a document was asked for any.
func (m made) columns(wide bool) string {
	if !wide {
		return fmt.Sprintf("%10d", m.statements)
	}
	return fmt.Sprintf("%10d %8d %8d", m.statements, m.records, m.articles)
}

// titles are those of [made.columns].
func titles(wide bool) string {
	if !wide {
		return fmt.Sprintf("%10s", "statements")
	}
	return fmt.Sprintf("%10s %8s %8s", "statements", "records", "articles")
}

// haveMore says that some document was asked for records or articles.
func haveMore(seeds []seedlist.Seed) bool {
	return slices.ContainsFunc(seeds, func(s seedlist.Seed) bool {
		return s.Product(seedlist.ProductRecords) != nil || s.Product(seedlist.ProductArticles) != nil
	})
}

// WriteDatasets writes washed documents, a line each.
func WriteDatasets(w io.Writer, seeds []seedlist.Seed) error {
	out, wide := bufio.NewWriter(w), haveMore(seeds)
	fmt.Fprintf(out, "%-32s %-10s %s %9s %9s  %s\n", "hash", "format", titles(wide), "dropped", "notices", "uri")
	for i := range seeds {
		seed := &seeds[i]
		m := madeOf(seed)
		failed := ""
		if behind := seed.Behind(); behind != "" {
			failed = "  (" + behind + ")"
		}
		fmt.Fprintf(out, "%-32s %-10s %s %9d %9d  %s%s\n", seed.Hash, seed.Format, m.columns(wide), m.dropped, noticesOf(*seed),
			NameOf(*seed), failed)
	}
	return out.Flush()
}

// WriteTable writes what became of seeds, a line each: entries of archives after these. Clean files have no line.
func WriteTable(out io.Writer, all []seedlist.Seed) error {
	names := map[string]string{}
	for _, seed := range all {
		name := NameOf(seed)
		if parent, ok := names[seed.Parent]; ok && seed.Archive != nil {
			name = parent + "!/" + seed.Archive.Entry
		}
		names[seed.Hash] = name
	}
	all = slices.DeleteFunc(all, func(seed seedlist.Seed) bool { return seed.Status == seedlist.Cleaned })
	width, wide := len("state"), haveMore(all)
	for _, seed := range all {
		width = max(width, len(StateWords(seed)))
	}
	fmt.Fprintf(out, "%-*s %-9s %s %8s %8s  %s\n", width, "state", "format", titles(wide), "repaired", "dropped", "seed")
	for i := range all {
		seed := &all[i]
		m := madeOf(seed)
		why := ""
		if seed.Error != nil {
			why = fmt.Sprintf("  (%s: %s)", seed.Error.Code, seed.Error.Message)
		}
		fmt.Fprintf(out, "%-*s %-9s %s %8d %8d  %s%s\n", width, StateWords(*seed), seed.Format, m.columns(wide), m.repaired, m.dropped,
			names[seed.Hash], why)
	}
	_, err := fmt.Fprintln(out)
	return err
}

// Largest gives the rows of a count, the largest first.
func Largest[K cmp.Ordered](counts map[K]int64) iter.Seq2[K, int64] {
	return LargestBy(counts, func(n int64) int64 { return n })
}

// LargestBy gives the rows of a table by their weight, the largest first.
func LargestBy[K cmp.Ordered, V any](rows map[K]V, weight func(V) int64) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		keys := slices.SortedFunc(maps.Keys(rows), func(a, b K) int {
			return cmp.Or(-cmp.Compare(weight(rows[a]), weight(rows[b])), cmp.Compare(a, b))
		})
		for _, key := range keys {
			if !yield(key, rows[key]) {
				return
			}
		}
	}
}
