package job

import (
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"laundromat/text"
	"laundromat/text/spinn3r"
)

// Outputs are the formats that articles are written in.
func Outputs() []string {
	return []string{"jsonl", "f5", "full5", "wet", "text", "markdown", "parquet"}
}

// Output writes articles in a format.
type Output struct {
	Format  string // one of Outputs
	Offsets text.Offsets
	// Extra writes I, S and G in f5 as well, and V in both.
	Extra bool
	// Date is when records of WARC are made.
	Date time.Time
}

// Begin is what stands before the first article.
func (o *Output) Begin() []byte {
	if o.Format != "wet" {
		return nil
	}
	info := "software: Laundromat\r\nformat: WARC File Format 1.1\r\nconformsTo: " +
		"http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"
	head := fmt.Sprintf(
		"WARC/1.1\r\nWARC-Type: warcinfo\r\nWARC-Date: %s\r\nWARC-Record-ID: <urn:uuid:%s>\r\nContent-Type: "+
			"application/warc-fields\r\nContent-Length: %d\r\n\r\n",
		o.date(), uuid(o.date(), "warcinfo"), len(info))
	return append([]byte(head), info+"\r\n\r\n"...)
}

func (o *Output) date() string { return o.Date.UTC().Format(time.RFC3339) }

// Append appends an article as the format has it, in UTF-8: a byte of the source that is none, and whose meaning is not
// clear, is U+FFFD. An article without text has no place but in f5 and full5.
func (o *Output) Append(dst []byte, item *Item, to Listener) []byte {
	from := len(dst)
	dst = o.append(dst, item, to)
	if !utf8.Valid(dst[from:]) {
		dst = append(dst[:from], valid(string(dst[from:]))...)
	}
	return dst
}

// valid is a text with U+FFFD for each byte that is not UTF-8, so that places in characters stay.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

func (o *Output) append(dst []byte, item *Item, to Listener) []byte {
	form := spinn3r.F5
	switch a := item.Article; o.Format {
	case "full5":
		form = spinn3r.Full5
	case "f5":
	default:
		switch {
		case a.Text == "":
		case o.Format == "wet":
			dst = o.warc(dst, a)
		case o.Format == "text":
			dst = append(append(dst, a.Text...), '\n')
		case o.Format == "markdown":
			dst = a.AppendMarkdown(dst)
		default:
			dst = append(a.AppendJSON(dst, o.Offsets), '\n')
		}
		return dst
	}
	record := item.Record
	if record == nil {
		a := item.Article
		if !o.Extra {
			// Its id follows from its URL or member, its phase and languages from its text: nothing is lost.
			plain := *a
			plain.Metadata.Phase = ""
			if form == spinn3r.F5 {
				plain.ID = ""
				plain.Metadata.Languages, plain.Metadata.IsJudged = nil, false
			}
			a = &plain
		}
		record = spinn3r.FromArticle(a, string(item.Source), form)
	} else if o.Extra {
		if phase := item.Article.Metadata.Phase; phase != "" && !record.Has('V') {
			record.Add('V', phase)
		}
		record.AddLanguages(item.Article)
	}
	return record.Append(dst, form, spinn3r.Options{Extra: o.Extra, Notice: to.Notice})
}

// separator stands between articles: in plain text a form feed in a line of its own, in Markdown a thematic break,
// which no article has.
func (o *Output) separator() string {
	switch o.Format {
	case "text":
		return "\f\n"
	case "markdown":
		return "\n---\n\n"
	}
	return ""
}

// warc appends an article as a conversion record of WARC. Its id follows from what it holds.
func (o *Output) warc(dst []byte, a *text.Article) []byte {
	body := valid(a.Text) + "\n"
	sum := sha1.Sum([]byte(body))
	uri := a.URL
	if uri == "" || strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r == 0x7F }) {
		uri = "urn:uuid:" + uuid(a.ID, a.Source)
	}
	dst = fmt.Appendf(dst, "WARC/1.1\r\nWARC-Type: conversion\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\nWARC-Record-ID: "+
		"<urn:uuid:%s>\r\n",
		uri, o.date(), uuid(a.ID, body))
	dst = fmt.Appendf(dst, "WARC-Block-Digest: sha1:%s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\n\r\n",
		base32.StdEncoding.EncodeToString(sum[:]), len(body))
	dst = append(dst, body...)
	return append(dst, "\r\n\r\n"...)
}

// uuid is one of version 5 (RFC 9562), of names in the namespace of URLs.
func uuid(names ...string) string {
	space := []byte{0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8}
	sum := sha1.Sum(append(space, strings.Join(names, "\n")...))
	sum[6] = sum[6]&0x0f | 0x50
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[0:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
