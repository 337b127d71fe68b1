package main

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"

	into "laundromat/records/database"
	"laundromat/states/recordtables"
	"laundromat/storage"
)

// recordsInto is where the daemon puts the records of recipes.
type recordsInto struct {
	text    string // the flag
	address into.Address
	budget  recordtables.Budget // that of all work, of most bytes
	most    int64
}

func (r *recordsInto) complete() (err error) {
	if r.text == "" {
		return nil
	}
	if r.address, err = into.ParseAddress(r.text); err != nil {
		return usage("--records-into %w", err)
	}
	if r.address.Table != "" {
		return usage("--records-into %s: each recipe has a table of its own: leave #%s out", r.address, r.address.Table)
	}
	return nil
}

// begin follows the list until stopping ends. What it returns waits for the end.
func (r *recordsInto) begin(
	stopping context.Context, folder *storage.Folder, store string, log zerolog.Logger,
) (end func(), err error) {
	if r.text == "" || folder.Role == storage.RoleAPI {
		return func() {}, nil
	}
	dir, err := filepath.Abs(folder.Dir)
	if err != nil {
		return nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		return nil, err
	}
	holder := host + ":" + dir
	list, err := storage.ListName(dir, store)
	if err != nil {
		return nil, err
	}
	if list == "" { // it is in the folder
		list = holder
	}
	folder.Tables = recordtables.New(recordtables.Options{
		List: folder.Seeds, Files: folder.Files, Address: r.address, Name: list, Holder: holder, Temp: folder.Temp,
		Budget: r.budget, Most: r.most,
		Trouble: func(err error) {
			log.Error().Err(err).Msgf("records do not get into %s, which is tried again", r.address)
		},
	})
	ctx, cancel := context.WithCancel(stopping)
	done := make(chan struct{})
	go func() {
		defer close(done)
		folder.Tables.Run(ctx)
	}()
	return func() {
		cancel()
		<-done
	}, nil
}

// catchUp waits until the database holds all changes of the list, and its tables are reconciled. It does not wait for
// one that does not answer.
func catchUp(ctx context.Context, folder *storage.Folder, log zerolog.Logger) {
	if folder.Tables == nil {
		return
	}
	folder.Tables.Hurry()
	for ctx.Err() == nil {
		is := folder.Tables.Status(ctx)
		switch {
		case is.Error != "":
			log.Warn().Uint64("changes", is.Behind).Str("error", is.Error).
				Msgf("records are not in %s yet: the next start goes on with them", is.Database)
			return
		case is.Elsewhere || is.Behind == 0 && is.IsConnected && is.IsSettled:
			return
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}
