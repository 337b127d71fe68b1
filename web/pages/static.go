package pages

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"sync"

	"laundromat/web"
)

// The files that pages load, ours and those of htmx and uPlot with their licences.
//
//go:embed static
var staticFiles embed.FS

// staticFile is one of them, and the beginning of its SHA-256, which is in the address that pages have.
type staticFile struct {
	body    []byte
	version string
}

var staticByName = sync.OnceValue(readStatic)

func readStatic() map[string]staticFile {
	all := map[string]staticFile{}
	files, err := staticFiles.ReadDir("static")
	if err != nil {
		panic(err) // the files are in the program
	}
	for _, file := range files {
		body, err := staticFiles.ReadFile(path.Join("static", file.Name()))
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(body)
		all[file.Name()] = staticFile{body, hex.EncodeToString(sum[:6])}
	}
	return all
}

// staticPath is the address of a file, which changes with its bytes: it may be kept for ever.
func staticPath(name string) string { return "/static/" + name + "?v=" + staticByName()[name].version }

func static(w http.ResponseWriter, r *http.Request) {
	file, ok := staticByName()[r.PathValue("name")]
	if !ok {
		p := web.ProblemOf(web.Nothing(r.URL.Path))
		http.Error(w, p.Detail, p.Status)
		return
	}
	header := w.Header()
	kind := "application/octet-stream"
	switch path.Ext(r.PathValue("name")) { // what the machine says of these does not matter
	case ".js":
		kind = "text/javascript; charset=utf-8"
	case ".css":
		kind = "text/css; charset=utf-8"
	case ".svg":
		kind = "image/svg+xml"
	case ".txt":
		kind = "text/plain; charset=utf-8"
	}
	header.Set("Content-Type", kind)
	header.Set("X-Content-Type-Options", "nosniff")
	if r.URL.Query().Get("v") == file.version {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	w.Write(file.body)
}
