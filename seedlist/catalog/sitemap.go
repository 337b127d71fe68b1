package catalog

// sitemap reads an index, a set of URLs, and the dumps that the semantic extension
// names (https://www.sitemaps.org/protocol.html and
// http://sw.deri.org/2007/07/sitemapextension/).
func (r *reading) sitemap() error {
	x := r.xml()
	var locs []string              // of the <url> or <sitemap> at hand
	var lastmod, changefreq string // of it
	var dataset struct {
		label, uri, lastmod, changefreq string
		dumps                           []string
	}
	give := func(uri string) error {
		claims := Claims{}
		if len(locs) <= 1 { // of several it can't be said which one is meant
			claims.setModified(lastmod)
			claims.set(ChangeFreq, changefreq)
		}
		return r.take(found{uri: uri, claims: claims, sure: true})
	}
	err := x.walk(
		func(name string, _ map[string]string) error {
			switch name {
			case "url", "sitemap":
				locs, lastmod, changefreq = nil, "", ""
			case "dataset":
				dataset.label, dataset.uri, dataset.lastmod, dataset.changefreq, dataset.dumps = "", "", "", "", nil
			}
			return nil
		},
		func(name, text string) error {
			inSet := x.in("dataset")
			switch {
			case name == "loc" && (x.parent() == "url" || x.parent() == "sitemap"):
				locs = append(locs, text)
				return r.hold(len(text) + 16)
			case name == "loc" && x.parent() == "urlset": // some leave <url> out
				locs, lastmod, changefreq = nil, "", ""
				return give(text)
			case name == "loc" && x.parent() == "sitemapindex":
				r.lead(text, Sitemap)
			case name == "lastmod" && inSet:
				dataset.lastmod = text
			case name == "lastmod":
				lastmod = text
			case name == "changefreq" && inSet:
				dataset.changefreq = text
			case name == "changefreq":
				changefreq = text
			case name == "datasetlabel":
				dataset.label = text
			case name == "dataseturi":
				dataset.uri = text
			case name == "datadumplocation" && inSet:
				dataset.dumps = append(dataset.dumps, text)
				return r.hold(len(text) + 100)
			case name == "sampleuri":
				return r.refuse(text, Example, "")
			case name == "sparqlendpointlocation" || name == "endpointuri":
				if text != "" {
					return r.refuse(text, Endpoint, "")
				}
			case name == "url":
				if len(locs) == 0 && text != "" {
					return give(text) // some write it without <loc>
				}
				if len(locs) == 0 {
					return r.refuse("", NoURI, "a <url> without <loc>")
				}
				for _, loc := range locs {
					if err := give(loc); err != nil {
						return err
					}
				}
				locs = nil
			case name == "sitemap":
				if len(locs) == 0 && text != "" {
					locs = []string{text}
				}
				if len(locs) == 0 {
					return r.refuse("", NoURI, "a <sitemap> without <loc>")
				}
				for _, loc := range locs {
					r.lead(loc, Sitemap)
				}
				locs = nil
			case name == "dataset":
				for _, dump := range dataset.dumps {
					claims := Claims{}
					claims.set(Dataset, dataset.uri)
					claims.setModified(dataset.lastmod)
					claims.set(ChangeFreq, dataset.changefreq)
					if err := r.take(found{uri: dump, title: dataset.label, claims: claims, sure: true}); err != nil {
						return err
					}
				}
				if len(dataset.dumps) == 0 {
					return r.refuse(dataset.uri, NoURI, "a dataset without dumps")
				}
			}
			return nil
		})
	return err
}
