package main

import (
	"context"
	"fmt"
	"path/filepath"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/states/daemon"
	"laundromat/storage"
	"laundromat/web"
)

// verifyClosed tells of all that is damaged in a list that can't be opened. The files are not held against it.
func verifyClosed(ctx context.Context, u *ui, refused error) error {
	var sums web.Sums
	var err error
	sums.Seeds, err = bolt.InspectFile(ctx, filepath.Join(u.dataDir(), storage.ListFile), func(d *seedlist.Damage) error {
		sums.Bad++
		is := daemon.DamageOfList(d)
		return showDamage(u, web.Verified{Hash: is.Hash, File: is.File, Problem: is.Problem})
	})
	if err != nil {
		return err
	}
	sums.Error = refused.Error()
	if u.json {
		if err := encodeTo(u.out, web.Verified{Sums: &sums}); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(u.out, "%d seeds of the list can be read: %d places are damaged, and the files were not held against it\n", sums.Seeds,
			sums.Bad)
	}
	return exit(exitFailed, refused)
}

func showDamage(u *ui, line web.Verified) error {
	if u.json {
		return encodeTo(u.out, line)
	}
	_, err := fmt.Fprintf(u.out, "%s\n", damageLine(&line))
	return err
}
