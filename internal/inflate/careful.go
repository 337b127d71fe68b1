package inflate

// block reads the head of a block (§3.2.3).
func (r *Reader) block() error {
	if err := r.need(3); err != nil {
		return err
	}
	r.final = r.use(1) == 1
	switch r.use(2) {
	case 0:
		return r.storedHead()
	case 1:
		r.work.fix()
	case 2:
		if err := r.dynamicHead(); err != nil {
			return err
		}
	default:
		return r.corrupt()
	}
	r.step = (*Reader).coded
	return nil
}

// ended goes on after a block.
func (r *Reader) ended() {
	r.step = (*Reader).block
	if r.final {
		r.step = nil
	}
}

// storedHead reads the length of a block that is not compressed (§3.2.4).
func (r *Reader) storedHead() error {
	r.use(r.nhold % 8)
	if err := r.need(32); err != nil {
		return err
	}
	length, check := r.use(16), r.use(16)
	if length != check^0xFFFF {
		return r.corrupt()
	}
	r.stored, r.step = int(length), (*Reader).copyStored
	if length == 0 {
		r.ended()
	}
	return nil
}

// copyStored copies what the input has at hand of such a block, or the window room for.
func (r *Reader) copyStored() error {
	if r.taken == r.ahead {
		if err := r.readOn(); err != nil {
			return err
		}
	}
	n := copy(r.work.window[r.filled:windowSize], r.work.in[r.taken:min(r.ahead, r.taken+r.stored)])
	r.taken += n
	r.filled += n
	if r.stored -= n; r.stored == 0 {
		r.ended()
	}
	return nil
}

// codeOrder is the order in which the lengths of the codes for code lengths come (§3.2.7).
var codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamicHead reads the code lengths of a block with its own codes (§3.2.7).
func (r *Reader) dynamicHead() error {
	if err := r.need(14); err != nil {
		return err
	}
	nlit, ndist, ncode := int(r.use(5))+257, int(r.use(5))+1, int(r.use(4))+4
	if nlit > maxLit || ndist > maxDist && !r.work.is64 {
		return r.corrupt()
	}
	var lengths [maxLit + maxDist64]uint8
	for _, symbol := range codeOrder[:ncode] {
		if err := r.need(3); err != nil {
			return err
		}
		lengths[symbol] = uint8(r.use(3))
	}
	c := &r.work.code
	if !c.build(lengths[:len(codeOrder)]) {
		return r.corrupt()
	}
	clear(lengths[:len(codeOrder)])
	for i := 0; i < nlit+ndist; {
		var e uint8
		for {
			e = c.entries[r.hold&(1<<codeBits-1)]
			if n := uint(e & 7); r.nhold >= max(n, c.least) {
				break
			}
			if err := r.more(); err != nil {
				return err
			}
		}
		if e == 0 {
			return r.corrupt()
		}
		r.use(uint(e & 7))
		symbol := e >> 3
		if symbol < 16 {
			lengths[i] = symbol
			i++
			continue
		}
		var length uint8
		bits, repeat := uint(7), 11
		switch symbol {
		case 16:
			if i == 0 {
				return r.corrupt()
			}
			length, bits, repeat = lengths[i-1], 2, 3
		case 17:
			bits, repeat = 3, 3
		}
		if err := r.need(bits); err != nil {
			return err
		}
		repeat += int(r.use(bits))
		if i+repeat > nlit+ndist {
			return r.corrupt()
		}
		for ; repeat > 0; repeat-- {
			lengths[i] = length
			i++
		}
	}
	if !r.work.lit.build(lengths[:nlit], r.work.is64) || !r.work.dist.build(lengths[nlit:nlit+ndist], r.work.is64) {
		return r.corrupt()
	}
	return nil
}

// coded decodes what a block holds, as far as the window has room (§3.2.3).
func (r *Reader) coded() error {
	for r.filled <= windowSize-room {
		if r.ahead-r.taken >= quickInput && r.filled <= windowSize-quickRoom {
			r.quick()
		}
		ended, err := r.symbol()
		if err != nil {
			return err
		}
		if r.length > 0 {
			r.step = (*Reader).copyLong
			return nil
		}
		if ended {
			r.ended()
			return nil
		}
	}
	return nil
}

// symbol decodes a literal, a copy, or the end of the block.
func (r *Reader) symbol() (ended bool, err error) {
	if err := r.need(r.work.lit.least); err != nil {
		return false, err
	}
	e := r.work.lit.at(r.hold)
	for ; r.nhold < e.codeBits(); e = r.work.lit.at(r.hold) {
		if err := r.more(); err != nil {
			return false, err
		}
	}
	isLong := e&litInvalid != 0 && e.value() > 0
	if e&litInvalid != 0 && !isLong {
		r.use(e.codeBits())
		return false, r.corrupt()
	}
	if err := r.need(e.allBits()); err != nil {
		return false, err
	}
	e = r.work.lit.at(r.hold)
	value := e.value()
	if isLong {
		r.use(e.codeBits())
		if err := r.need(16); err != nil {
			return false, err
		}
		value = 3 + r.use(16)
		e = 0
	}
	if e&litWide != 0 {
		value += uint(r.hold>>e.codeBits()) & (1<<(e.allBits()-e.codeBits()) - 1)
	}
	r.use(e.allBits())
	switch {
	case e&litEnd != 0:
		return true, nil
	case e&litByte != 0:
		r.work.window[r.filled] = byte(value)
		r.filled++
		return false, nil
	}

	if err := r.need(r.work.dist.least); err != nil {
		return false, err
	}
	d := r.work.dist.at(r.hold)
	for ; r.nhold < d.codeBits(); d = r.work.dist.at(r.hold) {
		if err := r.more(); err != nil {
			return false, err
		}
	}
	if d.base() >= noDistance.base() {
		return false, r.corrupt()
	}
	if err := r.need(d.allBits()); err != nil {
		return false, err
	}
	distance := d.distance(r.hold)
	r.use(d.allBits())
	if distance > uint(r.filled) {
		return false, r.corrupt()
	}
	if isLong {
		r.distance, r.length = distance, value
		return false, nil
	}
	r.copy(distance, value)
	return false, nil
}

// copyLong copies what the window has room for of a copy that may be longer than that.
func (r *Reader) copyLong() error {
	n := min(r.length, windowSize-uint(r.filled))
	r.copy(r.distance, n)
	if r.length -= n; r.length == 0 {
		r.step = (*Reader).coded
	}
	return nil
}

// copy repeats what is at a distance before the end; length is at most what is
// left of the window.
func (r *Reader) copy(distance, length uint) {
	to := r.work.window[r.filled : r.filled+int(length)]
	from := r.filled - int(distance)
	for len(to) > 0 {
		n := copy(to, r.work.window[from:r.filled])
		to = to[n:]
		r.filled += n
	}
}
