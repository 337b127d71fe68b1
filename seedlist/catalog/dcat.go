package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"laundromat/internal/fault"
	"laundromat/internal/pattern"
	"laundromat/rdf"
	"laundromat/rdf/format"
	"laundromat/rdf/jsonld/contexts"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// rdf reads DCAT, VoID, schema.org's datasets and Hydra's pages out of a document in
// any RDF format. A JSON-LD document whose context can't be had is read by its keys.
func (r *reading) rdf(kind Kind) error {
	guess := format.Guess(r.head, r.whole, r.doc.ContentType, r.doc.URI)
	if guess.Format == "" {
		if start := strings.TrimLeft(string(r.head[:min(len(r.head), 64)]), " \t\r\n\uFEFF"); start != "" &&
			(start[0] == '{' || start[0] == '[') {
			return r.byKeys()
		}
		return damaged("no RDF: %s", guess.NotRDF)
	}
	if guess.Format == format.JSONLD && keysDecide(r.head) {
		return r.byKeys()
	}
	g := &graph{r: r, nodes: map[string]*node{}, json: guess.Format == format.JSONLD}
	if err := r.statements(guess.Format, g); err != nil {
		return err
	}
	return g.giveOut(guess.Format != format.HTML)
}

// keysDecide says that the keys of a JSON document must be read as they are. It has a context that
// only the network could give, or none.
func keysDecide(head []byte) bool {
	at := bytes.Index(head, []byte(`"@context"`))
	if at < 0 {
		return !absoluteKey.Match(head)
	}
	rest := bytes.TrimLeft(head[at+len(`"@context"`):], " \t\r\n:")
	decoder := json.NewDecoder(bytes.NewReader(rest))
	token, err := decoder.Token()
	if iri, ok := token.(string); ok {
		return contexts.Named(iri) == nil
	}
	if err != nil || token != json.Delim('[') {
		return false
	}
	for decoder.More() {
		var one any
		if decoder.Decode(&one) != nil {
			return false
		}
		if iri, ok := one.(string); ok && contexts.Named(iri) == nil {
			return true
		}
	}
	return false
}

// absoluteKey is a key that needs no context.
var absoluteKey = pattern.New(`"https?://[^"\s]+"\s*:`)

// statements reads the text into a graph.
func (r *reading) statements(f format.Format, g *graph) error {
	_, err := format.Parse(r.ctx, f, r.text, format.Options{
		Settings: format.Settings{MaxMemory: r.opt.MaxMemory}, Input: rdf.Input{Base: r.doc.URI}, Guessed: true,
		ContentType: r.doc.ContentType, Name: r.doc.URI,
	}, g)
	var sink *rdf.SinkError
	if errors.As(err, &sink) {
		return sink.Err
	}
	if err != nil && fault.KindOf(err) == fault.Unknown {
		err = &fault.Error{Op: "catalog.Read", Kind: rdf.Blame(err), Code: fault.CatalogDamaged, Err: err}
	}
	return err
}

// giveOut gives out what the graph names. If nothing else of the page is read, alone is
// true, and what was lost of it is reported here.
func (g *graph) giveOut(alone bool) error {
	if alone && g.lost > 0 {
		g.r.to.Refused(Refusal{URI: g.r.doc.URI, Reason: Damaged, Message: itoa(g.lost) + " statements of the catalog can't be read, the " +
			"first at " + g.first})
	}
	parents := g.parents()
	for _, n := range g.order {
		if err := g.dumps(n, parents); err != nil {
			return err
		}
	}
	if err := g.distributions(); err != nil {
		return err
	}
	for _, n := range g.order {
		g.leads(n)
	}
	return nil
}

// distributions gives out the documents of all distributions, those of a dataset together.
func (g *graph) distributions() error {
	datasets := g.datasets()
	given := map[*node]bool{}
	g.samples(given)
	for _, n := range g.order {
		if given[n] || !g.isDistribution(n) {
			continue
		}
		var all []found
		for _, other := range g.siblings(n, datasets) {
			if !given[other] {
				given[other] = true
				all = append(all, g.distribution(other, datasets[n.name])...)
			}
		}
		if err := g.r.takeAll(all); err != nil {
			return err
		}
	}
	return nil
}

// samples refuses what a dataset calls a sample of itself (adms:sample): distributions by
// their shape, and documents by their IRIs.
func (g *graph) samples(given map[*node]bool) {
	for _, n := range g.order {
		for _, v := range n.props[pSample] {
			sample := g.nodes[v.text]
			if sample == nil || !g.isDistribution(sample) {
				if !isBlank(v.text) {
					g.r.refuse(v.text, Example, "")
				}
				continue
			}
			if given[sample] {
				continue
			}
			given[sample] = true
			uri := firstOf(best(sample.props[pDownload]), best(sample.props[pAccess]), best(sample.props[pEndpoint]))
			g.r.refuse(uri, Example, sample.title())
		}
	}
}

// siblings are n and the other distributions of its dataset, if it has one.
func (g *graph) siblings(n *node, datasets map[string]*node) []*node {
	all := []*node{n}
	dataset := datasets[n.name]
	if dataset == nil {
		return all
	}
	for _, v := range dataset.props[pDistribution] {
		if other := g.nodes[v.text]; other != nil && other != n && datasets[other.name] == dataset && g.isDistribution(other) {
			all = append(all, other)
		}
	}
	return all
}

// parents are the sets that VoID's sets are subsets of.
func (g *graph) parents() map[string]*node {
	parents := map[string]*node{}
	for _, n := range g.order {
		for _, v := range n.props[pSubset] {
			if _, ok := parents[v.text]; !ok && v.text != n.name {
				parents[v.text] = n
			}
		}
	}
	return parents
}

// datasets are the datasets of DCAT's distributions.
func (g *graph) datasets() map[string]*node {
	datasets := map[string]*node{}
	for _, n := range g.order {
		for _, v := range n.props[pDistribution] {
			if _, ok := datasets[v.text]; !ok {
				datasets[v.text] = n
			}
		}
	}
	return datasets
}

// inherited is the first text that ask finds in n or in what n is a subset of.
func inherited(n *node, parents map[string]*node, ask func(*node) string) string {
	for range 20 {
		if n == nil {
			return ""
		}
		if s := ask(n); s != "" {
			return s
		}
		n = parents[n.name]
	}
	return ""
}

// dumps gives out the dumps of a VoID dataset. The number of triples is that of a
// dump only where there is one.
func (g *graph) dumps(n *node, parents map[string]*node) error {
	dumps := n.props[pDump]
	var formats []string
	for _, v := range n.props[pFeature] {
		if natureOf(v.text) == isRDF {
			formats = append(formats, v.text)
		}
	}
	for _, dump := range dumps {
		claims := Claims{}
		claims.set(License, inherited(n, parents, g.license))
		claims.set(Publisher, inherited(n, parents, func(n *node) string { return g.called(n.props[pPublisher], false) }))
		if !isBlank(n.name) {
			claims.set(Dataset, n.name)
		}
		claims.setModified(best(n.props[pModified]))
		if len(dumps) == 1 {
			claims.setTriples(best(n.props[pTriples]))
		}
		f := found{uri: dump.text, title: inherited(n, parents, (*node).title), claims: claims}
		if isBlank(dump.text) {
			f.uri = ""
		}
		// A feature is of the dataset, not of a dump: one alone may be the dump's.
		if len(formats) == 1 && len(dumps) == 1 && natureOfName(dump.text) != isRDF {
			f.formats = formats
		}
		if err := g.r.take(f); err != nil {
			return err
		}
	}
	for _, v := range n.props[pSPARQL] {
		g.r.refuse(v.text, Endpoint, "")
	}
	for _, v := range n.props[pExample] {
		g.r.refuse(v.text, Example, "")
	}
	return nil
}

func (g *graph) license(n *node) string {
	if s := g.called(n.props[pLicense], true); s != "" {
		return s
	}
	return g.called(n.props[pRights], true)
}

func (g *graph) isDistribution(n *node) bool {
	return n.has(pDownload) || n.has(pAccess) || n.has(pEndpoint) || n.is("Distribution") && !n.has(pDistribution) &&
		(n.has(pTitle) || n.has(pFormat) || n.has(pMediaType))
}

// distribution finds the documents of a distribution, or the one that its access URL
// leads to if its format is said to be RDF.
func (g *graph) distribution(n, dataset *node) (all []found) {
	if dataset == nil {
		dataset = &node{}
	}
	claims := g.distributionClaims(n, dataset)
	title := n.title()
	if of := dataset.title(); title == "" {
		title = of
	} else if of != "" && of != title {
		claims.set(DatasetTitle, of)
	}
	all = g.locations(n, found{title: title, formats: g.distributionFormats(n), claims: claims})
	for _, v := range n.props[pEndpoint] {
		g.r.refuse(v.text, Service, "")
	}
	if len(n.props[pDownload])+len(n.props[pAccess])+len(n.props[pEndpoint]) == 0 {
		g.r.refuse(n.name, NoURI, "a distribution without a URL")
	}
	return all
}

func (g *graph) distributionFormats(n *node) (formats []string) {
	for _, t := range []term{pFormat, pMediaType} {
		for _, v := range n.props[t] {
			formats = append(formats, g.formatNames(v)...)
		}
	}
	return formats
}

// distributionClaims are what is said of a distribution; what it does not say of itself, its
// dataset may say.
func (g *graph) distributionClaims(n, dataset *node) Claims {
	claims := Claims{}
	for _, owner := range []*node{n, dataset} {
		if claims[License] == "" {
			claims.set(License, g.license(owner))
		}
		if claims[Publisher] == "" {
			claims.set(Publisher, g.called(owner.props[pPublisher], false))
		}
		if claims[Modified] == "" {
			claims.setModified(best(owner.props[pModified]))
		}
	}
	if dataset.name != "" && !isBlank(dataset.name) {
		claims.set(Dataset, dataset.name)
	}
	for _, v := range n.props[pMediaType] {
		if m := mediaType(bareFormat(v.text)); strings.Count(m, "/") == 1 {
			claims.set(MediaType, m)
			break
		}
	}
	claims.setSize(best(n.props[pSize]))
	for _, v := range n.props[pChecksum] {
		if sum := g.nodes[v.text]; sum != nil {
			claims.setChecksum(bareAlgorithm(best(sum.props[pAlgorithm])), best(sum.props[pChecksumValue]))
		} else if v.literal {
			claims.setChecksum("", v.text)
		}
	}
	claims.setChecksum("sha256", best(n.props[pSHA256]))
	return claims
}

// locations are the documents of a distribution, each as said except for its URI.
func (g *graph) locations(n *node, said found) (all []found) {
	add := func(uri string) {
		one := said
		one.uri, one.claims = uri, clone(said.claims)
		all = append(all, one)
	}
	taken := map[string]bool{}
	downloads := n.props[pDownload]
	for _, v := range downloads {
		if isBlank(v.text) {
			v.text = ""
		}
		taken[v.text] = true
		add(v.text)
	}
	rdfSaid := slices.ContainsFunc(said.formats, func(f string) bool { return natureOf(f) == isRDF })
	for _, v := range n.props[pAccess] {
		if taken[v.text] {
			continue
		}
		reason, message := judge(said.formats, v.text, false)
		switch {
		case len(downloads) > 0:
			continue // the page of what was given out
		case rdfSaid, natureOfName(v.text) == isRDF:
			add(v.text)
		case reason != "":
			g.r.refuse(v.text, reason, message)
		default:
			g.r.refuse(v.text, NoDownload, "only an access URL, of a format that is not said")
		}
	}
	return all
}

func clone(c Claims) Claims {
	copied := make(Claims, len(c)+2)
	for name, value := range c {
		copied[name] = value
	}
	return copied
}

// formatNames are the names of a format: a literal, what an IRI stands for, what a
// node is called.
func (g *graph) formatNames(v value) (names []string) {
	if n := g.nodes[v.text]; n != nil && !v.literal {
		for _, t := range []term{pValue, pLabel, pTitle, pName} {
			for _, name := range n.props[t] {
				names = append(names, name.text)
			}
		}
		if len(names) > 0 {
			return names
		}
	}
	if isBlank(v.text) {
		return nil
	}
	return []string{v.text}
}

// bareAlgorithm takes the name out of IRIs such as …/hashAlgorithms/sha/256 and
// …#checksumAlgorithm_sha1.
func bareAlgorithm(iri string) string {
	iri = strings.ToLower(iri)
	if at := strings.LastIndex(iri, "algorithm"); at >= 0 {
		iri = strings.TrimLeft(strings.TrimPrefix(iri[at+len("algorithm"):], "s"), "/_#:")
	}
	return iri
}

// leads passes on the pages that a node leads to. They are the next of a series, and what is part of
// the catalog but described elsewhere on the same host.
func (g *graph) leads(n *node) {
	for _, v := range n.props[pNext] {
		if !isBlank(v.text) {
			g.r.next(v.text, DCAT)
		}
	}
	g.relations(n)
	parts := []term{pDataset, pCatalog, pSubset}
	if n.is("Catalog") || n.is("DataCatalog") {
		parts = append(parts, pPart)
	}
	for _, t := range parts {
		for _, v := range n.props[t] {
			if v.literal || isBlank(v.text) || g.described(v.text) || withoutFragment(v.text) == withoutFragment(g.r.doc.URI) {
				continue
			}
			if hostOf(v.text) != hostOf(g.r.doc.URI) {
				g.r.refuse(v.text, OtherCatalog, "described on another host")
				continue
			}
			g.r.lead(v.text, Any)
		}
	}
}

// relations passes on the pages that a node of a tree leads to, as in a stream of events (LDES): one
// follows, several are branches.
func (g *graph) relations(n *node) {
	var to []string
	for _, relation := range n.props[pRelation] {
		if by := g.nodes[relation.text]; by != nil {
			for _, v := range by.props[pNode] {
				if !v.literal && !isBlank(v.text) {
					to = append(to, v.text)
				}
			}
		}
	}
	for _, uri := range to {
		g.r.leadTo(uri, Page{Kind: DCAT, Series: len(to) == 1})
	}
}

// described says that a node is more than named here.
func (g *graph) described(name string) bool {
	n := g.nodes[name]
	return n != nil && len(n.props) > 0
}
