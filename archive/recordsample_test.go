package archive_test

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// cpioOf writes a cpio archive of the new form.
func cpioOf(members ...member) string {
	var b strings.Builder
	entry := func(name, body string, mode int) {
		fmt.Fprintf(&b, "070701%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%08X%s\x00",
			1, mode, 0, 0, 1, day.Unix(), len(body), 0, 0, 0, 0, len(name)+1, 0, name)
		b.WriteString(strings.Repeat("\x00", -b.Len()&3))
		b.WriteString(body)
		b.WriteString(strings.Repeat("\x00", -b.Len()&3))
	}
	for _, m := range members {
		entry(m.name, m.body, 0o100644)
	}
	entry("TRAILER!!!", "", 0)
	return b.String()
}

// arOf writes an ar archive; names have at most 15 bytes.
func arOf(members ...member) string {
	b := "!<arch>\n"
	for _, m := range members {
		b += fmt.Sprintf("%-16s%-12d%-6d%-6d%-8o%-10d`\n", m.name+"/", day.Unix(), 0, 0, 0o644, len(m.body)) + m.body
		if len(b)%2 != 0 {
			b += "\n"
		}
	}
	return b
}

// warcOf writes a response for each member, whose name is its URI.
func warcOf(members ...member) string {
	b := ""
	for _, m := range members {
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/turtle\r\nSet-Cookie: a=b\r\n\r\n" + m.body
		b += fmt.Sprintf(
			"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <%s>\r\nWARC-Date: %s\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			m.name, day.Format("2006-01-02T15:04:05Z"), len(block), block)
	}
	return b
}

// arcOf writes an ARC file of version 1.
func arcOf(members ...member) string {
	const about = "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n"
	b := fmt.Sprintf("filedesc://x.arc 0.0.0.0 %s text/plain %d\n%s\n", day.Format("20060102150405"), len(about), about)
	for _, m := range members {
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/turtle\r\n\r\n" + m.body
		b += fmt.Sprintf("%s 127.0.0.1 %s text/html %d\n%s\n", m.name, day.Format("20060102150405"), len(block), block)
	}
	return b
}

// pageLinesOf writes the safe form of a crawl dump.
func pageLinesOf(members ...member) string {
	b := ""
	for _, m := range members {
		b += m.name + "\t" + base64.StdEncoding.EncodeToString([]byte(m.body)) + "\n"
	}
	return b
}

var crawled = []member{{"http://example.org/a/one.ttl", lines(3000)}, {"http://example.org/b", "<s> <p> <o> ."}}
