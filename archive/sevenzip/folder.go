package sevenzip

// Folder is how some files are packed together, and where.
type Folder struct {
	Coders      []Coder
	Size        uint64 // of what comes out of it
	Packed      []Section
	IsEncrypted bool
	Unknown     string // a way of packing that can't be read; "" if all can
	CRC         uint32 // of what comes out
	HasCRC      bool

	sizes []uint64 // of what comes out of each coder
	main  int      // the coder whose output is the folder's
	// An input of a coder is either the output of another or a packed stream. The inputs of
	// all coders are counted together.
	bonds   map[uint64]int // from inputs to coders
	feeds   map[uint64]int // from inputs to packed streams
	streams []stream
	files   uint64 // in it
}

// Section is a part of the file.
type Section struct{ At, Length int64 }

// stream is a file in a folder.
type stream struct {
	size uint64
	checksum
}

// streams reads how everything is packed.
func (r *reader) streams() []Folder {
	var at uint64
	var sizes []uint64
	var folders []Folder
	id := r.byte()
	if id == idPack {
		at, sizes = r.packInfo()
		id = r.byte()
	}
	if id == idUnpack {
		folders = r.unpackInfo()
		id = r.byte()
	}
	for i := range folders {
		folders[i].streams = []stream{{folders[i].Size, checksum{folders[i].CRC, folders[i].HasCRC}}}
	}
	if id == idSubStreams {
		r.subStreams(folders)
		id = r.byte()
	}
	at += HeadSize
	for i := range folders {
		f := &folders[i]
		for range f.Packed {
			if len(sizes) == 0 || sizes[0] > 1<<60 || at > 1<<60 {
				r.fail(ErrCorrupt)
				return folders
			}
			f.Packed = append(f.Packed[1:], Section{int64(at), int64(sizes[0])})
			at += sizes[0]
			sizes = sizes[1:]
		}
	}
	if id != idEnd {
		r.fail(ErrCorrupt)
	}
	return folders
}

// packInfo reads where packed streams lie, one after another.
func (r *reader) packInfo() (at uint64, sizes []uint64) {
	at = r.size()
	n := r.count()
	id := r.byte()
	if id == idSize {
		for range n {
			sizes = append(sizes, r.size())
		}
		id = r.byte()
	}
	if id == idCRC {
		r.checksums(n)
		id = r.byte()
	}
	if id != idEnd {
		r.fail(ErrCorrupt)
	}
	return at, sizes
}

func (r *reader) unpackInfo() []Folder {
	if r.byte() != idFolder {
		r.fail(ErrCorrupt)
	}
	n := r.count()
	if r.byte() != 0 { // said elsewhere: no writer does that
		r.fail(ErrCorrupt)
	}
	var folders []Folder
	for i := 0; i < n && r.err == nil; i++ {
		folders = append(folders, r.folder())
	}
	if r.byte() != idUnpackSize {
		r.fail(ErrCorrupt)
	}
	if r.err != nil {
		return nil
	}
	for i := range folders {
		f := &folders[i]
		for range f.Coders {
			f.sizes = append(f.sizes, r.size())
		}
		f.Size = f.sizes[f.main]
	}
	id := r.byte()
	if id == idCRC {
		for i, c := range r.checksums(len(folders)) {
			folders[i].CRC, folders[i].HasCRC = c.sum, c.has
		}
		id = r.byte()
	}
	if id != idEnd {
		r.fail(ErrCorrupt)
	}
	if r.err != nil {
		return nil
	}
	return folders
}

// folder reads a few coders, whose outputs go into inputs of others.
func (r *reader) folder() Folder {
	f := Folder{bonds: map[uint64]int{}, feeds: map[uint64]int{}}
	n := r.count()
	if n == 0 || n > maxCoders {
		r.fail(ErrCorrupt)
		return f
	}
	var inputs uint64
	for range n {
		c := r.coder()
		c.first = inputs
		inputs += c.inputs
		f.Coders = append(f.Coders, c)
		f.IsEncrypted = f.IsEncrypted || c.ID == aes
		if how := c.unknown(); how != "" {
			f.Unknown = how
		}
	}
	if r.err != nil {
		return f // its numbers are none
	}
	isBound := map[uint64]bool{}
	for range n - 1 {
		in, out := r.number(), r.number()
		if _, twice := f.bonds[in]; twice || in >= inputs || out >= uint64(n) || isBound[out] {
			r.fail(ErrCorrupt)
			return f
		}
		f.bonds[in], isBound[out] = int(out), true
	}
	for i := range n {
		if !isBound[uint64(i)] {
			f.main = i
		}
	}
	if inputs < uint64(n) {
		r.fail(ErrCorrupt)
		return f
	}
	packed := int(inputs) - (n - 1)
	f.Packed = make([]Section, packed)
	if packed > 1 {
		for i := range packed {
			in := r.number()
			_, twice := f.feeds[in]
			if _, bound := f.bonds[in]; twice || bound || in >= inputs {
				r.fail(ErrCorrupt)
				return f
			}
			f.feeds[in] = i
		}
	}
	return f
}

// subStreams reads which files are in the folders.
func (r *reader) subStreams(folders []Folder) {
	id := r.byte()
	for i := range folders {
		folders[i].files = 1
	}
	if id == idNumUnpack {
		for i := range folders {
			if folders[i].files = r.number(); folders[i].files > maxDirectory {
				r.fail(ErrCorrupt)
			}
		}
		id = r.byte()
	}
	hasSizes := id == idSize
	unchecked := 0 // files whose checksum is not the folder's
	for i := range folders {
		f := &folders[i]
		if f.files != 1 || !f.HasCRC {
			unchecked += int(f.files)
		}
		switch {
		case f.files == 0:
			f.streams = nil
		case f.files > 1 && !hasSizes:
			r.fail(ErrCorrupt)
		case f.files > 1:
			r.sizes(f)
		}
	}
	if hasSizes {
		id = r.byte()
	}
	if id == idCRC {
		sums := r.checksums(unchecked)
		for i := range folders {
			f := &folders[i]
			if f.files == 1 && f.HasCRC || len(sums) < len(f.streams) {
				continue
			}
			for j := range f.streams {
				f.streams[j].checksum = sums[j]
			}
			sums = sums[len(f.streams):]
		}
		id = r.byte()
	}
	if id != idEnd {
		r.fail(ErrCorrupt)
	}
}

// sizes reads those of the files of a folder. What the last one has is the rest.
func (r *reader) sizes(f *Folder) {
	f.streams = f.streams[:0]
	left := f.Size
	for j := uint64(1); j < f.files && r.err == nil; j++ {
		size := r.size()
		if size > left {
			r.fail(ErrCorrupt)
		}
		left -= min(size, left)
		f.streams = append(f.streams, stream{size: size})
	}
	f.streams = append(f.streams, stream{size: left})
}
