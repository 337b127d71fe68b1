package seedlist

import (
	"encoding/json"
	"time"
)

// Catalog is a place that names seeds, and what is known of it.
type Catalog struct {
	Hash   string        `json:"hash"` // the key of its URI
	URI    string        `json:"uri"`  // as first given; MarshalJSON hides its user info
	Status CatalogStatus `json:"status"`
	CatalogSettings
	Added     time.Time `json:"added,omitzero"`
	Due       time.Time `json:"due,omitzero"`       // when it is harvested next; absent: only when asked for
	Harvested time.Time `json:"harvested,omitzero"` // the end of the last harvest
	Fence     uint64    `json:"fence"`              // the number of the harvest; rises with each
	Tries     int       `json:"tries"`              // that ended in an error, since the last success
	Worker    string    `json:"worker,omitempty"`
	Crashes   int       `json:"crashes,omitempty"` // harvests that ended with the whole process, since the last end
	// Source is "catalog:" and the hash of the catalog that names it, if no person does. Depth
	// is how many catalogs led to it.
	Source string `json:"source,omitempty"`
	Depth  int    `json:"depth,omitempty"`

	// Listed are the seeds that it names, Gone those that it named once.
	Listed int64 `json:"listed"`
	Gone   int64 `json:"gone"`
	HarvestFindings
	Sound SoundHarvest `json:"sound,omitzero"`
	Doubt HarvestDoubt `json:"doubt,omitzero"`
	// Accept has the next harvest believed, whatever it does not name any more.
	Accept bool `json:"accept,omitempty"`
}

// CatalogSettings are what people say of a catalog.
type CatalogSettings struct {
	Kind string `json:"kind,omitempty"` // "": its content shows
	// Interval is the time between harvests in seconds; 0: only when asked for.
	Interval int64 `json:"interval"`
	// All takes also what the catalog says to be no RDF.
	All bool `json:"all,omitempty"`
	// Priority and SeedInterval (in seconds) are those of its new seeds; without
	// SeedInterval they have the store's.
	Priority     int    `json:"priority,omitempty"`
	SeedInterval *int64 `json:"seed_interval,omitempty"`
	// KeepVersions is how many older versions of its new seeds are kept; nil: as the store says.
	KeepVersions *int `json:"keep_versions,omitempty" minimum:"0" maximum:"49"`
	// Recipe is that by which its seeds are washed, whatever matches them; "" for that which matches.
	Recipe string `json:"recipe,omitempty"`
	// Spec says, as JSON, how records are made of it, which are its seeds; "" for catalogs of other kinds.
	Spec string `json:"spec,omitempty"`
}

// HarvestFindings are what the last harvest found.
type HarvestFindings struct {
	Found    string           `json:"found,omitempty"` // the kind that it proved to be
	Pages    int64            `json:"pages"`
	Entries  int64            `json:"entries"`            // documents that it named, each as often as it did
	Relative int64            `json:"relative,omitempty"` // of those, references relative to a page of it
	New      int64            `json:"new"`                // that were no seeds before
	Vanished int64            `json:"vanished"`           // that the harvest before had found
	Refused  map[string]int64 `json:"refused,omitempty"`
	// Complete says that all of it was read: only then is what it does not name gone.
	Complete bool   `json:"complete"`
	Error    *Error `json:"error,omitempty"`
}

// CatalogStatus is the state of a catalog.
type CatalogStatus string

const (
	CatalogWaiting    CatalogStatus = "waiting"    // to be harvested: new, asked for, or to be tried again
	CatalogHarvesting CatalogStatus = "harvesting" // being read
	CatalogResting    CatalogStatus = "resting"    // until its interval has passed
	CatalogFailed     CatalogStatus = "failed"     // the same, after an error
)

// Listing is a seed's place in a catalog.
type Listing struct {
	Catalog string `json:"catalog"` // its hash
	Harvest uint64 `json:"harvest"` // the last one that found the seed there
	Gone    bool   `json:"gone"`    // a later, complete one did not
}

// plainCatalog is a Catalog without MarshalJSON.
type plainCatalog Catalog

// MarshalJSON writes the catalog as people see it.
func (c Catalog) MarshalJSON() ([]byte, error) {
	shown := plainCatalog(c)
	shown.URI = Shown(c.URI)
	return EncodeJSON(shown)
}

// CatalogURI is the URI of a catalog, which is absolute.
func CatalogURI(uri string) (URI, error) {
	u, err := ParseURI(uri)
	if err == nil && u.Relative {
		err = &URIError{Line: hidden(uri), Reason: "a catalog needs an absolute URI"}
	}
	return u, err
}

// HarvestClaim is the right to harvest a catalog. It is held until the harvest ends
// or is given back; all that is done with it later gives [ErrLost].
type HarvestClaim struct {
	Catalog Catalog // as it was when it was claimed
	Fence   uint64  // the number of the harvest
	Worker  string
	Since   time.Time
	Try     int // since the last success, from 1
	Crashes int // harvests that ended with the process: above 0, be careful

	// Number is the store's own of the catalog. It means nothing to others.
	Number uint64
}

// HarvestEnd is what a harvest came to.
type HarvestEnd struct {
	HarvestFindings
	// Refusals is JSON of what was refused, the first of it; at most 64 kB are kept.
	Refusals []byte
	// Retry is when it is tried again, after an error; the zero time: it rests until its
	// interval has passed.
	Retry time.Time
	// Sooner ends the rest before the interval has passed, if that is longer; 0: it does not.
	Sooner time.Duration
	// Empty says that nothing at all was named, not even something that is refused.
	Empty   bool
	Attempt Attempt

	doubted bool // see [Catalog.Judge]
}

// ClaimedBy is the claim that names the catalog, by its hash, which makes the others.
const ClaimedBy = "catalog"

// Encode writes the stored form of a catalog.
func (c *Catalog) Encode() ([]byte, error) {
	stored := plainCatalog(*c)
	if stored.Error != nil {
		e := *stored.Error
		e.Message = cut(e.Message, 4<<10)
		stored.Error = &e
	}
	return EncodeJSON(stored)
}

// DecodeCatalog reads what [Catalog.Encode] wrote.
func DecodeCatalog(data []byte) (Catalog, error) {
	var plain plainCatalog
	err := json.Unmarshal(data, &plain)
	return Catalog(plain), err
}

// Attempt completes the log's entry of a harvest: that of a claim of the stage
// "harvesting". Its seed is the key of the catalog and its fence the number of the harvest.
func (c *HarvestClaim) Attempt(a Attempt, result string, now time.Time) ([]byte, error) {
	claim := Claim{Seed: Seed{Hash: c.Catalog.Hash}, Stage: "harvesting", Fence: c.Fence, Worker: c.Worker, Since: c.Since, Try: c.Try}
	return a.Encode(&claim, c.Catalog.URI, result, now)
}

// EndAttempt completes the log's entry of a harvest that ended. One that is not believed is no success.
func (c *HarvestClaim) EndAttempt(end *HarvestEnd, now time.Time) ([]byte, error) {
	a := end.Attempt
	if e := end.Error; e != nil && a.Kind == "" {
		a.Result, a.Kind, a.Traceback = string(e.Code), e.Kind.String(), e.Message
	}
	return c.Attempt(a, "success", now)
}

// Set gives the catalog other settings. What it was before is no measure for what it is now said to be.
func (c *Catalog) Set(settings CatalogSettings) {
	if settings.Kind != "" && settings.Kind != c.Kind {
		c.Found, c.Sound.Kind = "", ""
	}
	c.CatalogSettings = settings
	if c.Status == CatalogResting || c.Status == CatalogFailed {
		c.Due = DueAfter(c.Harvested, &c.Interval)
	}
}

// AskNow has the catalog harvested as soon as may be; with accept that harvest is believed. One that
// is being harvested goes on.
func (c *Catalog) AskNow(accept bool, now time.Time) {
	c.Accept = c.Accept || accept
	if c.Status != CatalogHarvesting {
		c.Status, c.Due, c.Tries, c.Crashes = CatalogWaiting, now.UTC(), 0, 0
	}
}

// EndedBy is the catalog after a harvest that ended at a time, and what was judged of it.
func (c Catalog) EndedBy(end *HarvestEnd, v HarvestVerdict, now time.Time) Catalog {
	c.HarvestFindings = end.HarvestFindings
	c.Sound, c.Doubt, c.Accept = v.Sound, v.Doubt, false
	c.Worker, c.Crashes, c.Harvested = "", 0, now.UTC()
	c.Tries++
	switch {
	case !end.Retry.IsZero():
		c.Status, c.Due = CatalogWaiting, end.Retry.UTC()
		return c
	case end.Error != nil:
		c.Status, c.Due = CatalogFailed, DueAfter(now, &c.Interval)
	default:
		c.Status, c.Due = CatalogResting, DueAfter(now, &c.Interval)
	}
	if end.Error == nil || end.doubted { // it came
		c.Tries = 0
	}
	if soon := now.Add(end.Sooner).UTC(); end.Sooner > 0 && soon.Before(c.Due) {
		c.Due = soon
	}
	return c
}
