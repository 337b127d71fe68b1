//go:build generate

// Command pack makes the files that package contexts embeds, from a folder of JSON-LD contexts:
//
//	CONTEXTS=folder go generate ./rdf/jsonld/contexts
//
// The folder has an index.tsv, with a header and a row for each context. The columns are the file, its IRIs
// with a space between, repository and path, date and commit, licence, and bytes. Of each file only its
// member @context is taken. A context belongs to whoever published it: see the file NOTICE.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

func main() {
	from := flag.String("from", "", "the `FOLDER` of contexts")
	to := flag.String("to", ".", "the `FOLDER` to write index.tsv and contexts.zst to")
	flag.Parse()
	if err := pack(*from, *to); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func pack(from, to string) error {
	if from == "" {
		return errors.New("-from names the folder of contexts")
	}
	index, err := os.ReadFile(filepath.Join(from, "index.tsv"))
	if err != nil {
		return err
	}
	var lines bytes.Buffer
	for _, row := range strings.Split(strings.TrimSuffix(string(index), "\n"), "\n")[1:] {
		name, _, _ := strings.Cut(row, "\t")
		if err := appendContext(&lines, filepath.Join(from, name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	// Many of the contexts differ little, and one lies more than a megabyte behind another.
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(4<<20),
		zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(to, "contexts.zst"), e.EncodeAll(lines.Bytes(), nil), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "index.tsv"), index, 0o644)
}

// appendContext appends the context of a file as a document of one line.
func appendContext(lines *bytes.Buffer, file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var document struct {
		Context json.RawMessage `json:"@context"`
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return err
	}
	if document.Context == nil {
		return errors.New("it has no @context")
	}
	lines.WriteString(`{"@context":`)
	if err := json.Compact(lines, document.Context); err != nil {
		return err
	}
	lines.WriteString("}\n")
	return nil
}
