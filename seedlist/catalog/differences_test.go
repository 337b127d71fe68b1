package catalog_test

import (
	"strings"
	"testing"

	"laundromat/rdf/format"
	"laundromat/seedlist/catalog"
)

// What a catalog claims and is not so is a warning; what nobody can know is none.
func TestDifferencesAreWarnings(t *testing.T) {
	nothing := catalog.Found{Bytes: -1, Written: -1}
	for _, test := range []struct {
		name  string
		claim [2]string
		found func(*catalog.Found)
		code  string // "" for none
	}{
		{"size", [2]string{catalog.Size, "10"}, func(f *catalog.Found) { f.Bytes = 11 }, "claim/size"},
		{"same size", [2]string{catalog.Size, "10"}, func(f *catalog.Found) { f.Bytes = 10 }, ""},
		{"empty", [2]string{catalog.Size, "10"}, func(f *catalog.Found) { f.Bytes = 0 }, "claim/size"},
		{"size not known", [2]string{catalog.Size, "10"}, func(*catalog.Found) {}, ""},
		{"rounded size", [2]string{catalog.Size, "1.9G"}, func(f *catalog.Found) { f.Bytes = 19 << 30 / 10 }, ""},
		{"rounded up", [2]string{catalog.Size, "897M"}, func(f *catalog.Found) { f.Bytes = 897<<20 - 500<<10 }, ""},
		{"another rounded size", [2]string{catalog.Size, "1.9G"}, func(f *catalog.Found) { f.Bytes = 17 << 30 / 10 }, "claim/size"},
		{"checksum", [2]string{catalog.Checksum, "md5:aa"}, func(f *catalog.Found) { f.Digest = map[string]string{"md5": "bb"} },
			"claim/checksum"},
		{"same checksum", [2]string{catalog.Checksum, "md5:aa"}, func(f *catalog.Found) { f.Digest = map[string]string{"md5": "aa"} }, ""},
		{"another algorithm", [2]string{catalog.Checksum, "sha1:aa"}, func(f *catalog.Found) { f.Digest = map[string]string{"md5": "bb"} },
			""},
		{"media type", [2]string{catalog.MediaType, "text/turtle"},
			func(f *catalog.Found) { f.ContentType = "application/rdf+xml; charset=utf-8" }, "claim/media-type"},
		{"old name", [2]string{catalog.MediaType, "application/x-turtle"},
			func(f *catalog.Found) { f.ContentType = "text/turtle;charset=utf-8" }, ""},
		{"says nothing", [2]string{catalog.MediaType, "text/turtle"}, func(f *catalog.Found) { f.ContentType = "application/octet-stream" },
			""},
		{"gzip", [2]string{catalog.MediaType, "application/gzip"}, func(f *catalog.Found) { f.ContentType = "application/x-gzip" }, ""},
		{"zip, not gzip", [2]string{catalog.MediaType, "application/zip"}, func(f *catalog.Found) { f.ContentType = "application/x-gzip" },
			"claim/media-type"},
		{"a page", [2]string{catalog.MediaType, "text/turtle"}, func(f *catalog.Found) { f.ContentType = "text/html" }, "claim/media-type"},
		{"modified", [2]string{catalog.Modified, "2024-05-07T11:58:19Z"},
			func(f *catalog.Found) { f.LastModified = "Tue, 07 May 2024 12:58:19 GMT" }, "claim/modified"},
		{"same instant", [2]string{catalog.Modified, "2024-05-07T13:58:19+02:00"},
			func(f *catalog.Found) { f.LastModified = "Tue, 07 May 2024 11:58:19 GMT" }, ""},
		{"no zone", [2]string{catalog.Modified, "2024-05-07T11:58:19"},
			func(f *catalog.Found) { f.LastModified = "Tue, 07 May 2024 23:58:19 GMT" }, ""},
		{"a date", [2]string{catalog.Modified, "2024-05-07"}, func(f *catalog.Found) { f.LastModified = "Tue, 07 May 2024 23:58:19 GMT" },
			""},
		{"another date", [2]string{catalog.Modified, "2024-05-07"},
			func(f *catalog.Found) { f.LastModified = "Fri, 10 May 2024 00:00:00 GMT" }, "claim/modified"},
		{"only a year", [2]string{catalog.Modified, "2020"}, func(f *catalog.Found) { f.LastModified = "Fri, 10 May 2024 00:00:00 GMT" },
			""},
		{"format", [2]string{catalog.Format, "RDF/XML"}, func(f *catalog.Found) { f.Format = format.Turtle }, "claim/format"},
		{"packed format", [2]string{catalog.Format, "gzip:ntriples"}, func(f *catalog.Found) { f.Format = format.RDFXML }, "claim/format"},
		{"format of the European register",
			[2]string{catalog.Format, "http://publications.europa.eu/resource/authority/file-type/RDF_TURTLE"},
			func(f *catalog.Found) { f.Format = format.JSONLD }, "claim/format"},
		{"lines are Turtle too", [2]string{catalog.Format, "ttl"}, func(f *catalog.Found) { f.Format = format.NTriples }, ""},
		{"any RDF", [2]string{catalog.Format, "RDF"}, func(f *catalog.Found) { f.Format = format.NTriples }, ""},
		{"any file", [2]string{catalog.Format, "ZIP"}, func(f *catalog.Found) { f.Format = format.NTriples }, ""},
		{"triples", [2]string{catalog.Triples, "2250"}, func(f *catalog.Found) { f.Written = 2249 }, "claim/triples"},
		{"as many triples", [2]string{catalog.Triples, "2250"}, func(f *catalog.Found) { f.Written = 2250 }, ""},
		{"triples of what was not read", [2]string{catalog.Triples, "2250"}, func(*catalog.Found) {}, ""},
	} {
		found := nothing
		test.found(&found)
		var codes []string
		for _, n := range catalog.Differences(catalog.Claims{test.claim[0]: test.claim[1]}, found) {
			codes = append(codes, string(n.Code))
		}
		if got := strings.Join(codes, " "); got != test.code {
			t.Errorf("%s: %q, want %q", test.name, got, test.code)
		}
	}
	if all := catalog.Differences(nil, catalog.Found{}); len(all) > 0 {
		t.Errorf("nothing was claimed: %v", all)
	}
}
