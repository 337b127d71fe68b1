package main

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"laundromat/internal/content"
	"laundromat/internal/fault"
	"laundromat/seedlist"
)

// outcomeOf is what the work on a document of some kilobytes comes to: a record as a real wash makes it.
func outcomeOf(c seedlist.Claim) seedlist.Outcome {
	size := int64(2700)
	o := seedlist.Outcome{Next: c.Stage.Next()[0], Attempt: seedlist.Attempt{
		ParserName: string(c.Stage), ParserVersion: "laundromat 1.0.0", ParserRuntime: 0.01, SourceURL: c.Seed.URI, AccessDatetime: time.Now(),
	}}
	switch c.Stage {
	case seedlist.Downloading:
		o.Update = func(r *seedlist.Record) {
			r.HTTP = []seedlist.Exchange{{
				URI: c.Seed.URI, Time: time.Now(), Status: 200, Version: &seedlist.HTTPVersion{Major: 1, Minor: 1}, Walltime: 0.4,
				Headers: map[string][]string{
					"content-type": {"application/n-triples"}, "content-length": {"2700"}, "etag": {`"5f3c-5b2d7a9e1c0f0"`}, "server": {"nginx/1.22.1"},
					"last-modified": {"Mon, 02 Jan 2006 15:04:05 GMT"}, "date": {"Mon, 02 Jan 2006 15:04:05 GMT"}, "accept-ranges": {"bytes"},
				},
			}}
			r.Content = contentOf(c.Seed.URI, size)
		}
	case seedlist.Guessing:
		o.Update = func(r *seedlist.Record) {
			r.Encoding = &seedlist.Encoding{Presumed: "utf-8", Evidence: []seedlist.Evidence{{From: "bytes", Value: "utf-8"}}}
			r.Format = "N-Triples"
		}
	case seedlist.Parsing:
		o.Update = func(r *seedlist.Record) {
			r.Encoding.Chosen = "utf-8"
			r.Text = &content.Text{Newline: content.LF, NumberOfBytes: size, NumberOfChars: size, NumberOfLines: 20}
			r.Statements = &content.Statements{Read: 20, Kept: 19, Repaired: 1, Written: 20}
			r.Notices = map[fault.Code]int64{"iri/space": 1}
		}
		o.Attempt.Counts = map[string]int64{"read": 20, "written": 20}
		o.Clean = &seedlist.Clean{Content: *contentOf(c.Seed.URI+" clean", size)}
	}
	return o
}

// contentOf is the content of a file that is named by a text.
func contentOf(text string, size int64) *content.Content {
	m, s := md5.Sum([]byte(text)), sha256.Sum256([]byte(text))
	lines := int64(20)
	return &content.Content{MD5: hex.EncodeToString(m[:]), SHA256: hex.EncodeToString(s[:]), NumberOfBytes: size, NumberOfLines: &lines, Newline: content.LF}
}
