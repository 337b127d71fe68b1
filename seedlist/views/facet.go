package views

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
	"laundromat/seedlist/quality"
)

// Facet is a property of seeds whose values are listed and counted.
type Facet uint8

// The facets. The files hold their numbers: append only.
const (
	State    Facet = iota
	Host           // host[:port] of the URI, as [seedlist.URI] has it; of a member of an archive that of its root
	Format         // of the document, and of the parts of a page
	Encoding       // as proved, or else as presumed
	Error          // the code
	Notice         // the codes: a document may have many
	Source
	Catalog // the hashes of those that name the seed now, or the root of a member
	Parent  // the hash of the archive
	Washer  // the version that reached the last final state
	Product // those that are served, and with ! those of which none came last, for an error
	// HTTPStatus is that with which the last download ended; none of members of archives.
	HTTPStatus
	Publisher // as a catalog names it; of a member of an archive that of its root, as the next
	Licence
	Recipe // by whose form the document was washed last
	// Judged are the parts of the score that the document has a share in, as [quality.Parts] has them.
	Judged
	// What the clean statements that are served of a document use, as [statistics.Statistics] has it: see terms.go.
	Class
	Property
	Vocabulary
	Datatype
	Language
	LinksTo // another host that objects are on
	// Statistics says what of the facets before is not known of a document: see [StatisticsCut].
	Statistics
	facetCount
)

var facetNames = [facetCount]string{"state", "host", "format", "encoding", "error", "notice", "source", "catalog", "parent", "washer",
	"product", "http_status", "publisher", "licence", "recipe", "score", "class", "property", "vocabulary", "datatype", "language",
	"links_to", "statistics"}

// String is the name of a facet, as the API has it.
func (f Facet) String() string { return facetNames[f] }

// FacetNames are the names of all facets.
func FacetNames() []string { return facetNames[:] }

// isManifold says that a seed may have several values of a facet.
func (f Facet) isManifold() bool {
	return f == Notice || f == Catalog || f == Format || f == Product || f == Judged || f >= firstTerm && f != Statistics
}

// FacetNamed is the facet of a name.
func FacetNamed(name string) (Facet, bool) {
	for f, known := range facetNames {
		if known == name {
			return Facet(f), true
		}
	}
	return 0, false
}

// Pair is two facets whose values are counted together.
type Pair [2]Facet

// pairs are those that are counted. The files hold their places: append only.
var pairs = []Pair{
	{State, Host}, {State, Format},
	{Error, Format}, {Error, Host},
	{Notice, Format}, {Notice, Host},
	{State, Error},
	{HTTPStatus, Host}, {Error, HTTPStatus},
	{Recipe, Format},
	{Judged, Host}, {Judged, Catalog}, {Judged, Publisher}, {Judged, Licence},
}

// Pairs are all pairs that are counted, each as the API names it, such as "error,host".
func Pairs() (names []string) {
	for _, p := range pairs {
		names = append(names, p[0].String()+","+p[1].String())
	}
	return names
}

// Sort is an order of seeds other than by age.
type Sort uint8

// The orders. The files hold their numbers: append only.
const (
	ByAge        Sort = iota // when they were added
	BySize                   // bytes as they came
	ByStatements             // that were written
	ByDropped                // the share of the statements read that was dropped
	ByProcessed              // when the last final state was reached
	ByTurn                   // when it last turned in each of four ways: see [quality.TurnTimes]
	_
	_
	_
	sortCount
)

var sortNames = [sortCount]string{"added", "size", "statements", "dropped", "processed", "", "", "", ""}

// Sorts are the names of all orders that lists may have, as the API has them.
func Sorts() []string { return sortNames[:ByTurn] }

// SortNamed is the order of a name; a - before it turns it round.
func SortNamed(name string) (by Sort, descending, ok bool) {
	name, descending = strings.CutPrefix(name, "-")
	for s, known := range Sorts() {
		if known == name {
			return Sort(s), descending, true
		}
	}
	return 0, false, false
}

// million is the unit of a share: parts per million.
const million = 1_000_000

// listed is a seed as it is listed: by what is served of it, by the version that worked on it last and by the last
// reply of its server.
func listed(seed *seedlist.Seed) *seedlist.Seed {
	if seed.Clean != "" || seed.Good == nil {
		return seed
	}
	served := seed.Served()
	served.Washer, served.HTTP, served.Recipe = seed.Washer, seed.HTTP, seed.Recipe
	return &served
}

// appendValues appends the values of a facet that a seed has.
func appendValues(values []string, f Facet, seed *seedlist.Seed) []string {
	value := ""
	switch f {
	case State:
		value = string(seed.Status)
	case Host:
		value = seed.ListedHost()
	case Format:
		values = append(values, seed.Syntaxes()...)
	case Encoding:
		if seed.Encoding != nil {
			value = cmp.Or(seed.Encoding.Chosen, seed.Encoding.Presumed)
		}
	case Error:
		if seed.Error != nil {
			value = string(seed.Error.Code)
		}
	case Notice:
		for code := range seed.Notices {
			values = append(values, string(code))
		}
	case Source:
		value = seed.Source
	case Catalog:
		for _, listing := range seed.ListedBy() {
			if !listing.Gone {
				values = append(values, listing.Catalog)
			}
		}
	case Parent:
		value = seed.Parent
	case Washer:
		value = seed.Washer
	case Product:
		values = appendProducts(values, seed)
	case HTTPStatus:
		if status := seed.LastStatus(); status > 0 && seed.Parent == "" {
			value = strconv.Itoa(status)
		}
	case Judged:
		sums := quality.Of(seed)
		values = append(values, quality.Parts(&sums)...)
	case Publisher, Licence:
		value = claimed(seed, claimOf[f])
	case Recipe:
		if seed.Recipe != nil {
			value = seed.Recipe.Name
		}
	}
	if value != "" {
		values = append(values, value)
	}
	return values
}

// claimOf are the claims that facets are of.
var claimOf = map[Facet]string{Publisher: catalog.Publisher, Licence: catalog.License}

// claimed is what a catalog claims of a seed, as it is listed. A clean file has no claims.
func claimed(seed *seedlist.Seed, name string) string {
	value := seed.ListedClaims()[name]
	if len(value) > longestClaim {
		value = strings.ToValidUTF8(value[:longestClaim], "")
	}
	return value
}

// longestClaim is how many bytes of a claim tell publishers apart: it is a key of tables.
const longestClaim = 512

// appendProducts appends the values of Product.
func appendProducts(values []string, seed *seedlist.Seed) []string {
	for name, n := range seed.CountedProducts() {
		if n.Seeds > 0 {
			values = append(values, name)
		}
		if n.Errors > 0 {
			values = append(values, name+seedlist.FailedMark)
		}
	}
	return values
}

// ordersOf are the places of a seed in the orders. 0 is not known, which sorts before all.
// Any other is one more than the number.
func ordersOf(seed *seedlist.Seed) (order [sortCount]uint64) {
	if seed.Content != nil {
		order[BySize] = uint64(seed.Content.NumberOfBytes) + 1
	}
	if n := seed.Statements; n != nil {
		order[ByStatements] = uint64(n.Written) + 1
		order[ByDropped] = 1
		if n.Read > 0 {
			order[ByDropped] += uint64(float64(n.Dropped) / float64(n.Read) * million)
		}
	}
	if !seed.Processed.IsZero() {
		order[ByProcessed] = orderOf(seed.Processed)
	}
	for turn, at := range quality.TurnTimes(seed) {
		if !at.IsZero() {
			order[int(ByTurn)+turn] = orderOf(at)
		}
	}
	return order
}

// orderOf is the place of a time in an order.
func orderOf(at time.Time) uint64 { return uint64(max(0, at.Unix())) + 1 }

// Matches says that a seed has all of these values. What its statements use is not asked: that is in its files.
func Matches(seed *seedlist.Seed, where map[Facet]string) bool {
	seed = listed(seed)
	for f, value := range where {
		if f < firstTerm && !slices.Contains(appendValues(nil, f, seed), value) {
			return false
		}
	}
	return true
}
