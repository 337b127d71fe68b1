package main

import (
	"context"
	"fmt"
	"path/filepath"

	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/states/daemon"
	"laundromat/web"
)

// verifyClosed tells of all that is damaged in a list that can't be opened. The files are not held against it.
func (p *program) verifyClosed(ctx context.Context, refused error) error {
	var sums web.Sums
	var err error
	sums.Seeds, err = bolt.InspectFile(ctx, filepath.Join(p.dataDir(), storeFile), func(d *seedlist.Damage) error {
		sums.Bad++
		is := daemon.DamageOfList(d)
		return p.showDamage(web.Verified{Hash: is.Hash, File: is.File, Problem: is.Problem})
	})
	if err != nil {
		return err
	}
	sums.Error = refused.Error()
	if p.json {
		if err := encodeTo(p.out, web.Verified{Sums: &sums}); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(p.out, "%d seeds of the list can be read: %d places are damaged, and the files were not held against it\n", sums.Seeds,
			sums.Bad)
	}
	return exit(exitFailed, refused)
}

func (p *program) showDamage(line web.Verified) error {
	if p.json {
		return encodeTo(p.out, line)
	}
	_, err := fmt.Fprintf(p.out, "%s\n", damageLine(&line))
	return err
}
