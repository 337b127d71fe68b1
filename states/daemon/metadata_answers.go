package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/records/csvw"
	"laundromat/seedlist"
)

const (
	// metadataAge is how old metadata of a table may be that is used when the table is washed.
	metadataAge = time.Hour
	// noMetadataAge is how old the answer may be that there is none, and what a site said.
	noMetadataAge = 24 * time.Hour
	// probedTables are so many tables of a host whose usual places are looked into before it is known whether there is
	// metadata on it.
	probedTables = 5
	// probeTime is how long others wait for the outcome of such a look.
	probeTime = 10 * time.Minute
)

// isOld says that an answer about metadata is to be asked for again.
func isOld(known *seedlist.Context, now time.Time) bool {
	if !known.IsAnswered() {
		return false // it is asked for already
	}
	age := metadataAge
	if known.SHA256 == "" || strings.HasSuffix(known.IRI, csvw.SitePath) {
		age = noMetadataAge
	}
	return now.Sub(known.Metadata.Answered) > age
}

// wantMetadata is what is known of a document that may describe a table. One that nobody has named is to be fetched
// from then on, and one of which the answer is old is asked for again.
func (c *contexts) wantMetadata(ctx context.Context, iri string) (is seedlist.Context, err error) {
	if is, err = c.seeds.Context(ctx, iri); err == nil && !isOld(&is, time.Now()) {
		return is, nil
	}
	err = c.seeds.EditContext(ctx, iri, func(known *seedlist.Context) bool {
		now := time.Now().UTC()
		isAsked := true
		switch {
		case known.Wanted.IsZero():
			known.Metadata = &seedlist.TableMetadata{}
		case isOld(known, now):
			known.Metadata = &seedlist.TableMetadata{Answered: known.Metadata.Answered, IsAsked: true}
		default:
			isAsked = false
		}
		if isAsked {
			known.Wanted, known.Due = now, now
		}
		is = *known
		return isAsked
	})
	c.wake()
	return is, err
}

// endMetadata changes what is known of a document that may describe tables by how a try ended. Where the other side
// had trouble, what was had before stays, and it is asked for again.
func endMetadata(known *seedlist.Context, end contextEnd, now time.Time) {
	m := *known.Metadata
	known.Metadata = &m
	answered := func(hash string, text format.ContextDocument) {
		isOther := known.SHA256 != hash && (known.SHA256 != "" || known.Failures > 0)
		known.Washing = known.Washing || isOther // what was washed with another text, or without one
		known.Text, known.SHA256, known.From = text.Text, hash, text.IRI
		known.Due, known.Tries, known.Failures, known.Error = time.Time{}, 0, 0, nil
		m.Answered, m.IsAsked = now.UTC(), false
	}
	switch {
	case end.verdict == succeeded:
		sum := sha256.Sum256(end.document.Text)
		answered(hex.EncodeToString(sum[:]), end.document)
		known.Retrieved = now.UTC()
	case end.verdict != givenBack && slices.Contains([]fault.Kind{fault.Refused, fault.Data, fault.Limit}, fault.KindOf(end.err)):
		answered("", format.ContextDocument{})
		known.Retrieved, known.Error = time.Time{}, contextError(end.err)
	default:
		if putOffContext(known, end, now, againRemote<<10) {
			m.IsAsked = false
		}
	}
}

// contextError is an error as what is known of a context has it.
func contextError(err error) *seedlist.Error {
	return &seedlist.Error{Stage: seedlist.Downloading, Kind: fault.KindOf(err), Code: codeOf(err), Message: seedlist.ShownIn(err.Error())}
}

// mayLook says whether the usual places are looked into for the metadata of a table, by what is known of its site. It
// changes that where the table is one of the first. isComing says that the outcome of others is waited for.
func mayLook(site *seedlist.Context, table string, now time.Time) (may, isComing, isChanged bool) {
	if site.Metadata == nil || site.SHA256 != "" || site.Metadata.Describes {
		return true, false, false
	}
	if _, isBegun := site.Metadata.Probes[table]; isBegun {
		return true, false, false
	}
	if len(site.Metadata.Probes) < probedTables {
		m := *site.Metadata
		m.Probes = map[string]seedlist.TableProbe{table: {Began: now.UTC()}}
		for other, probe := range site.Metadata.Probes {
			m.Probes[other] = probe
		}
		site.Metadata = &m
		return true, false, true
	}
	for _, probe := range site.Metadata.Probes {
		if !probe.IsNone && now.Sub(probe.Began) < probeTime {
			return false, true, false
		}
	}
	return false, false, false
}

// endProbe notes what came of a look into the usual places for a table.
func endProbe(site *seedlist.Context, table string, isDescribed bool) (isChanged bool) {
	if site.Metadata == nil {
		return false
	}
	probe, isBegun := site.Metadata.Probes[table]
	if !isBegun || probe.IsNone || site.Metadata.Describes {
		return false
	}
	m := *site.Metadata
	m.Describes = isDescribed
	m.Probes = map[string]seedlist.TableProbe{}
	for other, of := range site.Metadata.Probes {
		if other == table {
			of.IsNone = !isDescribed
		}
		m.Probes[other] = of
	}
	site.Metadata = &m
	return true
}
