package csvw

import (
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/markup/jsonread"
)

func TestTemplatesAreExpandedAsTheirStandardSays(t *testing.T) {
	values := map[string][]string{"var": {"value"}, "hello": {"Hello World!"}, "half": {"50%"}, "path": {"/foo/bar"}, "empty": {""},
		"list": {"red", "green", "blue"}, "x": {"1024"}, "y": {"768"}, "who": {"Zoë"}, "none": {}}
	of := func(name string) ([]string, bool, bool) {
		v, ok := values[name]
		return v, len(v) != 1, ok
	}
	for _, c := range []struct{ in, want string }{ // most are of RFC 6570 §3.2
		{"{var}", "value"}, {"{hello}", "Hello%20World%21"}, {"{half}", "50%25"}, {"O{empty}X", "OX"}, {"O{undef}X", "OX"},
		{"{x,y}", "1024,768"}, {"?{x,empty}", "?1024,"}, {"?{undef,y}", "?768"}, {"{var:3}", "val"}, {"{list}", "red,green,blue"},
		{"{list*}", "red,green,blue"}, {"{+hello}", "Hello%20World!"}, {"{+path}/here", "/foo/bar/here"},
		{"{#path,x}/here", "#/foo/bar,1024/here"},
		{"{#none}", ""}, {"X{.var}", "X.value"}, {"X{.list*}", "X.red.green.blue"}, {"{/var,x}/here", "/value/1024/here"},
		{"{;x,y,empty}", ";x=1024;y=768;empty"}, {"{;list*}", ";list=red;list=green;list=blue"}, {"{?x,y,empty}", "?x=1024&y=768&empty="},
		{"?fixed=yes{&x}", "?fixed=yes&x=1024"}, {"{?list}", "?list=red,green,blue"}, {"{who}", "Zo%C3%AB"}, {"{who:3}", "Zo%C3%AB"},
		{"a b{x}", "a%20b1024"}, {"é{x}", "é1024"}, {"", ""},
	} {
		p := compileTemplate(c.in)
		if p == nil {
			t.Errorf("%s is refused", c.in)
		} else if got := string(p.appendExpanded(nil, of)); got != c.want {
			t.Errorf("%s is %s, not %s", c.in, got, c.want)
		}
	}
	for _, wrong := range []string{"{", "}", "{}", "a}b", "{x", "{x y}", "{x:0}", "{x:a}", "{+}", "{x,,y}", "{.}", "{x..y}"} {
		if compileTemplate(wrong) != nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

func TestNumbersAreReadAsTheirFormatSays(t *testing.T) {
	for _, c := range []struct{ datatype, pattern, decimal, group, text, want string }{
		{"integer", "", "", "", "12", "12"}, {"integer", "", "", "", "-12", "-12"}, {"integer", "", "", "", "1.5", ""},
		{"integer", "", "", "", "1e3", ""}, {"integer", "", "", "", "", ""}, {"integer", "", "", "", "1,000", "1000"},
		{"decimal", "", "", "", "1,,000", ""}, {"decimal", "", ",", ".", "1.000,5", "1000.5"}, {"decimal", "", ",", "", "1,5", "1.5"},
		{"decimal", "", "", " ", "1 000.5", "1000.5"}, {"decimal", "", "", "", "1e3", ""}, {"double", "", "", "", "1e3", "1E3"},
		{"decimal", "", "", "", "50%", "0.5"}, {"decimal", "", "", "", "5‰", "0.005"}, {"decimal", "", "", "", "-5%", "-0.05"},
		{"double", "", "", "", "INF", "INF"}, {"decimal", "", "", "", "NaN", ""}, {"byte", "", "", "", "128", ""},
		{"byte", "", "", "", "127", "127"},
		{"unsignedInt", "", "", "", "-1", ""}, {"decimal", "", "", "", ".5", "0.5"}, {"decimal", "", "", "", "5.", ""},
		{"integer", "#,##0", "", "", "1,234", "1234"}, {"integer", "#,##0", "", "", "1234", ""}, {"integer", "000", "", "", "7", ""},
		{"integer", "000", "", "", "007", "007"}, {"decimal", "#0.00", "", "", "1.5", ""}, {"decimal", "#0.00", "", "", "1.50", "1.50"},
		{"decimal", "#.##0,00", ",", ".", "1.234,50", "1234.50"}, {"double", "0.0E0", "", "", "1.5E3", "1.5E3"},
		{"decimal", "#,##,##0", "", "", "12,34,567", "1234567"},
	} {
		d := datatypeNamed(c.datatype)
		d.number = &numberFormat{decimal: '.', group: ','}
		if c.pattern+c.decimal+c.group != "" {
			format := jsonread.NewObject(fault.Pos{}, 0)
			for _, m := range [][2]string{{"pattern", c.pattern}, {"decimalChar", c.decimal}, {"groupChar", c.group}} {
				if m[1] != "" {
					format.Members = append(format.Members, jsonread.Member{Name: m[0], Value: jsonread.NewText(m[1], fault.Pos{})})
				}
			}
			var why string
			if d.number, why = compileNumber(format); why != "" {
				t.Errorf("%+v: %s", c, why)
			}
		}
		got, why := d.parse(c.text)
		if why != "" {
			got = ""
		}
		if got != c.want {
			t.Errorf("%s %q in %q is %q (%s), not %q", c.datatype, c.text, c.pattern, got, why, c.want)
		}
	}
}

func TestDatesAreReadAsTheirFormatSays(t *testing.T) {
	for _, c := range []struct{ datatype, format, text, want string }{
		{"date", "dd.MM.yyyy", "22.03.2015", "2015-03-22"}, {"date", "d.M.yyyy", "2.3.2015", "2015-03-02"},
		{"date", "d.M.yyyy", "22.13.2015", ""},
		{"date", "yyyyMMdd", "20150322", "2015-03-22"}, {"date", "yyyy-MM-dd", "2015-02-29", ""}, {"date", "yyyy-MM-dd", "2015-3-2", ""},
		{"date", "d MMM yyyy", "2 Mar 2015", "2015-03-02"}, {"date", "d MMMM yyyy", "2 March 2015", "2015-03-02"},
		{"date", "d MMM yyyy", "2 Foo 2015", ""},
		{"time", "HHmm", "1502", "15:02:00"}, {"time", "HH:mm:ss.SSS", "15:02:37.143", "15:02:37.143"},
		{"time", "HH:mm:ss.S", "15:02:37.14", ""},
		{"time", "HH:mmXXX", "15:02+08:00", "15:02:00+08:00"}, {"time", "HH:mmX", "15:02Z", "15:02:00Z"},
		{"time", "HH:mmx", "15:02Z", ""},
		{"dateTime", "yyyy-MM-dd HH:mm", "2015-03-22 15:02", "2015-03-22T15:02:00"}, {"dateTime", "yyyy-MM-ddTHH:mm", "2015-03-22", ""},
		{"dateTime", "yyyy-MM-ddTHH:mm:ss", "2015-03-22T25:02:00", ""}, {"gYearMonth", "MM/yyyy", "03/2015", "2015-03"},
		{"gYear", "yyyy", "15", ""},
	} {
		d := datatypeNamed(c.datatype)
		if d.date = compileDate(c.format); d.date == nil {
			t.Errorf("%s is refused", c.format)
			continue
		}
		got, why := d.parse(c.text)
		if why != "" {
			got = ""
		}
		if got != c.want {
			t.Errorf("%s %q in %q is %q (%s), not %q", c.datatype, c.text, c.format, got, why, c.want)
		}
	}
	for _, wrong := range []string{"", "yy-MM-dd", "foo", "yyyyy", "EEE", "HH:mm a", "'open"} {
		if compileDate(wrong) != nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

// rowsOf are the cells of a table, rows apart by | and cells by a point in the middle.
func rowsOf(t *testing.T, text string, d *Dialect) string {
	t.Helper()
	r := newRowReader(t.Context(), strings.NewReader(text), d, func(fault.Notice) {})
	var rows []string
	for {
		row, err := r.next()
		if err != nil {
			t.Fatal(err)
		}
		if row == nil {
			return strings.Join(rows, "|")
		}
		for i, at := range row.places {
			if at.Offset < 0 || at.Offset > int64(len(text)) || i > 0 && at.Offset <= row.places[i-1].Offset {
				t.Errorf("%q: cell %d is at %+v", text, i, at)
			}
		}
		rows = append(rows, strings.Join(row.cells, "·"))
	}
}

func TestRowsAreReadAsTheDialectSays(t *testing.T) {
	for _, c := range []struct {
		text, want string
		set        func(*Dialect)
	}{
		{"a,b\n1,2\n", "a·b|1·2", nil}, {"a,b\r\n1,2", "a·b|1·2", nil}, {"a,b\r1,2\r", "a·b|1·2", nil}, {"\uFEFFa,b\n", "a·b", nil},
		{"\"a,\"\"x\",b\n", "a,\"x·b", nil}, {"\"a\nb\",c\n", "a\nb·c", nil}, {"\"a\r\nb\",c\r\n", "a\r\nb·c", nil},
		{"a,\n,b\n", "a·|·b", nil},
		{"a,\"\"\n", "a·", nil}, {"a\"b,c\n", "a\"b·c", nil}, {"\"a", "a", nil}, {"\n\na\n", "||a", nil}, {"", "", nil},
		{"a;b,c\n", "a·b,c", func(d *Dialect) { d.Delimiter = ";" }}, {"a::b:c\n", "a·b:c", func(d *Dialect) { d.Delimiter = "::" }},
		{"'a,b',c\n", "a,b·c", func(d *Dialect) { d.QuoteChar = "'" }}, {"\"a,b\n", "\"a·b", func(d *Dialect) { d.QuoteChar = "" }},
		{"\"a\\\"b\",c\n", "a\"b·c", func(d *Dialect) { d.DoubleQuote = false }},
		{"a, \"b\"\n", "a·b", func(d *Dialect) { d.SkipInitialSpace = true }},
		{" a , b \n", "a·b", func(d *Dialect) { d.TrimStart, d.TrimEnd = true, true }},
		{" a , b \n", " a· b", func(d *Dialect) { d.TrimEnd = true }},
		{"a,b;1,2;", "a·b|1·2", func(d *Dialect) { d.LineTerminators = []string{";"} }},
		{"a,b\n1,2", "a·b\n1·2", func(d *Dialect) { d.LineTerminators = []string{"\r\n"} }},
	} {
		d := DefaultDialect()
		if c.set != nil {
			c.set(d)
		}
		if got := rowsOf(t, c.text, d); got != c.want {
			t.Errorf("%q is %q, not %q", c.text, got, c.want)
		}
	}
}

// FuzzATableInAnyDialectHasTheCellsOfItsCleanForm writes cells in a dialect, and reads them back.
func FuzzATableInAnyDialectHasTheCellsOfItsCleanForm(f *testing.F) {
	f.Add("a", "b\"c", "d;e\nf", byte(0))
	f.Add("", " ", "'", byte(3))
	f.Fuzz(func(t *testing.T, a, b, c string, which byte) {
		d := DefaultDialect()
		d.Delimiter = []string{",", ";", "\t", "||"}[which&3]
		d.QuoteChar = []string{`"`, "'"}[which>>2&1]
		end := []string{"\n", "\r\n"}[which>>3&1]
		if d.DoubleQuote = which>>4&1 == 0; !d.DoubleQuote && strings.Contains(a+b+c, `\`) {
			return
		}
		escape := d.QuoteChar
		if !d.DoubleQuote {
			escape = `\`
		}
		quoted := func(s string) string {
			return d.QuoteChar + strings.ReplaceAll(s, d.QuoteChar, escape+d.QuoteChar) + d.QuoteChar
		}
		text := strings.Join([]string{quoted(a), quoted(b), quoted(c)}, d.Delimiter) + end + quoted("x") + end
		if got, want := rowsOf(t, text, d), a+"·"+b+"·"+c+"|x"; got != want {
			t.Errorf("%q is %q, not %q", text, got, want)
		}
	})
}
