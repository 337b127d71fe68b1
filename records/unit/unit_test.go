package unit_test

import (
	"encoding/csv"
	"encoding/xml"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"laundromat/rdf/rdftest"
	"laundromat/records/unit"
)

func rat(t testing.TB, s string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		t.Fatalf("%q isn't a number", s)
	}
	return r
}

func convert(t testing.TB, value, from, to string) string {
	t.Helper()
	a, err := unit.Parse(from)
	if err != nil {
		return err.Error()
	}
	b, err := unit.Parse(to)
	if err != nil {
		return err.Error()
	}
	q, err := unit.Convert(rat(t, value), a, b, 0)
	if err != nil {
		return err.Error()
	}
	if q.Rounded {
		return "~" + q.Text
	}
	return q.Text
}

func TestConversions(t *testing.T) {
	for in, want := range map[string]string{
		"5 [mi_i] km":                "8.04672",
		"1 km/h m/s":                 "5/18",
		"1 [lb_av] kg":               "0.45359237",
		"20 Cel K":                   "293.15",
		"0 K Cel":                    "-273.15",
		"212 [degF] Cel":             "100",
		"1 [degF] Cel":               "-155/9",
		"-40 Cel [degF]":             "-40",
		"80 [degRe] Cel":             "100",
		"37 Cel mCel":                "37000",
		"180 deg [pi].rad":           "1",
		"180 deg rad":                "~3.14159265358979323846264",
		"90 deg gon":                 "100",
		"1 circ deg":                 "360",
		"1 sph sr":                   "~12.5663706143591729538506",
		"7 [pH] mol/L":               "0.0000001",
		"7.4 [pH] nmol/L":            "~39.8107170553497250770252",
		"1e-3 mol/L [pH]":            "3",
		"20 dB 1":                    "100",
		"3 dB 1":                     "~1.99526231496887960135246",
		"40 dB[SPL] Pa":              "0.002",
		"1 V dB[uV]":                 "120",
		"1 W dB[kW]":                 "-30",
		"1 Np 1":                     "~2.71828182845904523536029",
		"1 1 Np":                     "0",
		"2 1 Np":                     "~0.693147180559945309417232",
		"3 [hp'_X] 1":                "0.001",
		"3 [hp'_C] 1":                "0.000001",
		"8 1 bit_s":                  "3",
		"100 [p'diop] deg":           "45",
		"45 deg %[slope]":            "100",
		"5 %[slope] deg":             "~2.86240522611174753269334",
		"3 [m/s2/Hz^(1/2)] m2/s4/Hz": "9",
		"2 m2/s4/Hz [m/s2/Hz^(1/2)]": "~1.41421356237309504880169",
		"1 mol 1":                    "602214076000000000000000",
		"5 mmol/L umol/mL":           "5",
		"1 [iU]/mL k[iU]/L":          "1",
		"1 [IU] [iU]":                "1",
		"1 a d":                      "365.25",
		"1 mo d":                     "30.4375",
		"1 wk h":                     "168",
		"1 [h] J.s":                  "0.000000000000000000000000000000000662607015",
		"1 [acr_us] m2":              "62726400000/15499969",
		"1 har m2":                   "10000",
		"1 kW.h MJ":                  "3.6",
		"1 g/m2{body} mg/cm2":        "0.1",
		"5 10*3/uL 10*9/L":           "5",
		"1 KiBy By":                  "1024",
		"0 deg rad":                  "0",
		"1 dB[10.nV] V":              "~0.0000000112201845430196343559104",
		"1 kg m":                     "the units do not measure the same: g and m",
		"1 [iU] [arb'U]":             "the units do not measure the same: [iU] and [arb'U]",
		"1 Cel/s K/s":                "the units do not measure the same: a unit with a zero point or a logarithm can't be combined with others",
		"0 1 Np":                     "the number is outside of what the unit can express",
		"1e9 Np 1":                   "the number is outside of what the unit can express",
		"95 deg %[slope]":            "the number is outside of what the unit can express",
		"1 miles km":                 `"miles" isn't a code of UCUM; it may mean [mi_i]`,
		"1 KM km":                    `"KM" isn't a code of UCUM; it may mean km`,
		"1 kmin s":                   `"kmin" isn't a code of UCUM: min takes no prefix`,
		"1 m2s m":                    `"m2s" isn't a code of UCUM: an operator is missing before "s"`,
		"1 km² m2":                   `"km²" isn't a code of UCUM: it has the character '²'; it may mean km2`,
	} {
		f := strings.Fields(in)
		got := convert(t, f[0], f[1], f[2])
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

func TestEndlessCodesEnd(t *testing.T) {
	for _, code := range []string{
		strings.Repeat("(", 100) + "m" + strings.Repeat(")", 100), "10*999999999", "m99999999999999999999",
		strings.Repeat("Ym400.", 40) + "m", strings.Repeat("9", 240), "m-", "m{", "[m", "0", "m/0", "", " ", "+", "m..s", "m//s", "(m",
		"m)",
		"(m)2", "{a}m", "m{a}{b}", "m{{a}}", "2m", "m.", "/", "./m", "m^2", "m**2", "10*", "m\x00", "Ohm\xff",
	} {
		if u, err := unit.Parse(code); err == nil {
			_, _ = unit.Convert(big.NewRat(1, 3), u, u, 0)
		}
	}
}

// essence is what the test reads of UCUM's own table.
type essence struct {
	Prefixes []struct {
		Code  string `xml:"Code,attr"`
		Value struct {
			Number string `xml:"value,attr"`
		} `xml:"value"`
	} `xml:"prefix"`
	Bases []struct {
		Code string `xml:"Code,attr"`
	} `xml:"base-unit"`
	Units []struct {
		Code      string `xml:"Code,attr"`
		Metric    string `xml:"isMetric,attr"`
		Special   string `xml:"isSpecial,attr"`
		Arbitrary string `xml:"isArbitrary,attr"`
		Value     struct {
			Unit     string `xml:"Unit,attr"`
			Number   string `xml:"value,attr"`
			Function struct {
				Number string `xml:"value,attr"`
				Unit   string `xml:"Unit,attr"`
			} `xml:"function"`
		} `xml:"value"`
	} `xml:"unit"`
}

// TestEveryUnitOfUCUMHasItsFactor converts one of each unit into the unit that UCUM defines
// it by, and that is exactly the number that UCUM gives.
func TestEveryUnitOfUCUMHasItsFactor(t *testing.T) {
	file := filepath.Join(rdftest.Shared(t, "records", "ucum"), "ucum-essence.xml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), `encoding="ascii"`, `encoding="UTF-8"`, 1))
	var e essence
	if err := xml.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, p := range e.Prefixes {
		if got := convert(t, "1", p.Code+"m", "m"); rat(t, strings.TrimPrefix(got, "~")).Cmp(rat(t, p.Value.Number)) != 0 {
			t.Errorf("prefix %s: %s, want %s", p.Code, got, p.Value.Number)
		}
		seen++
	}
	for _, u := range e.Units {
		a, err := unit.Parse(u.Code)
		if err != nil {
			t.Errorf("%s: %v", u.Code, err)
			continue
		}
		seen++
		if _, err := unit.Parse("k" + u.Code); (err == nil) != (u.Metric == "yes") {
			t.Errorf("%s: metric %s, k%s: %v", u.Code, u.Metric, u.Code, err)
		}
		switch {
		case u.Arbitrary == "yes":
			if got := convert(t, "2", u.Code, u.Code); got != "2" {
				t.Errorf("%s into itself: %s", u.Code, got)
			}
			if got := convert(t, "2", u.Code, "1"); !strings.Contains(got, "do not measure") {
				t.Errorf("%s is arbitrary, but is %s", u.Code, got)
			}
		case u.Special == "yes":
			b, err := unit.Parse(u.Value.Function.Unit)
			if err != nil || !a.IsSpecial() || !a.Commensurable(b) {
				t.Errorf("%s: %v, special %v", u.Code, err, a.IsSpecial())
			}
		case u.Code == "[pi]":
			if got := convert(t, "1", "[pi]", "1"); !strings.HasPrefix(u.Value.Number, got[1:len(got)-2]) {
				t.Errorf("[pi]: %s", got)
			}
		default:
			if got := convert(t, "1", u.Code, u.Value.Unit); strings.HasPrefix(got, "~") ||
				rat(t, got).Cmp(rat(t, u.Value.Number)) != 0 {
				t.Errorf("%s: %s %s, want %s", u.Code, got, u.Value.Unit, u.Value.Number)
			}
		}
	}
	t.Logf("%d prefixes and units, %d bases", seen, len(e.Bases))
}

func rows(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(filepath.Join(rdftest.Shared(t, "records", "ucum"), name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[1:]
}

// sameDigits says that got is want, to the digits that want is given with.
func sameDigits(t *testing.T, got, want string) bool {
	t.Helper()
	a, b := rat(t, strings.TrimPrefix(got, "~")), rat(t, want)
	if a.Cmp(b) == 0 {
		return true
	}
	mantissa, exponent, _ := strings.Cut(want, "e")
	_, fraction, _ := strings.Cut(mantissa, ".")
	step := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(fraction))), nil))
	if exponent != "" {
		step.Mul(step, rat(t, "1e"+exponent))
	}
	difference := new(big.Rat).Sub(a, b)
	return difference.Abs(difference).Cmp(step.Quo(step, big.NewRat(2, 1))) <= 0
}

func TestUCUMsFunctionalCases(t *testing.T) {
	passed, all := 0, 0
	for _, r := range rows(t, "validation.tsv") {
		all++
		if _, err := unit.Parse(r[1]); (err == nil) != (r[2] == "true") {
			t.Errorf("%s %s: valid %s, but %v", r[0], r[1], r[2], err)
			continue
		}
		passed++
	}
	for _, r := range rows(t, "conversion.tsv") {
		all++
		if got := convert(t, r[1], r[2], r[3]); !sameDigits(t, got, r[4]) {
			t.Errorf("%s: %s %s is %s %s, want %s", r[0], r[1], r[2], got, r[3], r[4])
			continue
		}
		passed++
	}
	for name, operator := range map[string]string{"multiplication.tsv": ".", "division.tsv": "/"} {
		for _, r := range rows(t, name) {
			all++
			value := new(big.Rat).Mul(rat(t, r[1]), rat(t, r[3]))
			if operator == "/" {
				value.Quo(rat(t, r[1]), rat(t, r[3]))
			}
			// A product of codes is the codes with the operator between; 4-103 is in base units.
			to := r[6]
			if to == "" {
				to = "1"
			}
			if got := convert(t, value.RatString(), "("+r[2]+")"+operator+"("+r[4]+")", to); !sameDigits(t, got, r[5]) {
				t.Errorf("%s: %s %s, want %s", r[0], got, to, r[5])
				continue
			}
			passed++
		}
	}
	t.Logf("%d of %d", passed, all)
}

func FuzzConversionsComeBack(f *testing.F) {
	f.Add("km/h", int64(5), int64(18))
	f.Add("Cel", int64(-7), int64(2))
	f.Add("10*3.[iU]{a}/mL", int64(1), int64(1))
	f.Fuzz(func(t *testing.T, code string, num, den int64) {
		u, err := unit.Parse(code)
		if err != nil || den == 0 {
			return
		}
		value := big.NewRat(num, den)
		q, err := unit.Convert(value, u, u, 0)
		if err == nil && !q.Rounded && rat(t, q.Text).Cmp(value) != 0 {
			t.Errorf("%v %s into itself is %s", value, code, q.Text)
		}
	})
}

func BenchmarkConvert(b *testing.B) {
	from, _ := unit.Parse("[mi_i]")
	to, _ := unit.Parse("km")
	v := big.NewRat(5, 1)
	for b.Loop() {
		if _, err := unit.Convert(v, from, to, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "values/s")
}
