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

func (p *program) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify",
		Short: "Hold the store against the files: nothing lost, nothing half",
		Long: "Verify reads every file that a record names, compares its hash, and looks for files that\n" +
			"no record names. Exit: 1 if something is damaged or missing.",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := p.connect(c.Context(), toRead)
			if errors.As(err, new(*seedlist.Damage)) {
				return p.verifyClosed(c.Context(), err)
			}
			if err != nil {
				return err
			}
			defer api.Close()
			stream, err := api.Open(c.Context(), "/verify", nil)
			if err != nil {
				return err
			}
			defer stream.Close()
			return p.showVerified(stream)
		},
	}
}

// showVerified prints what was found wrong, and then the sums.
func (p *program) showVerified(stream io.Reader) error {
	decoder := json.NewDecoder(bufio.NewReader(stream))
	for {
		var line web.Verified
		if err := decoder.Decode(&line); errors.Is(err, io.EOF) {
			return errors.New("verify ended before it had seen everything")
		} else if err != nil {
			return err
		}
		if p.json {
			if err := encodeTo(p.out, line); err != nil {
				return err
			}
		}
		if line.Sums == nil {
			if !p.json {
				fmt.Fprintln(p.out, shownDamage(line))
			}
			continue
		}
		if !p.json {
			fmt.Fprintf(p.out, "%d seeds and %d files: %d damaged or missing, %d files that no record names\n",
				line.Sums.Seeds, line.Sums.Files, line.Sums.Bad, line.Sums.Strays)
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

// shownDamage is a fault as a line.
func shownDamage(line web.Verified) string {
	return strings.TrimSpace(line.Hash + " " + line.File + ": " + line.Problem)
}
