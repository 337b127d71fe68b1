package job_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"laundromat/internal/fault"
	"laundromat/records"
	"laundromat/records/job"
	"laundromat/records/schema"
)

// TestTheInferredSpecMakesTypedValues: a column, and what it becomes by the spec that infer writes of it. What is in
// doubt stays as it is, and is named.
func TestTheInferredSpecMakesTypedValues(t *testing.T) {
	for _, c := range []struct{ name, column, want, reading string }{
		{"decimal comma", "1,5 2,75 3", `1.5 2.75 3`, "decimal ,"},
		{"comma and points", "1,5|1.250,5|1.234.567,00", `1.5 1250.5 1234567.00`, "decimal , group ."},
		{"points alone", "1.234.567|12|1.000", `1234567 12 1000`, "group ."},
		{"commas alone", "1,234,567|12|1,000", `1234567 12 1000`, "group ,"},
		{"point and commas", "1,234.5|12", `1234.5 12`, "decimal . group ,"},
		{"India", "12,34,567.5|1,00,000.25", `1234567.5 100000.25`, "decimal . group ,"},
		{"spaces", "1 234,5|7", `1234.5 7`, "decimal , group by spaces"},
		{"no-break spaces", "1\u00a0234,5|7|1\u202f000\u202f000,25", `1234.5 7 1000000.25`, "decimal , group by spaces"},
		{"thin spaces", "12\u2009345|1\u2009000\u2009000", `12345 1000000`, "group by spaces"},
		{"apostrophes", "1'234.50|12.00", `1234.50 12.00`, "decimal . group '"},
		{"curly apostrophes", "1’234.50|1’000’000", `1234.50 1000000`, "decimal . group '"},
		{"percent", "12 %|7%|3,5 %", `12 7 3.5`, "decimal , beside %"},
		{"percent, no decimals", "12 %|7 %", `12 7`, "whole numbers beside %"},
		{"currency before", "€ 5|€ 6.50|€1,000.00", `5 6.50 1000.00`, "decimal . group , beside €"},
		{"currency behind", "5 EUR|1.234,50 EUR", `5 1234.50`, "decimal , group . beside EUR"},
		{"one currency in two forms", "5 EUR|6,5 €", `5 6.5`, "decimal , beside EUR €"},
		{"dollars", "$1,234.56|-$5.00|$ 7", `1234.56 -5.00 7`, "decimal . group , beside $"},
		{"crowns", "12,50 kr|1 000,00 kr", `12.50 1000.00`, "decimal , group by spaces beside kr"},
		{"brackets", "(12)|7|(1,234)|1,000,000", `-12 7 -1234 1000000`, "group , negative in ()"},
		{"brackets and currency", "($1,234.50)|$7.00", `-1234.50 7.00`, "decimal . group , beside $ negative in ()"},
		{"minus behind", "12-|7,5|3,25-", `-12 7.5 -3.25`, "decimal ,"},
		{"minus sign of typographers", "−5,5|7,25", `-5.5 7.25`, "decimal ,"},
		{"a plus", "+1,5|-2,5", `1.5 -2.5`, "decimal ,"},
		{"words for null", "1,5|n/a|-|2,5", `1.5 null null 2.5`, "decimal ,"},
		{"plain numbers and a word for null", "1|n/a|3", `1 null 3`, "whole numbers"},
		{"points and a word for null", "1.5|NA|2.25", `1.5 null 2.25`, "decimal ."},
		{"bare fractions", ",5|1,5", `0.5 1.5`, "decimal ,"},
		{"plain numbers", "1|2|-3", `1 2 -3`, ""},
		{"plain fractions", "1.5|2.25", `1.5 2.25`, ""},
		{"years", "1999|2001|2024", `1999 2001 2024`, ""},
		{"zeros before the point decide", "0.125|1.000", `0.125 1.000`, ""},

		{"one sign before three digits", "1.000|2.500", `"1.000" "2.500"`, "decimal .|group ."},
		{"one comma before three digits", "1,000|2,500|12", `"1,000" "2,500" "12"`, "decimal ,|group ,"},
		{"postcodes", "01234|04567|99999", `"01234" "04567" "99999"`, ""},
		{"postcodes and a word for null", "01234|n/a|99999", `"01234" "n/a" "99999"`, ""},
		{"telephones", "+49 30 123456|+49 40 654321", `"+49 30 123456" "+49 40 654321"`, ""},
		{"telephones in threes", "030 123 456|040 654 321", `"030 123 456" "040 654 321"`, ""},
		{"identifiers in threes", "552 100 554|432 100 555", `"552 100 554" "432 100 555"`, "group by spaces"},
		{"addresses", "10.0.0.1|192.168.1.254", `"10.0.0.1" "192.168.1.254"`, ""},
		{"versions", "1.2.3|1.10.0", `"1.2.3" "1.10.0"`, ""},
		{"currencies", "€ 5|$ 6", `"€ 5" "$ 6"`, "whole numbers beside € $"},
		{"some percent", "12 %|7", `"12 %" "7"`, "whole numbers beside %"},
		{"years in brackets", "(1999)|(2001)", `"(1999)" "(2001)"`, "whole numbers negative in ()"},
		{"prices without a fraction", "12,-|5,-", `"12,-" "5,-"`, ""},
		{"quantities", "5 km|6 km", `"5 km" "6 km"`, ""},
		{"words among numbers", "1,5|abc|2,5", `"1,5" "abc" "2,5"`, "decimal ,"},
		{"two decimal signs", "1,5|2.5|2,25", `"1,5" "2.5" "2,25"`, "decimal ,"},
		{"ranges", "1-2|3-4", `"1-2" "3-4"`, ""},
		{"times", "12:30|08:15", `"12:30" "08:15"`, ""},

		{"order by a column", "03.04.2024|13.04.2024", `"2024-04-03" "2024-04-13"`, "%d.%m.%Y"},
		{"order by a column, slashes", "3/4/2024|3/14/2024", `"2024-03-04" "2024-03-14"`, "%m/%d/%Y"},
		{"years of two digits", "04/13/24|01/02/99", `"2024-04-13" "1999-01-02"`, "%m/%d/%y"},
		{"one digit, years of two", "3/4/24|13/4/24", `"2024-04-03" "2024-04-13"`, "%d/%m/%y"},
		{"year first", "2024/04/03|2024/12/31", `"2024-04-03" "2024-12-31"`, "%Y/%m/%d"},
		{"spaces behind points", "3. 4. 2024|13. 4. 2024", `"2024-04-03" "2024-04-13"`, "%d. %m. %Y"},
		{"with a time", "13.04.2024 12:30|01.02.2024 00:00", `"2024-04-13T12:30:00Z" "2024-02-01T00:00:00Z"`, "%d.%m.%Y %H:%M"},
		{"halves of the day", "04/13/2024 01:30 PM|04/14/2024 12:05 AM", `"2024-04-13T13:30:00Z" "2024-04-14T00:05:00Z"`,
			"%m/%d/%Y %I:%M %p"},
		{"ISO with a space", "2024-04-03 12:30:15|2024-04-04 00:00:00", `"2024-04-03T12:30:15Z" "2024-04-04T00:00:00Z"`,
			"%Y-%m-%d %H:%M:%S"},
		{"ISO with an offset", "2024-04-03 12:30:15+02:00|2024-04-04 00:00:00+02:00", `"2024-04-03T10:30:15Z" "2024-04-03T22:00:00Z"`,
			"%Y-%m-%d %H:%M:%S%z"},
		{"offset behind a space", "2024-04-03 12:30:15 +0200", `"2024-04-03T10:30:15Z"`, "%Y-%m-%d %H:%M:%S %z"},
		{"months in English", "12 Mar 2024|1 April 2023", `"2024-03-12" "2023-04-01"`, "%d %B %Y"},
		{"months first", "Mar 12, 2024|April 1st, 2023", `"2024-03-12" "2023-04-01"`, "%B %d, %Y"},
		{"months in German", "12. März 2024|1. Mai 2023", `"2024-03-12" "2023-05-01"`, "%d %B %Y"},
		{"months in French", "12 août 2024|1er janvier 2023", `"2024-08-12" "2023-01-01"`, "%d %B %Y"},
		{"months in Spanish", "12 de marzo de 2024|1 de enero de 2023", `"2024-03-12" "2023-01-01"`, "%d de %B de %Y"},
		{"months in Russian", "12 марта 2024|1 мая 2023", `"2024-03-12" "2023-05-01"`, "%d %B %Y"},
		{"months between hyphens", "12-Mar-2024|01-Dec-1999", `"2024-03-12" "1999-12-01"`, "%d-%B-%Y"},
		{"weekdays", "Tue, 12 Mar 2024|Fri, 1 Mar 2024", `"2024-03-12" "2024-03-01"`, "%A, %d %B %Y"},
		{"a month that is cut off", "12 Mar 2024|1 Mar 2023", `"2024-03-12" "2023-03-01"`, "%d %B %Y"},
		{"words for null among dates", "13.04.2024|n/a|01.02.2024", `"2024-04-13" null "2024-02-01"`, "%d.%m.%Y"},
		{"ISO and a word for null", "2024-04-13|-", `"2024-04-13" null`, "%Y-%m-%d"},
		{"two forms", "13.04.2024|2024-05-01", `"2024-04-13" "2024-05-01"`, "%d.%m.%Y or %Y-%m-%d"},
		{"a day that there is not", "31.02.2024|13.04.2024", `"31.02.2024" "2024-04-13"`, "%d.%m.%Y"},
		{"29 February", "29.02.2023|29.02.2024", `"29.02.2023" "2024-02-29"`, "%d.%m.%Y"},
		{"months of a year", "2024-04|2024-12", `"2024-04" "2024-12"`, "%Y-%m"},

		{"unknown order", "03/04/2024|05/06/2024", `"03/04/2024" "05/06/2024"`, "%d/%m/%Y|%m/%d/%Y"},
		{"unknown order of points", "03.04.2024|05.06.2024", `"03.04.2024" "05.06.2024"`, "%d.%m.%Y|%m.%d.%Y"},
		{"two orders", "13/04/2024|04/14/2024", `"13/04/2024" "04/14/2024"`, "%d/%m/%Y|%m/%d/%Y"},
		{"words among dates", "13.04.2024|soon|14.04.2024", `"13.04.2024" "soon" "14.04.2024"`, "%d.%m.%Y"},
		{"a month of two meanings", "3 listopada 2020|4 listopada 2021", `"3 listopada 2020" "4 listopada 2021"`, "%d %B %Y"},
		{"seasons", "2010-11|2011-12", `"2010-11" "2011-12"`, "%Y-%m"},
		{"no month", "13.14.2024|15.16.2024", `"13.14.2024" "15.16.2024"`, ""},
		{"texts", "Ann|Ben", `"Ann" "Ben"`, ""},
	} {
		var rows []string
		for value := range strings.SplitSeq(strings.ReplaceAll(c.column, " 2,75 ", "|2,75|"), "|") {
			text, _ := json.Marshal(value)
			rows = append(rows, `{"c":`+string(text)+`}`)
		}
		text := "[" + strings.Join(rows, ",") + "]"
		in := schema.NewInference(nil)
		j, err := compile("", job.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := j.Document(context.Background(), document("t.json", text), in); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range in.Fields()[0].Readings {
			names = append(names, r.Name)
		}
		if got := strings.Join(names, "|"); got != c.reading {
			t.Errorf("%s: readings %q, want %q", c.name, got, c.reading)
		}
		if schema := in.AppendJSON(nil); !json.Valid(schema) {
			t.Errorf("%s: no JSON: %s", c.name, schema)
		}
		written := string(in.AppendSpec(nil))
		by, err := compile(written, job.Options{})
		if err != nil {
			t.Errorf("%s: %v\n%s", c.name, err, written)
			continue
		}
		var got values
		counts, err := by.Document(context.Background(), document("t.json", text), &got)
		if err != nil || counts.Dropped > 0 {
			t.Errorf("%s: %+v %v", c.name, counts, err)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s\n%s", c.name, got, c.want, written)
		}
	}
}

// values are the values of the field c.
type values []string

func (v *values) Record(r *records.Record) error {
	*v = append(*v, string(r.Fields[0].Value.AppendJSON(nil)))
	return nil
}

func (v *values) Notice(n fault.Notice) {}
