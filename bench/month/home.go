package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"

	"laundromat/internal/files/blobtest"
	"laundromat/seedlist/postgres/pgtest"
)

// home is where a daemon keeps its list and its files, and how these are backed up.
type home interface {
	flags() []string
	// backUp saves both while the daemon runs.
	backUp(ctx context.Context) error
	// restore brings them back after both, and the data folder, are lost. No daemon runs.
	restore(ctx context.Context) error
	// restored is what is left to do when the daemon runs again.
	restored(ctx context.Context) error
	// damage does harm to a file, which is found by the hash in its name.
	damage(hash, suffix string, harm func(path string) error) bool
	end()
}

// embedded has all in the data folder.
type embedded struct{ *life }

func (*month) embedded(l *life) (home, error) { return embedded{l}, nil }

func (e embedded) flags() []string { return nil }

func (e embedded) saved() string { return e.data + ".saved" }

func (e embedded) backUp(ctx context.Context) error {
	_, err := e.verb(ctx, "backup", e.saved())
	return err
}

func (e embedded) restore(ctx context.Context) error {
	if err := os.RemoveAll(e.data); err != nil {
		return err
	}
	_, err := e.verb(ctx, "restore", e.saved())
	return err
}

func (e embedded) restored(context.Context) error { return nil }

func (e embedded) damage(hash, suffix string, harm func(string) error) bool {
	return damageIn(filepath.Join(e.data, "blobs"), hash, suffix, harm)
}

func damageIn(root, hash, suffix string, harm func(string) error) bool {
	path := findFile(root, hash, suffix)
	return path != "" && harm(path) == nil
}

func (e embedded) end() {}

// away has the list in PostgreSQL and the files in a bucket.
type away struct {
	*life
	database *pgtest.Server
	store    *blobtest.Gateway
	dir      string // where backups are, and the files of the server
}

// haveAway says what the month on PostgreSQL and a bucket needs and this machine does not have.
func haveAway() error {
	if _, err := blobtest.Program(); err != nil {
		return err
	}
	return pgtest.Installed()
}

func (m *month) away(l *life) (_ home, err error) {
	a := &away{life: l, dir: l.data + ".away"}
	if err := os.Chmod(m.Folder, 0o755); err != nil { // the server runs as another user
		return nil, err
	}
	if err := os.Mkdir(a.dir, 0o755); err != nil {
		return nil, err
	}
	database := filepath.Join(a.dir, "database")
	if err := os.Mkdir(database, 0o755); err != nil {
		return nil, err
	}
	if a.store, err = blobtest.Start(filepath.Join(a.dir, "store")); err != nil {
		return nil, err
	}
	if a.database, err = pgtest.Start(database, false); err != nil {
		a.store.Stop()
		return nil, err
	}
	if a.store.Buckets == "" {
		err = errors.New("the object store keeps its buckets otherwise than in folders")
	} else {
		err = a.store.Make("laundry")
	}
	if err != nil {
		a.end()
		return nil, err
	}
	return a, errors.Join(os.Setenv("AWS_ACCESS_KEY_ID", blobtest.AccessKey), os.Setenv("AWS_SECRET_ACCESS_KEY", blobtest.SecretKey))
}

func (a *away) flags() []string {
	return []string{"--store", a.database.Address, "--blobs", "s3://laundry/files?endpoint=" + a.store.Endpoint}
}

func (a *away) bucket() string { return filepath.Join(a.store.Buckets, "laundry") }

func (a *away) saved(name string) string { return filepath.Join(a.dir, "saved."+name) }

// backUp does what docs/scale.md says of a database and a bucket at rest.
func (a *away) backUp(ctx context.Context) error {
	if _, err := a.verb(ctx, "drain"); err != nil {
		return err
	}
	err := errors.Join(a.database.Dump(a.saved("list")), copyAll(ctx, a.bucket(), a.saved("files")))
	_, failed := a.verb(ctx, "resume")
	return errors.Join(err, failed)
}

func (a *away) restore(ctx context.Context) error {
	return errors.Join(
		a.database.Destroy(), os.RemoveAll(a.bucket()), os.RemoveAll(a.data),
		a.database.Load(a.saved("list")), copyAll(ctx, a.saved("files"), a.bucket()),
	)
}

// restored lets the work go on: the list was saved at rest.
func (a *away) restored(ctx context.Context) error {
	_, err := a.verb(ctx, "resume")
	return err
}

func copyAll(ctx context.Context, from, to string) error {
	return exec.CommandContext(ctx, "cp", "-a", from, to).Run()
}

func (a *away) damage(hash, suffix string, harm func(string) error) bool {
	return damageIn(a.bucket(), hash, suffix, harm)
}

func (a *away) end() {
	a.store.Stop()
	a.database.Stop()
}
