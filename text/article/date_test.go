package article_test

import (
	"fmt"
	"math/rand"
	"testing"
	"time"

	"laundromat/text/article"
)

func TestDates(t *testing.T) {
	for s, want := range map[string]string{
		"2013-04-09T02:26:00Z":          "2013-04-09T02:26:00Z",
		"2013-04-08T22:26:00-04:00":     "2013-04-09T02:26:00Z",
		"2013-04-08T22:26:00.123-0400":  "2013-04-09T02:26:00Z",
		"2013-04-08 22:26:00 -0400":     "2013-04-09T02:26:00Z",
		"2013-04-09T02:26":              "2013-04-09T02:26:00",
		"2013-04-09 02:26:00.000000":    "2013-04-09T02:26:00",
		"2013-04-09T02:26:00+00":        "2013-04-09T02:26:00Z",
		"2013-04-09T02:26:00 UTC":       "2013-04-09T02:26:00Z",
		"2013-04-09":                    "2013-04-09",
		"2013/4/9":                      "2013-04-09",
		"20130409":                      "2013-04-09",
		"20130409T022600Z":              "2013-04-09T02:26:00Z",
		"20130409022600":                "2013-04-09T02:26:00",
		"9.4.2013":                      "2013-04-09",
		"25/12/2013":                    "2013-12-25",
		"12/25/2013 4:05 PM":            "2013-12-25T16:05:00",
		"03/04/2013":                    "",
		"03.04.2013":                    "2013-04-03",
		"4.9.13":                        "",
		"2013 April 9":                  "2013-04-09",
		"2013-04-09 02:26 IST":          "2013-04-09T02:26:00",
		"Tue, 09 Apr 2013 02:26:00 GMT": "2013-04-09T02:26:00Z",
		"Tue, 9 Apr 13 02:26 +0000":     "2013-04-09T02:26:00Z",
		"Mon, 08 Apr 2013 22:26:00 EDT": "2013-04-09T02:26:00Z",
		"09 April 2013":                 "2013-04-09",
		"April 9, 2013":                 "2013-04-09",
		"Apr. 9th, 2013 at 2:26 am":     "2013-04-09T02:26:00",
		"Mon Apr 08 2013 22:26:00 GMT-0400 (Eastern)": "2013-04-09T02:26:00Z",
		"Mon Apr  8 22:26:00 2013":                    "2013-04-08T22:26:00",
		"Mon Apr 08 22:26:00 -0400 2013":              "2013-04-09T02:26:00Z",
		"Mon Apr  8 22:26:00 EDT 2013":                "2013-04-09T02:26:00Z",
		"1365474360":                                  "2013-04-09T02:26:00Z",
		"1365474360000":                               "2013-04-09T02:26:00Z",
		"Thursday, 09-Apr-98 02:26:00 GMT":            "1998-04-09T02:26:00Z",
		"2013-04-09T02:26:00+02:00[Europe/Paris]":     "2013-04-09T00:26:00Z",
		"1970-01-01T00:00:00Z":                        "",
		"0001-01-01T00:00:00Z":                        "",
		"2013-02-30":                                  "",
		"2013-04-09T25:00:00Z":                        "",
		"2013-04-09 by the editors":                   "",
		"yesterday":                                   "",
		"2013-04":                                     "",
		"Posted on April 9, 2013":                     "",
		"00000000":                                    "",
		"2013-04-09T24:00:00Z":                        "2013-04-10T00:00:00Z",
		"2013-04-09Z":                                 "2013-04-09",
		"2013-04-09T02:26:00−04:00":                   "",
	} {
		if got, _ := article.ParseDate(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// The clock of the language is the judge: what it writes is read as the same moment.
func TestRandomDatesAreRead(t *testing.T) {
	random := rand.New(rand.NewSource(5))
	layouts := []string{time.RFC3339, time.RFC3339Nano, time.RFC1123Z, time.RFC822Z, time.RubyDate, "2006-01-02 15:04:05 -0700",
		"20060102T150405Z0700",
		"Mon Jan 02 2006 15:04:05 GMT-0700", "2 January 2006 15:04:05 -0700", "January 2, 2006 3:04:05 PM -07:00",
		"2006/01/02 15:04:05-07:00"}
	for range 3000 {
		moment := time.Unix(random.Int63n(54*365*86400)+86400, 0).In(time.FixedZone("", (random.Intn(27)-12)*3600+random.Intn(2)*1800))
		for _, layout := range layouts {
			if layout == time.RFC822Z {
				moment = moment.Truncate(time.Minute)
			}
			if layout == time.RFC822Z && moment.Year() >= 2030 {
				continue
			}
			s := moment.Format(layout)
			if got, ok := article.ParseDate(s); !ok || got != moment.UTC().Format("2006-01-02T15:04:05Z") {
				t.Fatalf("%s: %q: %q", layout, s, got)
			}
		}
	}
}

func FuzzParseDate(f *testing.F) {
	f.Add("Tue, 09 Apr 2013 02:26:00 GMT")
	f.Add("2013-04-09 2:26pm")
	f.Fuzz(func(t *testing.T, s string) {
		date, ok := article.ParseDate(s)
		if !ok {
			return
		}
		if again, ok := article.ParseDate(date); !ok || again != date {
			t.Fatalf("%q: %q is read as %q", s, date, again)
		}
		if _, err := fmt.Sscanf(date, "%4d-", new(int)); err != nil {
			t.Fatal(date)
		}
	})
}
