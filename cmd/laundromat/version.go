package main

import (
	"runtime/debug"
	"strings"
)

// release is the version of this source, unless the linker gave another. The linker may give the revision too; else it
// is that of the VCS, which the build adds.
var (
	release  = "0.1.0"
	revision string
)

// build says what this program was made from.
type build struct{ release, revision string }

func version() build {
	b := build{release: release, revision: revision}
	info, ok := debug.ReadBuildInfo()
	if !ok || revision != "" {
		return b
	}
	modified := false
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.revision = setting.Value
		case "vcs.modified":
			modified = setting.Value == "true"
		}
	}
	if modified {
		b.revision += "+modified"
	}
	return b
}

// String is the version and, where the build knows it, the revision.
func (b build) String() string {
	if b.revision == "" {
		return b.release
	}
	return strings.Join([]string{b.release, "(" + b.revision + ")"}, " ")
}
