package unit

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// Digits is how many digits a rounded result has, unless it is said otherwise. It is more
// than any measurement has, and fewer than the computation.
const Digits = 24

// maxText is the longest form of a number without an exponent.
const maxText = 50

// Quantity is the result of a conversion.
type Quantity struct {
	// Text is the number: a decimal, or a fraction as 5/18 where it has no finite decimal
	// form. Where it is rounded, it is a decimal of so many digits.
	Text string
	// Rounded says that Text is not exact.
	Rounded bool
}

// ErrMismatch says that two units do not measure the same.
var ErrMismatch = errors.New("the units do not measure the same")

// Convert converts a number of from into to. A rounded result has digits digits. Zero means
// [Digits], and that fractions are written as fractions.
func Convert(value *big.Rat, from, to Unit, digits int) (Quantity, error) {
	if from.mixed || to.mixed {
		return Quantity{}, fmt.Errorf("%w: a unit with a zero point or a logarithm can't be combined with others", ErrMismatch)
	}
	if !from.Commensurable(to) {
		return Quantity{}, fmt.Errorf("%w: %s and %s", ErrMismatch, from.Dimension(), to.Dimension())
	}
	x := exact(value)
	var err error
	if from.function != nil {
		x = x.times(from.scale, 0)
		if x, err = from.function.quantity(x); err != nil {
			return Quantity{}, err
		}
	}
	x = x.times(new(big.Rat).Quo(from.factor, to.factor), from.pi-to.pi)
	if to.function != nil {
		if x, err = to.function.value(x); err != nil {
			return Quantity{}, err
		}
		x = x.times(new(big.Rat).Inv(to.scale), 0)
	}
	return x.quantity(digits), nil
}

// real is a number: a fraction times a power of pi, or a float where it is no such.
type real struct {
	rat   *big.Rat
	pi    int
	float *big.Float // not nil where the number is rounded
}

func exact(r *big.Rat) real { return real{rat: r} }

func (x real) times(r *big.Rat, pi int) real {
	if x.float != nil {
		f := newFloat().Mul(x.float, newFloat().SetRat(r))
		return real{float: timesPi(f, pi)}
	}
	return real{rat: new(big.Rat).Mul(x.rat, r), pi: x.pi + pi}
}

// isExact says that the number is a fraction: no power of pi is left.
func (x real) isExact() bool { return x.float == nil && (x.pi == 0 || x.rat.Sign() == 0) }

func (x real) toFloat() *big.Float {
	if x.float != nil {
		return x.float
	}
	return timesPi(newFloat().SetRat(x.rat), x.pi)
}

func (x real) quantity(digits int) Quantity {
	if x.isExact() {
		if text, finite := decimal(x.rat); finite {
			return Quantity{Text: text}
		} else if digits == 0 {
			return Quantity{Text: x.rat.Num().String() + "/" + x.rat.Denom().String()}
		}
	}
	if digits == 0 {
		digits = Digits
	}
	return Quantity{Text: plain(x.toFloat().Text('e', digits-1)), Rounded: true}
}

// decimal writes a fraction as a decimal, where it has a finite form: its denominator has no
// factors but 2 and 5.
func decimal(r *big.Rat) (string, bool) {
	if r.IsInt() {
		return plain(r.Num().String()), true
	}
	den := new(big.Int).Set(r.Denom())
	twos := den.TrailingZeroBits()
	den.Rsh(den, twos)
	fives := uint(0)
	five, rest := big.NewInt(5), new(big.Int)
	for one := big.NewInt(1); den.Cmp(one) != 0; fives++ {
		q, _ := new(big.Int).QuoRem(den, five, rest)
		if rest.Sign() != 0 {
			return "", false
		}
		den = q
	}
	return plain(r.FloatString(int(max(twos, fives)))), true
}

// plain writes a decimal without an exponent, or with one where it would be too long.
func plain(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	exponent := 0
	if i := strings.IndexByte(s, 'e'); i >= 0 {
		fmt.Sscanf(s[i+1:], "%d", &exponent)
		s = s[:i]
	}
	if i := strings.IndexByte(s, '.'); i >= 0 {
		exponent -= len(s) - i - 1
		s = s[:i] + s[i+1:]
	}
	s = strings.TrimLeft(s, "0")
	trimmed := strings.TrimRight(s, "0")
	exponent += len(s) - len(trimmed)
	if s = trimmed; s == "" {
		return "0"
	}
	// The number is s times ten to the exponent; point is where its decimal sign is.
	point := len(s) + exponent
	switch {
	case point > maxText || point < len(s)-maxText:
		if len(s) > 1 {
			s = s[:1] + "." + s[1:]
		}
		return fmt.Sprintf("%s%se%d", sign, s, point-1)
	case point <= 0:
		return sign + "0." + strings.Repeat("0", -point) + s
	case point >= len(s):
		return sign + s + strings.Repeat("0", point-len(s))
	}
	return sign + s[:point] + "." + s[point:]
}
