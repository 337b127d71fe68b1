package main

import (
	"context"
	"fmt"
	"net/url"
	"os/user"
	"strings"
	"time"

	"github.com/spf13/cobra"

	into "laundromat/records/database"
	"laundromat/seedlist"
	"laundromat/states/recordtables"
	"laundromat/web"
	"laundromat/web/client"
)

// mergesOptions are the flags of recipe merges.
type mergesOptions struct {
	database                    string
	id, source                  string
	log                         bool
	undo, redo                  bool
	apart, same, forget         bool
	keepModel, learn, isJudging bool
	judgement                   web.MergeJudgement
}

func recipeMergesCommand(u *ui) *cobra.Command {
	var o mergesOptions
	c := &cobra.Command{
		Use:   "merges NAME [flags] [KEY|ID ID]",
		Short: "Which records of a recipe are the same, why, and that they are not",
		Long: "Merges lists the records that were found to be the same in the table that \"serve --records-into\" fills by a\n" +
			"recipe whose spec has the part reconcile. The rows themselves stay as they are. --undo KEY gives the records\n" +
			"of a merge back, and they are not merged again; --redo KEY takes that back; --apart ID ID and --same ID ID answer for two records, and\n" +
			"--forget ID ID takes an answer back. A merge is undone at once; what else follows from an answer is found\n" +
			"when the daemon reconciles the table next. With --records-into it reads and writes a database without a daemon.",
		Args: cobra.RangeArgs(1, 3),
		RunE: func(c *cobra.Command, args []string) error { return runRecipeMerges(c.Context(), u, &o, args) },
	}
	flags := c.Flags()
	flags.StringVar(&o.database, "records-into", "", "the DATABASE itself: sqlite:FILE or postgres://USER@HOST:PORT/DATABASE")
	flags.StringVar(&o.id, "id", "", "only the merge of the record with this ID")
	flags.StringVar(&o.source, "source", "", "only merges with a record of the document of this URI")
	flags.BoolVar(&o.log, "log", false, "what became of merges last, in place of the merges")
	flags.BoolVar(&o.undo, "undo", false, "give the records of the merge KEY back: no two of them are the same")
	flags.BoolVar(&o.redo, "redo", false, "the merge KEY was undone: take that back")
	flags.BoolVar(&o.apart, "apart", false, "the records ID and ID are not the same")
	flags.BoolVar(&o.same, "same", false, "the records ID and ID are the same")
	flags.BoolVar(&o.forget, "forget", false, "nothing is said any more of the records ID and ID")
	flags.BoolVar(&o.keepModel, "keep-model", false, "reconcile by what was learned last from now on")
	flags.BoolVar(&o.learn, "learn", false, "learn anew each time, as at first")
	c.MarkFlagsMutuallyExclusive("undo", "redo", "apart", "same", "forget", "keep-model", "learn", "log")
	return c
}

// judge reads what is said of merges.
func (o *mergesOptions) judge(args []string) error {
	two := func(to *[2]string) error {
		if len(args) != 2 {
			return usage("the ids of two records are wanted after the name of the recipe")
		}
		*to = [2]string{args[0], args[1]}
		return nil
	}
	o.isJudging = true
	switch {
	case (o.undo || o.redo) && len(args) != 1:
		return usage("the key of a merge is wanted after the name of the recipe")
	case o.undo:
		o.judgement.Undo = args[0]
		return nil
	case o.redo:
		o.judgement.Redo = args[0]
		return nil
	case o.apart:
		return two(&o.judgement.Apart)
	case o.same:
		return two(&o.judgement.Same)
	case o.forget:
		return two(&o.judgement.Forget)
	}
	if len(args) > 0 {
		return usage("%s: what of it? Give --undo, --redo, --apart, --same or --forget", strings.Join(args, " "))
	}
	if o.isJudging = o.keepModel || o.learn; o.isJudging {
		o.judgement.KeepModel = &o.keepModel
	}
	return nil
}

func runRecipeMerges(ctx context.Context, u *ui, o *mergesOptions, args []string) error {
	name := args[0]
	if !seedlist.IsRecipeName(name) {
		return usage("%q isn't the name of a recipe: %w", name, seedlist.ErrRecipeName)
	}
	if err := o.judge(args[1:]); err != nil {
		return err
	}
	ask, say, end, err := o.reach(ctx, u, name)
	if err != nil {
		return err
	}
	defer end()
	if o.isJudging {
		judged, err := say(o.judgement)
		if err != nil {
			return err
		}
		if u.json {
			return encodeTo(u.out, judged)
		}
		what := "noted; the table is reconciled again"
		if judged.Records > 0 {
			what = fmt.Sprintf("%d records are given back", judged.Records)
		}
		_, err = fmt.Fprintf(u.out, "%s\t%s\n", name, what)
		return err
	}
	return o.list(u, ask)
}

type (
	askMerges func(after string) (recordtables.MergeList, error)
	sayMerges func(web.MergeJudgement) (web.MergesJudged, error)
)

// reach says how merges are asked for and judged: by the API, or in the database itself.
func (o *mergesOptions) reach(ctx context.Context, u *ui, name string) (ask askMerges, say sayMerges, end func(), err error) {
	if o.database == "" {
		need := toRead
		if o.isJudging {
			need = toChange
		}
		api, err := connect(ctx, u, need)
		if err != nil {
			return nil, nil, nil, err
		}
		ask, say = o.overAPI(ctx, api, name)
		return ask, say, func() { api.Close() }, nil
	}
	address, err := into.ParseAddress(o.database)
	if err != nil {
		return nil, nil, nil, usage("--records-into %w", err)
	}
	db, err := into.OpenThere(ctx, address)
	if err != nil {
		return nil, nil, nil, err
	}
	merges := recordtables.MergesIn(db)
	by := "command"
	if who, err := user.Current(); err == nil {
		by = who.Username
	}
	ask = func(after string) (recordtables.MergeList, error) {
		return merges.List(ctx, name, recordtables.MergesQuery{After: after, ID: o.id, Source: o.source})
	}
	say = func(j web.MergeJudgement) (web.MergesJudged, error) { return web.Judge(ctx, merges, name, j, by) }
	return ask, say, func() { db.Close() }, nil
}

func (o *mergesOptions) overAPI(ctx context.Context, api *client.Client, name string) (askMerges, sayMerges) {
	path := "/recipes/" + name + "/merges"
	ask := func(after string) (list recordtables.MergeList, err error) {
		query := url.Values{}
		for _, p := range [...][2]string{{"after", after}, {"id", o.id}, {"source", o.source}} {
			if p[1] != "" {
				query.Set(p[0], p[1])
			}
		}
		return list, api.Get(ctx, path, query, &list)
	}
	say := func(j web.MergeJudgement) (judged web.MergesJudged, err error) {
		return judged, api.Post(ctx, path, j, &judged)
	}
	return ask, say
}

// list writes all merges, or the log.
func (o *mergesOptions) list(u *ui, ask askMerges) error {
	for after := ""; ; {
		list, err := ask(after)
		if err != nil {
			return err
		}
		if after == "" && !u.quiet && list.Reconciled != nil {
			if err := tellReconciled(u, list.Reconciled); err != nil {
				return err
			}
		}
		if o.log {
			return writeMergeLog(u, list.Log)
		}
		if after == "" {
			if err := u.head("key", "records", "why"); err != nil {
				return err
			}
		}
		for i := range list.Merges {
			if err := writeMerge(u, &list.Merges[i]); err != nil {
				return err
			}
		}
		if after = list.Next; after == "" {
			return nil
		}
	}
}

func tellReconciled(u *ui, r *recordtables.ReconciledAs) error {
	right := "too few to say how many are right"
	if r.Precision != nil {
		right = fmt.Sprintf("of which %.1f %% are expected to be right", 100**r.Precision)
	}
	if _, err := fmt.Fprintf(u.err, "%s: %d of %d records became %d, by %d pairs, %s\n",
		r.At.Format(time.RFC3339), r.Merged, r.Records, r.Merges, r.Pairs, right); err != nil {
		return err
	}
	if r.Trouble == "" {
		return nil
	}
	_, err := fmt.Fprintf(u.err, "these are merges of before: %s\n", seedlist.ShownIn(r.Trouble))
	return err
}

func writeMerge(u *ui, m *recordtables.Merge) error {
	if u.json {
		return encodeTo(u.out, m)
	}
	var ids, why []string
	for _, r := range m.Records {
		ids = append(ids, seedlist.ShownIn(r.ID))
	}
	for _, p := range m.Pairs {
		why = append(why, fmt.Sprintf("%s = %s (%.2f): %s",
			seedlist.ShownIn(p.A), seedlist.ShownIn(p.B), p.Score, seedlist.ShownIn(p.Reason)))
	}
	_, err := fmt.Fprintf(u.out, "%s\t%s\t%s\n", seedlist.ShownIn(m.Key), strings.Join(ids, " "), strings.Join(why, " | "))
	return err
}

func writeMergeLog(u *ui, log []recordtables.Logged) error {
	if err := u.head("time", "what", "key", "records", "by"); err != nil {
		return err
	}
	for i := range log {
		l := &log[i]
		if u.json {
			if err := encodeTo(u.out, l); err != nil {
				return err
			}
			continue
		}
		var ids []string
		for _, r := range l.Records {
			ids = append(ids, seedlist.ShownIn(r.ID))
		}
		if _, err := fmt.Fprintf(u.out, "%s\t%s\t%s\t%s\t%s\n",
			l.At.Format(time.RFC3339), l.What, seedlist.ShownIn(l.Key), strings.Join(ids, " "), l.By); err != nil {
			return err
		}
	}
	return nil
}
