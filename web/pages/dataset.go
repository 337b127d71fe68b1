package pages

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/web"
)

// How much of a seed its page shows; each list has a page of its own for the rest.
const (
	datasetAttempts = 50
	datasetEntries  = 50 // of an archive
	datasetPassages = 10 // notices that are shown in their lines, one of each code
	datasetRows     = 10
	datasetAlike    = 20 // other documents that are washed to the same
)

// dataset is what is known of one seed.
type dataset struct {
	// Seed is what was asked for. Document is the seed whose document it is: itself, but of a URI with a
	// fragment that of the URI without it.
	Seed, Document seedlist.Seed
	Name           string
	Address        string // of this page, for those who cite it
	State          seedlist.State
	Stages         []stageReached
	Attempts       attempts
	Tree           tree
	Behind         string // as of when what is served is, where something else came since; else ""
	Hops           []hop
	Sums           sums
	Sources        []sourceCount
	Codes          []codeCount
	CodesTotal     int64
	Error          *explainedError
	Quoted         quotation
	Versions       []version
	Rows           web.Rows
	NoRows         string       // why there are none
	Records        *recordTable // nil without records
	Articles       *articleList // nil without articles
	Merges         *mergesOf    // nil if no record is the same as another
	Lacks          []lack       // of products that were asked for
	ofCatalogs
	againForm
}

// IsTitled says that the heading is a title, which the name follows.
func (d *dataset) IsTitled() bool { return d.Document.Title != "" && d.Seed.Document == "" }

// ofCatalogs are the catalogs that name a seed, and what they say of it.
type ofCatalogs struct {
	Claims   []claim
	Catalogs []namedListing
}

// namedListing is a place in a catalog, with the address of that.
type namedListing struct {
	seedlist.Listing
	Name string
}

// lack is why a product is not there.
type lack struct{ Name, Why string }

// claim is what a catalog says of a seed.
type claim struct{ Name, Value string }

// stageReached is a stage, and how a seed stands to it.
type stageReached struct {
	Stage     seedlist.State
	Words     string
	IsDone    bool
	IsHere    bool // it is at work now, or waits for it
	IsStopped bool // it failed
}

// explainedError is why a seed stopped, and what that means.
type explainedError struct {
	seedlist.Error
	Info fault.Info
}

// stageWords are the stages as they are read in a list of steps.
var stageWords = map[seedlist.State]string{
	seedlist.Downloading: "download", seedlist.Unarchiving: "unpack", seedlist.Guessing: "recognise", seedlist.Parsing: "wash",
}

// stagesOf says how far a seed has come.
func stagesOf(seed *seedlist.Seed) (all []stageReached) {
	at := seed.Status
	if at == seedlist.Cleaned || seed.Relative {
		return nil
	}
	failed := seedlist.State("")
	if at == seedlist.Failed && seed.Error != nil {
		failed = seed.Error.Stage
	}
	passed := at == seedlist.Parsed || at == seedlist.Depleted
	stages := seedlist.Stages()
	here := slices.IndexFunc(stages, func(s seedlist.State) bool { return s == at || s.Ready() == at || s == failed })
	for i, stage := range stages {
		if at == seedlist.Depleted && stage.Number() > seedlist.Unarchiving.Number() {
			break // an archive is not read itself
		}
		if seed.Parent != "" && stage == seedlist.Downloading {
			continue // an entry comes with its archive
		}
		all = append(all, stageReached{
			Stage: stage, Words: stageWords[stage], IsDone: passed || here >= 0 && i < here,
			IsHere: i == here && failed == "", IsStopped: i == here && failed != "",
		})
	}
	return all
}

// find reads the seed of a request's path, and the one whose document it is.
func (s *site) find(r *http.Request) (seed, document seedlist.Seed, err error) {
	if seed, err = s.read.Seed(r.Context(), r.PathValue("hash")); err != nil {
		return seed, document, err
	}
	if seed.Document == "" {
		return seed, seed, nil
	}
	document, err = s.read.Document(r.Context(), seed)
	return seed, document, err
}

func (s *site) dataset(r *http.Request) (page, error) {
	ctx := r.Context()
	seed, document, err := s.find(r)
	if err != nil {
		return page{}, err
	}
	about, err := s.describe(r, document)
	if err != nil {
		return page{}, err
	}
	by, err := recipeSite{s}.recipeOf(ctx, &document)
	if err != nil {
		return page{}, err
	}
	chain, behind := document.HTTP, document.Behind()
	document = document.Served()
	d := dataset{
		Seed: seed, Behind: behind, Document: document, Name: s.read.Name(ctx, &seed), Address: web.BaseOf(r) + "/seeds/" + seed.Hash,
		State: stateOf(&seed), Stages: stagesOf(&document), Hops: hopsOf(chain),
		Sums: sumsOf(document.Statements), Sources: sourcesOf(document.Sources), Codes: codesOf(document.Notices),
		Versions: versionsOf(&document), againForm: againForm{by, mayOperate(r)},
	}
	for _, listing := range document.Catalogs {
		d.Catalogs = append(d.Catalogs, namedListing{listing, web.CatalogName(ctx, s.read, listing.Catalog)})
	}
	for _, name := range slices.Sorted(maps.Keys(document.Claims)) {
		d.Claims = append(d.Claims, claim{name, seedlist.ShownIn(document.Claims[name])})
	}
	for _, c := range d.Codes {
		d.CodesTotal += c.Times
	}
	if e := document.Error; e != nil {
		d.Error = &explainedError{*e, infoOf(e.Code)}
	}
	if d.Attempts, err = attemptsOf(ctx, s.read, document.Hash, 0); err != nil {
		return page{}, err
	}
	if d.Tree, err = s.treeOf(ctx, &document); err != nil {
		return page{}, err
	}
	if d.Quoted, err = s.firstOfEach(ctx, &document); err != nil {
		return page{}, err
	}
	s.firstRows(ctx, &d)
	if err := s.firstOfProducts(ctx, &d); err != nil {
		return page{}, err
	}
	if err := s.changesOf(ctx, &document, d.Versions); err != nil {
		return page{}, err
	}
	watched := []string{document.Hash}
	if document.Parent != "" {
		watched = append(watched, document.Parent)
	}
	title := d.Name
	if d.IsTitled() {
		title = seedlist.ShownIn(document.Title)
	}
	return page{
		title: title, template: "dataset.html", data: &d, about: about, listens: true, events: "seed=" + strings.Join(watched, ","),
	}, nil
}

// firstRows fills in the beginning of the clean file, or why there is none: that is no fault of the page.
func (s *site) firstRows(ctx context.Context, d *dataset) {
	rows, err := s.read.Rows(ctx, d.Document.Hash, 1, datasetRows)
	if err != nil {
		d.NoRows = web.ProblemOf(err).Detail
		return
	}
	d.Rows = rows
}

// firstOfProducts fills in the beginning of the records and the articles, or why there are none.
func (s *site) firstOfProducts(ctx context.Context, d *dataset) error {
	for _, name := range []string{seedlist.ProductRecords, seedlist.ProductArticles} {
		p := d.Document.Product(name)
		if p == nil {
			continue
		}
		if why := s.read.WhyNoProduct(&d.Document, name); why != "" {
			d.Lacks = append(d.Lacks, lack{name, why})
			continue
		}
		var err error
		if name == seedlist.ProductRecords {
			var t recordTable
			t, err = s.recordsOf(ctx, &d.Document, recordTable{From: 1}, true)
			d.Records = &t
			if err == nil {
				d.Merges, err = mergesOfDataset(ctx, s.read, &d.Document)
			}
		} else {
			var l articleList
			l, err = s.articlesOf(ctx, &d.Document, 1, true)
			d.Articles = &l
		}
		if err != nil && ctx.Err() == nil { // the file is gone, or damaged: all else is shown
			d.Lacks = append(d.Lacks, lack{name, name + ": " + web.ProblemOf(err).Detail})
			d.forget(name)
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forget leaves a product out.
func (d *dataset) forget(name string) {
	if name == seedlist.ProductRecords {
		d.Records = nil
	} else {
		d.Articles = nil
	}
}

// stateOf is the state of a seed, or that of the document which it names a thing in.
func stateOf(seed *seedlist.Seed) seedlist.State { return cmp.Or(seed.Outcome, seed.Status) }

// infoOf explains a code, also one of an older version, which is not known any more.
func infoOf(code fault.Code) fault.Info {
	info, _ := fault.Explain(code)
	return info
}

// hop is a reply of the chain that led to the bytes, or a connection that brought none.
type hop struct {
	seedlist.Exchange
	Label   string
	Headers []header
	Took    time.Duration
}

// header is one of a reply, with all its values.
type header struct{ Name, Value string }

func hopsOf(chain []seedlist.Exchange) (all []hop) {
	for i, e := range chain {
		one := hop{Exchange: e, Label: "fetched", Took: seconds(e.Walltime)}
		switch {
		case i > 0 && chain[i-1].Status/100 == 3:
			one.Label = "redirected"
		case i > 0:
			one.Label = "then"
		}
		for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
			one.Headers = append(one.Headers, header{name, strings.Join(e.Headers[name], ", ")})
		}
		all = append(all, one)
	}
	return all
}

// seconds is a time that a record has as a number.
func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// version is one of the bytes that came, with what it was washed to.
type version struct {
	seedlist.Version
	IsCurrent bool
	IsThere   bool // its clean file is
	Compared  []productChange
}

// versionsOf are the versions, the last first.
func versionsOf(seed *seedlist.Seed) (all []version) {
	for _, v := range seed.Versions() {
		current := v.Clean != "" && v.Clean == seed.Clean
		all = append(all, version{Version: v, IsCurrent: current, IsThere: current || v.Kept})
	}
	slices.Reverse(all)
	return all
}
