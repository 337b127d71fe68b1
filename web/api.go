// Package web serves the store over HTTP: JSON below /api/v1, and files. Errors
// are application/problem+json (RFC 9457).
//
// The same handler serves the TCP port, where it only reads, and the unix socket
// and the command line in process, where it may write.
package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"laundromat/internal/commands"
	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/search"
	"laundromat/seedlist/termfilter"
	"laundromat/seedlist/views"
	"laundromat/states/kind"
	"laundromat/states/recipe"
	"laundromat/states/recordset"
	"laundromat/states/recordtables"
)

// Seeds is the part of a seed list that the API needs: it claims and completes nothing.
type Seeds interface {
	seedlist.Reader
	seedlist.Feed
	seedlist.Editor
	seedlist.Catalogs
	seedlist.Hosts
	seedlist.Recipes
	seedlist.Holding
}

// Rereading is what reads a stored document once more.
type Rereading struct {
	// CellPlaces finds out where the cells of some records are in a document, of which it reads so many bytes at
	// most.
	// With nil, nobody knows.
	CellPlaces func(ctx context.Context, seed seedlist.Seed, from, to, most int64) ([][]recordset.Placed, error)
	// Articles makes the articles of a document, which people know by a name, again from its stored bytes, in one
	// of
	// articles.MadeForms. If nil, they are given in the other forms alone.
	Articles func(ctx context.Context, seed seedlist.Seed, name, format string, to io.Writer) error
	// Repairs writes the repairs of a document, which people know by a name, as a diff against its stored bytes, of
	// which it reads so many at most; 0: all. Nothing is written before the diff is proved. If nil, nobody can.
	Repairs func(ctx context.Context, seed seedlist.Seed, name string, most int64, to io.Writer) error
	// TryRecipe reads a document by a recipe, and keeps nothing. If nil, nobody can.
	TryRecipe func(ctx context.Context, seed seedlist.Seed, by *recipe.Recipe) (RecipeTried, error)
}

// Options are what the API is built on.
type Options struct {
	Seeds Seeds
	Files files.Opener
	// Views answer lists and counts that the seed list has no index for; nil: there are none.
	Views *views.Views
	// PreferViews says that they are quicker than the seed list for one state too.
	PreferViews bool
	Version     string
	// Writable allows what changes the store, and what takes long (verify), to whoever asks: it
	// is for the socket and for this process.
	Writable bool
	// Authority says who may do what elsewhere; its zero value lets everyone read, and nobody write.
	Authority Authority
	// OnlyMonitored says that /healthz, /readyz and /metrics are answered, and nothing else.
	OnlyMonitored bool
	// Metrics answers /metrics; nil: it is not there.
	Metrics http.Handler
	// Pages makes what answers people at all paths that the API has not. It hands those that are
	// nobody's page to otherwise. With nil, nothing is there.
	Pages func(reader *Reader, otherwise http.Handler) http.Handler
	// Streams of events end with this context; nil: with their requests alone.
	Streams context.Context
	// Limits are those of one client; where it may write, there are none.
	Limits Limits
	// Dirty gives the bytes of a seed as they came.
	Dirty func(ctx context.Context, seed seedlist.Seed) (io.ReadCloser, error)
	// Text gives the text of a document that was read, in UTF-8, as the places of its notices count it.
	// With nil, there is none to be had.
	Text func(ctx context.Context, seed seedlist.Seed) (io.ReadCloser, error)
	Rereading
	// Formats are the names that a filter may ask for; nil: any.
	Formats []string
	// Pauses are what the daemon does not go on with now, and whether it runs yet; nil: none does.
	Pauses func() (all []Pause, isRunning bool)
	Upkeep
	// LogLost says what of the daemon's log could not be written; nil: there is no log.
	LogLost func() LogLoss
	// Daemon is what a daemon alone has.
	Daemon DaemonOptions
	// Verify holds the store against the files; it calls found for each fault, and
	// once at the end with the sums.
	Verify func(ctx context.Context, found func(Verified) error) error
	// Repair is Verify that marks what has to be done again.
	Repair func(ctx context.Context, found func(Verified) error) error
	// Again has seeds washed again, and answers for each, in order. Of seeds that the recipe of the request does
	// not
	// concern it says nothing.
	Again func(ctx context.Context, request AgainRequest, seeds []seedlist.Seed) ([]ActedOn, error)
	// Actions are those on all seeds that match a filter; nil: there are none.
	Actions *Actions
	// Snapshot writes the seed list as it is at one moment.
	Snapshot func(ctx context.Context, to io.Writer) error
}

// DaemonOptions are what a daemon alone has; its zero value is of a list that none works on.
type DaemonOptions struct {
	// Commands are those that run when something happens, and how they do; nil: there are none.
	Commands func() []commands.Status
	// RecordsInto says how far the database is that the records of recipes go to; nil: there is none.
	RecordsInto func(context.Context) recordtables.IntoStatus
	// Merges are the records that were found to be the same, and SourceOf is the source of the rows that were made of a
	// document, in the database of RecordsInto; nil: there is none.
	Merges   func() (recordtables.Merges, error)
	SourceOf func(context.Context, *seedlist.Seed) (string, error)
	// Search is what finds documents by words. A nil Search says that there is none, and a nil function that there
	// can't be.
	Search func(context.Context) (*search.Search, error)
	// Site is where others reach the service, for its description: [Site.Mount] does the rest.
	Site Site
	// Terms is what knows which clean files may hold a term.
	Terms func(context.Context) (*termfilter.Index, error)
	// Asking says how the daemon asks a host, and what came of its last request, without headers; nil where that is
	// not known. A nil function says that none asks anybody here.
	Asking func(ctx context.Context, host string) (*HostAsking, *seedlist.Exchange, error)
	// Beside washes the stored bytes of a document, stores nothing, and says what would change; nil: nobody can.
	Beside func(ctx context.Context, seed seedlist.Seed) (Beside, error)
}

// Upkeep is what is done with a data folder and its daemon as a whole.
type Upkeep struct {
	// GC removes what kills left; it calls found for each.
	GC func(ctx context.Context, wanted GCRequest, found func(Collected) error) (GCSums, error)
	// Drain has the daemon end once what is at work has ended; nil: none runs.
	Drain func() error
	// Compact copies the seed list into a file without the room that was left.
	Compact func(context.Context) (Compacted, error)
}

// api is the handler's state.
type api struct {
	Options
	teller  *teller
	limiter *limiter
	ranked  memo[ranking] // of publishers
	mending chan struct{} // holds one for each diff of repairs that is being made
}

// New returns the handler of the API.
func New(options Options) http.Handler {
	a := &api{Options: options, teller: &teller{seeds: options.Seeds}, limiter: newLimiter(options.Limits),
		mending: make(chan struct{}, mostMending)}
	mux := http.NewServeMux()
	operations := []operation{
		get("/healthz", a.health),
		get("/readyz", a.ready),
		get(sessionPath, a.whoAsks),
		get("/api/v1/stats", a.stats),
		get("/api/v1/seeds", a.list),
		get("/api/v1/counts", a.counts),
		get("/api/v1/washed", a.washed),
		get("/api/v1/seeds/{hash}", a.seed),
		get("/api/v1/seeds/{hash}/attempts", a.attempts),
		get("/api/v1/seeds/{hash}/rows", a.rows),
		get("/api/v1/seeds/{hash}/statistics", func(ctx context.Context, r *statisticsRequest) (*statisticsReply, error) {
			return statisticsOf(ctx, a, r)
		}),
	}
	operations = append(operations, a.ofCatalogs()...)
	operations = append(operations, a.ofHosts()...)
	operations = append(operations, ofRecipes(a)...)
	operations = append(operations, ofMerges(a)...)
	operations = append(operations, ofPublishers(a)...)
	operations = append(operations, a.ofActions()...)
	operations = append(operations, ofHolds(a)...)
	operations = append(operations, ofSearch(a)...)
	operations = append(operations, recordOperations(a)...)
	mux.HandleFunc("GET /api/v1/seeds/{hash}/clean.nq.gz", taking(a.clean, "subject"))
	mux.HandleFunc("GET /api/v1/seeds/{hash}/clean.nq", taking(func(w http.ResponseWriter, r *http.Request) { plainClean(a, w, r) }))
	mux.HandleFunc("GET /api/v1/seeds/{hash}/records", taking(productOf(a, kind.Records), "as", "places", "from", "limit", "version"))
	mux.HandleFunc("GET /api/v1/seeds/{hash}/articles", taking(productOf(a, kind.Articles), "as", "from", "limit", "version"))
	for name, suffix := range changeFiles {
		mux.HandleFunc("GET /api/v1/seeds/{hash}/"+name, taking(a.changes(suffix)))
	}
	mux.HandleFunc("GET /api/v1/seeds/{hash}/patch", taking(a.limiter.streaming(statementsAPI{a}.patch), "from", "to"))
	mux.HandleFunc("GET /api/v1/seeds/{hash}/repairs", taking(a.limiter.streaming(repairsAPI{a}.send)))
	mux.HandleFunc("GET /api/v1/events", taking(a.limiter.streaming(a.events), append([]string{"after", "seed"}, eventFilters...)...))
	mux.HandleFunc("GET /api/v1/download", taking(a.limiter.streaming(downloadAPI{a}.send), downloadParameters()...))
	mux.HandleFunc("GET /api/v1/statements", taking(a.limiter.streaming(statementsAPI{a}.send), statementsParameters...))
	mux.HandleFunc("GET /api/v1/seeds/{hash}/dirty", taking(a.dirty))
	mux.HandleFunc("GET /api/v1/seeds/{hash}/notices", taking(a.notices, "samples"))
	if a.hasWrites() {
		operations = append(operations,
			post("/api/v1/seeds", a.add, func(o *huma.Operation) { o.MaxBodyBytes = a.mostAdded() }),
			remove("/api/v1/seeds/{hash}", a.remove),
			patch("/api/v1/seeds/{hash}", a.set),
			post("/api/v1/seeds/{hash}/retry", a.retry))
	}
	if options.Writable {
		operations = append(operations, get("/api/v1/meant", a.meant),
			get("/api/v1/begins", a.begins),
			post("/api/v1/seeds/retry", a.retryMany),
			post("/api/v1/seeds/rewash", a.rewashMany),
			post("/api/v1/seeds/set", a.setMany),
			post("/api/v1/seeds/remove", a.removeMany))
		mux.HandleFunc("GET /api/v1/verify", taking(a.verify))
		mux.HandleFunc("POST /api/v1/gc", taking(a.gc))
		mux.HandleFunc("POST /api/v1/seeds/rewash/sample", taking(sampling(a)))
		mux.HandleFunc("POST /api/v1/verify/repair", taking(a.repair))
		mux.HandleFunc("GET /api/v1/snapshot", taking(a.snapshot))
	}
	if options.Metrics != nil {
		mux.Handle("GET /metrics", options.Metrics)
	}
	a.serve(mux, operations)
	var rest http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { writeProblem(w, Nothing(r.URL.Path)) })
	if options.Pages != nil {
		rest = options.Pages(&Reader{a: a}, rest)
	}
	mux.Handle("/", rest)
	whole := readableAnywhere(a.limiter.bounded(options.Authority.guarded(a.limiter.lines(conditional(mux, true)))))
	if options.Writable {
		whole = fromSocket(conditional(mux, false))
	}
	if options.OnlyMonitored {
		return onlyMonitored(whole)
	}
	if options.Pages != nil {
		whole = forPeople(whole, rest)
	}
	return whole
}

// hasWrites says that there is who may write.
func (a *api) hasWrites() bool { return a.Writable || a.Authority.Tokens != nil }

// mostAdded is how many bytes of seeds one request may bring.
func (a *api) mostAdded() int64 {
	if a.Writable {
		return 256 << 20
	}
	return 16 << 20
}

// problem turns an error of the store into one of HTTP.
func problem(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, seedlist.ErrNotFound):
		return huma.Error404NotFound(err.Error())
	case errors.As(err, new(huma.StatusError)):
		return err
	case errors.Is(err, seedlist.ErrCursor):
		return huma.Error400BadRequest(err.Error())
	case errors.Is(err, seedlist.ErrNotAtRest), errors.Is(err, seedlist.ErrNotFailed), errors.Is(err, seedlist.ErrNoURI),
		errors.Is(err, seedlist.ErrDerived),
		errors.Is(err, seedlist.ErrGone), errors.Is(err, seedlist.ErrClean), errors.Is(err, seedlist.ErrNoBytes),
		errors.Is(err, seedlist.ErrRemoved):
		return huma.Error409Conflict(err.Error())
	case errors.Is(err, context.Canceled):
		return err
	case fault.CodeOf(err) == fault.LocalDatabase: // it goes on by itself when the database answers
		return huma.ErrorWithHeaders(huma.Error503ServiceUnavailable(err.Error()), http.Header{"Retry-After": {"5"}})
	default:
		return huma.Error500InternalServerError(err.Error())
	}
}

// Stats are the counts of the list, and what the daemon does not go on with.
type Stats struct {
	seedlist.Counts
	Paused []Pause `json:"paused,omitempty"`
	// Held are the parts of the work that people hold: see [Held].
	Held []string `json:"held,omitempty"`
	// Waits are what can't be worked on now, and until when.
	Waits seedlist.Waits `json:"waits"`
	// OlderForms are how many documents an older form of a recipe was found for, by its name, or one that was
	// removed.
	OlderForms map[string]int64 `json:"older_forms,omitempty"`
	// LogLost is absent while nothing of the daemon's log was lost.
	LogLost *LogLoss `json:"log_lost,omitempty"`
	// RecordsInto says how far the database is that the records of recipes go to; absent where there is none.
	RecordsInto *recordtables.IntoStatus `json:"records_into,omitempty"`
	// Warnings are for an operator to look at: catalogs that failed, or named no document any more.
	Warnings []string `json:"warnings,omitempty"`
	// Washers are other versions of the program than this, with the seeds that each washed last.
	Washers []WashedBy `json:"washers,omitempty"`
	// Commands are those of --on. What they are, and what they wrote, is for who may write alone.
	Commands []commands.Status `json:"commands,omitempty"`
}

// LogLoss says how many lines of the daemon's log could not be written, and why the last of them.
type LogLoss struct {
	Lines int64  `json:"lines"`
	Why   string `json:"why"`
}

// hostsShown is how many of the hosts that seeds wait for are named.
const hostsShown = 5

type statsReply struct{ Body Stats }

func (a *api) stats(ctx context.Context, _ *struct{}) (*statsReply, error) {
	counts, err := a.Seeds.Counts(ctx)
	if err != nil {
		return nil, problem(err)
	}
	waits, err := a.Seeds.Waits(ctx, hostsShown)
	if err != nil {
		return nil, problem(err)
	}
	older, err := recipesAPI{a}.olderForms(ctx, &counts)
	if err != nil {
		return nil, err
	}
	pauses, _ := a.pauses()
	reply := &statsReply{Body: Stats{Counts: counts, Paused: pauses, Waits: waits, OlderForms: older}}
	if reply.Body.Held, err = a.Seeds.Held(ctx); err != nil {
		return nil, problem(err)
	}
	if a.LogLost != nil {
		if loss := a.LogLost(); loss.Lines > 0 {
			reply.Body.LogLost = &loss
		}
	}
	if a.Daemon.RecordsInto != nil {
		is := a.Daemon.RecordsInto(ctx)
		reply.Body.RecordsInto = &is
	}
	reply.Body.Commands = commandsOf(a)
	reply.Body.Warnings, reply.Body.Washers = warningsOf(ctx, a.Seeds), OtherWashers(ctx, a.Views, a.Version)
	return reply, nil
}

// commandsOf are those of --on as the client may see them: a line of the shell may hold a secret.
func commandsOf(a *api) (all []commands.Status) {
	if a.Daemon.Commands == nil {
		return nil
	}
	for _, c := range a.Daemon.Commands() {
		if !a.Writable {
			c.Command = ""
			if c.Last != nil {
				last := *c.Last
				last.Said = ""
				c.Last = &last
			}
		}
		all = append(all, c)
	}
	return all
}

// byHash names one seed.
type byHash struct {
	Hash string `path:"hash" pattern:"^[0-9a-f]{32}$" doc:"key of the seed"`
}

// find reads the seed of a hash.
func (a *api) find(ctx context.Context, hash string) (seedlist.Seed, error) {
	seed, err := a.Seeds.Seed(ctx, strings.ToLower(hash))
	if errors.Is(err, seedlist.ErrNotFound) {
		return seed, huma.Error404NotFound("no seed has the hash " + hash)
	}
	return seed, problem(err)
}
