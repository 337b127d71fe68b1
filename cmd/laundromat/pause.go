package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"laundromat/internal/spelling"
	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/client"
)

func pauseCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "pause [STAGE|SOURCE…]",
		Short: "Let the daemon claim nothing more: of all, of a stage, or of a source",
		Long: "Pause holds work back until \"laundromat resume\", also after a restart, in all daemons of the list. What\n" +
			"is at work goes on; the API answers. STAGE is downloading, unarchiving, guessing, parsing or harvesting\n" +
			"(of catalogs). SOURCE is that of seeds, as show has it (catalog:URL, list:FILE), or the URL of a catalog,\n" +
			"which is not harvested then either. A host is paused by \"laundromat host pause\".",
		RunE: func(c *cobra.Command, args []string) error {
			return holdParts(c.Context(), u, args, true)
		},
	}
}

func resumeCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "resume [STAGE|SOURCE…]",
		Short: "Go on with what was paused: with all of it, or what is named",
		RunE: func(c *cobra.Command, args []string) error {
			return holdParts(c.Context(), u, args, false)
		},
	}
}

func drainCommand(u *ui) *cobra.Command {
	var isEnd bool
	c := &cobra.Command{
		Use:   "drain",
		Short: "Claim nothing more, and return when what is at work has ended",
		Long: "Drain pauses all work, as \"laundromat pause\" does, and returns when nothing is at work any more.\n" +
			"With --exit nothing is paused: the daemon of this folder finishes what is at work, however long that\n" +
			"takes, and ends with exit code 0. A signal ends it sooner, as ever.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := connect(c.Context(), u, toChange)
			if err != nil {
				return err
			}
			defer api.Close()
			if isEnd {
				return drainDaemon(c.Context(), u, api)
			}
			if err := hold(c.Context(), u, api, []string{seedlist.HoldAll}, true); err != nil {
				return err
			}
			return awaitRest(c.Context(), u, api)
		},
	}
	c.Flags().BoolVar(&isEnd, "exit", false, "let the daemon end then, and pause nothing")
	return c
}

// holdParts holds the parts of the work that arguments name, or lets them go on; without any, all of it.
func holdParts(ctx context.Context, u *ui, args []string, isHeld bool) error {
	api, err := connect(ctx, u, toChange)
	if err != nil {
		return err
	}
	defer api.Close()
	var held web.Held
	if err := api.Get(ctx, "/holds", nil, &held); err != nil {
		return err
	}
	parts := []string{seedlist.HoldAll}
	switch {
	case len(args) == 0 && !isHeld && len(held.Held) > 0:
		parts = held.Held
	case len(args) > 0:
		parts = nil
	}
	for _, arg := range args {
		part, err := heldPart(ctx, api, arg, held.Held)
		if err != nil {
			return err
		}
		parts = append(parts, part)
	}
	return hold(ctx, u, api, parts, isHeld)
}

// heldPart is the part of the work that an argument names.
func heldPart(ctx context.Context, api *client.Client, name string, held []string) (string, error) {
	if seedlist.CheckHold(name) == nil && seedlist.SourceHeld(name) == "" {
		return name, nil
	}
	var sources []string
	if err := api.EachCatalog(ctx, func(c seedlist.Catalog) error {
		sources = append(sources, "catalog:"+c.URI)
		return nil
	}); err != nil {
		return "", err
	}
	for _, source := range [...]string{name, "catalog:" + name} {
		if part := seedlist.HoldOfSource(source); slices.Contains(sources, source) || slices.Contains(held, part) {
			return part, nil
		}
	}
	isKnown := false
	err := api.EachSeed(ctx, "/seeds", url.Values{"source": {name}}, 1, func(seedlist.Seed) error { isKnown = true; return nil })
	if err != nil || isKnown {
		return seedlist.HoldOfSource(name), err
	}
	names := []string{seedlist.HoldAll, seedlist.HoldHarvesting}
	for _, stage := range seedlist.Stages() {
		names = append(names, string(stage))
	}
	text := fmt.Sprintf("%s is no stage, and no seed has that source", seedlist.ShownIn(name))
	if near := spelling.Nearest(name, append(names, sources...)...); near != "" {
		text += fmt.Sprintf("; did you mean %s?", seedlist.ShownIn(near))
	}
	return "", exit(exitNotFound, errors.New(text))
}

// hold does it, and says what is otherwise now.
func hold(ctx context.Context, u *ui, api *client.Client, parts []string, isHeld bool) error {
	var answer web.HoldAnswer
	if err := api.Post(ctx, "/holds", web.HoldRequest{Parts: parts, IsHeld: isHeld}, &answer); err != nil {
		return err
	}
	if u.json {
		return encodeTo(u.out, answer)
	}
	done, already := "paused", "paused already"
	if !isHeld {
		done, already = "goes on", "not paused"
	}
	for _, part := range parts {
		word := already
		if slices.Contains(answer.Changed, part) {
			word = done
		}
		fmt.Fprintf(u.out, "%s: %s\n", heldWords(part), word)
	}
	return nil
}

// heldWords is a part of the work as people read it.
func heldWords(part string) string {
	if part == seedlist.HoldAll {
		return "all work"
	}
	return seedlist.ShownIn(part)
}

// awaitPause is the pause between two looks at what is at work.
const awaitPause = 200 * time.Millisecond

// rest waits for a while. The error is that of ctx, if it ends before.
func rest(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pause):
		return nil
	}
}

// awaitRest returns when nothing is at work.
func awaitRest(ctx context.Context, u *ui, api *client.Client) error {
	for {
		var counts web.Stats
		if err := api.Get(ctx, "/stats", nil, &counts); err != nil {
			return err
		}
		atWork := int64(0)
		for _, stage := range seedlist.Stages() {
			atWork += counts.States[stage]
		}
		if atWork == 0 {
			u.note("nothing is at work; \"laundromat resume\" goes on")
			return nil
		}
		if err := rest(ctx, awaitPause); err != nil {
			return err
		}
	}
}

// drainDaemon has the daemon end once what is at work has ended, and waits for that.
func drainDaemon(ctx context.Context, u *ui, api *client.Client) error {
	if err := api.Post(ctx, "/drain", nil, nil); err != nil {
		return err
	}
	for {
		if err := api.Get(ctx, "/stats", nil, new(web.Stats)); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			u.note("the daemon has ended")
			return nil
		}
		if err := rest(ctx, awaitPause); err != nil {
			return err
		}
	}
}

// showHeld says what people hold.
func showHeld(u *ui, held []string) {
	for i := range held {
		held[i] = heldWords(held[i])
	}
	if len(held) > 0 {
		fmt.Fprintf(u.err, "laundromat: paused by people: %s; \"laundromat resume\" goes on\n", strings.Join(held, ", "))
	}
}
