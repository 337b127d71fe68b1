package xsd_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"laundromat/rdf"
	"laundromat/rdf/xsd"
)

// specified is floatCanonicalMap and doubleCanonicalMap of XSD 1.1 Part 2, appendix
// E.1, step by step, for numbers that are not zero.
func specified(t *testing.T, value float64, bits int) string {
	exact := new(big.Float).SetFloat64(math.Abs(value)).Text('e', 1100)
	mantissa, exponent, _ := strings.Cut(exact, "e")
	e, _ := strconv.Atoi(exponent)
	digits := strings.TrimRight(strings.Replace(mantissa, ".", "", 1), "0") // |value| = 0.digits × 10^(e+1)
	c, _ := new(big.Int).SetString(digits, 10)
	scale := e + 1 - len(digits) // |value| = c × 10^scale
	for l := len(digits); l >= max(0, len(digits)-20); l-- {
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(l)), nil)
		half := new(big.Int).Div(power, big.NewInt(2))
		rounded := new(big.Int).Add(c, half)
		rounded.Mul(rounded.Div(rounded, power), power)
		text := rounded.String()
		back, err := strconv.ParseFloat(text+"e"+strconv.Itoa(scale), bits)
		if err != nil || back != math.Abs(value) {
			continue
		}
		short := strings.TrimRight(text, "0")
		exponent := len(text) - 1 + scale
		if short = short[:1] + "." + short[1:]; len(short) == 2 {
			short += "0"
		}
		if value < 0 {
			short = "-" + short
		}
		return short + "E" + strconv.Itoa(exponent)
	}
	t.Fatalf("%v is not given back by its own digits", value)
	return ""
}

// Powers of two and halfway cases are where algorithms for the fewest digits differ.
func TestFloatsAreRoundedAsSpecified(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var doubles []float64
	for e := -1074; e < 1024; e++ {
		doubles = append(doubles, math.Ldexp(1, e), math.Ldexp(1+random.Float64(), e), -math.Ldexp(1, e))
	}
	for range 300 {
		quarter := math.Ldexp(1, 50) + float64(random.Uint64N(1<<52))/4
		doubles = append(doubles, quarter, -quarter, math.Ldexp(1, 49)+float64(random.Uint64N(1<<52))/8, math.Ldexp(1, 51)+
			float64(random.Uint64N(1<<52))/2)
	}
	check := func(value float64, bits int, name string) {
		got, verdict := canonical(name, strconv.FormatFloat(value, 'g', 40, bits))
		if want := specified(t, value, bits); got != want || verdict != xsd.Valid {
			t.Errorf("%s %v: got %s, want %s", name, value, got, want)
		}
	}
	for _, value := range doubles {
		check(value, 64, "double")
	}
	for e := -149; e < 128; e++ {
		check(float64(float32(math.Ldexp(1, e))), 32, "float")
		check(float64(float32(math.Ldexp(1+random.Float64()/2, e))), 32, "float")
	}
	for range 300 {
		check(float64(1<<21+float32(random.Uint32N(1<<23))/4), 32, "float")
	}
}

// Numbers of few digits are written without their value: as the value would be.
func TestFewDigitsAreWrittenAsTheirValue(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		digits := strconv.FormatUint(random.Uint64N(uint64(math.Pow10(1+random.IntN(17)))), 10)
		digits = strings.Repeat("0", random.IntN(4)) + digits + strings.Repeat("0", random.IntN(4))
		at := random.IntN(len(digits) + 1)
		text := []string{"", "-", "+"}[random.IntN(3)] + digits[:at]
		if at < len(digits) || random.IntN(2) == 0 {
			text += "." + digits[at:]
		}
		for name, bits := range map[string]int{"float": 32, "double": 64} {
			value, err := strconv.ParseFloat(text, bits)
			if err != nil {
				t.Fatal(err)
			}
			want := "0.0E0"
			switch {
			case value != 0:
				want = specified(t, value, bits)
			case text[0] == '-':
				want = "-0.0E0"
			}
			if got, verdict := canonical(name, text); got != want || verdict != xsd.Valid {
				t.Fatalf("%s %s: got %s, want %s", name, text, got, want)
			}
		}
	}
}

// The quick look may only call canonical what the long way leaves as it is.
func FuzzQuickLookAtFloatsIsRight(f *testing.F) {
	for _, seed := range []string{"1.0E0", "-1.5E-7", "9.99999E9", "1.23456789012345E99", "5.0E-0", "1.10E1", "0.0E0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, bits := range map[string]int{"float": 32, "double": 64} {
			if !xsd.IsCanonicalFloating([]byte(text), bits) {
				continue
			}
			value, err := strconv.ParseFloat(text, bits)
			if err != nil || specified(t, value, bits) != text {
				t.Fatalf("%s: %q is not canonical", name, text)
			}
		}
	})
}

func canonical(name, lexical string) (string, xsd.Verdict) {
	d := xsd.Find([]byte(rdf.XSD + name))
	text, verdict := d.AppendCanonical(nil, []byte(lexical))
	return string(text), verdict
}
