package encoding

// LooksBinary says that the first bytes of a document are no text in any encoding:
// zero bytes outside of the patterns of UTF-16 and UTF-32, or many control
// characters. Some kilobytes of prefix do; an empty one is text.
func LooksBinary(prefix []byte) bool {
	if _, n := byteOrderMark(prefix); n > 0 {
		return false
	}
	if name, _ := unicodeByZeros(prefix); name != "" {
		return false
	}
	p := prefix[:min(len(prefix), 8192)]
	zeros, controls := 0, 0
	for _, b := range p {
		if b == 0 {
			zeros++
		}
		if isControl(b) {
			controls++
		}
	}
	// One stray control character is dirt; compressed data has one in ten bytes.
	return zeros*500 > len(p) && zeros > 1 || controls*50 > len(p) && controls > 1
}
