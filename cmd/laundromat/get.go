package main

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/spf13/cobra"

	"laundromat/internal/outfile"
	"laundromat/records/dump"
	"laundromat/states/articles"
	"laundromat/web/client"
	"laundromat/web/story"
)

// getOptions are the flags of get.
type getOptions struct {
	dirty, notices, added, removed, renamed bool
	repairs                                 bool
	records, articles, places               bool
	recipe                                  string // of whose documents all records are wanted
	as                                      string // of records and articles
	subject                                 string
	isSubject                               bool // subject was given
	compressed                              bool
	output                                  string
	wait                                    bool
	most                                    time.Duration // of waiting
}

func getCommand(u *ui) *cobra.Command {
	var o getOptions
	c := &cobra.Command{
		Use:   "get HASH|URI[@VERSION] | --recipe NAME",
		Short: "The clean N-Quads of a document, or --dirty its bytes, or --notices all that was found, or --repairs a patch, or what changed",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			o.isSubject = c.Flags().Changed("subject")
			if o.recipe != "" {
				if err := o.checkRecipe(c, args); err != nil {
					return err
				}
				return o.getTable(c.Context(), u)
			}
			if len(args) == 0 {
				return usage("get wants the HASH or URI of a document, or --recipe NAME")
			}
			if err := o.check(); err != nil {
				return err
			}
			if o.dirty || o.notices || o.repairs {
				if err := refuseIdle(c, "on bytes, notices and repairs, which are written as they are", "gzip"); err != nil {
					return err
				}
			}
			if o.wait {
				if err := awaitProduct(c.Context(), u, args[0], o.most); err != nil {
					return err
				}
			}
			return o.adviseWait(u, args[0], o.write(c.Context(), u, args[0]))
		},
	}
	flags := c.Flags()
	flags.BoolVar(&o.dirty, "dirty", false, "the bytes as they came")
	flags.BoolVar(&o.notices, "notices", false, "every notice, as JSON lines")
	flags.BoolVar(&o.repairs, "repairs", false, "the repairs, as a diff against the bytes as they came, which patch applies")
	flags.BoolVar(&o.added, "added", false, "the statements that the last wash brought")
	flags.BoolVar(&o.removed, "removed", false, "the statements that the last wash no longer found")
	flags.BoolVar(&o.renamed, "renamed", false, "the blank nodes that the last wash found under other names: before, tab, after")
	flags.BoolVar(&o.records, "records", false, "the records, as JSON lines or in the format of --as")
	flags.BoolVar(&o.articles, "articles", false, "the articles, as JSON lines or in the format of --as")
	flags.StringVar(&o.recipe, "recipe", "", "the records of all documents of the recipe of this NAME, as one table")
	flags.StringVar(&o.as, "as", "", "the format of records ("+strings.Join(dump.Formats(), ", ")+") or articles ("+
		strings.Join(articleForms(), ", ")+")")
	flags.BoolVar(&o.places, "places", false, "with --records: also where each comes from (_line, _element, _table; with --recipe _source)")
	flags.StringVar(&o.subject, "subject", "", "only the clean statements about this IRI, found without reading all")
	flags.BoolVar(&o.compressed, "gzip", false, "lines as they are stored, in gzip")
	flags.BoolVar(&o.wait, "wait", false, "add a URI that is not in the list, and wait until its file is made; a daemon must run")
	flags.DurationVar(&o.most, "timeout", 10*time.Minute, "with --wait: the longest wait")
	flags.StringVarP(&o.output, "output", "o", "", "write to this FILE (.gz: in gzip)")
	return c
}

// write writes what is asked for of the document that ref names.
func (o *getOptions) write(ctx context.Context, u *ui, ref string) error {
	if o.named() > 0 {
		return o.getNamed(ctx, u, ref)
	}
	return withVersion(ctx, u, ref, func(api *client.Client, hash, version string) error {
		if version != "" {
			return o.get(ctx, u, api, version, nil)
		}
		o.tellBehind(ctx, u, api, hash)
		return o.get(ctx, u, api, hash, nil)
	})
}

// articleForms are the formats in which articles of a document are given.
func articleForms() []string { return append(articles.StoredForms(), articles.MadeForms()...) }

// named is how many files the flags name, other than the clean one.
func (o *getOptions) named() (n int) {
	for _, one := range [...]bool{o.dirty, o.notices, o.repairs, o.added, o.removed, o.renamed, o.records, o.articles} {
		if one {
			n++
		}
	}
	return n
}

func (o *getOptions) check() error {
	switch {
	case o.named() > 1:
		return usage("--dirty, --notices, --repairs, --added, --removed, --renamed, --records and --articles are files: name one")
	case o.wait && o.most <= 0:
		return usage("--timeout is above 0, not %v", o.most)
	case o.as != "" && !o.records && !o.articles:
		return usage("--as is for --records and --articles")
	case o.places && !o.records:
		return usage("--places is for --records")
	case o.records && o.as != "":
		return oneOf("as", o.as, dump.Formats()...)
	case o.articles && o.as != "":
		return oneOf("as", o.as, articleForms()...)
	case o.isSubject && o.named() > 0:
		return usage("--subject picks statements of the clean file: name no other")
	case o.isSubject && strings.Trim(o.subject, "<>") == "":
		return usage("--subject is an IRI")
	}
	return nil
}

// checkRecipe refuses what makes no sense with --recipe.
func (o *getOptions) checkRecipe(c *cobra.Command, args []string) error {
	switch {
	case len(args) > 0:
		return usage("--recipe is all documents of a recipe: name no other")
	case o.named() > 1 || o.named() == 1 && !o.records:
		return usage("of all documents of a recipe there are the records alone")
	}
	if err := refuseIdle(c, "with --recipe", "subject", "gzip", "wait", "timeout"); err != nil {
		return err
	}
	o.records = true
	return o.check()
}

// file is the name of what is asked for, in the API.
func (o *getOptions) file() string {
	switch {
	case o.subject != "":
	case o.records:
		return "/records"
	case o.articles:
		return "/articles"
	case o.dirty:
		return "/dirty"
	case o.notices:
		return "/notices"
	case o.repairs:
		return "/repairs"
	case o.added:
		return "/added.nq.gz"
	case o.removed:
		return "/removed.nq.gz"
	case o.renamed:
		return "/renamed.tsv.gz"
	}
	return "/clean.nq.gz"
}

// withVersion calls do with the hash of the seed that ref names, and that of the clean file of the
// version after an @. It is "" if none is named: the API knows what the seed has now.
func withVersion(ctx context.Context, u *ui, ref string, do func(api *client.Client, hash, version string) error) error {
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return err
	}
	defer api.Close()
	if _, _, versioned := client.SplitVersion(ref); !versioned {
		hash, err := api.HashOf(ctx, ref)
		if err != nil {
			return err
		}
		return do(api, hash, "")
	}
	seed, clean, err := api.Find(ctx, ref)
	if err != nil {
		return err
	}
	return do(api, seed.Hash, clean)
}

// getNamed writes a file that the flags name, of the seed or of a version of it.
func (o *getOptions) getNamed(ctx context.Context, u *ui, ref string) error {
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return err
	}
	defer api.Close()
	if _, _, isVersioned := client.SplitVersion(ref); !isVersioned {
		hash, err := api.HashOf(ctx, ref)
		if err != nil {
			return err
		}
		o.tellBehind(ctx, u, api, hash)
		return o.get(ctx, u, api, hash, nil)
	}
	seed, version, err := api.FindVersion(ctx, ref)
	if err != nil {
		return err
	}
	query := url.Values{}
	switch isProduct := o.records || o.articles; {
	case version > 0 && isProduct:
		query.Set("version", strconv.FormatInt(version, 10))
	case version > 0 && version != seed.LastVersion():
		return exit(exitNotFound, fmt.Errorf("of version %d of %s there is no such file: those of clean statements, records and "+
			"articles are kept (serve --keep-versions)", version, story.NameOf(seed)))
	}
	return o.get(ctx, u, api, seed.Hash, query)
}

// tellBehind says that what is served is not what came last.
func (o *getOptions) tellBehind(ctx context.Context, u *ui, api *client.Client, hash string) {
	if seed, err := api.Seed(ctx, hash); err == nil && seed.Behind() != "" {
		u.note("%s: %s", story.NameOf(seed), seed.Behind())
	}
}

// get writes what is asked for of the seed of a hash.
func (o *getOptions) get(ctx context.Context, u *ui, api *client.Client, hash string, query url.Values) error {
	if query == nil {
		query = url.Values{}
	}
	if o.subject != "" {
		query.Set("subject", strings.TrimSuffix(strings.TrimPrefix(o.subject, "<"), ">"))
	}
	if o.as != "" {
		query.Set("as", o.as)
	}
	if o.places {
		query.Set("places", "true")
	}
	u.reached = &reached{output: o.output}
	stream, err := api.Open(ctx, "/seeds/"+hash+o.file(), query)
	if err != nil {
		return err
	}
	defer stream.Close()
	var body io.Reader = stream
	isPacked := !o.dirty && !o.notices && !o.repairs && !o.records && !o.articles
	if isPacked && !o.compressed && !strings.HasSuffix(o.output, ".gz") {
		if body, err = gzip.NewReader(stream); err != nil {
			return fmt.Errorf("the clean file is damaged; \"laundromat verify\" says more: %w", err)
		}
	}
	return u.writeWhole(o.output, func(out io.Writer) error {
		_, err := io.Copy(out, body)
		return err
	})
}

// writeWhole writes a file that takes its name when it is whole, or to standard output where none is named.
func (u *ui) writeWhole(name string, write func(io.Writer) error) error {
	if name == "" || name == "-" {
		return write(u.out)
	}
	whole, err := outfile.Create(name)
	if err != nil {
		return err
	}
	defer whole.Abort()
	if err := write(whole); err != nil {
		return err
	}
	return whole.Close()
}
