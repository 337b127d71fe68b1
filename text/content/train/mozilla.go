package main

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/net/html"
)

// readMozilla reads the pages that Mozilla's Readability is tested with, from which nothing is ever learnt: a
// folder for
// each, with source.html and, for what is wanted, expected.html.
func readMozilla(folder string) (pages []*page, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "*", "source.html"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		expected, err := os.ReadFile(filepath.Join(filepath.Dir(name), "expected.html"))
		if err != nil {
			return nil, err
		}
		p := &page{gold: gold{ID: filepath.Base(filepath.Dir(name))}}
		if p.gold.Content, err = textOf(string(expected)); err != nil {
			return nil, err
		}
		if err := p.read(source); err != nil {
			return nil, err
		}
		p.labels = make([]int32, len(p.blocks))
		pages = append(pages, p)
	}
	return pages, nil
}

// textOf is all text of a page, with a space where an element begins or ends.
func textOf(source string) (string, error) {
	document, err := html.Parse(strings.NewReader(source))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	var collect func(n *html.Node)
	collect = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		b.WriteByte(' ')
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			collect(c)
		}
	}
	collect(document)
	return b.String(), nil
}
