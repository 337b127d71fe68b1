package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"laundromat/internal/commands"
	"laundromat/seedlist"
	"laundromat/states/recordtables"
	"laundromat/web"
	"laundromat/web/story"
)

func statsCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "stats",
		Short: "Counts by state, format, error and notice",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			counts, err := countsOf(c.Context(), u)
			if err != nil {
				return err
			}
			if u.json {
				return encodeTo(u.out, counts)
			}
			showPauses(u, counts.Paused)
			showHeld(u, counts.Held)
			if lost := counts.LogLost; lost != nil {
				fmt.Fprintf(u.err, "laundromat: lines of the daemon's log that were lost: %d, the last because of: %s\n", lost.Lines,
					lost.Why)
			}
			if err := story.WriteCounts(u.out, counts.Counts); err != nil {
				return err
			}
			return errors.Join(showRecipes(u, &counts), showRecordsInto(u, counts.RecordsInto), showWaits(u, counts.Waits),
				showWarnings(u, &counts),
				showCommands(u, counts.Commands))
		},
	}
}

// countsOf are those of the whole store.
func countsOf(ctx context.Context, u *ui) (counts web.Stats, err error) {
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return counts, err
	}
	defer api.Close()
	err = api.Get(ctx, "/stats", nil, &counts)
	return counts, err
}

// showPauses says what the daemon does not go on with, and why.
func showPauses(u *ui, pauses []web.Pause) {
	for _, pause := range pauses {
		fmt.Fprintf(u.err, "laundromat: %s is paused since %s: %s\n", pause.Part, pause.Since.Format(time.RFC3339), pause.Message)
	}
}

// showRecipes says how many documents recipes were found for.
func showRecipes(u *ui, counts *web.Stats) error {
	for _, name := range slices.Sorted(maps.Keys(counts.Recipes)) {
		n := int64(0)
		for _, of := range counts.Recipes[name] {
			n += of
		}
		older := ""
		if old := counts.OlderForms[name]; old > 0 {
			older = fmt.Sprintf(", %d by a form that is not in force any more", old)
		}
		led := ""
		if pages := counts.RecipePages[name]; pages > 0 {
			led = "; it led to " + counted(int(pages), "page", "pages")
		}
		if _, err := fmt.Fprintf(u.out, "recipe      %s: %s%s%s\n", name, counted(int(n), "document", "documents"), older, led); err != nil {
			return err
		}
		found := counts.RecipeFields[name]
		var fields []string
		for _, field := range slices.Sorted(maps.Keys(found)) {
			fields = append(fields, fmt.Sprintf("%s %d", seedlist.ShownIn(field), found[field]))
		}
		if len(fields) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(u.out, "fields      %s: %s\n", name, strings.Join(fields, ", ")); err != nil {
			return err
		}
	}
	return nil
}

// showRecordsInto says how far the database of records is.
func showRecordsInto(u *ui, is *recordtables.IntoStatus) (err error) {
	switch {
	case is == nil:
	case is.Error != "":
		_, err = fmt.Fprintf(u.out, "into        %s: %d changes behind since %s: %s\n", is.Database, is.Behind,
			is.Since.Format(time.RFC3339), is.Error)
	default:
		_, err = fmt.Fprintf(u.out, "into        %s: %d changes behind; since the start %d new records, %d changed, %d lost\n", is.Database,
			is.Behind, is.New, is.Changed, is.Lost)
	}
	if is != nil && is.Unreconciled > 0 {
		_, failed := fmt.Fprintf(u.out, "into        to be reconciled: %s\n", counted(is.Unreconciled, "table", "tables"))
		err = errors.Join(err, failed)
	}
	if is != nil && is.Failed > 0 {
		_, failed := fmt.Fprintf(u.out, "into        %d documents are not there, the last because of %s\n", is.Failed, is.FailedWhy)
		err = errors.Join(err, failed)
	}
	return err
}

// showWaits says what can't be worked on now, for which host, and until when.
func showWaits(u *ui, w seedlist.Waits) error {
	for _, text := range story.Waits(w) {
		if _, err := fmt.Fprintf(u.out, "waits       %s\n", text); err != nil {
			return err
		}
	}
	return nil
}

// showWarnings says what an operator should look at, and which documents other versions washed.
func showWarnings(u *ui, counts *web.Stats) (err error) {
	for _, text := range counts.Warnings {
		_, failed := fmt.Fprintf(u.out, "warning     %s\n", text)
		err = errors.Join(err, failed)
	}
	for _, washer := range counts.Washers {
		_, failed := fmt.Fprintf(u.out, "washers     %s\n", washer)
		err = errors.Join(err, failed)
	}
	return err
}

// showCommands says how the commands of --on do.
func showCommands(u *ui, all []commands.Status) (err error) {
	for _, c := range all {
		text := fmt.Sprintf("on %s: %s, %s", c.Event, counted(int(c.Happened), "event", "events"), counted(int(c.Runs), "run", "runs"))
		if c.Failures > 0 {
			text += fmt.Sprintf(", %d of them failed", c.Failures)
		}
		if c.LeftOut > 0 {
			text += fmt.Sprintf("; %d events were only counted", c.LeftOut)
		}
		if c.Running {
			text += "; it runs"
		}
		if last := c.Last; last != nil {
			text += fmt.Sprintf("; the last at %s: %s", last.Time.Format(time.RFC3339), last.Outcome)
			if last.Said != "" && last.Outcome != commands.Done {
				text += ": " + strings.Join(strings.Fields(seedlist.ShownIn(last.Said)), " ")
			}
		}
		_, failed := fmt.Fprintf(u.out, "commands    %s\n", text)
		err = errors.Join(err, failed)
	}
	return err
}
