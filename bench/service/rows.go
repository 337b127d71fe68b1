package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"time"

	"laundromat/bench/process"
	"laundromat/internal/files"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/seedlist/storetest"
	"laundromat/web"
)

// rowAsked is how many rows are asked for, each at a place of its own.
const rowAsked = 500

// measureRows makes a clean file of many short lines with its index, and asks the API for rows of it.
func measureRows(ctx context.Context, folder string, lines int64) error {
	dir, err := os.MkdirTemp(folder, "rows")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	list, err := bolt.Open(filepath.Join(dir, "seeds.db"), seedlist.Options{HostDelay: -1, Interval: -1})
	if err != nil {
		return err
	}
	defer list.Close()
	blobs, err := files.Open(dir)
	if err != nil {
		return err
	}
	defer blobs.Close()
	begin := time.Now()
	clean, size, err := writeLines(ctx, blobs, lines)
	if err != nil {
		return err
	}
	fmt.Printf("a clean file of %d lines, %d bytes and in gzip %d, was made in %.0f s\n", lines, clean.Content.NumberOfBytes, size,
		time.Since(begin).Seconds())
	hash, err := washedTo(ctx, list, clean)
	if err != nil {
		return err
	}
	api := web.New(web.Options{Seeds: list, Files: blobs})
	random := rand.New(rand.NewPCG(1, 2))
	for _, limit := range []int64{1, 100} {
		took := make([]time.Duration, rowAsked)
		own := process.Own()
		for i := range took {
			from := 1 + random.Int64N(lines-limit)
			if i == 0 {
				from = lines - limit + 1
			}
			begin := time.Now()
			reply := httptest.NewRecorder()
			api.ServeHTTP(reply, httptest.NewRequest(http.MethodGet, fmt.Sprintf("/api/v1/seeds/%s/rows?from=%d&limit=%d", hash, from,
				limit), nil))
			took[i] = time.Since(begin)
			var rows web.Rows
			if err := json.Unmarshal(reply.Body.Bytes(), &rows); err != nil || int64(len(rows.Rows)) != limit ||
				rows.Rows[0].Text != lineText(from-1) {
				return fmt.Errorf("row %d: status %d, %.300s", from, reply.Code, reply.Body)
			}
		}
		own = process.Own() - own
		slices.Sort(took)
		fmt.Printf("%3d rows from any of %d: %.1f ms median, %.1f ms for 99 of 100, %.1f ms at most of %d; %.1f ms of the processors each\n",
			limit, lines, ms(took[rowAsked/2]), ms(took[rowAsked*99/100]), ms(took[rowAsked-1]), rowAsked, ms(own/rowAsked))
	}
	return nil
}

// lineText is the line of a number, from 0: lines are in order, and each is there once.
func lineText(n int64) string { return fmt.Sprintf(`<urn:s:%010d> <urn:p> "%d" .`, n, n*7919%1000) }

// writeLines writes a clean file and its index.
func writeLines(ctx context.Context, blobs *files.Folder, lines int64) (clean seedlist.Clean, size int64, err error) {
	file, err := blobs.Create()
	if err != nil {
		return clean, 0, err
	}
	index, err := blobs.Create()
	if err != nil {
		return clean, 0, err
	}
	out := files.NewCleanWriter(file, files.CleanOptions{Level: 1, Index: index})
	for n := range lines {
		if err := out.Line([]byte(lineText(n))); err != nil {
			return clean, 0, err
		}
	}
	if err := out.Close(); err != nil {
		return clean, 0, err
	}
	clean.Content = out.Content()
	if err := file.Seal(clean.Content.MD5, files.Clean); err != nil {
		return clean, 0, err
	}
	if err := index.Seal(clean.Content.MD5, files.Index); err != nil {
		return clean, 0, err
	}
	if err := blobs.Commit(ctx, file, index); err != nil {
		return clean, 0, err
	}
	whole, err := blobs.Open(clean.Content.MD5, files.Clean)
	if err != nil {
		return clean, 0, err
	}
	defer whole.Close()
	return clean, whole.Size(), nil
}

// washedTo makes a seed that was washed to a clean file, and returns its key.
func washedTo(ctx context.Context, list *bolt.Store, clean seedlist.Clean) (string, error) {
	added, err := list.Add(ctx, []seedlist.NewSeed{{URI: "http://rows.example/"}})
	if err != nil {
		return "", err
	}
	claims, err := list.Claim(ctx, seedlist.Downloading, "bench", 1)
	if err != nil || len(claims) == 0 {
		return "", fmt.Errorf("nothing was claimed: %w", err)
	}
	outcomes := storetest.LifeOf(claims[0])
	if len(outcomes) == 1 {
		outcomes = storetest.LifeOf(seedlist.Claim{Number: 2, Stage: claims[0].Stage, Seed: claims[0].Seed})
	}
	outcomes[len(outcomes)-1].Clean = &clean
	return added[0].Hash, list.CompleteAll(ctx, claims[0], outcomes)
}
