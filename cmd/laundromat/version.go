package main

import (
	"runtime/debug"
	"strings"
)

// release is the version of this source; the VCS revision is added by the build.
const release = "0.1.0"

// build says what this program was made from.
type build struct{ release, revision string }

func version() build {
	b := build{release: release}
	info, ok := debug.ReadBuildInfo()
	if !ok {
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
