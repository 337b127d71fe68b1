package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// readPages reads the pages in a folder, and in folders in it: as many as most, spread over all.
func readPages(folder string, most int) ([][]byte, error) {
	var names []string
	err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		plain := filepath.Base(strings.TrimSuffix(name, ".gz"))
		if err == nil && filepath.Ext(plain) == ".html" && plain != "expected.html" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("no pages in " + folder)
	}
	var pages [][]byte
	step := max(1, (len(names)+most-1)/most)
	for i := 0; i < len(names); i += step {
		page, err := os.ReadFile(names[i])
		if err == nil && filepath.Ext(names[i]) == ".gz" {
			page, err = unpacked(page)
		}
		if err != nil {
			return nil, err
		}
		pages = append(pages, page)
	}
	return pages, nil
}

func unpacked(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
