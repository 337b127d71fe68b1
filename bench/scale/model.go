package main

import (
	"fmt"
	"io"
	"time"
)

// rates are what one thing costs. Each was measured: see docs/scale.md.
type rates struct {
	statement time.Duration // of a processor: read, made clean, sorted, compressed
	seed      time.Duration // of a processor, beside its statements
	page      time.Duration // of a processor, for a page of HTML
	database  time.Duration // of the database's processors, a seed
	row       float64       // bytes that a washed seed takes in the database
	clean     [2]float64    // bytes of a clean statement, compressed: least and most
	delay     time.Duration // between two requests to a host
	reply     time.Duration // of a host
	line      float64       // bytes a second of the line
	slots     float64       // downloads of a daemon at once
}

// load is something large that is to be washed.
type load struct {
	name       string
	seeds      float64
	statements float64
	bytes      float64 // that come over the line
	pages      bool    // the seeds are pages of HTML
	hosts      float64
	largest    float64 // seeds of the largest host
}

// loads are those of docs/scale.md, where their sources stand.
var loads = []load{
	{name: "650,000 documents, 38 billion statements", seeds: 650_000, statements: 38e9, bytes: 38e9 * 12.4, hosts: 1000, largest: 65_000},
	{name: "100 million small documents", seeds: 100e6, statements: 100e6 * 20, bytes: 100e6 * 2700, hosts: 10_000, largest: 1e6},
	{name: "the web of data: 3.15 billion pages", seeds: 3.15e9, statements: 86.4e9, bytes: 3.15e9 * 21_200, pages: true, hosts: 33.8e6,
		largest: 1e6},
}

// writeModel computes what each load takes.
func writeModel(to io.Writer, r rates) {
	fmt.Fprintf(to, "A statement takes %v of a processor, a seed %v, a page of HTML %v; a seed takes %v of the database's processors, and %.0f bytes.\n",
		r.statement, r.seed, r.page, r.database, r.row)
	fmt.Fprintf(to, "A clean statement is %.1f to %.1f bytes. A host is asked %v after its reply, which takes %v. The line carries %.0f MB/s, and a daemon has %.0f downloads at once.\n\n",
		r.clean[0], r.clean[1], r.delay, r.reply, r.line/1e6, r.slots)
	pause := (r.delay + r.reply).Hours()
	row := func(name string, of func(l load) string) {
		fmt.Fprintf(to, "| %s |", name)
		for _, l := range loads {
			fmt.Fprintf(to, " %s |", of(l))
		}
		fmt.Fprintln(to)
	}
	row("", func(l load) string { return l.name })
	row("---", func(load) string { return "--:" })
	row("hosts; seeds of the largest", func(l load) string { return count(l.hosts) + "; " + count(l.largest) })
	row("over the line", func(l load) string { return size(l.bytes) })
	row("clean files", func(l load) string {
		return size(l.statements*r.clean[0]) + " to " + size(l.statements*r.clean[1])
	})
	row("database", func(l load) string { return size(l.seeds * r.row) })
	row("core hours, statements", func(l load) string { return hours(l.statements * r.statement.Hours()) })
	row("core hours, seeds or pages", func(l load) string {
		if l.pages {
			return hours(l.seeds * r.page.Hours())
		}
		return hours(l.seeds * r.seed.Hours())
	})
	row("core hours, database", func(l load) string { return hours(l.seeds * r.database.Hours()) })
	row("hours of the line", func(l load) string { return hours(l.bytes / r.line / 3600) })
	row("hours of a host, on average", func(l load) string { return hours(l.seeds / l.hosts * pause) })
	row("hours of the largest host", func(l load) string { return hours(l.largest * pause) })
	row("hours of one daemon's downloads", func(l load) string { return hours(l.seeds / r.slots * r.reply.Hours()) })
}

func count(n float64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.4g billion", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.3g million", n/1e6)
	}
	return fmt.Sprintf("%.0f", n)
}

func size(n float64) string {
	switch {
	case n >= 1e12:
		return fmt.Sprintf("%.1f TB", n/1e12)
	case n >= 1e9:
		return fmt.Sprintf("%.0f GB", n/1e9)
	}
	return fmt.Sprintf("%.1f GB", n/1e9)
}

func hours(h float64) string {
	switch {
	case h >= 10:
		return fmt.Sprintf("%.0f", h)
	case h >= 1:
		return fmt.Sprintf("%.1f", h)
	}
	return fmt.Sprintf("%.2g", h)
}
