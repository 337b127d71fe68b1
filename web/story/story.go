// Package story describes in text, for people, what is known of a seed.
package story

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/web"
)

// StateOf is the state of a seed, or that of the document which it names a thing in.
func StateOf(seed seedlist.Seed) seedlist.State {
	if seed.Outcome != "" {
		return seed.Outcome
	}
	return seed.Status
}

// StateWords is where a seed stands, in plain words for tables.
func StateWords(seed seedlist.Seed) string {
	switch {
	case seed.Relative:
		return "never fetched"
	case seed.Document != "" && seed.Outcome == "":
		return "named in a document that is gone"
	}
	return StateOf(seed).Words()
}

// NameOf is how people know a seed: its URI, or what it is a part of.
func NameOf(seed seedlist.Seed) string {
	switch {
	case seed.URI != "":
		return seedlist.Shown(seed.URI) // also where it comes straight from the store
	case seed.Archive != nil && seed.Parent != "":
		return seed.Parent + "!/" + seed.Archive.Entry
	case seed.Dirty != "":
		return "clean of " + seed.Dirty
	default:
		return seed.Hash
	}
}

// writeLine writes a line of the story, after a label.
type writeLine func(label, format string, args ...any)

// Write writes what happened to a seed, in the order in which it happened. Samples are notices of
// its document.
func Write(w io.Writer, seed seedlist.Seed, attempts []seedlist.Attempt, samples []web.NoticeLine) {
	line := func(label, format string, args ...any) {
		fmt.Fprintf(w, "%-11s %s\n", label, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(w, "%s\n", NameOf(seed))
	line("key", "%s", seed.Hash)
	line("state", "%s", stateText(seed))
	if seed.Source != "" {
		line("source", "%s", seed.Source)
	}
	for _, l := range seed.Catalogs {
		text := fmt.Sprintf("%s, in its harvest %d", l.Catalog, l.Harvest)
		if l.Gone {
			text += "; not since"
		}
		line("catalog", "%s", text)
	}
	for _, name := range slices.Sorted(maps.Keys(seed.Claims)) {
		if name != seedlist.ClaimedBy {
			line("claimed", "%s: %s", name, seedlist.ShownIn(seed.Claims[name]))
		}
	}
	writeTransport(line, seed)
	writeDocument(line, seed)
	for _, sample := range samples {
		place := ""
		if sample.Line > 0 {
			place = fmt.Sprintf("line %d, column %d: ", sample.Line, sample.Column)
		}
		line("  "+sample.Severity.String(), "%s%s: %s", place, sample.Code, sample.Message)
		if sample.Excerpt != "" {
			line("", "  %s", sample.Excerpt)
		}
	}
	for _, code := range byCount(seed.Notices) {
		line("notices", "%d × %s", seed.Notices[code], code)
	}
	if len(seed.History) > 1 || len(seed.History) == 1 && seed.History[0].Unchanged > 0 {
		for _, v := range seed.Versions() {
			writeVersion(line, &v, seed.ServedClean())
		}
	}
	for _, a := range attempts {
		line("attempt", "%s – %s – %s, %s, %.3f s, by %s", a.AccessDatetime.Format(time.RFC3339), a.ParserName, a.Result,
			a.ParserVersion, a.ParserRuntime, a.Worker)
		for _, e := range a.HTTP {
			line("", "%s", exchangeText(e))
		}
	}
	if removal := seed.Removed.Dirty; removal != nil {
		line("bytes", "%s", removal)
	}
	if removal := seed.Removed.Notices; removal != nil {
		line("notices", "the list was %s", removal)
	}
	if seed.Error != nil {
		line("error", "%s: %s (%s)", seed.Error.Stage, seed.Error.Message, seed.Error.Code)
		line("", "laundromat explain %s says what that means", seed.Error.Code)
	}
}

// writeVersion writes what came, what it was washed to, and what that changed.
func writeVersion(line writeLine, v *seedlist.Version, current string) {
	until := ""
	if !v.Seen.IsZero() {
		until = " to " + v.Seen.Format(time.RFC3339)
	}
	line("version", "%d, %s%s: MD5 %s, %d bytes, found unchanged %d times", v.Number, v.Retrieved.Format(time.RFC3339), until, v.MD5,
		v.NumberOfBytes, v.Unchanged)
	if v.Clean == "" || v.Written == nil {
		return
	}
	text := ", not kept"
	if v.Kept || v.Clean == current {
		text = ""
	}
	line("", "  clean %s%s, %d statements", v.Clean, text, *v.Written)
	if v.Changes != nil {
		line("", "  %s", changesText(v.Changes))
	}
}

func changesText(c *seedlist.Changes) string {
	if c.Error != "" {
		return "what changed is not known: " + c.Error
	}
	text := fmt.Sprintf("%d statements added, %d removed", c.Added.Count, c.Removed.Count)
	if c.Renamed.Count > 0 {
		text += fmt.Sprintf("; %d blank nodes are the same under other names", c.Renamed.Count)
	}
	if c.UnmatchedBefore+c.UnmatchedAfter > 0 {
		text += fmt.Sprintf("; %d before and %d after could not be matched", c.UnmatchedBefore, c.UnmatchedAfter)
	}
	if c.ByName {
		text += "; blank nodes were compared by name, for want of memory"
	}
	return text
}

// exchangeText is an exchange of an attempt that asked for less than the whole.
func exchangeText(e seedlist.Exchange) string {
	text := e.URI + ": "
	if e.Status > 0 {
		text += fmt.Sprint(e.Status)
	}
	if e.Error != "" {
		text += " " + e.Error
	}
	for _, name := range slices.Sorted(maps.Keys(e.Conditions)) {
		text += fmt.Sprintf(", %s: %s", name, e.Conditions[name])
	}
	return text
}

func stateText(seed seedlist.Seed) string {
	text := seed.Status.Words()
	switch {
	case seed.Relative:
		text += ", a relative URI: kept to be counted, never fetched"
	case seed.Document != "" && seed.Outcome == "":
		text += fmt.Sprintf(", a name in the document %s, which isn't a seed any more", seed.Document)
	case seed.Document != "":
		text += fmt.Sprintf(", a name in the document %s, which is %s", seed.Document, seed.Outcome.Words())
	case seed.Status.IsReady() && seed.Tries > 0:
		text += fmt.Sprintf(", tried %d times, again at %s", seed.Tries, seed.Due.Format("2006-01-02 15:04:05 MST"))
	case seed.Progress != nil:
		text += fmt.Sprintf(", %d bytes so far %s", seed.Progress.Bytes, seed.Progress.Message)
	}
	if seed.Marked != nil {
		text += ", " + markTexts[seed.Marked.Asked]
		if seed.Marked.Entries {
			text += ", with all its entries if it is an archive"
		}
	}
	if seed.Gone != nil && *seed.Gone {
		text += ", no longer where it was found"
	}
	return text
}

// markTexts say what was asked of a seed.
var markTexts = map[seedlist.Wish]string{
	seedlist.Force:  "to be fetched whatever the server says",
	seedlist.Rewash: "to be washed again from the stored bytes",
	seedlist.Repair: "to be made again, since files were damaged or missing",
}

func writeTransport(line writeLine, seed seedlist.Seed) {
	for i, exchange := range seed.HTTP {
		label := "fetched"
		switch {
		case i > 0 && seed.HTTP[i-1].Status/100 == 3:
			label = "redirected"
		case i > 0:
			label = "then" // the rest of a body, or a mirror
		}
		if exchange.Status == 0 && exchange.Error == "" {
			line(label, "%s (%.3f s)", exchange.URI, exchange.Walltime)
			continue
		}
		if exchange.Status == 0 {
			line(label, "%s: %s (%.3f s)", exchange.URI, exchange.Error, exchange.Walltime)
			continue
		}
		kind := strings.Join(exchange.Headers["content-type"], ", ")
		line(label, "%s: %d %s (%.3f s)", exchange.URI, exchange.Status, kind, exchange.Walltime)
	}
	if seed.Mirror != "" {
		line("mirror", "%s gave it", seedlist.Shown(seed.Mirror))
	}
	if seed.Content != nil {
		line("bytes", "%d, MD5 %s", seed.Content.NumberOfBytes, seed.Content.MD5)
	}
	if a := seed.Archive; a != nil {
		if a.Entry != "" {
			line("entry", "%q of %s", a.Entry, seed.Parent)
		}
		layers := slices.Clone(a.Filters)
		if a.Format != "" {
			layers = append(layers, a.Format)
		}
		if len(layers) > 0 {
			line("layers", "%s", strings.Join(layers, ", "))
		}
	}
	if seed.ChildrenTotal != nil {
		line("children", "%d", *seed.ChildrenTotal)
		for i, child := range seed.Children {
			if i == 10 {
				line("", "…")
				break
			}
			line("", "%s", child)
		}
	}
}

func writeEvidence(line writeLine, all []seedlist.Evidence) {
	for _, evidence := range all {
		if evidence.Confidence != nil {
			line("", "%s says %s (%.2f)", evidence.From, evidence.Value, *evidence.Confidence)
		} else {
			line("", "%s says %s", evidence.From, evidence.Value)
		}
	}
}

func writeDocument(line writeLine, seed seedlist.Seed) {
	if e := seed.Encoding; e != nil {
		text := e.Chosen
		if text == "" {
			text = e.Presumed + " (presumed)"
		} else if e.Presumed != e.Chosen {
			text += ", though " + e.Presumed + " was presumed"
		}
		line("encoding", "%s", text)
		writeEvidence(line, e.Evidence)
	}
	if seed.Format != "" {
		line("format", "%s", seed.Format)
	}
	writeEvidence(line, seed.FormatEvidence)
	if s := seed.Statements; s != nil {
		line("statements", "%d read = %d kept + %d repaired + %d dropped; %d duplicates; %d written", s.Read, s.Kept, s.Repaired, s.Dropped,
			s.Duplicates, s.Written)
	}
	if len(seed.Sources) > 0 {
		line("sources", "%s", report.Sources(seed.Sources))
	}
	if len(seed.WashedWith) > 0 {
		line("washed with", "%s", strings.Join(seed.WashedWith, " "))
	}
	if seed.WashedFrom != "" {
		line("washed", "with %s, which has the same bytes", seed.WashedFrom)
	}
	if clean := seed.ServedClean(); clean != "" {
		line("clean", "%s", clean)
	}
	if behind := seed.Behind(); behind != "" {
		line("served", "%s", behind)
	}
}

// byCount are the codes of notices, the most frequent first.
func byCount(notices map[fault.Code]int64) []fault.Code {
	return slices.SortedFunc(maps.Keys(notices), func(a, b fault.Code) int {
		return cmp.Or(cmp.Compare(notices[b], notices[a]), cmp.Compare(a, b))
	})
}
