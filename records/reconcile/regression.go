package reconcile

import (
	"math"
)

// regression is a logistic one, of features that are standardised.
type regression struct {
	mean, scale []float64
	weights     []float64 // the last is that of the constant
}

// example is features with what is known of them.
type example struct {
	row    int
	y      float64
	weight float64
}

// ridge keeps weights small; rounds bounds the steps of Newton's method.
const (
	ridge  = 1.0
	rounds = 12
)

// train fits a regression to examples, whose features row reads into x. It begins where another ended, if there is one.
func train(width int, examples []example, from *regression, row func(i int, x []float64)) *regression {
	m := &regression{mean: make([]float64, width), scale: make([]float64, width), weights: make([]float64, width+1)}
	x := make([]float64, width+1)
	var total float64
	square := make([]float64, width)
	for _, one := range examples {
		row(one.row, x)
		total += one.weight
		for j := range width {
			m.mean[j] += one.weight * x[j]
			square[j] += one.weight * x[j] * x[j]
		}
	}
	if total == 0 {
		return m
	}
	for j := range width {
		m.mean[j] /= total
		m.scale[j] = math.Sqrt(max(0, square[j]/total-m.mean[j]*m.mean[j]))
	}
	if from != nil {
		m.mean, m.scale = from.mean, from.scale
		copy(m.weights, from.weights)
	}
	n := width + 1
	hessian := make([]float64, n*n)
	gradient := make([]float64, n)
	for range rounds {
		clear(hessian)
		clear(gradient)
		for _, one := range examples {
			row(one.row, x)
			m.standardise(x)
			p := 1 / (1 + math.Exp(-m.linear(x)))
			g := one.weight * (one.y - p)
			h := one.weight * max(p*(1-p), 1e-6)
			for j := range n {
				gradient[j] += g * x[j]
				hx := h * x[j]
				if hx == 0 {
					continue
				}
				line := hessian[j*n : j*n+j+1]
				for k := range line {
					line[k] += hx * x[k]
				}
			}
		}
		for j := range width {
			gradient[j] -= ridge * m.weights[j]
			hessian[j*n+j] += ridge
		}
		hessian[n*n-1] += 1e-6
		step := solve(hessian, gradient, n)
		largest := 0.0
		for j, s := range step {
			s = max(-5, min(5, s))
			m.weights[j] += s
			largest = max(largest, math.Abs(s))
		}
		if largest < 1e-4 {
			break
		}
	}
	return m
}

// standardise makes features comparable, and adds the constant.
func (m *regression) standardise(x []float64) {
	for j := range m.mean {
		if m.scale[j] < 1e-9 {
			x[j] = 0
			continue
		}
		x[j] = (x[j] - m.mean[j]) / m.scale[j]
	}
	x[len(m.mean)] = 1
}

func (m *regression) linear(x []float64) float64 {
	var z float64
	for j, w := range m.weights {
		z += w * x[j]
	}
	return z
}

// solve solves a symmetric system of which the lower half is given (Cholesky).
func solve(a, b []float64, n int) []float64 {
	for i := range n {
		for j := 0; j <= i; j++ {
			sum := a[i*n+j]
			for k := range j {
				sum -= a[i*n+k] * a[j*n+k]
			}
			if i == j {
				a[i*n+i] = math.Sqrt(max(sum, 1e-9))
			} else {
				a[i*n+j] = sum / a[j*n+j]
			}
		}
	}
	x := make([]float64, n)
	for i := range n {
		sum := b[i]
		for k := range i {
			sum -= a[i*n+k] * x[k]
		}
		x[i] = sum / a[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		sum := x[i]
		for k := i + 1; k < n; k++ {
			sum -= a[k*n+i] * x[k]
		}
		x[i] = sum / a[i*n+i]
	}
	return x
}
