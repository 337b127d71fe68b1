package bucket

import (
	"strings"
	"testing"
)

func TestAnAddressIsReadAsItIsWritten(t *testing.T) {
	for _, row := range []struct{ text, want, refusal string }{
		{"s3://data", "s3://data/", ""},
		{"s3://data/a/b/", "s3://data/a/b", ""},
		{"s3://data/a?endpoint=http://127.0.0.1:9000/", "s3://data/a?endpoint=http%3A%2F%2F127.0.0.1%3A9000", ""},
		{"s3://data?region=eu-west-1", "s3://data/?region=eu-west-1", ""},
		{"s3://data?endpoint=https://s3.amazonaws.com&region=us-east-1", "s3://data/", ""},
		{"https://data/a", "", "does not begin with s3:"},
		{"data", "", "does not begin with s3:"},
		{"s3://", "", "a name of a bucket"},
		{"s3://Data", "", "a name of a bucket"},
		{"s3://a", "", "a name of a bucket"},
		{"s3://key:secret@data", "", "keys have no place"},
		{"s3://data#x", "", "no fragment"},
		{"s3://data?endpont=http://h", "", `no "endpont"`},
		{"s3://data?endpoint=h:9000", "", "is not of the form"},
		{"s3://data?endpoint=http://h/path", "", "is not of the form"},
		{"s3://data?endpoint=http://u:p@h", "", "is not of the form"},
		{"s3://data?%zz", "", "a list of names and values"},
		{"s3://da ta", "", "isn't a URL"},
	} {
		at, err := ParseAddress(row.text)
		switch {
		case row.refusal != "":
			if err == nil || !strings.Contains(err.Error(), row.refusal) || strings.Contains(err.Error(), "secret") &&
				!strings.Contains(err.Error(), "SECRET") {
				t.Errorf("%s: %v, want %q", row.text, err, row.refusal)
			}
		case err != nil || at.String() != row.want:
			t.Errorf("%s: %s, %v, want %s", row.text, at, err, row.want)
		default:
			if again, err := ParseAddress(at.String()); err != nil || again != at {
				t.Errorf("%s is read again as %+v, %v, want %+v", at, again, err, at)
			}
		}
	}
}
