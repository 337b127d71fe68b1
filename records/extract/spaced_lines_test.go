package extract_test

import (
	"context"
	"strings"
	"testing"

	"laundromat/records/extract"
)

// Rows whose fields are apart by single spaces are so where the numbers in them show it, and nowhere else.
func TestNumbersShowThatFieldsAreApartBySpaces(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a plain one",
			"town height people\nUlm 478 126\nLeer 3 34\nHof 500 45\nWesel 23 60\n", `"town"=town "height"=height "people"=people`},
		{"as R writes it, with names of rows",
			"\"height\" \"people\" \"since\"\n\"Bad Ems\" 80 9 1324\n\"Ulm\" 478 126 1181\n\"Hof\" 500 45 1230\n",
			`""=column_1 "height"=height "people"=people "since"=since`},
		{"as R writes it, with numbers of rows",
			"\"town\" \"height\" \"since\"\n\"1\" \"Bad Ems\" 80 1324\n\"2\" \"Ulm\" 478 1181\n\"3\" \"Hof\" 500 1230\n",
			`""=column_1 "town"=town "height"=height "since"=since`},
		{"names of one column", "address\nMain Street 1\nMill Lane 7\nHigh Street 12\nOld Road 3\n", `"address"=address`},
		{"words with a number", "system\nWindows 95\nWindows 98\nWindows 7\n", `"system"=system`},
		{"prose", "the mill stood\nin 1920 it had 12 wheels\nand 3 of them turned\nuntil 1931 came\n", `"the mill stood"=the mill stood`},
	} {
		h := &headers{}
		err := extract.Read(context.Background(), extract.Document{Name: "a.csv", Text: strings.NewReader(c.in)}, extract.Options{}, h)
		var labels []string
		if len(h.got) == 1 {
			_, line, _ := strings.Cut(h.got[0], ": ")
			for label := range strings.SplitSeq(line, " \"") {
				label, _, _ = strings.Cut(label, "@")
				labels = append(labels, strings.TrimPrefix(label, "\""))
			}
		}
		if got := "\"" + strings.Join(labels, " \""); err != nil || got != c.want {
			t.Errorf("%s: %s, want %s (%v)", c.name, got, c.want, err)
		}
	}
}

// Prose and tables whose edges can't be known are none that a program printed: they are not read as tables unasked.
func TestPrintedTablesAreToldFromProse(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     bool
	}{
		{"as R writes it", "\"height\" \"people\"\n\"Bad Ems\" 80 9\n\"Ulm\" 478 126\n\"Hof\" 500 45\n\"Leer\" 3 34\n", true},
		{"without marks", "town height people\nUlm 478 126\nLeer 3 34\nHof 500 45\nWesel 23 60\n", true},
		{"aligned", "town    height\nUlm        478\nLeer         3\nHof        500\n", true},
		{"between bars", "| town | height |\n|------|--------|\n| Ulm  | 478    |\n| Leer | 3      |\n", true},
		{"as psql prints it", " town | height\n------+--------\n Ulm  |    478\n(1 row)\n", true},
		{"a table in Markdown", "# Heights\n\nThe heights of towns were measured in 1920.\nNobody knows by whom.\n\n" +
			"| town | height |\n|------|--------|\n| Ulm  | 478    |\n\nMore of them follow.\n", false},
		{"indented prose", "                Licence of the mill\n\n   1. Definitions.\n\n      \"Mill\" means the old mill at the river,\n" +
			"      and every door of it.\n\n      \"Wheel\" means what turns in the mill.\n\n   2. Use of the mill.\n\n" +
			"      Nobody turns a wheel at night.\n", false},
		{"prose", "the mill stood\nin 1920 it had 12 wheels\nand 3 of them turned\nuntil 1931 came\n", false},
		{"lines of three words", "the old mill\nhad two wheels\nand one door\nuntil it fell\n", false},
		{"as R prints it, labels wider than values",
			"      height people since\nUlm      478    126  1181\nLeer       3     34  1823\nHof      500     45  1230\n", false},
		{"as R prints it, two columns",
			"   temperature pressure\n1            0   0.0002\n2           20   0.0012\n3           40   0.0060\n4           60   0.0300\n", false},
	} {
		if got := extract.IsPrinted(context.Background(), []byte(c.in), true); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
