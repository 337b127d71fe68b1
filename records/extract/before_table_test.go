package extract_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"laundromat/records/extract"
)

// What an office writes above a table, titles, properties, rules and empty rows, is neither its header nor a table.
func TestWhatIsAboveATableIsNotItsHeader(t *testing.T) {
	years := ";\"1990\";\"2000\";\"2010\";\n"
	var towns, months strings.Builder
	for i := range 12 {
		fmt.Fprintf(&towns, "\"   Town %d\";\".\";\"%d\";\"1.%d\";\n", i, 400+7*i, 101+i)
		fmt.Fprintf(&months, "%d,%d,%d,%d\n", 1990+i, i-3, 2*i, 7-i)
	}
	const labels = "column_1|1990|2000|2010"
	rule := strings.Repeat("*", 60) + "\n"
	for _, c := range []struct {
		name, in, want string
		count          int
	}{
		{"properties",
			"Doctors in towns (number)\nThe table is of:\nRegion:;North\nSex:;both\n" + years + towns.String(), labels, 12},
		{"a rule, properties, an empty row", "\nDoctors in towns (number)\n" + rule + "     \nThe table is of:\n" +
			"Region:;North\nSex:;both\nState:;all\n\"\"\n;\"\";;;\n" + years + towns.String(), labels, 12},
		{"remarks below",
			"Doctors in towns\n" + rule + years + towns.String() + "\n" + rule + "Source: Office of Doctors\n" + rule, labels, 12},
		{"a line and remarks below",
			"Doctors in towns;\n" + years + towns.String() + "__________\nSource: Office of Doctors\n", labels, 12},
		{"titles that are filled up",
			"Anomalies of the temperature 1990 to 2012,,,\n,,,\nbase period: 1951 to 1980,,,\n,,,\nYear,Jan,Feb,Mar\n" +
				months.String(), "Year|Jan|Feb|Mar", 12},
		{"a title that is filled up, beside the table",
			"Anomalies of the temperature,,,\nYear,Jan,Feb,Mar\n" + months.String(), "Year|Jan|Feb|Mar", 12},
	} {
		h := &headers{}
		err := extract.Read(context.Background(), extract.Document{Name: "a.csv", Text: strings.NewReader(c.in)}, extract.Options{}, h)
		var names []string
		if len(h.got) == 1 {
			for field := range strings.SplitSeq(h.got[0], " \"") {
				if _, rest, found := strings.Cut(field, "\"="); found {
					name, _, _ := strings.Cut(rest, "@")
					names = append(names, name)
				}
			}
		}
		if err != nil || strings.Join(names, "|") != c.want || h.count != c.count {
			t.Errorf("%s: %d records below %q (%v)", c.name, h.count, h.got, err)
		}
	}
}

// Two tables of other columns, one below the other, stay two; and stars in place of a value stay that.
func TestWhatIsATableStaysOne(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		count          int
	}{
		{"two tables",
			"a,b\n1,2\n3,4\n5,6\n\nx,y,z\n1,2,3\n4,5,6\n7,8,9\n",
			`0 table_1: "a"=a@1:1 "b"=b@1:3|3 table_2: "x"=x@6:1 "y"=y@6:3 "z"=z@6:5`, 6},
		{"hidden values", "key\n****\n1234\n****\n", `0 : "key"=key@1:1`, 3},
		{"properties alone", "Region:,North\nSex:,both\nState:,all\n", `0 : "Region:"=Region:@1:1 "North"=North@1:9`, 2},
	} {
		h := &headers{}
		err := extract.Read(context.Background(), extract.Document{Name: "a.csv", Text: strings.NewReader(c.in)}, extract.Options{}, h)
		if got := strings.Join(h.got, "|"); err != nil || got != c.want || h.count != c.count {
			t.Errorf("%s: %d records below %s, %v; want %d below %s", c.name, h.count, got, err, c.count, c.want)
		}
	}
}
