package catalog

import (
	"strings"
	"sync"

	"laundromat/internal/fault"
	"laundromat/rdf"
)

// term is the short name of a property that catalogs are read by.
type term uint8

const (
	pType term = iota + 1
	pDataset
	pCatalog
	pDistribution
	pDownload
	pAccess
	pEndpoint
	pMediaType
	pFormat
	pSize
	pTitle
	pLabel
	pName
	pLicense
	pRights
	pPublisher
	pModified
	pValue
	pChecksum
	pChecksumValue
	pAlgorithm
	pSHA256
	pDump
	pSubset
	pTriples
	pSPARQL
	pFeature
	pExample
	pSample
	pNext
	pRelation
	pNode
	pPart
)

const (
	nsDCAT   = "www.w3.org/ns/dcat#"
	nsDCT    = "purl.org/dc/terms/"
	nsDC     = "purl.org/dc/elements/1.1/"
	nsFOAF   = "xmlns.com/foaf/0.1/"
	nsVoID   = "rdfs.org/ns/void#"
	nsSPDX   = "spdx.org/rdf/terms#"
	nsHydra  = "www.w3.org/ns/hydra/core#"
	nsSchema = "schema.org/"
	nsTree   = "w3id.org/tree#"
)

// terms are the properties by their IRIs without scheme: catalogs write http and
// https for one another. Some are here in the spellings that are seen in the wild.
var terms = sync.OnceValue(func() map[string]term {
	all := map[string]term{
		strings.TrimPrefix(rdf.Type, "http://"):        pType,
		strings.TrimPrefix(rdf.RDF+"value", "http://"): pValue,
		"www.w3.org/2000/01/rdf-schema#label":          pLabel,
		"www.w3.org/2004/02/skos/core#prefLabel":       pName,
		"www.w3.org/2006/vcard/ns#fn":                  pName,
		"www.w3.org/ns/adms#sample":                    pSample,
		"www.w3.org/ns/hydra/core#nextPage":            pNext,
		"www.w3.org/ns/activitystreams#next":           pNext,
		"www.w3.org/ns/ldp#nextPage":                   pNext,
		"creativecommons.org/ns#license":               pLicense,
		"www.w3.org/1999/xhtml/vocab#license":          pLicense,
	}
	for space, names := range map[string]map[string]term{
		nsDCAT: {
			"dataset": pDataset, "catalog": pCatalog, "distribution": pDistribution, "downloadURL": pDownload,
			"accessURL": pAccess, "endpointURL": pEndpoint, "mediaType": pMediaType, "byteSize": pSize,
			"downloadUrl": pDownload, "accessUrl": pAccess, "size": pSize, "bytes": pSize,
		},
		nsDCT: {
			"title": pTitle, "license": pLicense, "rights": pRights, "publisher": pPublisher, "modified": pModified, "format": pFormat,
			"hasPart":  pPart,
			"#license": pLicense, "#title": pTitle, "#format": pFormat, "#publisher": pPublisher, "#modified": pModified,
		},
		nsDC:   {"title": pTitle, "rights": pRights, "publisher": pPublisher, "format": pFormat},
		nsFOAF: {"name": pName},
		nsVoID: {
			"dataDump": pDump, "subset": pSubset, "triples": pTriples, "sparqlEndpoint": pSPARQL, "feature": pFeature,
			"exampleResource": pExample,
		},
		nsSPDX:  {"checksum": pChecksum, "checksumValue": pChecksumValue, "algorithm": pAlgorithm},
		nsHydra: {"next": pNext},
		nsTree:  {"relation": pRelation, "node": pNode},
		nsSchema: {
			"distribution": pDistribution, "contentUrl": pDownload, "encodingFormat": pMediaType, "fileFormat": pMediaType,
			"contentSize": pSize, "dateModified": pModified, "license": pLicense, "publisher": pPublisher, "name": pTitle,
			"dataset": pDataset, "hasPart": pPart,
		},
		"dataid.dbpedia.org/databus#":     {"sha256sum": pSHA256, "formatExtension": pFormat, "file": pAccess},
		"dataid.dbpedia.org/ns/core#":     {"sha256sum": pSHA256, "formatExtension": pFormat},
		"dataid.dbpedia.org/ns/core.ttl#": {"sha256sum": pSHA256},
	} {
		for name, t := range names {
			all[space+name] = t
		}
	}
	return all
})

func termOf(iri []byte) term {
	s := string(iri)
	if rest, ok := strings.CutPrefix(s, "http://"); ok {
		s = rest
	} else if rest, ok := strings.CutPrefix(s, "https://"); ok {
		s = rest
	}
	return terms()[s]
}

// value is an object: an IRI, a blank node ("_:…"), or a literal.
type value struct {
	text     string
	language string
	literal  bool
}

// node is what is said of a subject by the properties that matter.
type node struct {
	name  string
	props map[term][]value
}

// graph is a sink that keeps what matters of the statements of a page.
type graph struct {
	r     *reading
	nodes map[string]*node
	order []*node
	all   int64 // statements
	json  bool  // they are of JSON, whose repairs are reported
	// lost counts the findings that cost a statement; first is the first of them.
	lost  int64
	first string
}

func (g *graph) Quad(q *rdf.Quad) error {
	g.all++
	t := termOf(q.Predicate.Value)
	if t == 0 {
		return nil
	}
	subject := nameOf(&q.Subject)
	n := g.nodes[subject]
	if n == nil {
		if err := g.r.hold(len(subject) + 200); err != nil {
			return err
		}
		n = &node{name: subject, props: map[term][]value{}}
		g.nodes[subject] = n
		g.order = append(g.order, n)
	}
	v := value{text: nameOf(&q.Object), language: string(q.Object.Language), literal: q.Object.Kind == rdf.Literal}
	if len(v.text) > 16<<10 {
		v.text = v.text[:16<<10]
	}
	if err := g.r.hold(len(v.text) + len(v.language) + 100); err != nil {
		return err
	}
	n.props[t] = append(n.props[t], v)
	return nil
}

func (g *graph) Notice(n fault.Notice) {
	if g.json && n.Severity == fault.Repair {
		g.r.brokenJSON(n)
	}
	if n.Severity == fault.Drop && n.Lost > 0 {
		g.lost += int64(n.Lost)
		if g.first == "" {
			g.first = string(n.Code) + ": " + n.Message
			if n.Line > 0 {
				g.first = "line " + itoa(n.Line) + ": " + g.first
			}
		}
	}
}

// nameOf is the text of a term; a blank node is known by "_:" and its label or number.
func nameOf(t *rdf.Term) string {
	switch t.Kind {
	case rdf.BlankNode:
		if t.Anonymous > 0 {
			return "_:#" + itoa(int64(t.Anonymous))
		}
		return "_:" + string(t.Value)
	case rdf.IRI, rdf.Literal:
		return string(t.Value)
	}
	return ""
}

func isBlank(name string) bool { return strings.HasPrefix(name, "_:") }

func (n *node) has(t term) bool { return n != nil && len(n.props[t]) > 0 }

// is says that a node is of a class of that local name.
func (n *node) is(class string) bool {
	if n == nil {
		return false
	}
	for _, v := range n.props[pType] {
		if v.text == class || strings.HasSuffix(v.text, "#"+class) || strings.HasSuffix(v.text, "/"+class) {
			return true
		}
	}
	return false
}

// best is the text among values that people read: in English, or without a language,
// or the first.
func best(values []value) string {
	for _, language := range []string{"en", "", "*"} {
		for _, v := range values {
			primary, _, _ := strings.Cut(strings.ToLower(v.language), "-")
			if strings.TrimSpace(v.text) != "" && !isBlank(v.text) && (language == "*" || primary == language) {
				return v.text
			}
		}
	}
	return ""
}

// title is what a node is called; "" if nobody says.
func (n *node) title() string {
	if n == nil {
		return ""
	}
	for _, t := range []term{pTitle, pLabel, pName} {
		if s := best(n.props[t]); s != "" {
			return s
		}
	}
	return ""
}

// called is the name of what values stand for: a literal, the name of a node, or its
// IRI.
func (g *graph) called(values []value, byIRI bool) string {
	for _, v := range values {
		if v.literal || byIRI && !isBlank(v.text) {
			continue
		}
		n := g.nodes[v.text]
		if n == nil {
			continue
		}
		for _, t := range []term{pName, pTitle, pLabel} {
			if s := best(n.props[t]); s != "" {
				return s
			}
		}
	}
	return best(values)
}
