package recipe

import (
	"slices"
	"strings"

	"laundromat/seedlist"
)

// Facts are what recipes are held against.
type Facts struct {
	// URIs are those that the document is known by: of a member of an archive its own, and that of its place.
	URIs   []string
	Host   string // of the root
	Source string // of the root
	// Catalogs are the hashes of those that name the root.
	Catalogs []string
	Format   string // as it is in records, guessed without any recipe
	Media    string // without parameters, in lower case
}

// Holds says that a document matches.
func (m *Match) Holds(f *Facts) bool {
	return holds(m.Host, func(v string) bool { return isHost(v, f.Host) }) &&
		holds(m.Format, func(v string) bool { return v == f.Format }) &&
		holds(m.Media, func(v string) bool { return Wildcard(v, f.Media) }) &&
		holds(m.Source, func(v string) bool { return Wildcard(v, f.Source) }) &&
		holds(m.Catalog, func(v string) bool { return slices.Contains(f.Catalogs, catalogHash(v)) }) &&
		holds(m.URI, func(v string) bool {
			return slices.ContainsFunc(f.URIs, func(uri string) bool { return Wildcard(v, uri) })
		})
}

func holds(values []string, is func(string) bool) bool {
	return len(values) == 0 || slices.ContainsFunc(values, is)
}

func isHost(pattern, host string) bool {
	if under, is := strings.CutPrefix(pattern, "*"); is {
		return strings.HasSuffix(host, under)
	}
	return pattern == host
}

// catalogHash is the hash of a catalog that is named by it, or by its URI.
func catalogHash(named string) string {
	if len(named) == 32 && strings.Trim(named, "0123456789abcdef") == "" {
		return named
	}
	return seedlist.Key(named)
}

// Wildcard says that a text is as a pattern says, in which "*" stands for any characters, or none.
func Wildcard(pattern, text string) bool {
	first, rest, isOpen := strings.Cut(pattern, "*")
	if !isOpen {
		return pattern == text
	}
	if !strings.HasPrefix(text, first) {
		return false
	}
	text = text[len(first):]
	for {
		part, after, more := strings.Cut(rest, "*")
		if !more {
			return strings.HasSuffix(text, part)
		}
		at := strings.Index(text, part)
		if at < 0 {
			return false
		}
		text, rest = text[at+len(part):], after
	}
}

// Set is recipes in their order, made to find the first that matches among many. It may be asked by many goroutines.
type Set struct {
	all []Listed
	// Those that a document may match, by the most telling of their conditions: indices, rising.
	uriStarts, uriEnds      affixes
	hosts, catalogs, source map[string][]int
	under                   map[string][]int // hosts with "*.", without "*"
	media, formats          map[string][]int
	rest                    []int
	names                   map[string]int
	asksCatalogs, asksMore  bool
}

// Listed is a recipe of a set.
type Listed struct {
	Name   string
	SHA256 string
	Match  *Match
	// AsksMore says that more than statements of RDF may be made by it.
	AsksMore bool
}

// affixes are texts that others begin or end with.
type affixes struct {
	by      map[string][]int
	lengths []int
}

func (a *affixes) add(text string, n int) {
	if a.by == nil {
		a.by = map[string][]int{}
	}
	if at, found := slices.BinarySearch(a.lengths, len(text)); !found {
		a.lengths = slices.Insert(a.lengths, at, len(text))
	}
	a.by[text] = append(a.by[text], n)
}

// NewSet makes a set of recipes in their order.
func NewSet(all []Listed) *Set {
	s := &Set{all: all, hosts: map[string][]int{}, catalogs: map[string][]int{}, source: map[string][]int{}, under: map[string][]int{},
		media: map[string][]int{}, formats: map[string][]int{}, names: map[string]int{}}
	for n := range all {
		s.place(n, all[n].Match)
		s.names[all[n].Name] = n
		s.asksMore = s.asksMore || all[n].AsksMore
		s.asksCatalogs = s.asksCatalogs || len(all[n].Match.Catalog) > 0
	}
	return s
}

// place puts a recipe where documents that it may match find it.
func (s *Set) place(n int, m *Match) {
	add := func(to map[string][]int, values []string) {
		for _, v := range values {
			to[v] = append(to[v], n)
		}
	}
	open := func(v string) bool { return strings.Contains(v, "*") }
	switch {
	case len(m.URI) > 0 && !slices.ContainsFunc(m.URI, func(v string) bool { return len(start(v)) < longEnough }):
		for _, v := range m.URI {
			s.uriStarts.add(start(v), n)
		}
	case len(m.Host) > 0:
		for _, v := range m.Host {
			if under, is := strings.CutPrefix(v, "*"); is {
				add(s.under, []string{under})
			} else {
				add(s.hosts, []string{v})
			}
		}
	case len(m.Catalog) > 0:
		for _, v := range m.Catalog {
			add(s.catalogs, []string{catalogHash(v)})
		}
	case len(m.Source) > 0 && !slices.ContainsFunc(m.Source, open):
		add(s.source, m.Source)
	case len(m.URI) > 0 && !slices.ContainsFunc(m.URI, func(v string) bool { return len(end(v)) == 0 }):
		for _, v := range m.URI {
			s.uriEnds.add(end(v), n)
		}
	case len(m.Media) > 0 && !slices.ContainsFunc(m.Media, open):
		add(s.media, m.Media)
	case len(m.Format) > 0:
		add(s.formats, m.Format)
	default:
		s.rest = append(s.rest, n)
	}
}

// longEnough is a beginning of URIs that says more than a scheme does.
const longEnough = len("https://a.b")

// start and end are what is before the first wildcard of a pattern, and after the last.
func start(pattern string) string {
	text, _, _ := strings.Cut(pattern, "*")
	return text
}

func end(pattern string) string { return pattern[strings.LastIndexByte(pattern, '*')+1:] }

// Len is how many recipes there are.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.all)
}

// AsksCatalogs says that the facts have to have catalogs.
func (s *Set) AsksCatalogs() bool { return s != nil && s.asksCatalogs }

// Find is the first recipe that matches; nil if none does.
func (s *Set) Find(f *Facts) *Listed {
	if s.Len() == 0 {
		return nil
	}
	best := len(s.all)
	look := func(among []int) {
		for _, n := range among {
			if n >= best {
				return
			}
			if s.all[n].Match.Holds(f) {
				best = n
				return
			}
		}
	}
	look(s.hosts[f.Host])
	if len(s.under) > 0 {
		for at := strings.IndexByte(f.Host, '.'); at >= 0; {
			look(s.under[f.Host[at:]])
			next := strings.IndexByte(f.Host[at+1:], '.')
			if next < 0 {
				break
			}
			at += 1 + next
		}
	}
	for _, uri := range f.URIs {
		for _, length := range s.uriStarts.lengths {
			if length > len(uri) {
				break
			}
			look(s.uriStarts.by[uri[:length]])
		}
		for _, length := range s.uriEnds.lengths {
			if length > len(uri) {
				break
			}
			look(s.uriEnds.by[uri[len(uri)-length:]])
		}
	}
	for _, hash := range f.Catalogs {
		look(s.catalogs[hash])
	}
	look(s.source[f.Source])
	look(s.media[f.Media])
	look(s.formats[f.Format])
	look(s.rest)
	if best == len(s.all) {
		return nil
	}
	return &s.all[best]
}

// Named is a recipe by its name; nil if there is none.
func (s *Set) Named(name string) *Listed {
	if s == nil {
		return nil
	}
	if n, ok := s.names[name]; ok {
		return &s.all[n]
	}
	return nil
}

// AsksMore says that a recipe makes more than statements of RDF.
func (s *Set) AsksMore() bool { return s != nil && s.asksMore }

// All are the recipes in their order. They are nobody's to change.
func (s *Set) All() []Listed { return s.all }
