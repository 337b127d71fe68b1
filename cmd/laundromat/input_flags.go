package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"laundromat/encoding"
	"laundromat/internal/fetch"
	"laundromat/internal/rfc3986"
	"laundromat/report"
	"laundromat/states/inputs"
)

// addInputs adds the flags of how inputs are read, which the verbs for what is no RDF share.
func (o *washOptions) addInputs(flags *pflag.FlagSet) {
	flags.StringVar(&o.given.ContentType, "content-type", "", "stands for the Content-Type that a server would send")
	flags.StringVar(&o.base, "base", "", "the URL of every page, for its links")
	o.memory = 256 << 20
	flags.Var(sizeValue{&o.memory}, "memory", "memory for the whole process")
	flags.StringVar(&o.temp, "temp", "", "folder for temporary files (default $TMPDIR)")
	flags.IntVar(&o.samples, "samples", report.SamplesShown, "how many findings of each code to show, and to keep of each document in a "+
		"report; all are counted")
	flags.StringVar(&o.report, "report", "", "write a report to this FILE: JSON, or a page for people if it ends in .html")
	o.maxBytes = 1 << 40
	flags.Var(sizeValue{&o.maxBytes}, "max-download", "longest body to download")
	flags.BoolVar(&o.allowPrivate, "allow-private", false, "allow URLs at addresses that are not public")
	flags.StringVar(&o.contact, "contact", "", "URL or address for the User-Agent of downloads")
	o.way.add(flags)
	addLimits(flags, &o.limits)
	o.level, o.workers = 6, runtime.NumCPU()
}

// checkInputs checks those flags.
func (o *washOptions) checkInputs() (err error) {
	if o.network, err = o.way.network(); err != nil {
		return err
	}
	switch {
	case o.samples < 1:
		return usage("--samples is 1 or more, not %d", o.samples)
	case o.memory < minMemory:
		return usage("--memory is %v or more, not %v", sizeValue{ptr(int64(minMemory))}, sizeValue{&o.memory})
	case o.limits.Depth < 1 || o.limits.Entries < 1 || o.limits.Ratio < 1:
		return usage("--max-depth, --max-entries and --max-ratio are 1 or more")
	case o.base != "" && !rfc3986.IsAbsolute([]byte(o.base)):
		return usage("--base: %q isn't an absolute IRI", o.base)
	}
	if o.given.Encoding != "" {
		if _, err := encoding.NewReader(strings.NewReader(""), o.given.Encoding, encoding.Options{}); err != nil {
			return usage("--encoding: %w", err)
		}
	}
	if o.temp != "" {
		if info, err := os.Stat(o.temp); err != nil || !info.IsDir() {
			return usage("--temp: %s is not a folder", o.temp)
		}
	}
	return nil
}

// opener opens the inputs of a run.
func (o *washOptions) opener(u *ui, several bool) *inputs.Opener {
	return &inputs.Opener{Stdin: u.in, Temp: o.temp, Base: o.base, Several: several, Fetch: o.fetching()}
}

// furtherPages fetches pages that documents lead to.
func (o *washOptions) furtherPages(opener *inputs.Opener, hostDelay time.Duration) *inputs.FurtherPages {
	return &inputs.FurtherPages{Opener: opener, Settings: o.reading(), Given: &o.given, HostDelay: hostDelay, Memory: o.memory}
}

// fetching says how inputs are downloaded.
func (o *washOptions) fetching() fetch.Options {
	return fetch.Options{UserAgent: userAgent(o.contact), AllowPrivate: o.allowPrivate, MaxBytes: o.maxBytes, Network: o.network}
}

// userAgent is how the program names itself to servers.
func userAgent(contact string) string {
	if contact == "" {
		return "Laundromat/" + release
	}
	return fmt.Sprintf("Laundromat/%s (+%s)", release, contact)
}
