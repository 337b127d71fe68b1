package catalog_test

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"laundromat/seedlist/catalog"
)

// readSite makes a site of an archive whose files are called by their URIs. Its comment
// holds "harvest URI [kind=…] [pages=…] [entries=…] [depth=…]" and lines "link URI VALUE".
func readSite(t testing.TB, file string) (s site, uri string, opt catalog.Options) {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s = site{}
	for _, f := range archive.Files {
		s[f.Name] = catalogPage{body: f.Data}
	}
	for line := range strings.Lines(string(archive.Comment)) {
		words := strings.Fields(line)
		switch {
		case len(words) > 1 && words[0] == "harvest":
			uri = words[1]
			for _, word := range words[2:] {
				name, value, _ := strings.Cut(word, "=")
				n, _ := strconv.Atoi(value)
				switch name {
				case "kind":
					opt.Kind, _ = catalog.Named(value)
				case "pages":
					opt.MaxPages = n
				case "entries":
					opt.MaxEntries = int64(n)
				case "depth":
					opt.MaxDepth = n
				}
			}
		case len(words) > 2 && words[0] == "link":
			p := s[words[1]]
			p.links = append(p.links, strings.TrimSpace(strings.SplitN(line, " ", 3)[2]))
			s[words[1]] = p
		}
	}
	return s, uri, opt
}

// Each small catalog gives the seeds, the claims and the refusals of its golden file,
// and no page of it is asked for twice.
func TestCatalogsGiveWhatTheyName(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "pages", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".txtar")
		t.Run(name, func(t *testing.T) {
			s, uri, opt := readSite(t, file)
			out, result, err := harvest(t, s, uri, opt)
			golden(t, name, out, result, err)
		})
	}
}
