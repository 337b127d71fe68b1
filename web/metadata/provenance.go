package metadata

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"laundromat/seedlist"
)

// ended is the second by which an attempt had ended. The log has its begin without the fraction of a second.
func ended(a *seedlist.Attempt) time.Time {
	return a.AccessDatetime.Add(time.Duration(a.ParserRuntime*float64(time.Second)) + time.Second).Truncate(time.Second)
}

// provenance adds how a dataset came to be: each claim of a stage as an activity, the bytes as they came, and the
// versions of which the record knows.
func (s Site) provenance(g *Graph, d *Dataset) {
	seed := &d.Seed
	id := s.ID(seed.Hash)
	if seed.Status == seedlist.Cleaned {
		for _, dirty := range append([]string{seed.Dirty}, seed.AlsoDirty...) {
			if dirty != "" {
				g.links(id, "prov:wasDerivedFrom", s.ID(dirty))
			}
		}
		return
	}
	activities := s.attempts(g, d, id)
	served := seed.Served()
	if c := served.Content; c != nil {
		dirty := id + "#dirty"
		g.is(dirty, "prov:Entity")
		g.saysInEnglish(dirty, "dct:title", "The bytes as they came")
		g.links(id, "prov:wasDerivedFrom", dirty)
		g.links(dirty, "prov:wasDerivedFrom", iriOf(seed.Place()))
		g.dates(dirty, "prov:generatedAtTime", served.Retrieved)
		if served.HasDirty() {
			g.links(dirty, "prov:atLocation", s.record(seed.Hash)+"/dirty")
		}
		checksum(g, dirty, c.SHA256)
		if served.Format != "" {
			g.says(dirty, "rdfs:comment", "Format: "+served.Format)
		}
		g.links(dirty, "prov:wasGeneratedBy", activities.lastBefore(seedlist.Downloading, served.Retrieved))
	}
	if clean := seed.ServedClean(); clean != "" {
		g.links(id, "prov:alternateOf", s.ID(clean))
		g.links(id, "prov:wasGeneratedBy", activities.lastBefore(seedlist.Parsing, served.Processed))
	}
	s.versions(g, seed, id)
}

// activity is an attempt that ended well.
type activity struct {
	iri   string
	stage string
	begun time.Time
}

type activities []activity

// lastBefore is the last attempt of a stage that began by a time, and ended well; "" if the log has none.
func (all activities) lastBefore(stage seedlist.State, at time.Time) (iri string) {
	for _, one := range all {
		if one.stage == string(stage) && !one.begun.After(at) {
			iri = one.iri
		}
	}
	return iri
}

// attempts adds the log, and returns those that ended well.
func (s Site) attempts(g *Graph, d *Dataset, id string) (well activities) {
	before := ""
	taken := map[string]bool{}
	for i := range d.Attempts {
		a := &d.Attempts[i]
		stage := stageOf(a)
		name := stage + "-" + strconv.FormatUint(a.Fence, 10)
		if taken[name] { // one claim may go on to the next stage, and come back
			name += "-" + strconv.Itoa(i+1)
		}
		taken[name] = true
		at := id + "#" + name
		g.is(at, "prov:Activity")
		g.saysInEnglish(at, "rdfs:label", stage+": "+seedlist.ShownIn(a.Result))
		g.dates(at, "prov:startedAtTime", a.AccessDatetime)
		g.dates(at, "prov:endedAtTime", ended(a))
		if a.ParserVersion != "" {
			washer := s.washer(a.ParserVersion)
			g.links(at, "prov:wasAssociatedWith", washer)
			g.is(washer, "prov:SoftwareAgent")
			g.says(washer, "rdfs:label", "Laundromat "+seedlist.ShownIn(a.ParserVersion))
		}
		if stage == string(seedlist.Downloading) {
			g.links(at, "prov:used", iriOf(a.SourceURL))
		}
		if before != "" {
			g.links(at, "prov:wasInformedBy", before)
		}
		before = at
		if a.Kind == "" {
			well = append(well, activity{at, stage, a.AccessDatetime})
		}
	}
	return well
}

// washer is the IRI of a version of the program. One that is no plain name, as a list of others may have it, is known
// by its sum.
func (s Site) washer(version string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-"
	if strings.Trim(version, plain) != "" {
		return partOf(s.Base+"/", "washer", version)
	}
	return s.Base + "/#washer-" + version
}

// stageOf is the stage of an attempt. A parser may write its own name behind it.
func stageOf(a *seedlist.Attempt) string {
	for _, state := range seedlist.States() {
		if state.IsWorking() && strings.HasPrefix(a.ParserName, string(state)) {
			return string(state)
		}
	}
	return "attempt"
}

// versions adds those of which the record knows.
func (s Site) versions(g *Graph, seed *seedlist.Seed, id string) {
	all := seed.Versions()
	for i := range all {
		v := &all[i]
		at := fmt.Sprintf("%s#version-%d", id, v.Number)
		g.links(id, "dcat:hasVersion", at)
		g.is(at, "prov:Entity")
		g.links(at, "prov:specializationOf", id)
		g.says(at, "dcat:version", strconv.FormatInt(v.Number, 10))
		g.dates(at, "dct:issued", v.Retrieved)
		g.dates(at, "prov:generatedAtTime", v.Washed)
		if v.Written != nil {
			g.saysInEnglish(at, "dct:description", fmt.Sprintf("%d bytes came, and %d statements were written.",
				v.NumberOfBytes, *v.Written))
		}
		if i > 0 {
			g.links(at, "prov:wasRevisionOf", fmt.Sprintf("%s#version-%d", id, all[i-1].Number))
		}
		if v.Clean != "" && (v.Kept || v.Clean == seed.ServedClean()) {
			g.links(at, "prov:alternateOf", s.ID(v.Clean))
		}
	}
}
