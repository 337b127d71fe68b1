package main

import (
	"os/exec"
	"strings"
	"testing"

	"laundromat/internal/manual"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// A manual page says all that --help says: each verb, each flag, each topic. Nothing of it is
// taken for a command of roff.
func TestManualPagesSayWhatTheHelpSays(t *testing.T) {
	u := &ui{}
	root := rootCommand(u)
	pages := map[string]string{}
	if err := manual.EachPage(root, func(c *cobra.Command) error {
		pages[manual.Name(c)] = shownPage(t, manual.Page(c, "laundromat", "Laundromat"))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		page := pages[manual.Name(c)]
		if c.IsAdditionalHelpTopicCommand() {
			if !holdsAll(pages["laundromat"], c.Long) {
				t.Errorf("laundromat(1) has not all of the topic %s", c.Name())
			}
			return
		}
		if page == "" && !c.Hidden && c.Name() != "help" {
			t.Errorf("%s has no page", c.CommandPath())
		}
		if page == "" {
			return
		}
		if !holdsAll(page, c.Short) || !holdsAll(page, c.Long) {
			t.Errorf("%s: the description is not whole:\n%s", manual.Name(c), page)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			_, usage := pflag.UnquoteUsage(f)
			if !f.Hidden && !(holdsAll(page, "--"+f.Name) && holdsAll(page, usage)) {
				t.Errorf("%s: --%s is missing", manual.Name(c), f.Name)
			}
		})
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
}

// holdsAll says that a page has all words of a text, in order, however they are broken into lines.
func holdsAll(page, text string) bool {
	return strings.Contains(strings.Join(strings.Fields(page), " "), strings.Join(strings.Fields(text), " "))
}

// shownPage is a page as man shows it, where groff is installed, and must give it no cause to warn.
func shownPage(t *testing.T, page string) string {
	t.Helper()
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("groff is not installed")
	}
	// No words are divided, and lines are long enough for each.
	command := exec.Command("groff", "-man", "-Tutf8", "-ww", "-rLL=3000n", "-rHY=0", "-P-cbou")
	command.Stdin = strings.NewReader(page)
	var warnings strings.Builder
	command.Stderr = &warnings
	shown, err := command.Output()
	if err != nil || warnings.Len() > 0 {
		t.Fatalf("%v: %s\n%s", err, warnings.String(), page)
	}
	return string(shown)
}
