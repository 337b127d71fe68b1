package encoding

import (
	"bytes"
	"os/exec"
	"testing"
	"unicode/utf8"
)

// Each pair of bytes is the character that iconv of the GNU C library makes of it.
func TestJohabIsThatOfIconv(t *testing.T) {
	iconv, err := exec.LookPath("iconv")
	if err != nil {
		t.Skip("iconv is not there")
	}
	read := 0
	for lead := 0x80; lead <= 0xFF; lead++ {
		var raw, want []byte
		for trail := 0x21; trail <= 0xFF; trail++ {
			if r := johabRune(byte(lead), byte(trail)); r != utf8.RuneError {
				raw = append(raw, byte(lead), byte(trail))
				want = utf8.AppendRune(want, r)
				read++
			}
		}
		if len(raw) == 0 {
			continue
		}
		cmd := exec.Command(iconv, "-f", "JOHAB", "-t", "UTF-8")
		cmd.Stdin = bytes.NewReader(raw)
		if out, err := cmd.Output(); err != nil || string(out) != string(want) {
			t.Errorf("0x%X: %x is %q, by iconv %q (%v)", lead, raw, want, out, err)
		}
		for i, r := range []rune(string(want)) {
			written := johabEncoded()[r]
			if back := johabRune(written[0], written[1]); back != r {
				t.Errorf("%q is written as %x, and read from %x", r, written, raw[2*i:2*i+2])
			}
		}
	}
	if read < 11172+51+5700 {
		t.Errorf("only %d characters are read", read)
	}
}
