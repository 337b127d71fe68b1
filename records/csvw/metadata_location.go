package csvw

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/rfc3986"
	"laundromat/internal/weblink"
)

// locate finds the metadata of a table (Model for Tabular Data, §5); nil if there is none.
func (c *Converter) locate(ctx context.Context, in *Resource) (*Group, error) {
	if c.opt.Overriding != "" {
		v, where, err := c.loadJSON(ctx, c.opt.Overriding)
		if errors.Is(err, ErrNotFound) {
			err = fault.New("csvw", fault.Data, fault.CSVWMetadata, "%s: there is no such document", c.opt.Overriding)
		}
		if err != nil {
			return nil, err
		}
		g, err := c.reader(ctx, where).group(v)
		if err == nil && g.described(in.place()) != nil && g.described(in.place()).packaged != nil {
			g.Tables = only(g, g.described(in.place())) // a Data Package says how each of its tables is read by itself
		} else if err == nil && g.described(in.place()) == nil {
			c.notDescribed("the metadata that was given describes other tables, and those are read: " + where)
		}
		return g, err
	}
	first := len(c.opt.First) // where metadata may be, but need not
	places := append(slices.Clip(c.opt.First), c.linked(in)...)
	linked := len(places)
	for i := 0; ; i++ {
		if i == linked { // the site is asked for its places only now
			usual, err := c.usual(ctx, in.place())
			if err != nil {
				return nil, err
			}
			places = append(places, usual...)
		}
		if i == len(places) {
			return nil, nil
		}
		place := places[i]
		v, where, err := c.loadJSON(ctx, place)
		if errors.Is(err, ErrNotFound) {
			if i >= first && i < linked {
				c.notDescribed("the metadata that the server names is not there: " + place)
			}
			continue
		}
		if err != nil && fault.KindOf(err) == fault.Data {
			c.notDescribed("a document in a place of metadata is not used: " + err.Error())
			continue
		}
		if err != nil {
			return nil, err
		}
		g, err := c.reader(ctx, where).group(v)
		if err != nil {
			return nil, err
		}
		if c.opt.Alone {
			g.apart()
		}
		t := g.described(in.place())
		if t == nil {
			c.notDescribed("the metadata that was found describes other tables, and is not used: " + where)
			continue
		}
		if g.where, g.isUsual = where, i >= linked; c.opt.Alone {
			t.Schema.foreignKeys = slices.DeleteFunc(slices.Clone(t.Schema.foreignKeys), func(key *foreignKey) bool {
				to := g.referenced(key)
				if to != t {
					c.unchecked(key, to)
				}
				return to != t
			})
		}
		g.Tables = only(g, t)
		return g, nil
	}
}

// notDescribed tells of metadata that is not that of the table.
func (c *Converter) notDescribed(message string) {
	c.notice(fault.Notice{Code: fault.CSVWNotDescribed, Severity: fault.Warning, Message: message})
}

// unchecked tells of a key to a table that is not read.
func (c *Converter) unchecked(key *foreignKey, to *Table) {
	name := to.URL
	if to.packaged != nil {
		name = to.packaged.name
	}
	c.notice(fault.Notice{Code: fault.CSVWUncheckedKey, Severity: fault.Note, Field: fieldName(key.columns[0]), Message: fmt.Sprintf(
		"the foreign key %s refers to the table %s, which is not read with this one: it was not checked", shownNames(key.columns), name)})
}

// shownNames are the names of columns as people read them.
func shownNames(names []string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = fieldName(name)
	}
	return strings.Join(all, ", ")
}

// described is the table of a URL; nil if the group has none.
func (g *Group) described(url string) *Table {
	for _, t := range g.Tables {
		if t.URL == url {
			return t
		}
	}
	return nil
}

// linked are the places that the Link headers of a reply name.
func (c *Converter) linked(in *Resource) (places []string) {
	for _, l := range weblink.Parse(in.Links) {
		kind := strings.ToLower(l.Type)
		if l.Has("describedby") && (kind == "" || kind == "application/csvm+json" ||
			kind == "application/ld+json" || kind == "application/json") {
			places = append(places, resolve(in.place(), l.Target))
		}
	}
	return places
}

// defaultPlaces are where metadata is, relative to the table.
var defaultPlaces = []string{"{+url}-metadata.json", "csv-metadata.json"}

// usual are the places where metadata of a table is by the rules of its site, or else of the standard.
func (c *Converter) usual(ctx context.Context, url string) (places []string, err error) {
	if c.opt.Usual != nil {
		if isAsked, err := c.opt.Usual(ctx, url); !isAsked || err != nil {
			return nil, err
		}
	}
	templates, err := c.site(ctx, url)
	if err != nil {
		return nil, err
	}
	if templates == nil {
		templates = defaultPlaces
	}
	for _, text := range templates {
		t := compileTemplate(text)
		if t == nil {
			continue
		}
		ref := t.appendExpanded(nil, func(name string) ([]string, bool, bool) { return []string{url}, false, name == "url" })
		if place := resolve(url, string(ref)); place != url {
			places = append(places, place)
		}
	}
	return places, nil
}

// SitePath is where a site says where the metadata of its tables is.
const SitePath = "/.well-known/csvm"

// SitePlace is where the site of a table says where metadata is; "" where the table is on no site.
func SitePlace(url string) string {
	if parts := rfc3986.Split([]byte(url)); !parts.HasAuthority || len(parts.Authority) == 0 || string(parts.Scheme) == "file" {
		return ""
	}
	return resolve(url, SitePath)
}

// site are the templates that the site of a table has; nil if it has none.
func (c *Converter) site(ctx context.Context, url string) (templates []string, err error) {
	place := SitePlace(url)
	if place == "" {
		return nil, nil
	}
	in, err := c.load(ctx, place, "utf-8")
	if err != nil {
		if ctx.Err() != nil || fault.KindOf(err) == fault.Stopped {
			return nil, err
		}
		return nil, nil // a site that can't be asked has no rules
	}
	defer closeText(in)
	lines := bufio.NewScanner(io.LimitReader(in.Text, 64<<10))
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" {
			templates = append(templates, line)
		}
	}
	return templates, nil
}

// only are the table that is asked for, and those that its foreign keys refer to, of which no statement is made.
func only(g *Group, t *Table) []*Table {
	tables := []*Table{t}
	for _, key := range t.Schema.foreignKeys {
		if to := g.referenced(key); !slices.Contains(tables, to) {
			to.silent = true
			tables = append(tables, to)
		}
	}
	return tables
}
