package pages

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"unicode/utf8"

	"laundromat/internal/commonprefix"
	"laundromat/records"
	"laundromat/records/dump"
	"laundromat/seedlist"
	"laundromat/web"
)

const (
	changesShown    = 100 // lines of each kind
	versionsCounted = 3   // versions whose changes are counted on the page of a dataset
	changeCut       = 600 // bytes of a line that came or went
)

// productChange leads to what changed in a product of a version.
type productChange struct {
	Product  string
	From, To int64
	Counts   *web.ProductChanges // nil where they are not counted
}

// changesOf says of each version what of its products can be compared with a version before. Those of the first are
// counted where their files are small.
func (s *site) changesOf(ctx context.Context, document *seedlist.Seed, versions []version) error {
	counted := 0
	for i := range versions {
		v := &versions[i]
		for _, p := range v.Products {
			from := web.VersionBefore(document, p.Name, v.Number)
			if from == 0 {
				continue
			}
			change := productChange{Product: p.Name, From: from, To: v.Number}
			if counted < versionsCounted {
				counted++
				of := web.Comparison{Product: p.Name, From: from, To: v.Number}
				counts, err := s.read.ProductChanges(ctx, document.Hash, of)
				if err != nil && ctx.Err() != nil {
					return err
				}
				change.Counts = counts // a file that is damaged is for the page of the changes to tell
			}
			v.Compared = append(v.Compared, change)
		}
	}
	return nil
}

// changesPage shows what changed in a product from one version to another, by the key of its lines.
type changesPage struct {
	Hash, Name, Product string
	Key                 string
	*web.ProductChanges
	Rows               []changedRow
	MoreRows           int64
	HasKey, IsWholeKey bool // some line that is shown has the key; all have
}

// changedRow is one line that came, went or changed.
type changedRow struct {
	Mark   string // "added", "removed" or "changed"
	Key    string
	Fields []changedField // of one that changed
	Text   string         // of others
	IsCut  bool
}

// changedField is a field whose value is another.
type changedField struct {
	Name          string
	Before, After shownCell
}

func (s *site) changesPage(r *http.Request) (page, error) {
	_, document, err := s.find(r)
	if err != nil {
		return page{}, err
	}
	p := changesPage{Hash: document.Hash, Name: s.read.Name(r.Context(), &document), Product: r.FormValue("product")}
	if p.Product == "" {
		p.Product = seedlist.ProductRecords
	}
	if p.Product != seedlist.ProductRecords && p.Product != seedlist.ProductArticles {
		return page{}, unprocessable("product is records or articles")
	}
	of := web.Comparison{Product: p.Product, Key: fieldsOf(r.FormValue("key")), Limit: changesShown}
	if of.To, err = numberIn(r, "version", document.LastVersion()); err != nil {
		return page{}, err
	}
	if of.From, err = numberIn(r, "from", web.VersionBefore(&document, p.Product, of.To)); err != nil {
		return page{}, err
	}
	if p.ProductChanges, err = s.read.ProductChanges(r.Context(), document.Hash, of); err != nil {
		return page{}, err
	}
	p.Key = strings.Join(p.ProductChanges.Key, ", ")
	if err := p.fill(); err != nil {
		return page{}, err
	}
	return page{title: "Changes of " + p.Name, template: "dataset_changes.html", data: p}, nil
}

// fieldsOf are the names in a list with commas.
func fieldsOf(list string) (all []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			all = append(all, name)
		}
	}
	return all
}

// fill makes the rows: those that changed first, then those that came, then those that went.
func (p *changesPage) fill() error {
	p.IsWholeKey = true
	for _, c := range p.Changed {
		before, err := recordOf(c.Before)
		if err != nil {
			return err
		}
		after, err := recordOf(c.After)
		if err != nil {
			return err
		}
		p.add(changedRow{Mark: "changed", Fields: fieldsChanged(&before, &after)}, &after)
	}
	for _, lines := range []struct {
		mark string
		all  []json.RawMessage
	}{{"added", p.Added}, {"removed", p.Removed}} {
		for _, line := range lines.all {
			r, err := recordOf(line)
			if err != nil {
				return err
			}
			row := changedRow{Mark: lines.mark, Text: string(line)}
			if len(row.Text) > changeCut {
				row.Text, row.IsCut = string(whole([]byte(row.Text[:changeCut]))), true
			}
			p.add(row, &r)
		}
	}
	p.MoreRows = p.Counts.Changed + p.Counts.Added + p.Counts.Removed - int64(len(p.Rows))
	return nil
}

// recordOf is a line as a record.
func recordOf(line []byte) (r records.Record, err error) {
	value, err := dump.ReadJSON(line)
	r.Fields = value.Fields
	return r, err
}

func (p *changesPage) add(row changedRow, r *records.Record) {
	var key []string
	for _, name := range p.ProductChanges.Key {
		if f := r.Field(name); f != nil {
			key = append(key, cellOf(&shownColumn{}, f).Text)
		}
	}
	if len(key) == len(p.ProductChanges.Key) {
		row.Key, p.HasKey = strings.Join(key, ", "), true
	} else {
		p.IsWholeKey = false
	}
	p.Rows = append(p.Rows, row)
}

// fieldsChanged are the fields whose values differ, in the order in which they are now, and after them those that went.
func fieldsChanged(before, after *records.Record) (all []changedField) {
	add := func(name string, was, is *records.Field) {
		if was != nil && is != nil && string(was.Value.AppendJSON(nil)) == string(is.Value.AppendJSON(nil)) {
			return
		}
		f := changedField{Name: name, Before: cellOf(&shownColumn{}, was), After: cellOf(&shownColumn{}, is)}
		if f.Before.IsCut && f.After.IsCut && was != nil && is != nil {
			whereTheyDiffer(&f, textOfField(was), textOfField(is))
		}
		all = append(all, f)
	}
	for i := range after.Fields {
		is := &after.Fields[i]
		add(is.Name, before.Field(is.Name), is)
	}
	for i := range before.Fields {
		if was := &before.Fields[i]; after.Field(was.Name) == nil {
			add(was.Name, was, nil)
		}
	}
	return all
}

func textOfField(f *records.Field) string {
	if f.Value.Kind == records.List || f.Value.Kind == records.Object {
		return string(f.Value.AppendJSON(nil))
	}
	return f.Value.Text
}

// whereTheyDiffer shows the parts of two long texts in which they begin to differ.
func whereTheyDiffer(f *changedField, a, b string) {
	from := max(0, commonprefix.Common([]byte(a), []byte(b), 0)-cellShown/3)
	for from > 0 && !utf8.RuneStart(a[from]) {
		from--
	}
	for _, side := range []struct {
		cell *shownCell
		text string
	}{{&f.Before, a}, {&f.After, b}} {
		to := min(len(side.text), from+cellShown)
		side.cell.Text, side.cell.IsCut = string(whole([]byte(side.text[from:to]))), to < len(side.text)
		if from > 0 {
			side.cell.Text = "…" + side.cell.Text
		}
	}
}
