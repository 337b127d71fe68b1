package catalog

import (
	"net/url"
	"slices"
	"strings"
	"sync"

	"laundromat/rdf/format"
)

// nature is what a claim of a format, or the name of a file, says of a document.
type nature uint8

const (
	unknown   nature = iota // anything: zip, XML, JSON, "data"
	isRDF                   // surely meant to be RDF
	packed                  // compressed or an archive, of what is not said
	isPage                  // a page for people
	notRDF                  // something that holds no statements
	isService               // an API
	isQuery                 // a SPARQL endpoint
	isCatalog               // another catalog
	isExample               // a sample
)

// natures are the words of formats, in lower case and without "-", "_" and spaces,
// that people write into catalogs.
var natures = sync.OnceValue(func() map[string]nature {
	all := map[string]nature{}
	for nature, words := range map[nature]string{
		isRDF: "ntriples nt nquads nq turtle ttl rdfturtle rdfntriples rdfnquads trig rdftrig rdfa n3 rdfn3 notation3 " +
			"rdf rdf/xml rdfxml rdfs owl skos jsonld linkeddata rdfa void lod " +
			"meta/rdfschema meta/owl meta/void mapping/owl mapping/rdf application/rdf",
		packed: "zip gz gzip bz2 bzip2 xz zst 7z rar tar tgz tbz2 txz tar.gz tar.bz2 lz4 zstd z lzma application/zip application/gzip " +
			"application/xgzip application/xbzip2 application/xtar application/x7zcompressed application/xxz application/rar " +
			"application/xrar application/vnd.rar application/xrarcompressed application/xcompressed application/zstd " +
			"application/xzipcompressed application/xcompress application/bzip2",
		isPage: "html htm xhtml webpage website web link page text/html application/xhtml+xml homepage browser",
		notRDF: "csv tsv xls xlsx xlsm ods pdf doc docx odt rtf excel shp shape shapefile esrishape kml kmz gml geojson topojson " +
			"geopackage gpkg geotiff tif tiff png jpg jpeg gif bmp webp svg ico mp3 mp4 avi wav mov mpeg ogg dbf mdb accdb sql sqlite db " +
			"parquet avro orc " +
			"netcdf nc hdf hdf5 h5 gpx ppt pptx bib bibtex ris ics exe msi rpm deb iso dxf dwg las laz ecw px sav dta sas7bdat " +
			"md markdown yaml yml epub psd css js jar class py r ipynb gdb filegdb e00 grib jp2 arff npz npy " +
			"text/csv text/tabseparatedvalues application/pdf application/msword application/msexcel application/excel " +
			"application/geo+json " +
			"application/gml+xml application/netcdf application/xnetcdf application/sql application/javascript text/css text/calendar " +
			"text/markdown",
		isService: "api wms wfs wmts wcs csw rest soap webservice webservices service odata arcgis ogcapi wmssrvc wfssrvc restapi " +
			"esrirest arcgisrest arcgisgeoservicesrestapi opensearch",
		isQuery: "sparql sparqlendpoint api/sparql sparqlquery application/sparqlquery application/sparqlresults+xml " +
			"application/sparqlresults+json sparqlservice",
		isCatalog: "ckan sitemap meta/sitemap rss atom application/rss+xml application/atom+xml dcatcatalog catalog",
	} {
		for word := range strings.FieldsSeq(words) {
			all[word] = nature
		}
	}
	return all
})

var plainWord = strings.NewReplacer("-", "", "_", "", " ", "")

// natureOf is what one claim of a format says. The claim is a name, a media type, an extension, an IRI
// of one, or several of them.
func natureOf(claim string) nature {
	found := unknown
	for _, word := range wordsOf(claim) {
		n := natureOfWord(word)
		switch {
		case n == isRDF, n == isExample:
			return n
		case found == unknown, found == packed && n != unknown:
			found = n
		}
	}
	return found
}

// wordsOf takes a claim apart: "RDF/XML, HTML", "gzip:ntriples", "Zipped CSV", "nt.gz".
func wordsOf(claim string) []string {
	claim = strings.ToLower(strings.TrimSpace(bareFormat(claim)))
	if claim == "" {
		return nil
	}
	words := []string{claim, mediaType(claim)}
	for _, part := range strings.FieldsFunc(claim, func(r rune) bool { return strings.ContainsRune(",;:|+()", r) }) {
		words = append(words, strings.TrimSpace(part))
		if !strings.Contains(part, "/") {
			words = append(words, strings.FieldsFunc(part, func(r rune) bool { return r == ' ' || r == '.' })...)
		}
	}
	return words
}

func natureOfWord(word string) nature {
	switch {
	case strings.HasPrefix(word, "example/"):
		return isExample
	case strings.HasPrefix(word, "image/"), strings.HasPrefix(word, "audio/"), strings.HasPrefix(word, "video/"),
		strings.HasPrefix(word, "font/"):
		return notRDF
	}
	if n, ok := natures()[plainWord.Replace(word)]; ok {
		return n
	}
	if f := FormatOf(word); f == format.HTML {
		return isPage
	} else if f != "" {
		return isRDF
	}
	if strings.HasPrefix(word, "application/vnd.") {
		return notRDF
	}
	return unknown
}

// bareFormat takes the name out of an IRI that stands for a format.
func bareFormat(claim string) string {
	claim = strings.TrimSpace(claim)
	if _, rest, ok := strings.Cut(claim, "/media-types/"); ok {
		return rest
	}
	if strings.HasPrefix(claim, "http://") || strings.HasPrefix(claim, "https://") {
		return claim[strings.LastIndexAny(claim, "/#")+1:]
	}
	return claim
}

// FormatOf is the RDF format that a claim means; "" where it means none, or does not
// say which of them.
func FormatOf(claim string) format.Format {
	for _, word := range append([]string{bareFormat(claim)}, wordsOf(claim)...) {
		switch plain := strings.ToLower(plainWord.Replace(word)); plain {
		case "", "rdf", "owl", "rdfs", "html", "htm", "page", "image/svg+xml", "svg", "application/rdf":
			continue // a family of formats, or one that seldom means data
		case "rdfturtle", "rdfntriples", "rdfnquads", "rdftrig":
			word = strings.TrimPrefix(plain, "rdf")
		}
		if f, err := format.Named(word); err == nil {
			return f
		}
	}
	return ""
}

// natureOfName is what the extensions of a URI say, or else its query.
func natureOfName(uri string) nature {
	if n := natureOfPath(uri); n != unknown {
		return n
	}
	return natureOfQuery(uri)
}

// formatKeys are the keys of a query by which a server is asked for a format.
var formatKeys = []string{"format", "_format", "f", "fmt", "output", "outputformat", "type", "mime", "mimetype", "accept", "_accept", "ext",
	"extension",
	"serialization", "serialisation", "as", "export", "contenttype", "mediatype", "syntax", "rdf"}

// natureOfQuery is what the query of a URI says: a format, or the name of a file. It can say only that
// it is RDF or an archive: what else it names may be what the data is made of.
func natureOfQuery(uri string) nature {
	_, query, _ := strings.Cut(withoutFragment(uri), "?")
	found := unknown
	for part := range strings.FieldsFuncSeq(query, func(c rune) bool { return c == '&' || c == ';' }) {
		key, value, _ := strings.Cut(part, "=")
		value = strings.ReplaceAll(value, "+", "%2B") // application/rdf+xml
		if plain, err := url.QueryUnescape(value); err == nil {
			value = plain
		}
		if strings.Contains(value, "://") || strings.ContainsAny(value, " {}") { // an address, a question
			continue
		}
		n := unknown
		if slices.Contains(formatKeys, plainName(key)) || slices.Contains(formatKeys, strings.ToLower(key)) {
			n = natureOf(value)
		} else if n = natureOfPath(value); n == unknown && strings.Contains(value, "/") {
			n = natureOf(value)
		}
		if n == isRDF {
			return isRDF
		}
		if n == packed {
			found = packed
		}
	}
	return found
}

// extensionOfRDF is the extension of a name that says that it is RDF; "" if there is none.
func extensionOfRDF(name string) string {
	for _, extension := range extensions(name) {
		if natureOfWord(extension) == isRDF {
			return extension
		}
	}
	return ""
}

// natureOfPath is what the extensions of a URI's path say.
func natureOfPath(uri string) nature {
	found := unknown
	for _, extension := range extensions(uri) {
		switch extension {
		case "html", "htm", "xhtml", "php", "asp", "aspx", "jsp", "cgi", "do", "service", "api", "void", "web", "link", "catalog", "page":
			return found
		}
		n := natureOfWord(extension)
		switch {
		case n == packed:
			found = packed
		case n == unknown:
			return found
		default:
			return n
		}
	}
	return found
}

// judge says whether an entry is taken, by all that its catalog and its name say of its
// format; "" if it is. With needsSign, an entry without any evidence is refused.
func judge(formats []string, uri string, needsSign bool) (Reason, string) {
	said := make([]nature, 0, len(formats))
	for _, claim := range formats {
		said = append(said, natureOf(claim))
	}
	named := natureOfName(uri)
	what := strings.Join(slices.DeleteFunc(slices.Clone(formats), func(s string) bool { return strings.TrimSpace(s) == "" }), ", ")
	has := func(n nature) bool { return slices.Contains(said, n) }
	switch {
	case has(isExample):
		return Example, what
	case has(isRDF), named == isRDF:
		return "", ""
	case has(isQuery):
		return Endpoint, what
	case has(isCatalog):
		return OtherCatalog, what
	case has(isService):
		return Service, what
	case isSitemapName(uri):
		return OtherCatalog, "by its name"
	case has(notRDF):
		return NotRDF, what
	case has(isPage):
		return WebPage, what
	case named == notRDF:
		return NotRDF, "by its name"
	case needsSign && named != packed && !has(packed):
		return UnknownFile, ""
	}
	return "", ""
}

// isSitemapName says that a URI names a sitemap in the customary way.
func isSitemapName(uri string) bool {
	name := uri[strings.LastIndexByte(uri, '/')+1:]
	return strings.HasPrefix(name, "sitemap") && (strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".xml.gz"))
}
