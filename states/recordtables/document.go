package recordtables

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/records"
	"laundromat/records/database"
	"laundromat/records/dump"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states/recipe"
	"laundromat/states/recordset"
)

// forms are recipes by the SHA-256 of their forms.
type forms struct {
	list  seedlist.Recipes
	known map[string]*form
}

// form is a recipe that makes records.
type form struct {
	version string // of its spec
	shape   database.Shape
}

// shapeOf is what is known of the records that a recipe makes.
func shapeOf(r *recipe.Recipe) (database.Shape, error) {
	shape := recordset.Shape(r.Job(0, ""))
	plan, err := r.Plan()
	shape.KeyOrPage = plan != nil && plan.HasDetails()
	return shape, err
}

// mostForms is how many forms are kept ready.
const mostForms = 256

// of finds a form; nil where no list has it any more.
func (f *forms) of(ctx context.Context, name, sum string) (*form, error) {
	if is := f.known[sum]; is != nil {
		return is, nil
	}
	bodies, err := f.list.RecipeForms(ctx, sum)
	if err != nil || bodies[sum] == nil {
		return nil, err
	}
	read, err := recipe.FromBody(name, bodies[sum])
	if err != nil {
		return nil, err
	}
	is := &form{}
	if read.Spec != nil {
		is.version = read.Spec.Version
		if is.shape, err = shapeOf(read); err != nil {
			return nil, err
		}
	}
	if f.known == nil || len(f.known) >= mostForms {
		f.known = map[string]*form{}
	}
	f.known[sum] = is
	return is, nil
}

// isCandidate says that a seed may have records, or an error, of a recipe.
func isCandidate(seed *seedlist.Seed) bool {
	return seed.Error != nil || seed.Product(seedlist.ProductRecords) != nil
}

// taking puts documents into the database, in one transaction.
type taking struct {
	*Follower
	tx     *database.Tx
	before string     // the form of the document at work that is there
	status IntoStatus // what is added once it is there
}

// all takes those seeds that changed since they were taken.
func (t *taking) all(ctx context.Context, seeds []seedlist.Seed) error {
	var hashes []string
	for i := range seeds {
		hashes = append(hashes, seeds[i].Hash)
	}
	taken, err := t.tx.Taken(hashes...)
	if err != nil {
		return err
	}
	for i := range seeds {
		seed := &seeds[i]
		if seed.Recipe == nil && seed.Error != nil && seed.RecipeAsked != "" {
			seed.Recipe = &seedlist.RecipeUse{Name: seed.RecipeAsked} // it never came as far as to be guessed
		}
		if seed.Recipe == nil {
			continue
		}
		if now := formOf(seed); now == "" || taken[seed.Hash] == now {
			continue
		}
		t.before = taken[seed.Hash]
		if err := t.one(ctx, seed); err != nil {
			return err
		}
	}
	return nil
}

// formOf is what of a document is, or would be, in the database: the form of its recipe, the file of its records, and
// the error in which it ended.
func formOf(seed *seedlist.Seed) string {
	var parts []string
	if p := seed.Product(seedlist.ProductRecords); p != nil && (p.SHA256 != "" || p.Error != nil) {
		parts = append(parts, p.SHA256)
		if p.Error != nil {
			parts = append(parts, string(p.Error.Code))
		}
	} else if seed.Error == nil {
		return ""
	}
	if seed.Error != nil {
		parts = append(parts, string(seed.Error.Code), seed.Processed.UTC().Format(time.RFC3339))
	}
	return strings.Join(append(parts, seed.Recipe.Name, seed.Recipe.SHA256), " ")
}

// one takes a document. What is wrong with it alone is noted, and ends nothing.
func (t *taking) one(ctx context.Context, seed *seedlist.Seed) error {
	began := time.Now()
	entry, err := t.entry(ctx, seed)
	if err != nil {
		return err
	}
	var counts database.Counts
	var lost int64
	var own error
	if p := seed.Product(seedlist.ProductRecords); p != nil && p.SHA256 != "" {
		own = t.tx.Try(func() error {
			counts, lost, err = t.rows(ctx, seed, p, &entry)
			return err
		})
		if own != nil && !isOwn(own) {
			return own
		}
	}
	if errors.Is(own, fs.ErrNotExist) {
		return nil // another wash took the place of this one, and is told of next
	}
	if own != nil {
		return t.failed(ctx, seed, own)
	}
	if failed := errorOf(seed); failed != nil {
		entry.Result, entry.Traceback = string(failed.Code), failed.Message
	}
	entry.Inserted, entry.Updated, entry.Lost = counts.New, counts.Changed, lost
	entry.Runtime = time.Since(began).Seconds()
	if err := t.note(seed, formOf(seed), entry); err != nil {
		return err
	}
	t.status.Documents++
	t.status.New, t.status.Changed, t.status.Lost = t.status.New+counts.New, t.status.Changed+counts.Changed, t.status.Lost+lost
	return nil
}

// isOwn says that an error is of the document alone, and not of what it is read from or written to.
func isOwn(err error) bool {
	if database.IsNoKey(err) || errors.Is(err, fs.ErrNotExist) || errors.As(err, new(*database.OtherTableError)) {
		return true
	}
	kind := fault.KindOf(err)
	return kind == fault.Limit || kind == fault.Data
}

// failedForm is what the form of a document begins with whose records are not in the database.
const failedForm = "failed "

// errorOf is the error in which the records of a document ended, or the document itself.
func errorOf(seed *seedlist.Seed) *seedlist.Error {
	if p := seed.Product(seedlist.ProductRecords); p != nil && p.Error != nil {
		return p.Error
	}
	return seed.Error
}

// failed notes that the records of a document are not in the database. At its next change they are tried again.
func (t *taking) failed(ctx context.Context, seed *seedlist.Seed, why error) error {
	entry, err := t.entry(ctx, seed)
	if err != nil {
		return err
	}
	entry.Result, entry.Traceback = string(fault.CodeOf(why)), seedlist.ShownIn(why.Error())
	if entry.Result == "" {
		entry.Result = string(fault.RecordNoKey)
	}
	t.status.Failed++
	t.status.FailedWhy = fmt.Sprintf("%s: %s", seed.Recipe.Name, entry.Traceback)
	form := failedForm + entry.Result + " " + formOf(seed)
	if form == t.before {
		return nil // it is known
	}
	return t.note(seed, form, entry)
}

// note writes down what became of a document.
func (t *taking) note(seed *seedlist.Seed, form string, entry database.Entry) error {
	entry.ID = recordset.RunID(entry.Accessed, entry.Name, entry.Result, runOf(seed))
	if err := t.tx.Log(entry); err != nil {
		return err
	}
	return t.tx.Take(seed.Hash, seed.Recipe.Name, form)
}

// runOf tells the wash of a document from those of others, and from its other ones.
func runOf(seed *seedlist.Seed) string {
	return fmt.Sprintf("%s %s", seed.Hash[:min(16, len(seed.Hash))], seed.Processed.UTC().Format("20060102T150405.000Z"))
}

// entry is the log's entry of a document, as far as it is known before.
func (t *taking) entry(ctx context.Context, seed *seedlist.Seed) (e database.Entry, err error) {
	is, err := t.forms.of(ctx, seed.Recipe.Name, seed.Recipe.SHA256)
	if err != nil {
		return e, err
	}
	fetched, place, err := t.origin(ctx, seed)
	if err != nil {
		return e, err
	}
	e = database.Entry{Name: seed.Recipe.Name, URL: seedlist.Shown(place), Accessed: fetched.UTC().Format(time.RFC3339), Result: "success"}
	if is != nil {
		e.Version = is.version
	}
	if seed.HasDirty() {
		e.Text = seedfile.Key(seed, seedfile.DirtyForm(seed))
	}
	return e, nil
}

// origin is when a document was fetched, and from where: of an entry of an archive, when that was.
func (t *taking) origin(ctx context.Context, seed *seedlist.Seed) (fetched time.Time, place string, err error) {
	root, below := *seed, ""
	for root.Parent != "" && root.Archive != nil {
		if root.Archive.URI != "" {
			place = root.Archive.URI + below
		}
		below = "!/" + root.Archive.Entry + below
		parent, err := t.opt.List.Record(ctx, root.Parent)
		if errors.Is(err, seedlist.ErrNotFound) {
			return seed.Processed, root.Parent + below, nil
		}
		if err != nil {
			return fetched, "", err
		}
		root = parent
	}
	if place == "" {
		place = root.URI + below
	}
	if fetched = root.Retrieved; fetched.IsZero() {
		fetched = seed.Processed
	}
	return fetched, place, nil
}

// rows puts the records of a document into the table of its recipe.
func (t *taking) rows(ctx context.Context, seed *seedlist.Seed, p *seedlist.Product, entry *database.Entry) (
	counts database.Counts, lost int64, err error,
) {
	sum := p.Recipe
	if sum == "" {
		sum = seed.Recipe.SHA256
	}
	is, err := t.forms.of(ctx, seed.Recipe.Name, sum)
	if err != nil {
		return counts, 0, err
	}
	if is == nil {
		return counts, 0, nil // a recipe that nothing is made by any more
	}
	fetched, _, err := t.origin(ctx, seed)
	if err != nil {
		return counts, 0, err
	}
	for _, v := range seed.Versions() {
		if p.Good != 0 && v.Number == p.Good {
			fetched = v.Retrieved
		}
	}
	named, err := seedfile.Find(seed, seedlist.ProductRecords, 0)
	if err != nil {
		return counts, 0, err
	}
	file, err := t.opt.Files.Open(named.Key, named.Suffix)
	if err != nil {
		return counts, 0, err
	}
	defer file.Close()
	lines, err := gzip.NewReader(files.Sequential(file))
	if err != nil {
		return counts, 0, fmt.Errorf("the records of %s: %w", seed.Hash, err)
	}
	sink := rowSink{ctx: ctx}
	open := t.tx.Rows
	if seed.PageOf() == seed.Recipe.Name && seed.Page.Detail {
		open, sink.page = t.tx.DetailRows, pageAddress(seed.URI)
	}
	rows, err := open(database.TableOf(seed.Recipe.Name), is.shape, database.SinkOptions{Temp: t.opt.Temp, Memory: t.opt.Memory,
		Put: database.Put{Source: entry.URL, At: fetched, Order: database.Order(fetched, seed.Hash)}})
	if err != nil {
		return counts, 0, err
	}
	sink.Rows = rows
	places := []string{recordset.PlaceLine, recordset.PlaceElement, recordset.PlaceTable}
	err = dump.ReadLines(lines, places, sink)
	counts, lost, failed := rows.Close()
	return counts, lost, errors.Join(err, failed)
}

// rowSink goes on after a record that has no place in a table.
type rowSink struct {
	ctx context.Context // of this reading alone
	*database.Rows
	page string // the address of a page of details, which all are of
}

// pageAddress is the address of a page in the same spelling for all that name it.
func pageAddress(uri string) string {
	u, err := seedlist.ParseURI(uri)
	if err != nil {
		return seedlist.Shown(uri)
	}
	return seedlist.Shown(u.Normal)
}

func (s rowSink) Record(r *records.Record) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if s.page != "" {
		r.Set(database.DetailField, records.TextOf(s.page))
	} else if f := r.Field(database.DetailField); f != nil {
		f.Value = records.TextOf(pageAddress(f.Value.Text))
	}
	if err := s.Rows.Record(r); !errors.Is(err, records.ErrLost) {
		return err
	}
	return nil
}
