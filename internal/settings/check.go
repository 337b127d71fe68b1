package settings

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/docker/go-units"
	"github.com/spf13/pflag"

	"laundromat/internal/spelling"
)

func bytesOf(text string) (float64, bool) {
	n, err := units.RAMInBytes(text)
	return float64(n), err == nil
}

// check holds the values of flags against the table and the contradictions.
func check(flags *pflag.FlagSet, verb string) (wrong []error) {
	flags.VisitAll(func(f *pflag.Flag) {
		s := Named(f.Name)
		if s == nil || !f.Changed || verb == "" && !isCommon(s) {
			return
		}
		n, is := number(f)
		if !is {
			return
		}
		if least, unit := leastOf(s, f); n < least {
			wrong = append(wrong, fmt.Errorf("%s is %s%s or more, not %s", named(f), cmp.Or(s.Least, "0"), unit, f.Value))
		}
		if has := memory(); s.Name == "memory" && has > 0 && n > float64(has) {
			machine := units.CustomSize("%.4g%s", float64(has), 1024, []string{"", "K", "M", "G", "T"})
			wrong = append(wrong, fmt.Errorf("%s is %s, and this machine has %s", named(f), f.Value, machine))
		}
	})
	if verb != "serve" {
		return wrong
	}
	for _, c := range contradictions {
		a, b := flags.Lookup(c.a), flags.Lookup(c.b)
		if a != nil && b != nil && c.isOne(a, b) {
			wrong = append(wrong, fmt.Errorf("%s and %s contradict each other: %s", named(a), named(b), c.why))
		}
	}
	return wrong
}

// leastOf is the least value of a setting, as number gives it, and its unit.
func leastOf(s *Setting, f *pflag.Flag) (least float64, unit string) {
	if s.Least == "" {
		return 0, ""
	}
	if f.Value.Type() == "duration" {
		d, err := time.ParseDuration(s.Least)
		if err != nil {
			panic(err) // a row of ours
		}
		return float64(d), ""
	}
	least, _ = bytesOf(s.Least)
	if f.Value.Type() == "SIZE" {
		unit = " byte"
	}
	return least, unit
}

// named names a setting, and where its value comes from if it was not typed as a flag.
func named(f *pflag.Flag) string {
	text := "--" + f.Name
	if whence := Whence(f); whence != "default" && whence != text {
		return whence + ": " + f.Name
	}
	return text
}

// contradiction is a pair of settings that can't both be meant.
type contradiction struct {
	a, b  string
	isOne func(a, b *pflag.Flag) bool
	why   string
}

var contradictions = []contradiction{
	{"interval-min", "interval-max", isAbove, "the shortest interval is longer than the longest"},
	{"interval-min", "interval", isAbove, "the shortest interval is longer than the usual one"},
	{"interval-max", "interval", isBelow, "the longest interval is shorter than the usual one"},
	{"quiet", "verbose", areBoth, "one asks for less in the log, the other for more"},
	{"quiet", "log-events", areBoth, "one leaves only errors in the log, the other adds events"},
	{"tls-cert", "tls-key", isAlone, "they go together: one is the certificate, the other its private key"},
	{"tls-key", "tls-cert", isAlone, "they go together: one is the certificate, the other its private key"},
	{"ignore-robots", "robots-retry", areBoth, "a robots.txt that is ignored is not asked for again"},
	{"ignore-robots", "crawl-delay-max", areBoth, "a robots.txt that is ignored names no delay"},
	{"demo", "store", areBoth, "the demo is a small world of its own in a folder"},
	{"demo", "blobs", areBoth, "the demo is a small world of its own in a folder"},
	{"role", "until-idle", func(a, b *pflag.Flag) bool {
		return a.Value.String() == "api" && b.Value.String() == "true"
	}, "a process of the role api works on no seed, so that it is never idle"},
}

func isGiven(f *pflag.Flag) bool {
	value := f.Value.String()
	return f.Changed && value != "" && value != "false"
}

func areBoth(a, b *pflag.Flag) bool { return isGiven(a) && isGiven(b) }

func isAlone(a, b *pflag.Flag) bool { return isGiven(a) && !isGiven(b) }

// isAbove compares two times; 0 means that one is not set.
func isAbove(a, b *pflag.Flag) bool {
	x, isX := number(a)
	y, isY := number(b)
	return isX && isY && x > 0 && y > 0 && x > y
}

func isBelow(a, b *pflag.Flag) bool { return isAbove(b, a) }

// Strays are variables of an environment (NAME=VALUE) that no setting has and that a misspelling may explain, with the
// name that was perhaps meant.
func Strays(environment []string) (all []string) {
	for _, one := range environment {
		name, _, _ := strings.Cut(one, "=")
		rest, ours := strings.CutPrefix(name, "LAUNDROMAT_")
		if !ours {
			continue
		}
		key := strings.ReplaceAll(strings.ToLower(rest), "_", "-")
		if Named(key) != nil || key == "config" {
			continue
		}
		if near := spelling.Nearest(key, Names()...); near != "" {
			all = append(all, fmt.Sprintf("%s is not a setting; did you mean %s?", name, Variable(near)))
		}
	}
	return all
}
