package daemon

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"laundromat/internal/digest"
	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/internal/files"
	"laundromat/report"
	"laundromat/seedlist"
	"laundromat/seedlist/seedfile"
	"laundromat/states"
	"laundromat/states/articles"
	"laundromat/states/kind"
	"laundromat/states/recordset"
)

// makers make the products other than statements, in the order in which records list them.
var makers = []states.Product{recordset.Product{}, articles.Product{}}

// wanted are the products that are made.
func (o *RunOptions) wanted() []string {
	if len(o.Products) == 0 {
		return []string{kind.Statements}
	}
	return o.Products
}

// ProductsOf are those that a daemon makes.
func ProductsOf(r *Runner) []string { return r.opt.wanted() }

// SettingsOf are those by which a daemon reads documents.
func SettingsOf(r *Runner) states.Settings { return r.opt.Settings }

// makesMoreThanStatements reports whether documents that are no RDF are wanted too, so that catalogs give them.
func (o *RunOptions) makesMoreThanStatements() bool {
	return slices.ContainsFunc(o.wanted(), func(product string) bool { return product != kind.Statements })
}

// unmade is the error of a document of which no product that is wanted can be made; nil if one can.
func (o *RunOptions) unmade(c *cooked) error {
	guessed, err := &c.guessed, c.err
	if c.by.Leads(guessed.Kind) && fault.CodeOf(err) == fault.FormatNotRDF {
		return nil // it leads to other pages
	}
	if makes := o.makes(c.by, guessed); len(makes) > 1 || len(makes) == 1 && makes[0] != kind.Statements {
		if fault.CodeOf(err) == fault.FormatNotRDF {
			return nil
		}
		return err
	} else if err == nil && len(makes) == 0 {
		err = fault.New("daemon.guessing", fault.Data, fault.FormatNotRDF, "it is %s, of which no product that is wanted is made",
			guessed.Kind)
	}
	if c.by != nil {
		return err
	}
	return guessed.WithHint(err, guessed.Kind.Unwanted(o.wanted()))
}

// costsOnlyOne says that an error is that of one product of a document. Others are of the machine, or of all.
func costsOnlyOne(err error) bool {
	switch fault.KindOf(err) {
	case fault.Data, fault.Limit, fault.Bug:
		return true
	}
	return false
}

// productMaking is what is made of a document beside its statements.
type productMaking struct {
	*parseWork
	document states.Decoded
	guessed  states.Guessed
	reading  *states.Reading // of the statements, or else of the first product
	isTold   bool            // what is of the document was told by a reading before
	all      []seedlist.Product
	first    error // of the first product that has one
	made     int   // products with a file
	missed   error // of what is served of a product and is kept, since the document has none of it
	// changed is what a page without records, that has changed for its recipe, means for those that are served.
	changed seedlist.Decision
	// ofRecords are statements that are made of records; nil where none are.
	ofRecords *recordStatements
}

// makeProducts makes the products of a document other than statements. The error err is that of the statements, if
// there are any; what is returned is that of the document.
func (w *parseWork) makeProducts(ctx context.Context, document states.Document, guessed states.Guessed, reading *states.Reading,
	err error) error {
	makes := w.runner.opt.makes(w.by, &guessed)
	m := &productMaking{parseWork: w, guessed: guessed, reading: reading, document: w.decoded(ctx, document)}
	if w.inPlace {
		return m.takeNothing(makes)
	}
	isJoined := w.joined
	switch {
	case isJoined:
		err = m.joinStatements(ctx, err)
	case slices.Contains(makes, kind.Statements):
		if err = m.takeStatements(err); err == nil {
			m.takeReading(m.made > 0)
		}
	default:
		err = nil
	}
	if err != nil {
		return err
	}
	for _, product := range w.lacked(makes) {
		m.all = append(m.all, m.none(product))
	}
	for _, maker := range makers {
		if !slices.Contains(makes, maker.Name()) || isJoined && maker.Name() == kind.Records {
			continue
		}
		if maker.Name() == kind.Records {
			if maker = w.tableRecords(); w.by != nil && w.by.Spec != nil {
				maker = w.recordsBy()
			}
		}
		if err := m.make(ctx, maker); err != nil {
			return err
		}
	}
	seedlist.SortProducts(m.all)
	w.done.products = m.all
	isNone := slices.ContainsFunc(m.all, func(p seedlist.Product) bool { return p.None }) // a reader came to its end
	switch {
	case m.made > 0 || isNone && m.missed == nil:
	case m.first != nil:
		return m.first
	case m.missed != nil:
		return m.missed
	}
	w.done.next = seedlist.Parsed
	return nil
}

// recordsBy makes records by the spec of the recipe.
func (w *parseWork) recordsBy() recordset.Product {
	page := w.claim.Seed.Page
	isFurther := page != nil && w.claim.Seed.PageOf() == w.use.Name
	return recordset.Product{Recipe: w.by, IsFurther: isFurther, IsDetail: isFurther && page.Detail}
}

// tableRecords makes the records of a document as they are or, of a table, as its metadata says.
func (w *parseWork) tableRecords() recordset.Product { return recordset.Product{Table: w.table} }

// mapsRecords says that statements are made of a product while it is read.
func (w *parseWork) mapsRecords(product string) bool {
	return w.joined && product == kind.Records && w.by.CSVW == ""
}

// takeNothing notes that nothing is made of a page which came in the place of something else.
func (m *productMaking) takeNothing(makes []string) error {
	for _, product := range append(m.lacked(makes), makes...) {
		p := m.none(product)
		if product == kind.Statements {
			m.decided = seedlist.Decision{Empty: p.Empty, EmptyAt: p.EmptyAt}
		}
		m.all = append(m.all, p)
	}
	if m.runner.opt.makesMoreThanStatements() {
		seedlist.SortProducts(m.all)
		m.done.products = m.all
	}
	return m.missed
}

// decoded is what is known of the document for all products.
func (w *parseWork) decoded(ctx context.Context, document states.Document) states.Decoded {
	seed := &w.claim.Seed
	document.Name = seedlist.Shown(w.runner.place(ctx, *seed))
	d := states.Decoded{Document: document, Key: seed.Hash, Fetched: seed.Retrieved}
	if n := len(seed.HTTP); n > 0 {
		d.Status = seed.HTTP[n-1].Status
	}
	if !document.BaseIsFile && !fetch.IsFile(document.Base) {
		d.URL = document.Base
	}
	return d
}

// takeReading says whether the reading of the statements told what is of the document.
func (m *productMaking) takeReading(isTold bool) {
	if m.isTold = isTold; isTold {
		m.guessed = m.reading.Proved()
	} else {
		m.held.Reset()
	}
}

// takeStatements notes what became of the statements. An error is that of the whole document.
func (m *productMaking) takeStatements(err error) error {
	p := seedlist.Product{Name: seedlist.ProductStatements}
	switch {
	case m.guessed.Format == "" && !m.joined: // a page without data
		p = m.none(p.Name)
	case err != nil && m.decided.Empty > 0:
		p.None, p.Empty, p.EmptyAt, m.missed = true, m.decided.Empty, m.decided.EmptyAt, err
	case err == nil:
		m.made++
		return nil
	case !costsOnlyOne(err):
		return err
	default:
		p.Error, m.first = recordError(m.claim, err), err
	}
	abort(m.done.files.made)
	m.done.files.made, m.done.clean, m.done.changes = nil, nil, nil
	m.all = append(m.all, p)
	return nil
}

// make makes one product. An error is that of the whole document.
func (m *productMaking) make(ctx context.Context, maker states.Product) error {
	r := m.runner
	collector := report.NewCollector(m.claim.Seed.Hash, 1)
	file := &productFile{runner: r}
	defer file.end()
	readings := 0
	begin := func() (*states.Making, error) {
		if readings++; readings > 1 && m.isTold {
			return nil, fmt.Errorf("the reading of %s refuted what one before proved", maker.Name())
		}
		to := &states.Making{Line: file.line, Memory: m.need.reader, Temp: r.opt.Temp}
		switch maker.Name() {
		case kind.Records:
			m.further.named, to.Named = nil, m.named
		case kind.Articles:
			m.entries = nil
			to.Named = func(n states.Named) { m.entries = append(m.entries, n.URI) }
		}
		collector = report.NewCollector(m.claim.Seed.Hash, 1)
		if !m.isTold {
			to.Document = m.found.Again().Notice
		}
		to.Notice = func(n fault.Notice) {
			n.Product = maker.Name()
			collector.Notice(n)
			m.found.Collector.Notice(n)
		}
		if m.mapsRecords(maker.Name()) {
			to.Statements = m.beginStatements()
		}
		return to, file.begin()
	}
	opt := states.ParseOptions{Settings: settingsBy(m.by, r.opt.Settings), Hashes: states.ForNothing, Held: m.held}
	out := states.ProductOutput{Product: maker, Begin: begin, Progress: func(read int64) {
		r.progress(ctx, m.claim, seedlist.Progress{Bytes: read, Of: max(m.document.Size, 0), Message: maker.Name()})
	}}
	reading, made, err := states.MakeProduct(ctx, m.document, m.guessed, opt, out)
	err = m.context.judge(err)
	p := seedlist.Product{Name: maker.Name(), Recipe: m.recipeOf(maker.Name()), Metadata: m.metadataOf(maker.Name())}
	isNone, lost := made.None, collector.Lost()
	if err == nil && maker.Name() == kind.Records {
		isNone, err = m.byRecipe(ctx, &made, lost)
	}
	if err == nil && !isNone {
		isNone, err = m.isKept(maker.Name(), made.Written, lost)
	}
	if err == nil && !isNone {
		err = file.seal(ctx, &m.claim, &p, made)
	}
	switch {
	case err == nil && isNone:
		p = m.none(p.Name)
	case err == nil:
		m.done.files.made = append(m.done.files.made, file.take()...)
		m.made++
	case costsOnlyOne(err):
		p.Error = recordError(m.claim, err)
		if maker.Name() == kind.Records {
			p.Empty, p.EmptyAt = m.changed.Empty, m.changed.EmptyAt
		}
		if m.first == nil {
			m.first = err
		}
	default:
		return err
	}
	m.usesURI = m.usesURI || made.UsesURI
	if isNone == made.None {
		m.count(maker.Name(), &made, lost)
	}
	m.all = append(m.all, p)
	if !m.isTold && err == nil {
		*m.reading, m.isTold = reading, true
		m.guessed = reading.Proved()
		if m.guessed.Kind == "" {
			m.guessed.Kind = kind.Kind(reading.Format)
		}
	}
	if m.ofRecords != nil {
		m.ofRecords.made, m.ofRecords.product, m.ofRecords.err = made.Statements, p, err
	}
	return nil
}

// recipeOf is the SHA-256 of the recipe that says how a product is made; "" if none does.
func (w *parseWork) recipeOf(product string) string {
	if product == kind.Records && w.by != nil && w.by.Spec != nil {
		return w.use.SHA256
	}
	return ""
}

// metadataOf is the place of the metadata by which a product is made; "" if none is.
func (w *parseWork) metadataOf(product string) string {
	if product == kind.Records && w.table.IsFound() {
		return w.table.Found.Where
	}
	return ""
}

// count notes the sums of a product.
func (m *productMaking) count(product string, made *states.Made, lost int64) {
	switch product {
	case kind.Records:
		sums := made.Records
		sums.Dropped = lost + m.layersLost
		sums.Read = sums.Kept + sums.Repaired + sums.Dropped
		m.done.records = &sums
	case kind.Articles:
		sums := made.Articles
		m.done.articles = &sums
	}
	for _, e := range made.Evidence {
		m.done.evidence = append(m.done.evidence, evidenceOf(e.From, e.Value, e.Confidence))
	}
}

// productFile is the file of a product while it is written, with the schema beside it.
type productFile struct {
	runner *Runner
	file   files.Pending
	writer *files.CleanWriter
	schema files.Pending
}

// begin begins the file, or begins it again.
func (f *productFile) begin() (err error) {
	if f.file == nil {
		if f.file, err = f.runner.files.Create(); err != nil {
			return err
		}
	} else {
		f.writer.Abort()
		if err := f.file.Restart(); err != nil {
			return err
		}
	}
	f.writer = files.NewCleanWriter(f.file, files.CleanOptions{Level: f.runner.opt.ProductLevel, Workers: 1, WithoutMD5: true})
	return nil
}

func (f *productFile) line(line []byte) error {
	return f.writer.Line(bytes.TrimSuffix(line, []byte("\n")))
}

// seal names the files, and says in p what they hold. They are given up where the same files are there already. If
// these are damaged, they are written again.
func (f *productFile) seal(ctx context.Context, claim *seedlist.Claim, p *seedlist.Product, made states.Made) error {
	if err := f.writer.Close(); err != nil {
		return err
	}
	content := f.writer.Content()
	size, written := content.NumberOfBytes, made.Written
	p.SHA256, p.Bytes, p.Written, p.Tables, p.Fence = content.SHA256, &size, &written, made.Tables, claim.Lease()
	p.Fields = made.Fields
	if made.Schema != nil {
		sum := sha256.Sum256(made.Schema)
		p.Schema = hex.EncodeToString(sum[:])
	}
	if claim.Seed.SameFile(p) {
		p.Fence = claim.Seed.Product(p.Name).Fence
		isWhole, err := isWholeProduct(ctx, f.runner.files, &claim.Seed, p)
		if isWhole || err != nil {
			abort(f.take())
			return err
		}
	}
	key := files.Key(claim.Seed.Hash, p.Fence)
	if err := f.file.Seal(key, seedfile.SuffixOf(p.Name)); err != nil || made.Schema == nil {
		return err
	}
	return f.sealSchema(key, made.Schema)
}

func (f *productFile) sealSchema(key string, schema []byte) (err error) {
	if f.schema, err = f.runner.files.Create(); err != nil {
		return err
	}
	if _, err = f.schema.Write(schema); err != nil {
		return err
	}
	return f.schema.Seal(key, files.Schema)
}

// take gives the files to the caller.
func (f *productFile) take() (made []files.Pending) {
	for _, p := range []files.Pending{f.file, f.schema} {
		if p != nil {
			made = append(made, p)
		}
	}
	f.file, f.schema = nil, nil
	return made
}

// end gives up what was not taken.
func (f *productFile) end() {
	if f.writer != nil {
		f.writer.Abort()
	}
	abort(f.take())
}

// describeProducts adds to a change of the record what became of the products.
func (w *parseWork) describeProducts(reading *states.Reading, guessed *states.Guessed) {
	update, done := w.done.update, &w.done
	presumed, text := guessed.Encoding.Name, reading.Text
	isRead, usesURI := reading.Encoding.Name != "", w.usesURI
	w.done.update = func(record *seedlist.Record) {
		update(record)
		record.Records, record.Articles = done.records, done.articles
		record.Format = guessed.Kind.Record()
		record.FormatEvidence = append(slices.Clip(record.FormatEvidence), done.evidence...)
		if done.clean == nil {
			none := false
			record.Statements, record.Sources, record.BaseUsed, record.BlankNodes, record.Changes = nil, nil, &none, &none, nil
		}
		if usesURI {
			record.BaseUsed = &usesURI
		}
		if !isRead {
			record.Text = nil
		} else if done.clean == nil {
			record.Text, record.Encoding = &text, encodingOf(reading.Encoding, presumed)
		}
	}
	done.countProducts()
}

// countProducts adds the sums of products other than statements to the log.
func (done *parseOutcome) countProducts() {
	for name, n := range map[string]int64{
		"records_read": recordsOf(done.records).Read, "records_kept": recordsOf(done.records).Kept,
		"records_repaired": recordsOf(done.records).Repaired, "records_dropped": recordsOf(done.records).Dropped,
	} {
		if done.records != nil {
			done.log.Counts[name] = n
		}
	}
	if of := done.ofRecords; of != nil && done.records != nil {
		with := done.records.Written - of.WithoutNode
		done.log.Counts["records_with_node"], done.log.Counts["records_without_node"] = with, done.records.Read-with
	}
	if a := done.articles; a != nil {
		done.log.Counts["articles_read"], done.log.Counts["articles_kept"], done.log.Counts["articles_empty"] = a.Read, a.Kept, a.Empty
	}
	for i := range done.products {
		if p := &done.products[i]; p.Written != nil {
			done.log.InsertCount += *p.Written
		}
	}
}

func recordsOf(r *digest.Records) digest.Records {
	if r == nil {
		return digest.Records{}
	}
	return *r
}
