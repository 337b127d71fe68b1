package linesort

// Shrink makes a new Sorter behave as if its memory were far smaller than may be asked for.
// So small inputs take every way that large ones do.
func (s *Sorter) Shrink(memory int64, chunk int) {
	s.pieceCost = max(64, memory/8)
	s.groupCost = max(16, s.pieceCost/4)
	s.held = memory / 2
	s.memory.limit, s.memory.size = memory/8*7, chunk
	s.threshold = memory / 4
	s.spill.packs = memory > 4<<10 // both ways
	s.opt.Memory = memory
	s.taken = intakeFrom // so that a few lines make it take lines on a goroutine too
}

// MapSlabs makes chunks come from slabs of so many bytes from the first on, and returns how many are mapped.
func (s *Sorter) MapSlabs(size int) (mapped func() int) {
	s.memory.slabSize, s.memory.slabsIn = size, 0
	return func() int { s.intake.settle(); return len(s.memory.slabs) }
}

// Spilled is the length of the temporary file.
func (s *Sorter) Spilled() int64 {
	s.intake.settle()
	s.spill.settle()
	return s.spill.size
}

// FailAfter makes the temporary file refuse what goes past n bytes, with err; or
// its making, if n is negative.
func (s *Sorter) FailAfter(n int64, err error) {
	make := s.spill.create
	s.spill.create = func(dir string) (tempFile, error) {
		if n < 0 {
			return nil, err
		}
		file, makeErr := make(dir)
		return &failing{file, n, err}, makeErr
	}
}

// TempFile is what CreateOn takes.
type TempFile = tempFile

// CreateOn makes the temporary file be what open returns.
func (s *Sorter) CreateOn(open func() (TempFile, error)) {
	s.spill.create = func(string) (tempFile, error) { return open() }
}

type failing struct {
	tempFile
	left int64
	err  error
}

func (f *failing) WriteAt(p []byte, offset int64) (int, error) {
	if f.left -= int64(len(p)); f.left < 0 {
		return 0, f.err
	}
	return f.tempFile.WriteAt(p, offset)
}

// Most is how many bytes of chunks were in use at once, and how many may be.
func (s *Sorter) Most() (most, limit int64) { return s.memory.most, s.opt.Memory / 8 * 7 }
