package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/files"
	"laundromat/web"
)

// Role says which part of the work a daemon does. There may be any number of each on one database.
type Role string

const (
	RoleAll    Role = "all"
	RoleAPI    Role = "api"    // serves lists, files and pages, and takes what is added; it works on no seed
	RoleWorker Role = "worker" // works on seeds; over TCP it answers monitors alone
)

// Settle refuses a part of the work where no other process could do the rest.
func (r Role) Settle(dir, list, blobs string) error {
	if r == RoleAll {
		return nil
	}
	at, err := SettleList(dir, list)
	if err != nil {
		return err
	}
	if at == "" {
		return misuse("--role %s: the seed list of %s is a file, which one process works on alone: leave --role out, or begin with a list "+
			"in a database (--store postgres://…)", r, dir)
	}
	known, err := BlobsAddress(dir)
	if err == nil && known == nil && blobs == "" {
		err = misuse("--role %s: the files of %s are in it, where no other machine finds them: leave --role out, or keep them in an "+
			"object store (--blobs s3://…)", r, dir)
	}
	return err
}

// probed is a hash that no seed has: whether its file is there is asked to learn whether the store answers.
const probed = "00000000000000000000000000000000"

// probeEvery is how often the store of files is asked.
const probeEvery = 5 * time.Second

// ProbeFiles asks the store of files whether it answers, until ctx ends. It may take long to say that it does not:
// so whoever asks how the daemon stands is told the last answer.
func (f *Folder) ProbeFiles(ctx context.Context) {
	for {
		_, err := f.Files.Size(probed, files.Clean)
		f.fileTrouble.Store(troubleOf(err, f.fileTrouble.Load()))
		select {
		case <-time.After(probeEvery):
		case <-ctx.Done():
			return
		}
	}
}

// troubleOf is what an answer of the store of files means; it began when the last one did, if that was one.
func troubleOf(err error, last *web.Pause) *web.Pause {
	switch {
	case err == nil || errors.Is(err, fs.ErrNotExist):
		return nil
	case last == nil:
		last = &web.Pause{Since: time.Now().UTC()}
	}
	return &web.Pause{Part: "bucket", Since: last.Since, Code: string(fault.CodeOf(err)), Message: err.Error()}
}

// missing is what the daemon waits for beside its stages: the store of files, and lists if it is there for them.
func (f *Folder) missing() (all []web.Pause) {
	if trouble := f.fileTrouble.Load(); trouble != nil {
		all = append(all, *trouble)
	}
	if f.Role == RoleAPI {
		if asOf := f.Views.AsOf(); asOf.Building {
			all = append(all, web.Pause{Part: "views", Since: f.Begun, Message: fmt.Sprintf("the lists are being made anew and hold %d "+
				"seeds so far", asOf.Seeds)})
		}
	}
	return all
}
