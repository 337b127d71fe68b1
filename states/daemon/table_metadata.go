package daemon

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"path"
	"strings"
	"time"

	"laundromat/internal/fault"
	"laundromat/rdf/format"
	"laundromat/records/csvw"
	"laundromat/records/datapackage"
	"laundromat/seedlist"
	"laundromat/seedlist/catalog"
	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/states/recipe"
	"laundromat/states/recordset"
)

// The metadata of a table is looked for where its records, or statements of its own, are made: what its catalog claims,
// the descriptor of the Data Package that is in the same archive, what the server names by Link headers, and the usual
// places of W3C's standard. What is on the web is fetched in the turn of its host, and kept in the list as contexts
// are. The table waits for it, and names it in its record.

// The ways to look for the metadata of tables on the web: see [RunOptions.Metadata].
const (
	MetadataOff    = "off"
	MetadataLinked = "linked"
	MetadataFound  = "found"
	MetadataAlways = "always"
)

// MetadataWays are all of them.
func MetadataWays() []string {
	return []string{MetadataOff, MetadataLinked, MetadataFound, MetadataAlways}
}

// archivePlace is the base of the places of entries of an archive, for what is beside them. None of them is fetched.
const archivePlace = "archive:///"

// claimsPlace is where the descriptor is that is made of what a catalog claims, and claimedTable the table beside it.
const (
	claimsPlace  = "claims:///datapackage.json"
	claimedTable = "claims:///table"
)

// metadataLoader opens what may describe one table.
type metadataLoader struct {
	runner  *Runner
	seed    *seedlist.Seed
	by      *recipe.Recipe // that it is read by; nil for none
	uses    *contextLoader
	claimed []byte // the descriptor made of claims; nil for none
	looked  string // the site whose usual places were looked into; "" for none
	waits   answerWait
}

// described finds the metadata of the table, which is of a kind. It is nil where none is looked for. Findings go
// to notice. An error of kind Stopped says that it is waited for.
func (l *metadataLoader) described(ctx context.Context, is kind.Kind, notice func(fault.Notice)) (*recordset.Described, error) {
	table, err := l.table(ctx, is)
	if table == nil || err != nil {
		return nil, err
	}
	err = table.Find(ctx, notice)
	if fault.KindOf(err) == fault.Data {
		table.Wrong = err
		notice(fault.Notice{Code: fault.CSVWMetadata, Severity: fault.Warning, Product: kind.Records,
			Message: "the metadata of the table can't be used, and its records are made without: " + err.Error()})
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if l.looked != "" {
		found := table.Found
		err = l.runner.seeds.EditContext(ctx, l.looked, func(site *seedlist.Context) bool {
			return endProbe(site, l.seed.Hash, found != nil && found.IsUsual)
		})
	}
	return table, err
}

// table is the table of the seed with the places of its metadata; nil where none is looked for.
func (l *metadataLoader) table(ctx context.Context, is kind.Kind) (*recordset.Described, error) {
	r, seed, by := l.runner, l.seed, l.by
	makes := by.Makes(is, r.opt.wanted())
	if !is.IsTable() || len(makes) == 0 || by != nil && by.Spec != nil {
		return nil, nil
	}
	base, _, err := provenance(ctx, r.seeds, *seed)
	if err != nil {
		return nil, err
	}
	if by != nil && by.Read.Base != "" {
		base = by.Read.Base
	}
	table := &recordset.Described{In: csvw.Resource{URL: base}, CSVW: by.CSVWMode()}
	opt := &table.Options
	opt.Alone, opt.Load, opt.Usual = true, l.load, l.usual
	switch {
	case seed.Parent != "" && seed.Archive != nil && seed.Archive.URI == "":
		table.In.Place = archivePlace + datapackage.Reference(strings.TrimPrefix(seed.Archive.Entry, "/"))
		opt.First = descriptorsAbove(table.In.Place)
	case seed.Parent == "":
		if l.claimed = claimedDescriptor(seed, is); l.claimed != nil {
			table.In.Place, opt.First = claimedTable, []string{claimsPlace}
		}
		if reply := lastReply(seed.Record); reply != nil && r.opt.Metadata != MetadataOff {
			table.In.Links = reply.Headers["link"]
		}
	}
	return table, nil
}

// descriptorsAbove are the places in an archive where the descriptor of a Data Package with an entry may be: in its
// folder, and those above.
func descriptorsAbove(place string) (all []string) {
	dir := path.Dir(strings.TrimPrefix(place, archivePlace))
	for {
		at := archivePlace + "datapackage.json"
		if dir != "." && dir != "/" {
			at = archivePlace + dir + "/datapackage.json"
		}
		if all = append(all, at); dir == "." || dir == "/" {
			return all
		}
		dir = path.Dir(dir)
	}
}

// claimedDescriptor is the descriptor of a Data Package with what a catalog claims of a table of a kind, in JSON; nil
// where it claims neither a dialect nor a schema.
func claimedDescriptor(seed *seedlist.Seed, is kind.Kind) []byte {
	resource := map[string]any{"name": "table", "path": "table", "format": is.Extract(), "type": "table"}
	isClaimed := false
	for _, name := range [...]string{catalog.Dialect, catalog.Schema} {
		text := seed.Claims[name]
		switch {
		case text == "":
			continue
		case json.Valid([]byte(text)):
			resource[name] = json.RawMessage(text)
		default:
			resource[name] = text // its address
		}
		isClaimed = true
	}
	if !isClaimed {
		return nil
	}
	text, _ := json.Marshal(map[string]any{"resources": []any{resource}}) // of texts and sound JSON
	return text
}

// usual says whether the usual places are looked into for the table.
func (l *metadataLoader) usual(ctx context.Context, table string) (bool, error) {
	r := l.runner
	if strings.HasPrefix(table, archivePlace) {
		return true, nil
	}
	if !states.IsWebIRI(table) || l.seed.Parent != "" || r.opt.Metadata == MetadataOff || r.opt.Metadata == MetadataLinked {
		return false, nil
	}
	place, quiet := csvw.SitePlace(table), r.contexts.quiet
	if r.opt.Metadata != MetadataAlways && quiet.isQuiet(place, l.seed.Hash, time.Now()) {
		return false, nil
	}
	site, err := l.ask(ctx, place)
	if err != nil || r.opt.Metadata == MetadataAlways {
		return err == nil, err
	}
	may, isComing, isNew := mayLook(&site, l.seed.Hash, time.Now())
	if isNew {
		err = r.seeds.EditContext(ctx, place, func(known *seedlist.Context) (isChanged bool) {
			may, isComing, isChanged = mayLook(known, l.seed.Hash, time.Now())
			return isChanged
		})
	}
	switch {
	case err != nil:
		return false, err
	case isComing:
		l.uses.wait(&seedlist.Context{Wanted: time.Now()})
		return false, metadataDue()
	}
	if may {
		l.looked = place
	} else {
		quiet.keep(place, site, time.Now())
	}
	return may, nil
}

// metadataDue says that metadata is being fetched: the reading ends, and the table is given back.
func metadataDue() error {
	return &fault.Error{Op: "daemon.metadata", Kind: fault.Stopped, Code: fault.LocalStopped, Err: format.ErrContextDue}
}

// ask is what is known of a document on the web that may describe the table. The error is of kind Stopped while it is
// being fetched.
func (l *metadataLoader) ask(ctx context.Context, url string) (seedlist.Context, error) {
	all := &l.runner.contexts
	for {
		news := all.coming.next()
		known, err := all.wantMetadata(ctx, url)
		switch {
		case err != nil:
			l.uses.failed = err
			return known, metadataDue()
		case known.IsComing() && l.waits.await(ctx, &all.coming, news):
			continue
		case known.IsComing():
			l.uses.wait(&known)
			return known, metadataDue()
		}
		return known, nil
	}
}

// load opens a document that may describe the table.
func (l *metadataLoader) load(ctx context.Context, url, _ string) (*csvw.Resource, error) {
	switch {
	case url == claimsPlace && l.claimed != nil:
		return &csvw.Resource{URL: url, Text: bytes.NewReader(l.claimed)}, nil
	case strings.HasPrefix(url, archivePlace):
		return l.beside(ctx, url)
	case !states.IsWebIRI(url):
		return nil, csvw.ErrNotFound
	}
	known, err := l.ask(ctx, url)
	switch {
	case err != nil:
		return nil, err
	case known.SHA256 != "":
		if !strings.HasSuffix(url, csvw.SitePath) {
			l.uses.use(&known)
		}
		return &csvw.Resource{URL: url, Text: bytes.NewReader(known.Text)}, nil
	case known.Error == nil || known.Error.Kind == fault.Refused:
		return nil, csvw.ErrNotFound
	case known.Failures > 0:
		l.uses.use(&known) // the table is washed again when it came
	}
	return nil, fault.New("daemon.metadata", fault.Data, fault.CSVWMetadata, "%s: it could not be had: %s", url, known.Error.Message)
}

// beside opens an entry of the archive that the table is in.
func (l *metadataLoader) beside(ctx context.Context, place string) (*csvw.Resource, error) {
	r := l.runner
	name, err := url.PathUnescape(strings.TrimPrefix(place, archivePlace))
	if err != nil {
		return nil, csvw.ErrNotFound
	}
	seed, err := r.seeds.Record(ctx, seedlist.ChildKey(l.seed.Parent, name, 1))
	if errors.Is(err, seedlist.ErrNotFound) || err == nil && (seed.Gone != nil && *seed.Gone || !seed.HasDirty()) {
		return nil, csvw.ErrNotFound
	}
	if err != nil {
		l.uses.failed = err
		return nil, metadataDue()
	}
	document, closer, err := r.document(ctx, seed, func(fault.Notice) {})
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	raw, err := document.Bytes(ctx)
	if err != nil {
		return nil, err
	}
	defer raw.Close()
	text, err := io.ReadAll(io.LimitReader(raw, states.MostContext+1))
	if err == nil && len(text) > states.MostContext {
		err = fault.New("daemon.metadata", fault.Data, fault.CSVWMetadata, "the entry %s is longer than 4 MiB", name)
	}
	return &csvw.Resource{URL: place, Text: bytes.NewReader(text)}, err
}
