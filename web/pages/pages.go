// Package pages serves the pages that people use: HTML that is made on the server, by the same functions
// as the API ([web.Reader]). Every page works without JavaScript, by links and forms alone. Scripts only
// enhance it, and come from this program.
//
// A page is a row of the table routes, a template in templates, and a function that fills it. What it
// fills in is text, which html/template makes inert; [shown] makes its control characters visible too.
package pages

import (
	"bytes"
	"cmp"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"laundromat/seedlist/views"
	"laundromat/web"
)

// Options are what pages need beside the API.
type Options struct {
	// Disk says how much room there is; nil: nobody knows.
	Disk func() Disk
}

// Disk is the room where files are written, in bytes.
type Disk struct {
	Known bool // the system says
	Free  int64
	Keep  int64 // work pauses when less is free; 0: no matter how little
}

// site is the handler's state.
type site struct {
	Options
	read *web.Reader
}

// route is a page: where it is, which parameters its address takes, and what fills it. The navigation calls
// it by nav; one without is not there.
type route struct {
	pattern string
	nav     string
	takes   []string
	fill    func(s *site, r *http.Request) (page, error)
}

// routes are all pages, in the order of the navigation.
func routes() []route {
	return slices.Concat([]route{
		{pattern: "GET /{$}", nav: "Overview", takes: []string{"by"}, fill: (*site).overview},
		{pattern: "GET /seeds", nav: "Wardrobe", takes: listTakes, fill: (*site).wardrobe},
		{pattern: "GET /search", takes: []string{"q", "cursor"}, fill: (*site).search},
		{pattern: "GET /errors", nav: "Errors", takes: errorTakes, fill: (*site).errors},
	}, publisherRoutes(), recipeRoutes(), datasetRoutes(), serviceRoutes())
}

// page is what a route comes to.
type page struct {
	title    string
	template string // the name of its file
	data     any
	status   int    // 0: 200
	typed    string // what was searched for
	// location leads elsewhere, after a form (303); there is no page then.
	location string
	// about is the dataset that the page is about; nil for other pages.
	about *describedAs
	// listens says that the page follows the stream of events. Of these, events are the filters, as a
	// query; "" for all changes.
	events  string
	listens bool
}

// New makes the pages. What is no page, and is not asked for by a person, goes to otherwise.
func New(read *web.Reader, options Options, otherwise http.Handler) http.Handler {
	s := &site{Options: options, read: read}
	mux := http.NewServeMux()
	for _, one := range routes() {
		mux.HandleFunc(one.pattern, func(w http.ResponseWriter, r *http.Request) {
			if err := web.Unknown(r.URL.Query(), one.takes); err != nil {
				s.refuse(w, r, err)
				return
			}
			// Who listens asked before; that nothing is forgotten there, a form asks once more.
			if r.Method == http.MethodPost && !may(r, web.ScopeOf(r)) {
				s.refuse(w, r, web.Refused(http.StatusUnauthorized, "this needs a token"))
				return
			}
			// What changes while the page is made comes in its stream again.
			revision, err := s.read.Revision(r.Context())
			if err != nil {
				s.refuse(w, r, err)
				return
			}
			p, err := one.fill(s, r)
			if err != nil {
				s.refuse(w, r, err)
				return
			}
			s.send(w, r, p, revision)
		})
	}
	mux.HandleFunc("GET /static/{name}", static)
	mux.HandleFunc("GET /errors.csv", s.errorsCSV)
	mux.HandleFunc("GET /publishers.atom", publisherSite{s}.publishersFeed)
	mux.HandleFunc("GET /publishers.csv", publisherSite{s}.publishersCSV)
	mux.HandleFunc("GET /publishers/{by}/turned.atom", publisherSite{s}.publisherFeed)
	mux.HandleFunc("GET /publishers/{by}/report.html", publisherSite{s}.publisherReport)
	mux.HandleFunc("GET /publishers/{by}/report.csv", publisherSite{s}.publisherCSV)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") || !web.WantsPage(r) {
			otherwise.ServeHTTP(w, r)
			return
		}
		s.refuse(w, r, web.Nothing(r.URL.Path))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// What was refused before it came here is told by a page too.
		if p, ok := web.ProblemIn(r.Context()); ok {
			s.refuse(w, r, web.Refused(p.Status, p.Detail))
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// policy lets a page have what this program serves, and nothing else: no script or style within a page,
// and nothing of other sites.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// refuse answers with the page of a problem, in the words of the API.
func (s *site) refuse(w http.ResponseWriter, r *http.Request, err error) {
	problem := web.ProblemOf(err)
	p := page{title: problem.Title, template: "problem.html", data: problem, status: problem.Status}
	if problem.Status == http.StatusUnauthorized {
		p.title, p.template, p.data = "Sign in", "signin.html", signing{Next: backFrom(r), Why: problem.Detail}
	}
	s.send(w, r, p, 0)
}

// frame is what the layout of every page is filled from.
type frame struct {
	Title    string
	Typed    string // in the box of the search
	Nav      []navigated
	Who      string // the token that the session has; "" for none
	Here     string // this page, to come back to
	Version  string
	AsOf     views.AsOf
	Listens  bool
	Events   string
	Revision uint64
	About    *describedAs // nil: the page is about no dataset
	Data     any
}

// describedAs is what a page says of its dataset to programs.
type describedAs struct {
	ID     string      // the path of its IRI
	Schema template.JS // in the words of schema.org, as JSON-LD; "" for what is no dataset
}

// navigated is a page in the navigation.
type navigated struct {
	Name, Path string
	IsHere     bool
}

// send writes a page. It is made whole first: what goes wrong on the way is an answer of its own.
func (s *site) send(w http.ResponseWriter, r *http.Request, p page, revision uint64) {
	if p.location != "" {
		http.Redirect(w, r, p.location, http.StatusSeeOther)
		return
	}
	f := frame{
		Title: p.title, Typed: p.typed, Version: s.read.Version(), AsOf: s.read.AsOf(), Data: p.data,
		About: p.about, Listens: p.listens, Events: p.events, Revision: revision, Nav: navigation(r.URL.Path),
	}
	if who := web.WhoIn(r.Context()); who.Way == web.BySession {
		f.Who = who.Name
	}
	if f.Here = backFrom(r); strings.HasPrefix(f.Here, "/signin") {
		f.Here = "" // that page has its form
	}
	var whole bytes.Buffer
	if err := templates()[p.template].ExecuteTemplate(&whole, "layout.html", f); err != nil {
		http.Error(w, "this page could not be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer") // an address may hold what is private
	w.WriteHeader(cmp.Or(p.status, http.StatusOK))
	w.Write(below(web.SiteOf(r).Path(), whole.Bytes()))
}

// navigation is the same on each page, but for which of them it is.
func navigation(path string) (all []navigated) {
	for _, one := range routes() {
		if one.nav != "" {
			at := pathOf(one.pattern)
			all = append(all, navigated{one.nav, at, at == path || at != "/" && strings.HasPrefix(path, at+"/")})
		}
	}
	return slices.Clip(all)
}

// pathOf is the path of a pattern without variables.
func pathOf(pattern string) string {
	_, path, _ := strings.Cut(pattern, " ")
	return strings.TrimSuffix(path, "{$}")
}
