package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/web"
)

// washSample has documents washed beside, and says what would change.
func washSample(u *ui, c *cobra.Command, a *action, args []string, sample int) error {
	switch {
	case !a.dryRun:
		return usage("--sample goes with --dry-run: a sample is washed beside, and nothing is changed")
	case len(args) > 0:
		return usage("--sample takes its documents by filters, such as --washer VERSION: leave the names out")
	case a.limit > 0:
		return usage("--sample and --limit contradict each other: --sample says how many documents are washed")
	case sample < 1 || sample > 10_000:
		return usage("--sample is from 1 to 10000, not %d", sample)
	}
	api, _, err := connectFiltered(c.Context(), u, toRead, &a.listFlags)
	if err != nil {
		return err
	}
	defer api.Close()
	lines, err := api.OpenPosted(c.Context(), "/seeds/rewash/sample", web.SampleRequest{Filter: a.SeedFilter, Sample: sample})
	if err != nil {
		return err
	}
	defer lines.Close()
	for decoder := json.NewDecoder(lines); ; {
		var b web.Beside
		if err := decoder.Decode(&b); errors.Is(err, io.EOF) {
			return errors.New("the daemon ended before the sample was washed")
		} else if err != nil {
			return err
		}
		if u.json {
			if err := encodeTo(u.out, b); err != nil {
				return err
			}
		}
		if b.Sums == nil {
			if !u.json && (b.Changes() || b.Unknown != "") {
				if _, err := fmt.Fprintf(u.out, "%s\t%s\t%s\n", b.Hash, b.URI, besideInWords(&b)); err != nil {
					return err
				}
			}
			continue
		}
		if b.Sums.Error != "" {
			return errors.New(b.Sums.Error)
		}
		return showSample(u, b.Sums)
	}
}

// besideInWords says what the wash of a document would change.
func besideInWords(b *web.Beside) string {
	if b.Unknown != "" {
		return "could not be washed: " + b.Unknown
	}
	var said []string
	switch {
	case b.Failed != "" && b.FailedBefore == "":
		said = append(said, "would fail: "+b.Failed)
	case b.Failed != b.FailedBefore && b.Failed != "":
		said = append(said, "would fail: "+b.Failed+", not "+b.FailedBefore)
	case b.FailedBefore != "" && b.Failed == "":
		said = append(said, "would not fail any more: "+b.FailedBefore)
	}
	if b.Added+b.Removed > 0 {
		said = append(said, fmt.Sprintf("statements +%d -%d", b.Added, b.Removed))
	} else if b.To != "" && b.From != "" && b.From != b.To {
		said = append(said, "other names of blank nodes")
	}
	return strings.Join(append(said, codesInWords(b.Codes)...), "; ")
}

func codesInWords(codes map[fault.Code]web.CodeChange) (all []string) {
	for _, code := range slices.Sorted(maps.Keys(codes)) {
		all = append(all, fmt.Sprintf("%s %d -> %d", code, codes[code].Before, codes[code].After))
	}
	return all
}

// showSample says what a sample came to.
func showSample(u *ui, s *web.SampleSums) error {
	if u.quiet || u.json {
		return nil
	}
	fmt.Fprintf(u.err, "dry run, nothing is changed: %d of %d documents were washed beside: %d would stay as they are, %d would change",
		s.Washed, s.Documents, s.Washed-s.Changed, s.Changed)
	if s.Fail > 0 {
		fmt.Fprintf(u.err, ", %d of them would fail", s.Fail)
	}
	fmt.Fprintf(u.err, "; statements +%d -%d\n", s.Added, s.Removed)
	for _, text := range codesInWords(s.Codes) {
		fmt.Fprintf(u.err, "  %s\n", text)
	}
	if s.Unknown > 0 {
		return exit(exitFailed, fmt.Errorf("could not be washed: %s", counted(int(s.Unknown), "document", "documents")))
	}
	return nil
}
