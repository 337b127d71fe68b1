//go:build linux

package match_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"laundromat/internal/fault"
	"laundromat/rdf/rdftest"
	"laundromat/records"
	"laundromat/records/match"
)

// nowhere is a sink that counts.
type nowhere struct{ records, notices int }

func (n *nowhere) Record(*records.Record) error { n.records++; return nil }
func (n *nowhere) Notice(fault.Notice)          { n.notices++ }

// cpuSeconds is the time on processors that the process has taken: on a machine that others
// use too, it says more than the clock.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkPages makes the records of real pages: their links, paragraphs and pictures, and a
// record of each page.
func BenchmarkPages(b *testing.B) {
	files, _ := filepath.Glob(rdftest.Shared(b, "text", "readability") + "/*/source.html")
	var all [][]byte
	n := 0
	for _, f := range files {
		text, _ := os.ReadFile(f)
		all, n = append(all, text), n+len(text)
	}
	for _, c := range []struct{ name, spec string }{
		{"links", `["a[href]", {text: "", link: {href: ""}, title: {attr: [title]}, image: {attr: [img, src]}}]`},
		{"page", `
title: title
headings: [h1, "h2 a"]
description: {attr: ["meta[name=description]", content]}
paragraphs: ["body p"]
links: [a, {text: "", url: {link: ""}}]
images: ["img[src]", {src: {link: ""}, alt: {attr: [alt]}}]
`},
		{"nested", `["div, section, li", {class: {attr: [class]}, head: "> h2", first: "> p", year: {to_i: {regexp: ["> p", '(\d{4})']}}}]`},
	} {
		m := compile(b, c.spec, match.Options{Source: match.HTML})
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(n))
			from := cpuSeconds()
			for b.Loop() {
				to := &nowhere{}
				for _, text := range all {
					if _, err := m.HTML(context.Background(), match.Document{URL: pageURL}, text, to); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(to.records), "records")
			}
			b.ReportMetric(float64(n)*float64(b.N)/1e6/(cpuSeconds()-from), "MB/cpu-s")
		})
	}
}
