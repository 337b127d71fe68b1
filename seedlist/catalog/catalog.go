// Package catalog is where seeds come from. It reads lists, sitemaps, VoID, DCAT, CKAN and the other
// ways in which people say where data is. It gives out the URIs of the documents, each with what the
// catalog claims of it.
//
//	result, err := catalog.Harvest(ctx, "https://example.org/void.ttl", catalog.Options{}, fetch, sink)
//
// What a catalog is, its content shows ([Recognise]), unless it is named. Catalogs
// are dirty: an entry that can't be taken is refused with a [Reason], and counted;
// none is lost in silence. Pages follow one another within limits, and no page is
// read twice.
//
// The package asks nothing of the network by itself and knows of no store. Its caller fetches the
// pages, as UTF-8 text, and keeps what comes out.
package catalog

import (
	"context"
	"io"

	"laundromat/internal/fault"
)

// Kind is a kind of catalog, by the name that people give it.
type Kind string

// The kinds of catalogs.
const (
	Any      Kind = ""            // to be recognised
	CKAN     Kind = "ckan"        // the action API: package_search, package_list, package_show
	DCAT     Kind = "dcat"        // dcat:Distribution in any RDF format, with Hydra paging
	VoID     Kind = "void"        // void:dataDump in any RDF format
	Sitemap  Kind = "sitemap"     // sitemaps.org: index, set, and the semantic extension
	LODCloud Kind = "lodcloud"    // lod-cloud.net's lod-data.json
	Package  Kind = "datapackage" // the descriptor of a Data Package, version 1 and 2
	LOV      Kind = "lov"         // Linked Open Vocabularies: list and info
	Databus  Kind = "databus"     // DBpedia Databus, by its keys
	Feed     Kind = "feed"        // RSS and Atom
	Listing  Kind = "listing"     // a folder as Apache, nginx and others show it
	Bucket   Kind = "s3"          // a bucket as S3 lists it
	List     Kind = "list"        // a URI a line; also text/uri-list and text sitemaps
	Table    Kind = "table"       // CSV or TSV with a column of URIs
	HTML     Kind = "html"        // a page with links to dumps
	Records  Kind = "records"     // a table, tree or page whose records are documents; never recognised

	robots Kind = "robots.txt" // only for the sitemaps that it names
)

// kinds are all kinds in the order in which people read of them.
var kinds = []Kind{CKAN, DCAT, VoID, Sitemap, LODCloud, Package, LOV, Databus, Feed, Listing, Bucket, List, Table, HTML, Records}

// Kinds returns every kind that can be named.
func Kinds() []Kind { return append([]Kind(nil), kinds...) }

// Named finds a kind by its name, or by one that people use for it.
func Named(name string) (Kind, bool) {
	switch name {
	case "", "auto":
		return Any, true
	case "rss", "atom":
		return Feed, true
	case "csv", "tsv":
		return Table, true
	case "uri-list", "text":
		return List, true
	case "lod-cloud":
		return LODCloud, true
	case "data-package":
		return Package, true
	case "hydra":
		return DCAT, true
	}
	for _, kind := range kinds {
		if string(kind) == name {
			return kind, true
		}
	}
	return Any, false
}

// Version is the version of this package's reading, for the log: it rises when what
// a catalog gives changes.
const Version = "1"

// Entry is a document that a catalog names.
type Entry struct {
	URI    string // absolute
	Title  string
	Claims Claims
	// Relative says that the catalog has it as a reference that is relative to its page.
	Relative bool
}

// Reason is why an entry of a catalog is no seed.
type Reason string

// The reasons, as JSON shows them.
const (
	NoURI        Reason = "no-uri"          // an entry without any
	BadURI       Reason = "bad-uri"         // nothing that can be asked for
	BadScheme    Reason = "scheme"          // ipfs, mailto and the like
	NotRDF       Reason = "not-rdf"         // the claimed format is known, and is no RDF
	WebPage      Reason = "web-page"        // claimed to be a page for people
	Endpoint     Reason = "endpoint"        // a SPARQL endpoint
	Service      Reason = "service"         // an API
	NoDownload   Reason = "no-download"     // only a page about it, of no known format
	Example      Reason = "example"         // a sample of the data, not the data
	OtherCatalog Reason = "another-catalog" // to be added as a catalog of its own
	Withdrawn    Reason = "withdrawn"       // deleted, a draft, or private
	OlderVersion Reason = "older-version"   // a newer one is taken
	UnknownFile  Reason = "unknown-file"    // of a listing: no sign that it is RDF
	OtherLink    Reason = "other-link"      // of a page: navigation, sort orders
	Mirror       Reason = "mirror"          // of a document that is taken
	OwnSite      Reason = "own-site"        // what we publish ourselves
	Damaged      Reason = "damaged"         // a part of the catalog that can't be read
	Unreachable  Reason = "unreachable"     // a page of the catalog that could not be had
	Incomplete   Reason = "incomplete"      // what the catalog says that it has, and did not give
	Repeated     Reason = "repeated"        // a page that names again what was named before
	Mended       Reason = "mended"          // a fault of the page that costs nothing
	OverLimit    Reason = "over-limit"      // past a limit of ours
)

// Refusal is an entry that is no seed.
type Refusal struct {
	URI     string `json:"uri,omitempty"` // as it was there; "" if there was none
	Reason  Reason `json:"reason"`
	Message string `json:"message,omitempty"`
}

// Page is a further document of the same catalog.
type Page struct {
	URI  string
	Kind Kind // Any: to be recognised
	// Optional says that nobody named the page: it is looked for where such pages are
	// by custom. That it is not there says nothing.
	Optional bool
	// Series says that it follows the page that names it, as the second page of a list
	// follows the first; else it is inside.
	Series bool

	depth  int // pages that it is in
	tries  int
	first  bool
	probe  bool    // looked for where catalogs are by custom
	series *series // that it belongs to
}

// Sink takes what a page holds, in its order. It is called from one goroutine.
type Sink interface {
	// Entry takes a document. An error ends the reading.
	Entry(Entry) error
	// Refused takes an entry that is no seed, with the reason.
	Refused(Refusal)
	// Page takes a further page of the catalog, which is not fetched yet.
	Page(Page)
}

// Document is a page of a catalog, fetched.
type Document struct {
	URI         string // the last of the redirect chain: relative references are resolved against it
	ContentType string
	// Links are the Link headers (RFC 8288) it came with.
	Links []string
	// Text is the page in UTF-8, without filters and byte order mark; bytes that are
	// not UTF-8 may be in it.
	Text io.Reader
}

// Options of a reading; zero values mean what is said here.
type Options struct {
	Kind Kind
	// Before is the kind that the catalog was found to be when it was last read and believed. Where a page comes
	// that names nothing, it
	// is looked for only where catalogs of that kind are by custom; "" or HTML: of all kinds.
	Before Kind
	// Records says how the records of a catalog of that kind are made; nil: as they are written.
	Records *RecordsSpec
	// Temp is the folder of temporary files; "" is that of the system.
	Temp string
	// All takes also what is claimed, or looks, to be no RDF.
	All bool
	// Own are hosts (host[:port] in lower case) whose documents are never taken: our
	// own site.
	Own []string
	// MaxMemory is what is held of one page, in bytes: 256 MiB. A page that needs more
	// ends with limit/memory; what came before is kept.
	MaxMemory int64
	// MaxPages is the number of pages of one harvest: 10,000.
	MaxPages int
	// MaxEntries is the number of entries of one harvest, refused ones too: 10 million.
	MaxEntries int64
	// MaxDepth is how many pages may lead one to another where each is inside the one
	// before: sitemaps in an index, folders in a listing. The default is 10. The next page
	// of a series is no deeper than the one before it.
	MaxDepth int

	series *series // of the page that is read
}

func (o *Options) applyDefaults() {
	if o.MaxMemory <= 0 {
		o.MaxMemory = 256 << 20
	}
	if o.MaxPages <= 0 {
		o.MaxPages = 10_000
	}
	if o.MaxEntries <= 0 {
		o.MaxEntries = 10_000_000
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = 10
	}
	if o.series == nil {
		o.series = &series{}
	}
}

// Read reads one page of a catalog, of the kind that is named or else recognised, which it returns.
// Errors are those of the text and the sink, or a *fault.Error. Its kind is Limit, or Data where the
// page is no catalog, or a reply that says that something went wrong.
func Read(ctx context.Context, d Document, opt Options, to Sink) (Kind, error) {
	opt.applyDefaults()
	if opt.Kind == Records {
		return readRecords(ctx, d, opt, to)
	}
	head, rest, whole, err := peek(d.Text)
	if err != nil {
		return opt.Kind, err
	}
	recognised := Recognise(head, whole, d.ContentType, d.URI)
	kind := opt.Kind
	// A series of a named kind may begin with, or lead through, pages of another: a
	// sitemap in plain text, an index as a page.
	if kind == Any || compatible(kind, recognised) {
		kind = recognised
	}
	if kind == Any {
		return kind, fault.New("catalog.Read", fault.Data, fault.CatalogUnknown, "no catalog of a kind that is known: %s",
			describe(head, whole, d.ContentType, d.URI))
	}
	r := &reading{ctx: ctx, doc: d, opt: &opt, to: to, text: cancellable{ctx, rest}, head: head, whole: whole}
	r.linkHeaders()
	err = r.read(kind)
	if err == nil && kind != recognised && !r.named {
		// A page for people, or an error, in the place of a catalog whose kind was named.
		err = fault.New("catalog.Read", fault.Data, fault.CatalogUnknown, "no catalog of the kind %s: %s", kind,
			describe(head, whole, d.ContentType, d.URI))
	}
	return kind, err
}

// reading is the reading of one page.
type reading struct {
	ctx   context.Context
	doc   Document
	opt   *Options
	to    Sink
	text  io.Reader
	head  []byte
	whole bool
	held  int64 // bytes held of what came, about
	// hyper says that the page is one of links, in which a relative reference is the rule. Elsewhere
	// what looks like a host name is refused as one.
	hyper bool
	given map[string]bool // URIs that were given out; nil where nobody asks
	named bool            // it named a document or a page
}

func (r *reading) read(kind Kind) error {
	switch kind {
	case CKAN:
		return r.ckan()
	case DCAT, VoID:
		return r.rdf(kind)
	case Sitemap:
		return r.sitemap()
	case LODCloud:
		return r.lodCloud()
	case Package:
		return r.dataPackage()
	case LOV:
		return r.lov()
	case Databus:
		return r.byKeys()
	case Feed:
		return r.feed()
	case Listing:
		return r.listing()
	case Bucket:
		return r.bucket()
	case List:
		return r.list()
	case Table:
		return r.table()
	case HTML:
		return r.page()
	case robots:
		return r.robots()
	}
	return fault.New("catalog.Read", fault.Data, fault.CatalogUnknown, "there is no kind of catalog called %q", string(kind))
}

// hold accounts for bytes that are kept until the page is read.
func (r *reading) hold(n int) error {
	if r.held += int64(n); r.held > r.opt.MaxMemory {
		return fault.New("catalog.Read", fault.Limit, fault.LimitMemory,
			"what must be held of this page takes more than %d bytes of memory", r.opt.MaxMemory)
	}
	return nil
}

type cancellable struct {
	ctx    context.Context
	reader io.Reader
}

func (c cancellable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.reader.Read(p)
}

func damaged(format string, args ...any) error {
	return fault.New("catalog.Read", fault.Data, fault.CatalogDamaged, format, args...)
}
