package unit

import (
	"errors"
	"math/big"
)

// function is that of a special unit: quantity gives the quantity of a value, in the
// function's unit, and value the value of a quantity.
type function struct {
	quantity, value func(real) (real, error)
}

var errRange = errors.New("the number is outside of what the unit can express")

// maxPower bounds the exponent of a power of a number, so that each ends soon.
const maxPower = 5000

// functionsByName are those of the special units.
func functionsByName() map[string]*function {
	return map[string]*function{
		"celsius":      zeroAt(big.NewRat(27315, 100)),
		"fahrenheit":   zeroAt(big.NewRat(45967, 100)),
		"reaumur":      zeroAt(big.NewRat(27315*4, 500)),
		"tangent":      {arctangent, tangent},
		"root":         {square, root},
		"potency10":    logarithm(big.NewRat(10, 1), -1),
		"potency100":   logarithm(big.NewRat(100, 1), -1),
		"potency1000":  logarithm(big.NewRat(1000, 1), -1),
		"potency50000": logarithm(big.NewRat(50000, 1), -1),
		"lg":           logarithm(big.NewRat(10, 1), 1),
		"lg2":          logarithm(big.NewRat(10, 1), 2),
		"ld":           logarithm(big.NewRat(2, 1), 1),
		"ln":           logarithm(nil, 1),
	}
}

// zeroAt is the function of a scale whose zero is at so many of its degrees.
func zeroAt(zero *big.Rat) *function {
	add := func(n *big.Rat) func(real) (real, error) {
		return func(x real) (real, error) {
			if !x.isExact() {
				return real{float: newFloat().Add(x.toFloat(), newFloat().SetRat(n))}, nil
			}
			return exact(new(big.Rat).Add(x.rat, n)), nil
		}
	}
	return &function{add(zero), add(new(big.Rat).Neg(zero))}
}

// logarithm is the function times·log(x) of a base; nil means e. times is the number before
// the logarithm.
func logarithm(base *big.Rat, times int64) *function {
	return &function{
		quantity: func(x real) (real, error) {
			x = x.times(big.NewRat(1, times), 0)
			if f, _ := x.toFloat().Float64(); f > maxPower || f < -maxPower {
				return x, errRange
			}
			if base != nil && x.isExact() && x.rat.IsInt() {
				return exact(ratPower(base, int(x.rat.Num().Int64()))), nil
			}
			f := newFloat().Set(x.toFloat())
			if base != nil {
				f.Mul(f, logOf(newFloat().SetRat(base)))
			}
			return real{float: expOf(f)}, nil
		},
		value: func(x real) (real, error) {
			if x.toFloat().Sign() <= 0 {
				return x, errRange
			}
			if base != nil && x.isExact() {
				if n, found := exponentOf(x.rat, base); found {
					return exact(big.NewRat(int64(n)*times, 1)), nil
				}
			}
			if base == nil && x.isExact() && x.rat.Cmp(big.NewRat(1, 1)) == 0 {
				return exact(new(big.Rat)), nil
			}
			f := logOf(x.toFloat())
			if base != nil {
				f.Quo(f, logOf(newFloat().SetRat(base)))
			}
			return real{float: f.Mul(f, newFloat().SetInt64(times))}, nil
		},
	}
}

func ratPower(r *big.Rat, n int) *big.Rat {
	num, den := r.Num(), r.Denom()
	if n < 0 {
		num, den, n = den, num, -n
	}
	e := big.NewInt(int64(n))
	return new(big.Rat).SetFrac(new(big.Int).Exp(num, e, nil), new(big.Int).Exp(den, e, nil))
}

// exponentOf finds the whole number to which base gives r.
func exponentOf(r, base *big.Rat) (int, bool) {
	f := newFloat().Quo(logOf(newFloat().SetRat(r)), logOf(newFloat().SetRat(base)))
	approximate, _ := f.Float64()
	n := int(approximate + 0.5)
	if approximate < 0 {
		n = int(approximate - 0.5)
	}
	return n, n <= maxPower && n >= -maxPower && ratPower(base, n).Cmp(r) == 0
}

func square(x real) (real, error) {
	if x.float == nil {
		return real{rat: new(big.Rat).Mul(x.rat, x.rat), pi: 2 * x.pi}, nil
	}
	return real{float: newFloat().Mul(x.float, x.float)}, nil
}

func root(x real) (real, error) {
	if x.toFloat().Sign() < 0 {
		return x, errRange
	}
	if x.isExact() {
		num, den := new(big.Int).Sqrt(x.rat.Num()), new(big.Int).Sqrt(x.rat.Denom())
		r := new(big.Rat).SetFrac(num, den)
		if new(big.Rat).Mul(r, r).Cmp(x.rat) == 0 {
			return exact(r), nil
		}
	}
	return real{float: newFloat().Sqrt(x.toFloat())}, nil
}

// tangent is 100·tan(x), exact for 0 and for an eighth of a circle.
func tangent(x real) (real, error) {
	if x.float == nil && x.rat.Sign() == 0 {
		return exact(new(big.Rat)), nil
	}
	if quarter := big.NewRat(1, 4); x.float == nil && x.pi == 1 && new(big.Rat).Abs(x.rat).Cmp(quarter) == 0 {
		return exact(big.NewRat(100*int64(x.rat.Sign()), 1)), nil
	}
	f := x.toFloat()
	if half := newFloat().Quo(piFloat(), newFloat().SetInt64(2)); newFloat().Abs(f).Cmp(half) >= 0 {
		return x, errRange
	}
	sin, cos := sinCos(f)
	sin.Mul(sin, newFloat().SetInt64(100))
	return real{float: sin.Quo(sin, cos)}, nil
}

func arctangent(x real) (real, error) {
	hundred := big.NewRat(100, 1)
	if x.isExact() && x.rat.Sign() == 0 {
		return exact(new(big.Rat)), nil
	}
	if x.isExact() && new(big.Rat).Abs(x.rat).Cmp(hundred) == 0 {
		return real{rat: big.NewRat(int64(x.rat.Sign()), 4), pi: 1}, nil
	}
	f := newFloat().Quo(x.toFloat(), newFloat().SetInt64(100))
	if f.MantExp(nil) > 300 {
		return x, errRange
	}
	return real{float: atanOf(f)}, nil
}
