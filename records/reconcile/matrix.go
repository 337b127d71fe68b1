package reconcile

import (
	"encoding/binary"
	"math"
	"os"
)

// matrix holds rows of numbers, in memory, or in a temporary file where they are many. Several goroutines may set and
// read different rows at once.
type matrix struct {
	width int
	held  []float32
	file  *os.File
}

func newMatrix(rows, width int, temp string, memory int64) (*matrix, error) {
	m := &matrix{width: width}
	if int64(rows)*int64(width)*4 <= memory {
		m.held = make([]float32, rows*width)
		return m, nil
	}
	file, err := os.CreateTemp(temp, "laundromat-merge-*")
	if err != nil {
		return nil, err
	}
	os.Remove(file.Name())
	m.file = file
	return m, nil
}

func (m *matrix) set(row int, x []float64) error {
	if m.file == nil {
		for i, to := 0, m.held[row*m.width:]; i < m.width; i++ {
			to[i] = float32(x[i])
		}
		return nil
	}
	b := make([]byte, 4*m.width)
	for i := range m.width {
		binary.LittleEndian.PutUint32(b[4*i:], math.Float32bits(float32(x[i])))
	}
	_, err := m.file.WriteAt(b, int64(row)*int64(len(b)))
	return err
}

// get reads a row into x.
func (m *matrix) get(row int, x []float64) error {
	if m.file == nil {
		for i, v := range m.held[row*m.width : (row+1)*m.width] {
			x[i] = float64(v)
		}
		return nil
	}
	b := make([]byte, 4*m.width)
	if _, err := m.file.ReadAt(b, int64(row)*int64(len(b))); err != nil {
		return err
	}
	for i := range m.width {
		x[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return nil
}

func (m *matrix) close() {
	if m.file != nil {
		m.file.Close()
		os.Remove(m.file.Name())
	}
}
