package microformats

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/rdftest"
)

// peerScript parses the files that it is given by another parser, each by its base: a line of JSON a file.
const peerScript = `
import { createRequire } from 'module';
import { readFileSync } from 'fs';
const require = createRequire(process.argv[1] + '/');
const { mf2 } = require('microformats-parser');
for (const [file, baseUrl] of JSON.parse(readFileSync(0, 'utf8'))) {
  let parsed;
  try { parsed = mf2(readFileSync(file, 'utf8'), { baseUrl }); } catch (e) { parsed = { failed: String(e) }; }
  console.log(JSON.stringify(parsed));
}
`

// peer is what npm's microformats-parser makes of files. Without it the test is skipped.
func peer(t *testing.T, files [][2]string) (parsed []map[string]any) {
	t.Helper()
	folder := ""
	for _, one := range filepath.SplitList(os.Getenv("NODE_PATH")) {
		if _, err := os.Stat(filepath.Join(one, "microformats-parser")); err == nil {
			folder = one
		}
	}
	program, err := exec.LookPath("node")
	if err != nil || folder == "" {
		t.Skip("node, or microformats-parser in NODE_PATH, is not there")
	}
	given, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program, "--input-type=module", "-e", peerScript, filepath.Dir(folder))
	command.Stdin, command.Stderr = bytes.NewReader(given), os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for range files {
		var one map[string]any
		if err := decoder.Decode(&one); err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, one)
	}
	return parsed
}

// suiteFaults are the files of the suite of which the peer makes something else than the suite expects, and we do not.
var suiteFaults = map[string]bool{
	"implied-name": true, "implied-photo": true, "implied-url": true, "names-microformats": true, "names-microformats-multi": true,
	"names-properties": true, "names-properties-multi": true, "nested-microformat": true, "nested-microformat-mistyped": true,
	"properties-dt": true, "properties-p": true, "properties-u": true, "value-dt": true, "value-p": true, "value-u": true,
}

// pageDifferences are where the peer reads real pages otherwise, and why that is not ours to mend. Each is met.
var pageDifferences = []struct{ at, why string }{
	{`\.properties\.published `, "the table of old names at microformats.org has it for hentry, and the peer's has not"},
	{`\.properties\.category `, "as is category of vcard"},
	{`\.properties\.(latitude|longitude) `, "as are those of vcard"},
	{`\.properties\.[a-z-]*:`, "a name has letters and hyphens, and the peer takes classes of other characters"},
	{`\.properties\.photo\[0\] is "http://example.com/"`,
		"an image in a text stands for its alt, also if that is empty; the peer takes its src. No statement comes of it"},
	{`wikia/source.html: \[0\]\.properties\.content\[0\]\.value `, "as is one in this text"},
	{`seattletimes-1/source.html: \[0\]\.properties\.content\[0\]\.value `,
		"noscript holds elements, and for the peer, as for one that runs scripts, a text with tags"},
	{`:  is \[\], expected \[map\["properties":map\[\] "type":\["h-item"\]\]`, "the class item is a root only in a review"},
	{`\.properties\.url\[0\] is "http://example.com/mozilla.org/, https://`, "the peer takes what has :// in it for absolute"},
}

// spaces are what separates words of a text; the peer puts some around images.
var spaces = regexp.MustCompile(`\s+`)

// comparable is a parse without what the two may write in different ways: markup, white space, and the octets of URLs.
func comparable(v any) any {
	switch v := v.(type) {
	case map[string]any:
		plain := map[string]any{}
		for name, one := range v {
			if name != "html" {
				plain[name] = comparable(one)
			}
		}
		return plain
	case []any:
		plain := make([]any, len(v))
		for i := range v {
			plain[i] = comparable(v[i])
		}
		return plain
	case string:
		if decoded, err := url.PathUnescape(v); err == nil && strings.HasPrefix(v, "http") {
			v = decoded
		}
		return strings.TrimSpace(spaces.ReplaceAllString(v, " "))
	}
	return v
}

// The parse of the suite's pages and of real ones is that of another program, but for what is listed with its reason.
func TestTheParseIsThatOfAnother(t *testing.T) {
	suite := rdftest.Shared(t, "conformance/microformats/tests")
	var files [][2]string
	for _, folder := range []string{suite, rdftest.Shared(t, "text/readability")} {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".html") || folder != suite && filepath.Base(path) != "source.html" {
				return err
			}
			base := "http://example.com/"
			if strings.Contains(path, "microformats-v2-unit") {
				base = "http://example.test"
			}
			files = append(files, [2]string{path, base})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	met, items := map[string]int{}, 0
	for i, parsed := range peer(t, files) {
		name := files[i][0]
		if why, failed := parsed["failed"]; failed {
			t.Logf("%s: the peer refuses it: %v", name, why)
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		ours := asJSON(t, text, files[i][1]).(map[string]any)
		if strings.HasPrefix(name, suite) {
			equal := len(differences(ours, parsed, "")) == 0
			if fault := suiteFaults[strings.TrimSuffix(filepath.Base(name), ".html")]; equal == fault {
				t.Errorf("%s: equal %v, and it is listed as a fault of the peer: %v", name, equal, fault)
			}
			continue
		}
		list, _ := ours["items"].([]any)
		items += len(list)
		for _, difference := range differences(comparable(ours["items"]), comparable(parsed["items"]), "") {
			difference = name + ": " + difference
			at := slices.IndexFunc(pageDifferences, func(d struct{ at, why string }) bool {
				return regexp.MustCompile(d.at).MatchString(difference)
			})
			if at < 0 {
				t.Error(difference)
				continue
			}
			met[pageDifferences[at].at]++
		}
	}
	t.Logf("%d items of real pages; differences by reason: %v", items, met)
	for _, d := range pageDifferences {
		if met[d.at] == 0 {
			t.Errorf("no page is read otherwise at %s any more: %s", d.at, d.why)
		}
	}
}
