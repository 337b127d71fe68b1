package storage

import (
	"context"
	"io"

	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/daemon"
)

// repairsMemory is what a document may take, in bytes, that is read again for its repairs.
const repairsMemory = 256 << 20

// repairs writes the repairs of a stored document as a diff, as the daemon reads documents, or as the commands do by
// themselves where none runs. At most so many bytes of it are read; 0: all.
func (f *Folder) repairs(ctx context.Context, seed seedlist.Seed, name string, most int64, to io.Writer) error {
	made := daemon.Repairs{Files: f.Files, Seeds: f.Seeds, Most: most}
	if runner := f.Runner.Load(); runner != nil {
		made.Settings = daemon.SettingsOf(runner)
	}
	made.Settings.Temp, made.Settings.MaxMemory = f.Temp, repairsMemory
	made.Settings.MaxToken = states.LongestTerm(repairsMemory)
	return made.Write(ctx, seed, name, to)
}
