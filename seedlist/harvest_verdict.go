package seedlist

import (
	"fmt"
	"time"

	"laundromat/internal/fault"
)

// SoundHarvest is what the last harvest that was believed found. Later ones are held against it.
type SoundHarvest struct {
	Kind  string `json:"kind,omitempty"`
	Named int64  `json:"named,omitempty"` // seeds, where it was complete
}

// HarvestDoubt is a row of harvests that marked nothing, because each of them named too little.
type HarvestDoubt struct {
	Times   int       `json:"times"`   // how many of them count: each a day after the one before
	Since   uint64    `json:"since"`   // the number of the first
	Counted time.Time `json:"counted"` // when the last that counts ended
}

// Bounds of what is believed at once.
const (
	// doubtedFrom is how many seeds a catalog has to have named for half of them to say something. Of
	// fewer, the owner may well have taken some away.
	doubtedFrom = 10
	// believedAt is the harvest of a row that is believed: a fault of a server seldom lasts two days.
	believedAt = 3
	doubtDay   = 24 * time.Hour
)

// HarvestVerdict is what follows from the end of a harvest for what the catalog named before.
type HarvestVerdict struct {
	// Unnamed: seeds that no harvest from this number on has named have vanished. 0: none has.
	Unnamed uint64
	Sound   SoundHarvest
	Doubt   HarvestDoubt
}

// Judge decides what a harvest that ended marks as vanished; named is how many seeds of the catalog
// it named. What is doubtful marks nothing, and end gets an error that says so.
//
// A catalog that names far less than before has seldom lost its data. A server sends a page for
// people with status 200, or the first part of a list. So what a catalog of another kind says is
// never believed. What names under half of what it named, or nothing, is believed as the third in a
// row, or when a person accepts it.
func (c *Catalog) Judge(end *HarvestEnd, named int64, now time.Time) HarvestVerdict {
	v := HarvestVerdict{Sound: c.Sound}
	if end.Error != nil {
		return v
	}
	before := c.named()
	shrunk := end.Complete && before >= doubtedFrom && 2*named < before
	switch was := c.soundKind(); {
	case isAnotherKind(was, end.Found):
		end.doubt(fault.CatalogOther, "the catalog was %s, and %s came in its place: nothing is marked as vanished (--kind says what it "+
			"is, if that is meant)", was, end.Found)
		return v
	case end.Empty && !c.Accept:
		end.doubt(fault.CatalogEmpty, "the catalog names nothing at all")
	case shrunk && !c.Accept:
		end.doubt(fault.CatalogShrunk, "the catalog named %d, and now names %d: nothing is marked as vanished (\"catalog harvest "+
			"--accept\" believes it)", before, named)
	}
	if !end.Complete {
		if v.Sound.Kind == "" && end.Error == nil {
			v.Sound.Kind = end.Found
		}
		return v
	}
	v.Unnamed = c.Fence
	if end.Error != nil {
		v.Doubt = c.Doubt.oneMore(c.Fence, now)
		if v.Doubt.Times < believedAt {
			v.Unnamed = 0
			return v
		}
		v.Unnamed, v.Doubt = v.Doubt.Since, HarvestDoubt{}
		if !end.Empty {
			end.Error, end.Sooner = nil, 0
		}
	}
	v.Sound = SoundHarvest{Kind: end.Found, Named: named}
	return v
}

// named is how many seeds the catalog named when it was last believed. A list of an older version
// knows only what it has of it.
func (c *Catalog) named() int64 {
	if c.Sound.Named > 0 {
		return c.Sound.Named
	}
	return c.Listed
}

func (c *Catalog) soundKind() string {
	if c.Sound.Kind == "" && c.Error == nil {
		return c.Found
	}
	return c.Sound.Kind
}

// kindsInOne are kinds that one catalog may be called by turns: they are read in the same way.
var kindsInOne = map[string]string{"void": "dcat", "table": "list"}

func isAnotherKind(was, is string) bool {
	one := func(kind string) string {
		if other, ok := kindsInOne[kind]; ok {
			return other
		}
		return kind
	}
	if was == "html" && is == "listing" { // known by its links, which no page for people has
		return false
	}
	return was != "" && is != "" && one(was) != one(is)
}

// oneMore is the row with one harvest more. Less than a day after the last that counts, it says no
// more than that one.
func (d HarvestDoubt) oneMore(fence uint64, now time.Time) HarvestDoubt {
	switch {
	case d.Times == 0:
		return HarvestDoubt{Times: 1, Since: fence, Counted: now.UTC()}
	case now.Sub(d.Counted) >= doubtDay:
		d.Times, d.Counted = d.Times+1, now.UTC()
	}
	return d
}

// doubt makes the harvest one that is not believed. It is asked for again in a day.
func (e *HarvestEnd) doubt(code fault.Code, format string, args ...any) {
	e.Error = &Error{Stage: "harvesting", Kind: fault.Data, Code: code, Message: fmt.Sprintf(format, args...)}
	e.Sooner, e.doubted = doubtDay, true
}
