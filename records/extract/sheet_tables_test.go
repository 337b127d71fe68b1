package extract_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sheetOfText is a sheet whose cells are apart by commas; those of digits alone are numbers.
func sheetOfText(text string) (rows [][]meantCell) {
	for line := range strings.Lines(text) {
		var row []meantCell
		for _, cell := range strings.Split(strings.TrimSuffix(line, "\n"), ",") {
			switch {
			case cell == "":
				row = append(row, meantCell{})
			case strings.Trim(cell, "0123456789") == "":
				row = append(row, meantCell{"number", cell})
			default:
				row = append(row, meantCell{"text", cell})
			}
		}
		rows = append(rows, row)
	}
	return rows
}

const (
	towns = "town,people,land,code\nBonn,331,DE,bn\nGraz,302,AT,gz\nChur,38,CH,cr\n"
	items = "item,pieces\nkettle,31\nladle,44\n"
	words = "name,maker\nkettle,Acme\nladle,Bolt\nspoon,Cobb\n"
)

var (
	townRecords = []string{"town=Bonn people=331 land=DE code=bn", "town=Graz people=302 land=AT code=gz",
		"town=Chur people=38 land=CH code=cr"}
	itemRecords = []string{"item=kettle pieces=31", "item=ladle pieces=44"}
	wordRecords = []string{"name=kettle maker=Acme", "name=ladle maker=Bolt", "name=spoon maker=Cobb"}
)

// moved is a text of rows whose cells are n columns further to the right.
func moved(text string, n int) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return strings.Repeat(",", n) + strings.Join(lines, "\n"+strings.Repeat(",", n)) + "\n"
}

// padded is CSV filled up with commas.
func padded(text string) string {
	lines, most := strings.Split(strings.TrimSuffix(text, "\n"), "\n"), 0
	for _, line := range lines {
		most = max(most, strings.Count(line, ","))
	}
	for i, line := range lines {
		lines[i] += strings.Repeat(",", most-strings.Count(line, ","))
	}
	return strings.Join(lines, "\n") + "\n"
}

// plainRecords are what was read, without places and kinds.
func plainRecords(k *placed) (lines []string) {
	for _, row := range k.rows {
		var fields []string
		for _, field := range strings.Split(row, "|")[1:] {
			name, rest, _ := strings.Cut(field, "=")
			_, rest, _ = strings.Cut(rest, ":")
			if value := rest[:strings.LastIndexByte(rest, '@')]; value != "" {
				fields = append(fields, name+"="+value)
			}
		}
		lines = append(lines, strings.Join(fields, " "))
	}
	return lines
}

// A blank row and a header of its own begin another table, in sheets as in CSV.
func TestTablesInASheet(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
		sheetOnly  bool // in CSV it is an edge of what commas can tell
	}{
		{"small above wide", items + "\n" + towns, slices.Concat(itemRecords, townRecords), false},
		{"wide above small", towns + "\n" + items, slices.Concat(townRecords, itemRecords), false},
		{"several blank rows", towns + "\n\n\n" + items, slices.Concat(townRecords, itemRecords), false},
		{"three tables", items + "\n" + towns + "\n" + "pet,legs,age\ndog,4,7\nhen,2,1\n",
			slices.Concat(itemRecords, townRecords, []string{"pet=dog legs=4 age=7", "pet=hen legs=2 age=1"}), false},
		{"as wide", items + "\n" + "pet,legs\ndog,4\nhen,2\n", slices.Concat(itemRecords, []string{"pet=dog legs=4", "pet=hen legs=2"}),
			false},
		{"words below numbers", towns + "\n" + words, slices.Concat(townRecords, wordRecords), false},
		{"words above numbers", words + "\n" + towns, slices.Concat(wordRecords, townRecords), false},
		{"words as wide below numbers", items + "\n" + words, slices.Concat(itemRecords, wordRecords), true},
		{"a title of several words between", towns + "\nKitchen things\n" + items, slices.Concat(townRecords, itemRecords), false},
		{"a title of a word between", towns + "\nKitchen\n" + items, slices.Concat(townRecords, itemRecords), false},
		{"a title and a blank row between", towns + "\nKitchen things\n\n" + items, slices.Concat(townRecords, itemRecords), false},
		{"below and to the right", towns + "\n" + moved(items, 6), slices.Concat(townRecords, itemRecords), true},
		{"below and one to the right", towns + "\n" + moved(items, 1), slices.Concat(townRecords, itemRecords), true},
		{"a record of one below", towns + "\nitem,pieces\nkettle,31\n", slices.Concat(townRecords, itemRecords[:1]), false},
		{"the last cell of a row missing", towns + "\nitem,pieces,note\nkettle,31\nladle,44,old\n",
			slices.Concat(townRecords, []string{"item=kettle pieces=31", "item=ladle pieces=44 note=old"}), false},
		{"one table with a blank row", towns + "\nRiga,605,LV,rg\nOslo,709,NO,os\n",
			slices.Concat(townRecords, []string{"town=Riga people=605 land=LV code=rg", "town=Oslo people=709 land=NO code=os"}), false},
		{"one table of words with a blank row", words + "\nfork,Dunn\npan,Ek\n",
			slices.Concat(wordRecords, []string{"name=fork maker=Dunn", "name=pan maker=Ek"}), false},
		{"one table with short rows behind a blank one", towns + "\nRiga,605\nOslo,709\n",
			slices.Concat(townRecords, []string{"town=Riga people=605", "town=Oslo people=709"}), false},
	} {
		sheets := []meantSheet{{name: "S", rows: sheetOfText(test.text)}}
		for name, raw := range map[string][]byte{"a.xlsx": asXLSX(t, sheets), "a.ods": asODS(t, sheets), "a.xls": asSheetML(sheets),
			"a.csv": []byte(padded(test.text))} {
			if name == "a.csv" && test.sheetOnly {
				continue
			}
			if k := readAs(t, name, raw); !slices.Equal(plainRecords(k), test.want) {
				t.Errorf("%s, %s:\n%s\nwant\n%s\n%q", test.name, name, strings.Join(plainRecords(k), "\n"), strings.Join(test.want, "\n"),
					k.notices)
			}
		}
	}
}

// A cell of a sheet has its place, so none is one too many.
func TestCellsBeyondTheLabelsAreKept(t *testing.T) {
	var many strings.Builder
	for i := range 300 {
		fmt.Fprintf(&many, "%d,%d\n", i, i)
	}
	for _, test := range []struct{ name, text, last string }{
		{"a number", "x,y\n" + many.String() + "1,2,3\n", "x=1 y=2 column_3=3"},
		{"a word", "x,y\n" + many.String() + "1,2,a\n", "x=1 y=2 column_3=a"},
		{"behind a gap", "x,y\n" + many.String() + "1,2,,,a\n", "x=1 y=2 column_5=a"},
		{"alone", "x,y\n" + many.String() + ",,a\n", "column_3=a"},
		{"several", "x,y\n" + many.String() + "1,2,a,b,c\n", "x=1 y=2 column_3=a column_4=b column_5=c"},
		{"of other kinds", "x,y\n" + many.String() + "a,b,c\n", "x=a y=b column_3=c"},
		{"what may be a decimal", "x,y\n" + many.String() + "1,2,50\n", "x=1 y=2 column_3=50"},
		{"two rows", "x,y\n" + many.String() + "1,2,3\n1,2,4\n", "x=1 y=2 column_3=4"},
		{"behind a blank row", "x,y\n" + many.String() + "\n1,2,3\n", "x=1 y=2 column_3=3"},
		{"a label that is taken", "x,column_3\n" + many.String() + "1,2,3\n", "x=1 column_3=2 column_3_2=3"},
	} {
		sheets := []meantSheet{{name: "S", rows: sheetOfText(test.text)}}
		for name, raw := range map[string][]byte{"a.xlsx": asXLSX(t, sheets), "a.ods": asODS(t, sheets)} {
			k := readAs(t, name, raw)
			lines := plainRecords(k)
			wide := slices.IndexFunc(k.notices, func(s string) bool { return strings.HasPrefix(s, "warning table/row-wide") })
			if lines[len(lines)-1] != test.last || wide < 0 {
				t.Errorf("%s, %s: %q, want %q; %q", test.name, name, lines[len(lines)-1], test.last, k.notices)
			}
		}
	}
}
