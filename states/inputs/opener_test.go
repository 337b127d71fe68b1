package inputs

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"laundromat/report"
)

func TestReportOfAMissingFileHoldsNoNull(t *testing.T) {
	var out bytes.Buffer
	whole := report.Report{Documents: []report.Document{*failed("x", errors.New("gone"))}}
	if err := report.WriteJSON(&out, &whole); err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out.Bytes()) || bytes.Contains(out.Bytes(), []byte("null")) {
		t.Error(out.String())
	}
}

func TestSchemesOfURLsAreReadInAnyCase(t *testing.T) {
	for arg, want := range map[string]bool{
		"http://a/": true, "HTTPS://a/": true, "Http://a/": true, "ftp://a/": true, "sftp://a/": false, "http:/a": false, "a.nt": false,
		"file:///a": false,
	} {
		if IsWeb(arg) != want {
			t.Errorf("%q: %t", arg, !want)
		}
	}
}
