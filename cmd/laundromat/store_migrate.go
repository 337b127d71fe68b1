package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/internal/fault"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/storage"
	"laundromat/storage/migrate"
	"laundromat/web/socket"
)

// migration holds the flags of the verb, and what they name.
type migration struct {
	*ui
	dir     string // the data folder that is copied
	places  []string
	store   string // the address of a database; "": the list stays
	blobs   storage.BucketAddress
	toBlobs bool // false: the files stay
}

func migrateCommand(u *ui) *cobra.Command {
	m := migration{ui: u}
	c := &cobra.Command{
		Use:   "migrate --from DIR --to PLACE…",
		Short: "Copy the seed list and the files of a data folder to a database, a bucket, or both",
		Long: "Migrate copies the seed list of a data folder, its files, or both. A PLACE is an address of a database as for\n" +
			"serve --store, or one of a bucket as for serve --blobs. Parts without a place in --to stay where they are.\n\n" +
			"The list keeps its order, states, attempts, settings of hosts and catalogs. Files that no record names stay\n" +
			"after. At the end each row is compared, and both sides are held against their files as by \"laundromat verify\".\n" +
			"The content of --from stays as it is. No daemon may work on either side. Run again, it goes on where it was\n" +
			"ended. A place in --to that holds something else is refused.\n\n" +
			"Then begin a new data folder there: laundromat serve --data NEW --store PLACE --blobs PLACE.",
		Example: "  laundromat store migrate --from data --to 'postgres://laundry@db/laundromat' --to 's3://laundry?endpoint=https://HOST'",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) (err error) { return m.run(c.Context()) },
	}
	c.Flags().StringVar(&m.dir, "from", "", "the data folder")
	c.Flags().StringArrayVar(&m.places, "to", nil, "where to: postgres://… for the list, s3://… for the files (again for the other)")
	return c
}

func (m *migration) run(ctx context.Context) (err error) {
	if err := m.readPlaces(); err != nil {
		return err
	}
	from, err := m.openFrom(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.List.Close()) }()
	to, closeTo, err := m.openTo(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeTo()) }()
	did, err := migrate.Copy(ctx, from, to, m.note)
	if err != nil {
		if fault.KindOf(err) == fault.Local || errors.Is(err, context.Canceled) {
			m.note("what was copied stays: the same call goes on from there")
		}
		return err
	}
	return m.show(&did)
}

// readPlaces reads the flags, and refuses what can't be copied.
func (m *migration) readPlaces() error {
	switch info, err := os.Stat(m.dir); {
	case m.dir == "":
		return usage("store migrate wants --from: a data folder")
	case err != nil || !info.IsDir():
		return usage("--from: %s isn't a data folder", storage.ShownDatabase(m.dir))
	case len(m.places) == 0:
		return usage("store migrate wants --to: postgres://… or s3://…")
	}
	for _, place := range m.places {
		isTwice := false
		switch scheme, _, isAddress := strings.Cut(place, "://"); {
		case !isAddress && !strings.Contains(place, "="): // which a connection string may have, with a password
			return usage("--to: %s is a folder or a name; the copy goes to postgres://USER@HOST:PORT/DATABASE or "+
				"s3://BUCKET/PREFIX?endpoint=URL", place)
		case scheme == "postgres" || scheme == "postgresql":
			isTwice, m.store = m.store != "", place
		case scheme == "s3":
			at, err := storage.ParseBucketAddress(place)
			if err != nil {
				return usage("--to: %w", err)
			}
			isTwice, m.toBlobs, m.blobs = m.toBlobs, true, at
		default:
			return usage("--to: %s isn't a place that is known: want postgres://USER@HOST:PORT/DATABASE or s3://BUCKET/PREFIX?endpoint=URL",
				storage.ShownDatabase(place))
		}
		if isTwice {
			return usage("--to: two places of one kind: %s", storage.ShownDatabase(place))
		}
	}
	if known, err := storage.BlobsAddress(m.dir); err != nil {
		return err
	} else if m.toBlobs && known != nil && *known == m.blobs {
		return usage("--to: %s is where the files are", m.blobs)
	}
	return nil
}

// openFrom opens the list and the files of the data folder.
func (m *migration) openFrom(ctx context.Context) (from migrate.Source, err error) {
	if m.store != "" {
		if err := storage.OnlyInFolder(m.dir, "store migrate", "pg_dump and pg_restore copy that"); err != nil {
			return from, err
		}
	}
	if err := refuseDaemon(ctx, m.dir); err != nil {
		return from, err
	}
	if from.Name, err = filepath.Abs(m.dir); err != nil {
		return from, err
	}
	if missing, err := bolt.Missing(filepath.Join(m.dir, storage.ListFile)); err != nil || missing && !storage.IsInDatabase(m.dir) {
		return from, errors.Join(err, storage.NoList(m.dir))
	}
	if from.Files, err = storage.OpenFilesToRead(ctx, m.dir); err != nil {
		return from, err
	}
	from.List, err = storage.OpenList(ctx, m.dir, "", seedlist.Options{})
	return from, err
}

// refuseDaemon refuses a folder in which a daemon works.
func refuseDaemon(ctx context.Context, dir string) error {
	if socket.Dial(ctx, dir) == nil {
		return nil
	}
	return exit(exitLocked, fmt.Errorf("a daemon works in %s: stop it first", dir))
}

// openTo opens the places that are written to.
func (m *migration) openTo(ctx context.Context) (to migrate.Target, closeTo func() error, err error) {
	var open []io.Closer
	closeTo = func() (err error) {
		for _, one := range open {
			err = errors.Join(err, one.Close())
		}
		return err
	}
	if m.store != "" {
		list, err := storage.OpenDatabaseCopy(ctx, m.store, seedlist.Options{})
		if err != nil {
			return to, closeTo, exit(exitFailed, err)
		}
		to.List, open = list, append(open, list)
		if err := list.Settle(ctx); err != nil {
			if errors.Is(err, seedlist.ErrAtWork) {
				err = exit(exitLocked, fmt.Errorf("%s: %w", storage.ShownDatabase(m.store), err))
			}
			return to, closeTo, errors.Join(err, closeTo())
		}
	}
	if m.toBlobs {
		bucket, err := storage.OpenBucket(ctx, m.blobs, filepath.Join(m.dir, storage.SpoolFolder))
		if err != nil {
			return to, closeTo, errors.Join(exit(exitFailed, err), closeTo())
		}
		to.Files, open = bucket, append(open, bucket)
	}
	return to, closeTo, nil
}

// show says what was copied.
func (m *migration) show(did *migrate.Copied) error {
	if m.json {
		return encodeTo(m.out, did)
	}
	if m.store != "" {
		fmt.Fprintf(m.out, "%d seeds, %d attempts, %d catalogs and the settings of %d hosts: equal on both sides\n",
			did.Rows[seedlist.PartSeeds], did.Rows[seedlist.PartAttempts], did.Rows[seedlist.PartCatalogs], did.Rows[seedlist.PartHosts])
	}
	if m.toBlobs {
		fmt.Fprintf(m.out, "%d files, %d bytes: whole on both sides\n", did.Files, did.Bytes)
		if did.Unnamed > 0 {
			fmt.Fprintf(m.out, "%d files that no record names were left behind\n", did.Unnamed)
		}
	}
	return nil
}
