package main

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"laundromat/seedlist/search"
	"laundromat/storage"
	"laundromat/web"
)

// addSearch adds the flags about what is found by words.
func (o *serveOptions) addSearch(flags *pflag.FlagSet) {
	flags.IntVar(&o.run.Labels.Most, "search-labels", storage.DefaultLabels, "how many labels of a document are found by their words, "+
		"such as rdfs:label: the first")
	flags.StringSliceVar(&o.run.Labels.Properties, "search-property", nil, "IRI of a property whose literals are labels too")
}

// checkSearch checks them.
func (o *serveOptions) checkSearch() error {
	if n := o.run.Labels.Most; n < 0 || n > search.MostLabels {
		return usage("--search-labels is 0 to %d, not %d", search.MostLabels, n)
	}
	return nil
}

func findCommand(u *ui) *cobra.Command {
	limit := 20
	c := &cobra.Command{
		Use:   "find WORDS",
		Short: "Documents in whose titles, labels, classes, properties, columns or articles words are",
		Long: "Finds documents by words, which must all be in one text: a title or another claim of a catalog, a label of a thing,\n" +
			"a class or property that statements use, the title of an article, or the name of a column. Marks and capitals make\n" +
			"no difference. Words in quotation marks follow one another; begin* finds words that begin so (at least four letters).\n" +
			"Texts with few words come first.",
		Example: "  laundromat find rhine\n  laundromat find '\"city of bonn\"'\n  laundromat find foaf person --json",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, words []string) error {
			if limit < 1 || limit > search.MostHits {
				return usage("--limit is 1 to %d, not %d", search.MostHits, limit)
			}
			api, err := connect(c.Context(), u, toRead)
			if err != nil {
				return err
			}
			defer api.Close()
			var found web.Searched
			query := url.Values{"q": {strings.Join(words, " ")}, "limit": {strconv.Itoa(limit)}}
			if err := api.Get(c.Context(), "/search", query, &found); err != nil {
				return err
			}
			if u.json {
				return encodeTo(u.out, found)
			}
			return showFound(u, &found)
		},
	}
	c.Flags().IntVar(&limit, "limit", limit, "most texts that are shown, 1 to 100")
	return c
}

// showFound writes what was found, a line each.
func showFound(u *ui, found *web.Searched) error {
	for _, hit := range found.Hits {
		where := string(hit.Field)
		if hit.Line > 0 {
			where += ":" + strconv.FormatInt(hit.Line, 10)
		}
		if _, err := fmt.Fprintf(u.out, "%s  %-12s  %s  (%s)\n", hit.Hash[:8], where, oneLine(hit.Text), oneLine(hit.Name)); err != nil {
			return err
		}
	}
	more := ""
	if found.IsMore {
		more = "more than "
	}
	said := fmt.Sprintf("%s%s", more, counted(found.Count, "text", "texts"))
	if len(found.Hits) < found.Count || found.IsMore {
		said += fmt.Sprintf(", of which %d are shown", len(found.Hits))
	}
	if found.AsOf.Building {
		said += "; the index is being made, and does not hold all documents yet"
	}
	_, err := fmt.Fprintln(u.err, said)
	return err
}

// oneLine is a text without line ends, and short enough for a line.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > 80 {
		return string(runes[:79]) + "…"
	}
	return text
}
