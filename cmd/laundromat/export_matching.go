package main

import (
	"context"
	"io"

	"laundromat/web"
)

// exportMatching writes the clean files of all documents that match the filters into one file.
func exportMatching(ctx context.Context, u *ui, name string, o *exportOptions) error {
	if err := oneOf("as", o.as, web.DownloadForms()...); err != nil {
		return err
	}
	if o.find != "" || o.Copy || o.Keep || o.Secrets || o.What != "raw" {
		return usage("--as writes clean files into one: --what, --copy, --keep, --find and --with-secrets are for folders")
	}
	api, query, err := connectFiltered(ctx, u, toRead, &o.filter)
	if err != nil {
		return err
	}
	defer api.Close()
	query.Set("as", o.as)
	u.reached = &reached{output: name}
	stream, err := api.Open(ctx, "/download", query)
	if err != nil {
		return err
	}
	defer stream.Close()
	return u.writeWhole(name, func(out io.Writer) error {
		_, err := io.Copy(out, stream)
		return err
	})
}
