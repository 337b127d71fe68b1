package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"laundromat/internal/files"
	"laundromat/internal/outfile"
	"laundromat/seedlist"
	"laundromat/seedlist/bolt"
	"laundromat/states/inputs"
	"laundromat/storage"
	"laundromat/storage/interchange"
	"laundromat/web"
)

func seedExportCommand(u *ui) *cobra.Command {
	var output string
	var secrets bool
	c := &cobra.Command{
		Use:   "export",
		Short: "The whole seed list as JSON lines, which seed import reads",
		Long: "Export writes the seed list as JSON lines: seeds with their titles, claims, settings and states, catalogs,\n" +
			"attempts, settings of hosts and sums. \"laundromat seed import\" makes an equal list of it, in whatever store.\n" +
			"The files of documents are not part of it. No daemon may work on the list meanwhile.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return exportSeeds(c.Context(), u, output, secrets)
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "", "write to this FILE (.gz: in gzip)")
	c.Flags().BoolVar(&secrets, "with-secrets", false, "also where URIs of the list have users or passwords")
	return c
}

func exportSeeds(ctx context.Context, u *ui, output string, secrets bool) error {
	dir := u.dataDir()
	if !hasStore(u, dir) {
		return storage.NoList(dir)
	}
	if err := refuseDaemon(ctx, dir); err != nil {
		return err
	}
	list, err := storage.OpenList(ctx, dir, "", seedlist.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer list.Close()
	rows, ok := list.(seedlist.RowTarget)
	if !ok {
		return errors.New("this kind of seed list can't be exported")
	}
	if err := rows.Settle(ctx); errors.Is(err, seedlist.ErrAtWork) {
		return exit(exitLocked, err)
	} else if err != nil {
		return err
	}
	if !secrets {
		err := interchange.FindSecrets(ctx, rows)
		if errors.As(err, new(*interchange.SecretsError)) {
			return usage("%w: --with-secrets exports them too", err)
		}
		if err != nil {
			return err
		}
	}
	revision, err := list.Revision(ctx)
	if err != nil {
		return err
	}
	head := interchange.Head{Washer: version().String(), Revision: revision, Written: time.Now().UTC().Format(time.RFC3339Nano)}
	if output == "" || output == "-" {
		_, err := interchange.Write(ctx, rows, u.out, head)
		return err
	}
	file, err := outfile.Create(output)
	if err != nil {
		return err
	}
	defer file.Abort()
	end, err := interchange.Write(ctx, rows, file, head)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	u.note("%s in %s", listedRows(end), output)
	return nil
}

// listedRows says what a list has.
func listedRows(end interchange.End) string {
	return fmt.Sprintf("%d seeds, %d catalogs, %d attempts and the settings of %d hosts", end.Rows[seedlist.PartSeeds],
		end.Rows[seedlist.PartCatalogs], end.Rows[seedlist.PartAttempts], end.Rows[seedlist.PartHosts])
}

func seedImportCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "import FILE|-",
		Short: "Make a seed list of what seed export wrote, or add seeds of JSON lines or of a CSV with a header",
		Long: "Import reads what \"laundromat seed export\" wrote into an empty list, which is then equal to the one that was\n" +
			"exported. Any other file adds seeds to the list: JSON lines, an object each, or a CSV with a header. Keys or\n" +
			"columns are uri, title, priority, interval (seconds), source and keep_versions; a column of any other name is a\n" +
			"claim, and so are the members of the key claims.",
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var from io.Reader = u.in
			if args[0] != "-" {
				file, err := inputs.OpenFile(u.stopping, args[0])
				if err != nil {
					return err
				}
				defer file.Close()
				from = file
			}
			err := importSeeds(c.Context(), u, from)
			if line := new(interchange.LineError); errors.As(err, &line) {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return err
		},
	}
}

func importSeeds(ctx context.Context, u *ui, from io.Reader) error {
	text := bufio.NewReaderSize(from, 1<<20)
	if mark, err := text.Peek(3); err == nil && bytes.Equal(mark, []byte("\xEF\xBB\xBF")) {
		text.Discard(3)
	}
	start, err := text.Peek(4096)
	if err != nil && err != io.EOF {
		return err
	}
	first, _, _ := bytes.Cut(start, []byte("\n"))
	switch {
	case len(bytes.TrimSpace(start)) == 0:
		return errors.New("there is nothing to import")
	case interchange.IsHead(first):
		return importList(ctx, u, text)
	case bytes.HasPrefix(bytes.TrimSpace(start), []byte("{")):
		return addEntries(ctx, u, jsonEntries(text))
	}
	return addEntries(ctx, u, csvEntries(text))
}

// importList makes the list of a folder, or in its database, of a text. In a folder it takes its place when it is
// whole.
func importList(ctx context.Context, u *ui, text io.Reader) error {
	dir := u.dataDir()
	if u.init {
		if err := initStore(u, dir); err != nil {
			return err
		}
	}
	if !hasStore(u, dir) {
		return storage.NoList(dir)
	}
	if err := refuseDaemon(ctx, dir); err != nil {
		return err
	}
	end, err := readList(ctx, dir, text)
	if errors.Is(err, interchange.ErrNotEmpty) {
		return usage("%s: %w; a whole list is read into an empty one: name another --data, with --init", dir, err)
	}
	if errors.Is(err, seedlist.ErrAtWork) {
		return exit(exitLocked, err)
	}
	if err != nil {
		return err
	}
	u.note("%s in %s", listedRows(end), dir)
	return nil
}

func readList(ctx context.Context, dir string, text io.Reader) (end interchange.End, err error) {
	if storage.IsInDatabase(dir) {
		list, err := storage.OpenList(ctx, dir, "", seedlist.Options{})
		if err != nil {
			return end, err
		}
		defer list.Close()
		rows := list.(seedlist.RowTarget)
		if err := rows.Settle(ctx); err != nil {
			return end, err
		}
		return interchange.Read(ctx, text, rows)
	}
	list, err := storage.OpenList(ctx, dir, "", seedlist.Options{})
	if err != nil {
		return end, err
	}
	defer list.Close() // it keeps others away
	if err := interchange.CheckEmpty(ctx, list); err != nil {
		return end, err
	}
	temp, err := os.MkdirTemp(dir, storage.Unfinished+"*")
	if err != nil {
		return end, err
	}
	defer os.RemoveAll(temp)
	path := filepath.Join(temp, storage.ListFile)
	whole, err := bolt.Open(path, seedlist.Options{})
	if err != nil {
		return end, err
	}
	end, err = interchange.Read(ctx, text, whole)
	if err = errors.Join(err, whole.Close()); err != nil {
		return end, err
	}
	if err := files.Sync(path); err != nil {
		return end, err
	}
	if err := os.Rename(path, filepath.Join(dir, storage.ListFile)); err != nil {
		return end, err
	}
	return end, files.Sync(dir)
}

// entries calls each with every seed that is named, and its line.
type entries func(each func(line int64, seed web.NewSeed) error) error

// addEntries adds seeds to the list.
func addEntries(ctx context.Context, u *ui, all entries) error {
	api, err := connect(ctx, u, toChange)
	if err != nil {
		return err
	}
	defer api.Close()
	adder := newSeedAdder(u, api)
	err = all(func(line int64, seed web.NewSeed) error {
		if seed.URI == "" {
			return &interchange.LineError{Line: line, Err: errors.New("no uri")}
		}
		if seed.KeepVersions != nil {
			if err := checkKeepVersions(*seed.KeepVersions); err != nil {
				return &interchange.LineError{Line: line, Err: err}
			}
		}
		return adder.Add(ctx, seed)
	})
	// Seeds before a fault of the text are added, and the fault says where to go on.
	if failure := adder.Flush(ctx); failure != nil {
		return failure
	}
	if err == nil {
		err = adder.result()
	}
	return err
}

// jsonEntries are seeds as JSON lines.
func jsonEntries(text io.Reader) entries {
	return func(each func(int64, web.NewSeed) error) error {
		lines := bufio.NewScanner(text)
		lines.Buffer(nil, 16<<20)
		n := int64(0)
		for lines.Scan() {
			n++
			if len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
			decoder.DisallowUnknownFields()
			var seed web.NewSeed
			if err := decoder.Decode(&seed); err != nil {
				return &interchange.LineError{Line: n, Err: err}
			}
			if err := each(n, seed); err != nil {
				return err
			}
		}
		return lines.Err()
	}
}

// csvEntries are the rows of a CSV with a header.
func csvEntries(text io.Reader) entries {
	return func(each func(int64, web.NewSeed) error) error {
		table := csv.NewReader(text)
		header, err := table.Read()
		if err != nil {
			return &interchange.LineError{Line: 1, Err: err}
		}
		for i := range header {
			header[i] = strings.TrimSpace(header[i])
		}
		if !slices.Contains(header, "uri") {
			return &interchange.LineError{Line: 1, Err: fmt.Errorf("no column is called uri, of %s; a plain list of URIs is added by \"laundromat "+
				"seed add --seeds FILE\"", strings.Join(header, ", "))}
		}
		for {
			cells, err := table.Read()
			if err == io.EOF {
				return nil
			}
			line, _ := table.FieldPos(0)
			if err == nil {
				var seed web.NewSeed
				if seed, err = entryOf(header, cells); err == nil {
					if err = each(int64(line), seed); err != nil {
						return err
					}
					continue
				}
			}
			if parse := new(csv.ParseError); errors.As(err, &parse) {
				line, err = parse.Line, parse.Err
			}
			return &interchange.LineError{Line: int64(line), Err: err}
		}
	}
}

// intervalOf reads seconds, or a time as the flag --interval takes it, as seconds.
func intervalOf(cell string) (seconds int64, err error) {
	if seconds, err = strconv.ParseInt(cell, 10, 32); err == nil {
		return seconds, nil
	}
	long, err := time.ParseDuration(cell)
	if err != nil || long%time.Second != 0 {
		return 0, fmt.Errorf("%q is neither whole seconds nor a time such as 24h", cell)
	}
	return int64(long / time.Second), nil
}

// entryOf is the seed of a row. An empty cell says nothing.
func entryOf(header, cells []string) (seed web.NewSeed, err error) {
	for i, cell := range cells {
		if cell = strings.TrimSpace(cell); cell == "" {
			continue
		}
		number := func() (n int64) {
			if n, err = strconv.ParseInt(cell, 10, 32); err != nil {
				err = fmt.Errorf("%s: %q isn't a whole number", header[i], cell)
			}
			return n
		}
		switch header[i] {
		case "uri":
			seed.URI = cell
		case "title":
			seed.Title = cell
		case "source":
			seed.Source = cell
		case "priority":
			seed.Priority = int(number())
		case "interval":
			seconds, wrong := intervalOf(cell)
			if wrong != nil {
				err = fmt.Errorf("%s: %w", header[i], wrong)
			}
			seed.Interval = ptr(seconds)
		case "keep_versions":
			seed.KeepVersions = ptr(int(number()))
		default:
			if seed.Claims == nil {
				seed.Claims = map[string]string{}
			}
			seed.Claims[header[i]] = cell
		}
		if err != nil {
			return seed, err
		}
	}
	return seed, nil
}
