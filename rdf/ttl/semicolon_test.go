package ttl_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laundromat/rdf/ttl"
)

// TestAMissingSemicolonCostsNoFinishedObject leaves a semicolon out at the end of a line, behind each kind of object.
func TestAMissingSemicolonCostsNoFinishedObject(t *testing.T) {
	const text = "@prefix e: <http://e/> .\n@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\ne:s e:first 'f' ;\n    e:p %s%s\n    e:q e:a , e:b ;\n    e:last 'l' .\n"
	for _, object := range []string{
		"35", "-35", "3.5", "3e5", "true", "false", "'x'", "\"x y\"", "'x'@en", "'x'@en-GB", "'x'^^xsd:token", "'x'^^<http://e/d>",
		"<http://e/o>", "e:o", "_:o",
		"[]", "[ e:r 1 ]", "( 1 2 )", "1 , 2", "e:o , e:o2", "'x' , 'y'@en", "35 ", "35\t", "35 # years",
	} {
		got, _ := read(t, strings.NewReader(fmt.Sprintf(text, object, "")), ttl.Options{Syntax: ttl.Turtle})
		meant := object + " ;"
		if strings.Contains(object, "#") && object[0] == '3' {
			meant = "35 ; # years"
		}
		sound, _ := read(t, strings.NewReader(fmt.Sprintf(text, meant, "")), ttl.Options{Syntax: ttl.Turtle})
		lines, all := got.Lines(), sound.Lines()
		for _, line := range lines {
			if !slices.Contains(all, line) {
				t.Errorf("%s: nobody wrote %s", object, line)
			}
		}
		for _, line := range all {
			if !strings.Contains(line, "<http://e/q>") && !slices.Contains(lines, line) {
				t.Errorf("%s: lost is %s\n%v", object, line, got.Notices)
			}
		}
		if int(got.Lost())+len(lines) != len(all) {
			t.Errorf("%s: %d lost and %d kept of %d: %v", object, got.Lost(), len(lines), len(all), got.Notices)
		}
	}
}
