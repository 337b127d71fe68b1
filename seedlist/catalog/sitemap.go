package catalog

import "strings"

// sitemapReader reads a sitemap, a <url>, <sitemap> or dataset at a time.
type sitemapReader struct {
	*reading
	x       *xmlText
	attrs   map[string]string // of the last start tag
	locs    []string          // of the <url> or <sitemap> at hand
	says    timing            // of it
	dataset sitemapDataset
}

// timing is when something changed, and how often it does.
type timing struct{ lastmod, changefreq string }

// sitemapDataset is a dataset of the semantic extension.
type sitemapDataset struct {
	label, uri string
	says       timing
	dumps      []string
}

// sitemap reads an index, a set of URLs, and the dumps that the semantic extension
// names (https://www.sitemaps.org/protocol.html and
// http://sw.deri.org/2007/07/sitemapextension/).
func (r *reading) sitemap() error {
	s := &sitemapReader{reading: r, x: r.xml()}
	return s.x.walk(s.start, s.end)
}

func (s *sitemapReader) start(name string, attrs map[string]string) error {
	s.attrs = attrs
	switch name {
	case "url", "sitemap":
		s.locs, s.says = nil, timing{}
	case "dataset":
		s.dataset = sitemapDataset{}
	}
	return nil
}

func (s *sitemapReader) end(name, text string) error {
	switch name {
	case "loc":
		return s.loc(text)
	case "link":
		return s.alternate()
	case "lastmod":
		s.timing().lastmod = text
	case "changefreq":
		s.timing().changefreq = text
	case "datasetlabel":
		s.dataset.label = text
	case "dataseturi":
		s.dataset.uri = text
	case "datadumplocation":
		if s.x.in("dataset") {
			s.dataset.dumps = append(s.dataset.dumps, text)
			return s.hold(len(text) + 100)
		}
	case "sampleuri":
		return s.refuse(text, Example, "")
	case "sparqlendpointlocation", "endpointuri":
		if text != "" {
			return s.refuse(text, Endpoint, "")
		}
	case "url":
		return s.url(text)
	case "sitemap":
		return s.part(text)
	case "dataset":
		return s.dumps()
	}
	return nil
}

// timing is that of the dataset which the element is in, or else of the <url> or <sitemap>.
func (s *sitemapReader) timing() *timing {
	if s.x.in("dataset") {
		return &s.dataset.says
	}
	return &s.says
}

// loc notes a place, or takes it where the element around it was left out.
func (s *sitemapReader) loc(text string) error {
	switch s.x.parent() {
	case "url", "sitemap":
		s.locs = append(s.locs, text)
		return s.hold(len(text) + 16)
	case "urlset": // some leave <url> out
		s.locs, s.says = nil, timing{}
		return s.give(text)
	case "sitemapindex":
		s.lead(text, Sitemap)
	}
	return nil
}

// alternate takes another form of the page of a <url>, where it is RDF; others are mostly languages.
func (s *sitemapReader) alternate() error {
	href, kind := s.attrs["href"], s.attrs["type"]
	if !s.x.in("url") || !strings.Contains(strings.ToLower(s.attrs["rel"]), "alternate") || natureOf(kind) != isRDF &&
		natureOfName(href) != isRDF {
		return nil
	}
	return s.take(found{uri: s.x.absolute(href), formats: []string{kind}})
}

// give takes a document of the <url> at hand.
func (s *sitemapReader) give(uri string) error {
	claims := Claims{}
	if len(s.locs) <= 1 { // of several it can't be said which one is meant
		claims.setModified(s.says.lastmod)
		claims.set(ChangeFreq, s.says.changefreq)
	}
	return s.take(found{uri: uri, claims: claims, sure: true})
}

// url takes the documents of a <url>, whose own text is used where it has no <loc>.
func (s *sitemapReader) url(text string) error {
	switch {
	case len(s.locs) == 0 && text != "":
		return s.give(text)
	case len(s.locs) == 0:
		return s.refuse("", NoURI, "a <url> without <loc>")
	}
	for _, loc := range s.locs {
		if err := s.give(loc); err != nil {
			return err
		}
	}
	s.locs = nil
	return nil
}

// part follows a <sitemap> of an index, whose own text is used where it has no <loc>.
func (s *sitemapReader) part(text string) error {
	if len(s.locs) == 0 && text != "" {
		s.locs = []string{text}
	}
	if len(s.locs) == 0 {
		return s.refuse("", NoURI, "a <sitemap> without <loc>")
	}
	for _, loc := range s.locs {
		s.lead(loc, Sitemap)
	}
	s.locs = nil
	return nil
}

// dumps takes the documents of a dataset.
func (s *sitemapReader) dumps() error {
	d := &s.dataset
	for _, dump := range d.dumps {
		claims := Claims{}
		claims.set(Dataset, d.uri)
		claims.setModified(d.says.lastmod)
		claims.set(ChangeFreq, d.says.changefreq)
		if err := s.take(found{uri: dump, title: d.label, claims: claims, sure: true}); err != nil {
			return err
		}
	}
	if len(d.dumps) == 0 {
		return s.refuse(d.uri, NoURI, "a dataset without dumps")
	}
	return nil
}

// robots follows the sitemaps that a robots.txt names.
func (r *reading) robots() error {
	return r.lines(func(_ int64, line string) error {
		name, uri, ok := strings.Cut(line, ":")
		uri, _, _ = strings.Cut(uri, " #")
		if uri = strings.TrimSpace(uri); ok && uri != "" && strings.EqualFold(strings.TrimSpace(name), "sitemap") {
			r.lead(uri, Sitemap)
		}
		return nil
	})
}
