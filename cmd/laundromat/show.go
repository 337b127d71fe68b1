package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"laundromat/internal/report"
	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/client"
)

func (p *program) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show HASH|URI",
		Short: "One record with its attempts",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return p.withSeed(c.Context(), args[0], func(api *client.Client, seed seedlist.Seed) error {
				attempts, err := api.Attempts(c.Context(), seed.Hash)
				if err != nil {
					return err
				}
				return p.show(seed, attempts)
			})
		},
	}
}

// withSeed finds the seed that ref names.
func (p *program) withSeed(ctx context.Context, ref string, do func(*client.Client, seedlist.Seed) error) error {
	if _, err := client.HashOf(ref); err != nil {
		return err
	}
	api, err := p.connect(ctx, toRead)
	if err != nil {
		return err
	}
	defer api.Close()
	hash, err := api.HashOf(ctx, ref)
	if err != nil {
		return err
	}
	var seed seedlist.Seed
	if err := api.Get(ctx, "/seeds/"+hash, nil, &seed); err != nil {
		return err
	}
	return do(api, seed)
}

// show writes the record as JSON, with the attempts as one more key: people read
// it indented, programs as one line.
func (p *program) show(seed seedlist.Seed, attempts []seedlist.Attempt) error {
	text, err := json.Marshal(seed)
	if err != nil {
		return err
	}
	log, err := json.Marshal(attempts)
	if err != nil {
		return err
	}
	if attempts == nil {
		log = []byte("[]")
	}
	whole := json.RawMessage(fmt.Sprintf(`%s,"attempts":%s}`, strings.TrimSuffix(string(text), "}"), log))
	encoder := json.NewEncoder(p.out)
	encoder.SetEscapeHTML(false)
	if !p.json {
		encoder.SetIndent("", "  ")
	}
	return encoder.Encode(whole)
}

func (p *program) whyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "why HASH|URI",
		Short: "The story of one seed on one screen",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return p.withSeed(c.Context(), args[0], func(api *client.Client, seed seedlist.Seed) error {
				attempts, err := api.Attempts(c.Context(), seed.Hash)
				if err != nil {
					return err
				}
				var samples []web.NoticeLine
				if len(seed.Notices) > 0 {
					if samples, err = api.Samples(c.Context(), seed.Hash, 3); err != nil {
						return err
					}
				}
				if p.json {
					return encodeTo(p.out, struct {
						Seed     seedlist.Seed      `json:"seed"`
						Attempts []seedlist.Attempt `json:"attempts"`
						Samples  []web.NoticeLine   `json:"samples"`
					}{seed, attempts, samples})
				}
				tellStory(p.out, seed, attempts, samples)
				return nil
			})
		},
	}
}

// tellStory writes what happened to a seed, in the order in which it happened.
func tellStory(w io.Writer, seed seedlist.Seed, attempts []seedlist.Attempt, samples []web.NoticeLine) {
	line := func(label, format string, args ...any) {
		fmt.Fprintf(w, "%-11s %s\n", label, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(w, "%s\n", nameOf(seed))
	line("key", "%s", seed.Hash)
	line("state", "%s", standing(seed))
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
	for name, value := range sortedBy(seed.Claims, func(string) int64 { return 0 }) {
		if name != seedlist.ClaimedBy {
			line("claimed", "%s: %s", name, seedlist.ShownIn(value))
		}
	}
	tellTransport(line, seed)
	tellDocument(line, seed)
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
	for code, n := range sorted(seed.Notices) {
		line("notices", "%d × %s", n, code)
	}
	if len(seed.History) > 1 || len(seed.History) == 1 && seed.History[0].Unchanged > 0 {
		for _, v := range seed.Versions() {
			tellVersion(line, &v, seed.Clean)
		}
	}
	for _, a := range attempts {
		line("attempt", "%s, %s, %.3f s, by %s", a.ID, a.ParserVersion, a.ParserRuntime, a.Worker)
		for _, e := range a.HTTP {
			line("", "%s", toldExchange(e))
		}
	}
	if seed.Error != nil {
		line("error", "%s: %s (%s)", seed.Error.Stage, seed.Error.Message, seed.Error.Code)
		line("", "laundromat explain %s tells what that means", seed.Error.Code)
	}
}

// tellVersion writes what came, what it was washed to, and what that changed.
func tellVersion(line func(string, string, ...any), v *seedlist.Version, current string) {
	until := ""
	if !v.Seen.IsZero() {
		until = " to " + v.Seen.Format(time.RFC3339)
	}
	line("version", "%d, %s%s: MD5 %s, %d bytes, found unchanged %d times", v.Number, v.Retrieved.Format(time.RFC3339), until, v.MD5, v.NumberOfBytes, v.Unchanged)
	if v.Clean == "" || v.Written == nil {
		return
	}
	text := ", not kept"
	if v.Kept || v.Clean == current {
		text = ""
	}
	line("", "  clean %s%s, %d statements", v.Clean, text, *v.Written)
	if v.Changes != nil {
		line("", "  %s", toldChanges(v.Changes))
	}
}

func toldChanges(c *seedlist.Changes) string {
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

// toldExchange is an exchange of an attempt that asked for less than the whole.
func toldExchange(e seedlist.Exchange) string {
	text := e.URI + ": "
	if e.Status > 0 {
		text += fmt.Sprint(e.Status)
	}
	if e.Error != "" {
		text += " " + e.Error
	}
	for name, value := range sortedBy(e.Conditions, func(string) int64 { return 0 }) {
		text += fmt.Sprintf(", %s: %s", name, value)
	}
	return text
}

func standing(seed seedlist.Seed) string {
	text := string(seed.Status)
	switch {
	case seed.Relative:
		text += ", a relative URI: kept to be counted, never fetched"
	case seed.Document != "" && seed.Outcome == "":
		text += fmt.Sprintf(", a name in the document %s, which is no seed any more", seed.Document)
	case seed.Document != "":
		text += fmt.Sprintf(", a name in the document %s, which is %s", seed.Document, seed.Outcome)
	case seed.Status.IsReady() && seed.Tries > 0:
		text += fmt.Sprintf(", tried %d times, again at %s", seed.Tries, seed.Due.Format("2006-01-02 15:04:05 MST"))
	case seed.Progress != nil:
		text += fmt.Sprintf(", %d bytes so far %s", seed.Progress.Bytes, seed.Progress.Message)
	}
	if seed.Gone != nil && *seed.Gone {
		text += ", no longer where it was found"
	}
	return text
}

func tellTransport(line func(string, string, ...any), seed seedlist.Seed) {
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

func tellEvidence(line func(string, string, ...any), all []seedlist.Evidence) {
	for _, evidence := range all {
		if evidence.Confidence != nil {
			line("", "%s says %s (%.2f)", evidence.From, evidence.Value, *evidence.Confidence)
		} else {
			line("", "%s says %s", evidence.From, evidence.Value)
		}
	}
}

func tellDocument(line func(string, string, ...any), seed seedlist.Seed) {
	if e := seed.Encoding; e != nil {
		text := e.Chosen
		if text == "" {
			text = e.Presumed + " (presumed)"
		} else if e.Presumed != e.Chosen {
			text += ", though " + e.Presumed + " was presumed"
		}
		line("encoding", "%s", text)
		tellEvidence(line, e.Evidence)
	}
	if seed.Format != "" {
		line("format", "%s", seed.Format)
	}
	tellEvidence(line, seed.FormatEvidence)
	if s := seed.Statements; s != nil {
		line("statements", "%d read = %d kept + %d repaired + %d dropped; %d duplicates; %d written", s.Read, s.Kept, s.Repaired, s.Dropped, s.Duplicates, s.Written)
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
	if seed.Clean != "" {
		line("clean", "%s", seed.Clean)
	}
}
