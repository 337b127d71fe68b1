package seedlist

import "time"

// NewSeed is a URI to be washed, and what is known of it beforehand.
type NewSeed struct {
	URI      string
	Priority int // larger first
	// Interval is the time after which it is fetched again. 0: that of the store;
	// negative: never.
	Interval time.Duration
	Source   string // who named it: a person, a list, a catalog
	Title    string
	Claims   map[string]string // what a catalog says of it
	Depth    int               // documents that led to it, from one that was added
	// KeepVersions is how many clean files of older versions are kept, up to
	// [MaxKept]; nil: as the store says.
	KeepVersions *int
	// Recipe is that by which it is washed, whatever matches it; "" for that which matches.
	Recipe string
	// Page says that a recipe leads to it; nil: none does. Most is how many such seeds the recipe may have then.
	Page *RecipePage
	Most int64
}

// Addition says what became of a NewSeed.
type Addition struct {
	Hash     string
	New      bool // false: it was there already, perhaps in another spelling
	Relative bool // kept to be counted, never fetched
	// Document is the hash of the seed without the fragment, of a URI that has one.
	Document string
	Err      error
}

// Stored is the record that a seed begins with; u is what its URI was read as.
func (n *NewSeed) Stored(u URI, now time.Time, options *Options) Stored {
	interval := n.Interval
	if interval == 0 {
		interval = options.Interval
	}
	seconds := int64(max(0, interval) / time.Second)
	s := Stored{Hash: u.Hash(), URI: u.Given, Record: Record{
		Interval: &seconds, Added: now, Source: n.Source, Title: n.Title, Claims: n.Claims, KeepVersions: n.KeepVersions,
		Made: Made{RecipeAsked: n.Recipe, Page: n.Page, Depth: n.Depth},
	}}
	s.IntervalAdapts = n.Interval == 0 && options.Interval > 0 && options.IntervalMin < options.IntervalMax
	if document, ok := u.Document(); ok {
		s.Document = document.Hash()
	}
	return s
}
