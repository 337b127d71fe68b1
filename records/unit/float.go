package unit

import (
	"math"
	"math/big"
)

// precision is in bits, of the computations whose results are rounded: about 120 digits.
const precision = 400

// piDigits is pi; more digits than precision keeps.
const piDigits = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706" +
	"7982148086513282306647093844609550582231725359408128481117450284102701938521105559644622948954930381964"

func newFloat() *big.Float { return new(big.Float).SetPrec(precision) }

func piFloat() *big.Float {
	f, _ := newFloat().SetString(piDigits)
	return f
}

func timesPi(f *big.Float, n int) *big.Float {
	f = newFloat().Set(f)
	pi := piFloat()
	for ; n > 0; n-- {
		f.Mul(f, pi)
	}
	for ; n < 0; n++ {
		f.Quo(f, pi)
	}
	return f
}

// expOf is e to the power of x: by the series of x/2^k, squared k times.
func expOf(x *big.Float) *big.Float {
	k := max(0, x.MantExp(nil)+8)
	small := newFloat().SetMantExp(x, -k)
	sum, term := newFloat().SetInt64(1), newFloat().SetInt64(1)
	for i := int64(1); i < 100; i++ {
		term.Mul(term, small)
		term.Quo(term, newFloat().SetInt64(i))
		sum.Add(sum, term)
	}
	for range k {
		sum.Mul(sum, sum)
	}
	return sum
}

// logOf is the natural logarithm of x, which is above zero: by Newton's method on e^y, from
// the logarithm of a float64. Its mantissa and its exponent are taken apart first.
func logOf(x *big.Float) *big.Float {
	mantissa := newFloat()
	exponent := x.MantExp(mantissa)
	y := logNear(mantissa)
	if exponent == 0 {
		return y
	}
	two := logNear(newFloat().SetInt64(2))
	return y.Add(y, two.Mul(two, newFloat().SetInt64(int64(exponent))))
}

func logNear(x *big.Float) *big.Float {
	start, _ := x.Float64()
	y := newFloat().SetFloat64(math.Log(start))
	for range 5 { // each step has three times the digits of the one before
		e := expOf(y)
		step := newFloat().Sub(x, e)
		step.Quo(step, e.Add(e, x))
		y.Add(y, step.Add(step, step))
	}
	return y
}

// sinCos is by the series, for angles below a half of pi.
func sinCos(x *big.Float) (sin, cos *big.Float) {
	sin, cos = newFloat(), newFloat()
	term := newFloat().SetInt64(1)
	for i := int64(0); i < 140; i++ {
		into := cos
		if i%2 == 1 {
			into = sin
		}
		if i%4 >= 2 {
			into.Sub(into, term)
		} else {
			into.Add(into, term)
		}
		term.Mul(term, x)
		term.Quo(term, newFloat().SetInt64(i+1))
	}
	return sin, cos
}

// atanOf is the arctangent: by Newton's method on the sine of the difference, from that of
// a float64.
func atanOf(x *big.Float) *big.Float {
	start, _ := x.Float64()
	y := newFloat().SetFloat64(math.Atan(start))
	length := newFloat().Mul(x, x)
	length.Sqrt(length.Add(length, newFloat().SetInt64(1)))
	for range 5 {
		// With sin and cos of y, (x cos - sin) / length is the sine of what is missing.
		sin, cos := sinCos(y)
		step := cos.Mul(cos, x)
		y.Add(y, step.Quo(step.Sub(step, sin), length))
	}
	return y
}
