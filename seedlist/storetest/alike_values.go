package storetest

import (
	"fmt"
	"slices"
	"time"

	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// The values that steps are made of. There are few of each, so that seeds meet.
var (
	alikeHosts    = []string{"a.example", "b.example", "c.example:8080", "d.example"}
	alikeBodies   = []string{"body 1", "body 2", "body 3"}
	alikeCleans   = []string{"clean 1", "clean 2", "clean 3", "clean 4"}
	alikeCatalogs = []string{"http://a.example/catalog", "http://portal.example/all", "http://b.example/1.nt"}
)

// upTo is a number from 1 to n.
func (a *alike) upTo(n int) int { return 1 + a.rand.IntN(n) }

// oneIn is true once in n times.
func (a *alike) oneIn(n int) bool { return a.rand.IntN(n) == 0 }

func (a *alike) oneOf(values ...time.Duration) time.Duration { return oneOf(a, values) }

func oneOf[T any](a *alike, values []T) T { return values[a.rand.IntN(len(values))] }

// someTime is a time to come, or the zero time.
func (a *alike) someTime() time.Time {
	if a.oneIn(3) {
		return time.Time{}
	}
	return time.Now().Add(a.oneOf(-10, 0, 1, 7, 60, 600) * time.Second)
}

// uri is one of some forty URIs: documents of four hosts, archives, things in documents, relative references, a file.
func (a *alike) uri() string {
	host := oneOf(a, alikeHosts)
	switch a.rand.IntN(12) {
	case 0, 1:
		return fmt.Sprintf("http://%s/%d.zip", host, a.upTo(2))
	case 2:
		return fmt.Sprintf("http://%s/%d.nt#thing%d", host, a.upTo(6), a.upTo(2))
	case 3:
		if a.oneIn(2) {
			return fmt.Sprintf("/relative/%d", a.upTo(2))
		}
		return fmt.Sprintf("file:///data/%d.nt", a.upTo(2))
	case 4:
		if a.oneIn(3) {
			return oneOf(a, []string{"", "mailto:somebody@example.org", "htp://a.example/", oneOf(a, alikeCatalogs)})
		}
	}
	return fmt.Sprintf("http://%s/%d.nt", host, a.upTo(6))
}

func (a *alike) newSeed() seedlist.NewSeed {
	n := seedlist.NewSeed{URI: a.uri()}
	if a.oneIn(3) {
		n.Priority = a.rand.IntN(4) - 1
	}
	if a.oneIn(3) {
		n.Interval = a.oneOf(-1, 30, 90) * time.Second
	}
	if a.oneIn(4) {
		n.Source, n.Title = "somebody", "A title"
	}
	if a.oneIn(4) {
		keep := a.rand.IntN(3)
		n.KeepVersions = &keep
	}
	return n
}

func (a *alike) newSeeds(most int) []seedlist.NewSeed {
	seeds := make([]seedlist.NewSeed, a.upTo(most))
	for i := range seeds {
		seeds[i] = a.newSeed()
	}
	return seeds
}

// listed are seeds as a catalog names them, perhaps the same one twice.
func (a *alike) listed(catalog string) []seedlist.NewSeed {
	seeds := a.newSeeds(5)
	for i := range seeds {
		if i > 0 && a.oneIn(4) {
			seeds[i].URI = seeds[i-1].URI
		}
		if !a.oneIn(3) {
			seeds[i].Claims = map[string]string{seedlist.ClaimedBy: catalog, "size": fmt.Sprint(a.upTo(3)), "title": fmt.Sprint(a.upTo(2))}
		}
		seeds[i].Source = "catalog:" + catalog
		if a.oneIn(4) {
			seeds[i].Recipe = oneOf(a, alikeRecipes)
		}
	}
	return seeds
}

// hash is that of some seed; seldom that of none.
func (a *alike) hash() string {
	switch {
	case len(a.seeds) == 0 || a.oneIn(25):
		return seedlist.Key(fmt.Sprintf("http://%s/%d.nt", oneOf(a, alikeHosts), a.upTo(6)))
	case a.oneIn(2): // one that rests: most requests are about such
		var resting []string
		for i := range a.seeds {
			if a.seeds[i].Status.IsEnd() {
				resting = append(resting, a.seeds[i].Hash)
			}
		}
		if len(resting) > 0 {
			return oneOf(a, resting)
		}
	}
	return oneOf(a, a.seeds).Hash
}

func (a *alike) hashes() []string {
	hashes := make([]string, a.upTo(3))
	for i := range hashes {
		hashes[i] = a.hash()
	}
	return hashes
}

// load is what a host shows; mostly nothing.
func (a *alike) load() (load seedlist.Load) {
	if a.oneIn(4) {
		load = seedlist.Load{
			Rest: a.oneOf(0, 0, 3, 20) * time.Second, Delay: a.oneOf(0, 0, 2) * time.Second, Busy: a.oneIn(2),
			Latency: a.oneOf(0, 0, 100, 4000) * time.Millisecond,
		}
	}
	return load
}

// outcome is what the work of a stage comes to.
func (a *alike) outcome(c *seedlist.Claim) seedlist.Outcome {
	next := oneOf(a, c.Stage.Next())
	if next == seedlist.Failed && !a.oneIn(3) {
		next = c.Stage.Next()[0]
	}
	o := seedlist.Outcome{Next: next, Attempt: seedlist.Attempt{ParserVersion: "1"}}
	if c.Stage == seedlist.Downloading {
		o.Load = a.load()
		if c.Last != "" && a.oneIn(4) {
			return seedlist.Outcome{Unchanged: true, Load: o.Load, Again: a.oneOf(0, 0, 7) * time.Second}
		}
	}
	body, clean, mark, since := oneOf(a, alikeBodies), oneOf(a, alikeCleans), a.oneIn(2), c.Since
	switch next {
	case seedlist.Filed:
		o.Update = func(r *seedlist.Record) {
			r.Content = ContentOf(body)
			r.HTTP = []seedlist.Exchange{{URI: "http://a.example/", Time: since, Status: 200, Headers: map[string][]string{"etag": {body}}}}
			r.Retrieved = since
		}
	case seedlist.Depleted:
		o.Children = a.children()
	case seedlist.Unarchived:
		o.Update = func(r *seedlist.Record) { r.Archive = &seedlist.Archive{Filters: []string{"gzip"}} }
	case seedlist.Guessed:
		if a.oneIn(3) {
			o.Named = a.newSeeds(2)
		}
		o.Update = func(r *seedlist.Record) {
			r.Format = "N-Triples"
			if mark {
				r.Format, r.Sources = "HTML", map[string]int64{"RDFa": 1}
			}
		}
	case seedlist.Parsed:
		a.parsed(&o, clean, mark)
	case seedlist.Failed:
		o.Again = a.oneOf(0, 0, 5, 20) * time.Second
		o.Update = func(r *seedlist.Record) {
			r.Error = &seedlist.Error{Stage: c.Stage, Kind: fault.Data, Code: "format/unknown", Message: "no"}
		}
	}
	return o
}

// parsed completes the outcome of a wash that ended well.
func (a *alike) parsed(o *seedlist.Outcome, clean string, mark bool) {
	o.Clean = &seedlist.Clean{Content: *ContentOf(clean)}
	if a.oneIn(15) {
		o.Clean.Content.SHA256 = ContentOf("another text").SHA256
	}
	switch a.rand.IntN(8) {
	case 0, 1:
		o.Named = a.newSeeds(2)
	case 2, 3:
		o.Named = a.pages()
	}
	o.Products = a.products(o)
	no := false
	var use *seedlist.RecipeUse
	if a.oneIn(3) {
		use = &seedlist.RecipeUse{Name: oneOf(a, alikeRecipes), SHA256: seedlist.RecipeSum([]byte(oneOf(a, alikeForms)))}
	}
	o.Update = func(r *seedlist.Record) {
		r.Statements, r.Recipe = &washedStatements, use
		r.Notices = nil
		if r.BaseUsed, r.BlankNodes = &no, &no; mark {
			r.BaseUsed, r.Notices = nil, map[fault.Code]int64{"iri/space": 2}
		}
		r.Washer = "1"
	}
}

// products are what a wash made beside its clean file. Sometimes no clean file came, but another product.
func (a *alike) products(o *seedlist.Outcome) (all []seedlist.Product) {
	if a.oneIn(2) {
		return nil
	}
	missed := &seedlist.Error{Stage: seedlist.Parsing, Kind: fault.Data, Code: "format/unknown", Message: "no"}
	if a.oneIn(3) {
		o.Clean = nil
		all = append(all, oneOf(a, []seedlist.Product{
			{Name: seedlist.ProductStatements, Error: missed},
			{Name: seedlist.ProductStatements, None: true, Empty: a.upTo(3), EmptyAt: time.Now().UTC()},
		}))
		all = all[a.rand.IntN(2):] // or they were not asked for
	}
	for _, name := range []string{seedlist.ProductRecords, seedlist.ProductArticles} {
		p := seedlist.Product{Name: name}
		switch a.rand.IntN(6) {
		case 0:
			p.Error = missed
		case 1:
			p.None, p.Empty, p.EmptyAt = true, a.upTo(3), time.Now().UTC()
		case 2:
			continue
		default:
			content := ContentOf(oneOf(a, alikeCleans))
			bytes, written := content.NumberOfBytes, int64(a.rand.IntN(3))
			p.SHA256, p.Bytes, p.Written, p.Fence = content.SHA256, &bytes, &written, uint64(a.upTo(9))
			if name == seedlist.ProductRecords {
				p.Tables, p.Schema = 1, ContentOf(name).SHA256
			}
		}
		all = append(all, p)
	}
	return all
}

// children are the entries of an archive: of four names, some of them twice.
func (a *alike) children() []seedlist.Child {
	var entries []string
	for range a.rand.IntN(4) {
		entries = append(entries, fmt.Sprintf("%d.%s=%s", a.upTo(3), oneOf(a, []string{"nt", "zip"}), oneOf(a, alikeBodies)))
	}
	children := Zip(entries...)
	for i := range children {
		children[i].Again = a.oneIn(5)
		children[i].Fence = uint64(a.upTo(3))
		if a.oneIn(6) {
			children[i].Within = &seedlist.Mark{Asked: seedlist.Rewash, Entries: true}
		}
	}
	return children
}

// again is a request to wash again, seldom one that is no request.
func (a *alike) again() seedlist.Again {
	return oneOf(a, []seedlist.Again{
		{}, {Asked: seedlist.Force, To: seedlist.Added}, {Asked: seedlist.Force, To: seedlist.Added, Entries: true},
		{Asked: seedlist.Rewash, To: seedlist.Filed}, {Asked: seedlist.Rewash, To: seedlist.Filed, Entries: true},
		{Asked: seedlist.Repair, To: seedlist.Filed}, {Asked: seedlist.Repair, To: seedlist.Added, Entries: true},
		{Asked: seedlist.Rewash, To: seedlist.Filed, DryRun: true}, {To: seedlist.Guessed}, {Asked: seedlist.Rewash, To: seedlist.Added},
	})
}

func (a *alike) settings() (s seedlist.SeedSettings) {
	if !a.oneIn(3) {
		priority := a.rand.IntN(4) - 1
		s.Priority = &priority
	}
	if a.oneIn(2) {
		interval := oneOf(a, []int64{-1, 0, 30, 100})
		s.Interval = &interval
	}
	if a.oneIn(4) {
		keep := a.rand.IntN(3) - 1
		s.KeepVersions = &keep
	}
	s.Forget = a.oneIn(6)
	if a.oneIn(6) {
		s.If = finalOnly
	}
	return s
}

// finalOnly is a condition that holds for seeds that rest.
func finalOnly(seed seedlist.Seed) error {
	if !seed.Status.IsFinal() {
		return seedlist.ErrNotAtRest
	}
	return nil
}

func (a *alike) hostSettings() func(*seedlist.HostSettings) {
	paused, connections, delay, turns := a.oneIn(5), a.rand.IntN(4), float64(a.rand.IntN(3)), a.oneIn(5)
	isReset := a.oneIn(3)
	now := time.Now()
	return func(s *seedlist.HostSettings) {
		if isReset {
			*s = seedlist.HostSettings{}
			return
		}
		s.Paused, s.Connections, s.Delay, s.Turned = paused, connections, &delay, nil
		if turns {
			s.Turned = &seedlist.Turned{Since: now.UTC(), Documents: 3, Asked: 3, Pause: 30, Until: now.Add(30 * time.Second).UTC()}
		}
	}
}

func (a *alike) harvestEnd() seedlist.HarvestEnd {
	end := seedlist.HarvestEnd{HarvestFindings: seedlist.HarvestFindings{
		Found: oneOf(a, []string{"void", "void", "dcat"}), Pages: 1, Entries: int64(a.rand.IntN(9)), Complete: !a.oneIn(3),
	}}
	switch a.rand.IntN(5) {
	case 0:
		end.Error, end.Complete = &seedlist.Error{Stage: "harvesting", Kind: fault.Local, Code: "local/disk", Message: "no"}, false
		end.Retry = a.someTime()
	case 1:
		end.Refusals = []byte(`[{"refused":"it"}]`)
		end.Refused = map[string]int64{"no URI": 1}
	case 2:
		end.Sooner = 20 * time.Second
	case 3:
		end.Empty = a.oneIn(2)
	}
	return end
}

// pick takes a claim out of a list of claims.
func (a *alike) pick(from *[]alikeClaim) (c alikeClaim, found bool) {
	if len(*from) == 0 {
		return c, false
	}
	at := a.rand.IntN(len(*from))
	c = (*from)[at]
	*from = slices.Delete(*from, at, at+1)
	return c, true
}
