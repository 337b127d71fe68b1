package dates_test

import (
	"strings"
	"testing"
	"time"

	"laundromat/internal/dates"
)

// read gives a time by a pattern, as "2020-03-03 10:00:00"; "" where the text does not fit.
func read(t *testing.T, pattern, text string, exact bool) string {
	t.Helper()
	p, err := dates.Compile(pattern)
	if err != nil {
		t.Fatalf("the pattern %q %v", pattern, err)
	}
	r := dates.Reader{Names: dates.English(), Exact: exact}
	d, fits := r.Read(p, text)
	if !fits {
		return ""
	}
	if p.Has("s") {
		return time.Unix(d.Epoch, 0).UTC().Format(time.DateTime)
	}
	day, why := d.Day(d.Year(dates.PosixPivot))
	if why != "" {
		return ""
	}
	seconds, why := d.Clock()
	if why != "" {
		return ""
	}
	return day.Add(time.Duration(seconds) * time.Second).Format(time.DateTime)
}

func TestEachDirectiveIsReadByBothReaders(t *testing.T) {
	for _, row := range []struct{ pattern, text, want string }{
		{"%Y-%m-%d", "2020-03-03", "2020-03-03 00:00:00"}, {"%F", "2020-03-03", "2020-03-03 00:00:00"},
		{"%e %B %Y", "3 March 2020", "2020-03-03 00:00:00"}, {"%e.%m.%y", "3.3.20", "2020-03-03 00:00:00"},
		{"%-d/%-m/%Y", "3/3/2020", "2020-03-03 00:00:00"}, {"%d-%h-%Y", "03-Mar-2020", "2020-03-03 00:00:00"},
		{"%v", "3-Mar-2020", "2020-03-03 00:00:00"}, {"%D", "03/03/20", "2020-03-03 00:00:00"},
		{"%A %d %B %Y", "Tuesday 3 March 2020", "2020-03-03 00:00:00"}, {"%a, %e %b %Y", "Tue, 3 Mar 2020", "2020-03-03 00:00:00"},
		{"%a, %e %b %Y", "Wed, 3 Mar 2020", ""}, {"%Y-%j", "2020-063", "2020-03-03 00:00:00"}, {"%Y%j", "2020366", "2020-12-31 00:00:00"},
		{"%G-W%V-%u", "2020-W10-2", "2020-03-03 00:00:00"}, {"%Y %W %w", "2020 9 2", "2020-03-03 00:00:00"},
		{"%Y %U %a", "2020 9 Tue", "2020-03-03 00:00:00"}, {"%s", "1583229600", "2020-03-03 10:00:00"},
		{"%F %T", "2020-03-03 10:00:01", "2020-03-03 10:00:01"}, {"%F %R", "2020-03-03 10:00", "2020-03-03 10:00:00"},
		{"%F %r", "2020-03-03 10:00:01 PM", "2020-03-03 22:00:01"}, {"%F %l:%M %P", "2020-03-03 9:05 am", "2020-03-03 09:05:00"},
		{"%F %k:%M", "2020-03-03 9:05", "2020-03-03 09:05:00"}, {"%F %T.%f", "2020-03-03 10:00:01.5", "2020-03-03 10:00:01"},
		{"%F %T.%L", "2020-03-03 10:00:01.123", "2020-03-03 10:00:01"},
		{"%F %T.%N", "2020-03-03 10:00:01.123456789", "2020-03-03 10:00:01"},
		{"%F%t%T%n%z", "2020-03-03 10:00:01 +0100", "2020-03-03 10:00:01"}, {"%F %T %Z", "2020-03-03 10:00:01 GMT", "2020-03-03 10:00:01"},
		{"%Y%%%m%%%d", "2020%03%03", "2020-03-03 00:00:00"}, {"%F", "2020-02-30", ""}, {"%F", "2020-3-3x", ""},
	} {
		for _, exact := range []bool{false, true} {
			if got := read(t, row.pattern, row.text, exact); got != row.want {
				t.Errorf("%q by %q, exact %v: %q, want %q", row.text, row.pattern, exact, got, row.want)
			}
		}
	}
}

// A map is to understand what people write; a schema holds values to its pattern.
func TestOnlyAnInexactReaderTakesHowPeopleWrite(t *testing.T) {
	for _, row := range []struct{ pattern, text, want string }{
		{"%d %B %Y", "3rd March 2020", "2020-03-03 00:00:00"}, {"%d. %B %Y", "3. Marc 2020", "2020-03-03 00:00:00"},
		{"%d %B %Y", "3 Mar. 2020", "2020-03-03 00:00:00"}, {"%F", " 2020-03-03", "2020-03-03 00:00:00"},
		{"%F", "2020-03-03\u00a0", "2020-03-03 00:00:00"}, {"%F %H:%M", "2020-03-03 24:00", "2020-03-04 00:00:00"},
		{"%F %T", "2020-03-03 24:00:00", "2020-03-04 00:00:00"}, {"%A %F", "Tu 2020-03-03", "2020-03-03 00:00:00"},
		{"%A %F", "Tue. 2020-03-03", "2020-03-03 00:00:00"}, {"%b %d, %Y", "Janu 3rd, 2020", "2020-01-03 00:00:00"},
	} {
		if got := read(t, row.pattern, row.text, false); got != row.want {
			t.Errorf("%q by %q: %q, want %q", row.text, row.pattern, got, row.want)
		}
		if got := read(t, row.pattern, row.text, true); got != "" {
			t.Errorf("%q by %q is read exactly as %q", row.text, row.pattern, got)
		}
	}
}

func TestPatternsThatContradictThemselvesAreRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		"%Q": "unknown directive %Q", "%": "ends after", "%Y %Y": "%Y twice", "%d %e": "twice", "%Y %y": "says the same twice",
		"%b %m %d": "says the same twice", "%c": "settings", "%C": "%C", "%d": "without a month", "%G": "belong together",
		"%Y %W": "without its day", "%Y %j %d": "", "%I": "without %p", "%M": "larger part", "%H %S": "larger part", "%s %Y": "whole time",
		strings.Repeat("%%", 200): "longer",
	} {
		if _, err := dates.Compile(pattern); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", pattern, err, want)
		}
	}
}
