package archive

import (
	"testing"

	"laundromat/archive/sevenzip"
)

func TestEachContainerIsKnownAndWalkedInOneWay(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range containers {
		if c.name == "" || seen[c.name] {
			t.Errorf("%q: each container has a name of its own", c.name)
		}
		seen[c.name] = true
		if c.is == nil && c.isFurther == nil {
			t.Errorf("%s: nothing knows it", c.name)
		}
		ways := 0
		for _, has := range []bool{c.stream != nil, c.sought != nil, c.one != nil} {
			if has {
				ways++
			}
		}
		if ways != 1 {
			t.Errorf("%s: %d ways to walk it", c.name, ways)
		}
		bounded := c.is != nil && c.followers.noun != "" && c.followers.most > 0 && c.followers.headSize > 0
		if c.one != nil && !bounded || c.one == nil && c.followers != (followers{}) {
			t.Errorf("%s: followers are bounded where there are any, and only there: %+v", c.name, c.followers)
		}
	}
}

func TestHeadOfOneContainerIsThatOfNoOther(t *testing.T) {
	heads := []string{
		"PK\x03\x04", "PK\x05\x06", sevenzip.Mark, "Rar!\x1A\x07\x00", "Rar!\x1A\x07\x01\x00", "WARC/1.0\r\n",
		arMark, "070701" + string(make([]byte, 200)), string(make([]byte, 2*headSize)), "",
	}
	for _, head := range heads {
		var found []string
		for _, c := range containers {
			if c.is != nil && c.is([]byte(head)) {
				found = append(found, c.name)
			}
		}
		if len(found) > 1 {
			t.Errorf("%.20q is %v", head, found)
		}
	}
}
