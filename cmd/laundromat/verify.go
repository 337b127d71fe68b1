package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/seedlist"
	"laundromat/web"
)

func verifyCommand(u *ui) *cobra.Command {
	var repair bool
	c := &cobra.Command{
		Use:   "verify",
		Short: "Hold the store against the files: nothing lost, nothing half; --repair marks what to do again",
		Long: "Verify reads every file that a record names, compares its hash, and looks for files that\n" +
			"no record names. Each fault names the seed and its URI. Exit: 1 if something is damaged or missing.\n\n" +
			"With --repair, what has to be done again is marked, and the daemon does it, or the next \"serve --until-idle\".\n" +
			"A document whose stored bytes are whole is washed again from these, any other is fetched again without\n" +
			"conditions. An entry goes back to its archive, which is unpacked again, and fetched if need be. What is\n" +
			"made again takes the place of what is damaged. Files that can't be made again are reported with the reason.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			how := toRead
			if repair {
				how = toChange
			}
			api, err := connect(c.Context(), u, how)
			if errors.As(err, new(*seedlist.Damage)) {
				return verifyClosed(c.Context(), u, err)
			}
			if err != nil {
				return err
			}
			defer api.Close()
			var stream io.ReadCloser
			if repair {
				stream, err = api.OpenPosted(c.Context(), "/verify/repair", nil)
			} else {
				stream, err = api.Open(c.Context(), "/verify", nil)
			}
			if err != nil {
				return err
			}
			defer stream.Close()
			return showVerified(u, stream)
		},
	}
	c.Flags().BoolVar(&repair, "repair", false, "mark what is damaged or missing to be made again")
	return c
}

// damageLine says what is wrong with a file, and what is done about it.
func damageLine(v *web.Verified) string {
	line := strings.TrimSpace(v.Hash + " " + v.File)
	if v.URI != "" {
		line += " of " + v.URI
	}
	line += ": " + v.Problem
	if v.Mended != nil {
		line += "; " + mendedText(v.Mended)
	}
	return line
}

// mendedText says how a file is made again.
func mendedText(m *web.ActedOn) string {
	who := "it is "
	if m.With != "" {
		who = "its archive " + m.With + " is "
	}
	switch {
	case m.Error != "":
		return "it can't be made again: " + m.Error
	case m.Begins == seedlist.Added:
		return who + "to be fetched again"
	case m.With != "":
		return who + "to be unpacked again from its stored bytes"
	default:
		return who + "to be washed again from its stored bytes"
	}
}

// showVerified prints what was found wrong, and then the sums.
func showVerified(u *ui, stream io.Reader) error {
	decoder := json.NewDecoder(bufio.NewReader(stream))
	for {
		var line web.Verified
		if err := decoder.Decode(&line); errors.Is(err, io.EOF) {
			return errors.New("verify ended before it had seen everything")
		} else if err != nil {
			return err
		}
		if u.json {
			if err := encodeTo(u.out, line); err != nil {
				return err
			}
		}
		if line.Sums == nil {
			if !u.json {
				fmt.Fprintln(u.out, damageLine(&line))
			}
			continue
		}
		if !u.json {
			fmt.Fprintf(u.out, "%d seeds and %d files: %d damaged or missing, %d files that no record names\n",
				line.Sums.Seeds, line.Sums.Files, line.Sums.Bad, line.Sums.Strays)
			adviseRepair(u, line.Sums)
		}
		switch {
		case line.Sums.Error != "":
			return errors.New(line.Sums.Error)
		case line.Sums.Bad > 0:
			return exit(exitFailed, nil)
		}
		return nil
	}
}

// adviseRepair says what to do about faults.
func adviseRepair(u *ui, sums *web.Sums) {
	switch {
	case u.quiet || sums.Bad == 0:
	case sums.Marked == nil:
		fmt.Fprintln(u.err, "\"laundromat verify --repair\" marks what is to be made again")
	default:
		fmt.Fprintf(u.err, "%d of %d marked to be made again: the daemon does it, or \"laundromat serve --until-idle\"\n", *sums.Marked,
			sums.Bad)
	}
}
