package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/internal/logfile"
	"laundromat/storage"
	"laundromat/web"
)

func actionCommand(u *ui) *cobra.Command {
	return group("action", "Look at what the daemon does in the background with all seeds that match a filter", "list, show or stop",
		actionListCommand(u),
		actionChangeCommand(u, "show ID…", "An action: its request, its progress, and its refusals", toRead,
			func(c *cobra.Command, a apiCaller, id string, found *web.Action) error {
				return a.Get(c.Context(), "/actions/"+id, nil, found)
			}),
		actionChangeCommand(u, "stop ID…", "End actions that wait or work; finished changes stay", toChange,
			func(c *cobra.Command, a apiCaller, id string, found *web.Action) error {
				return a.Post(c.Context(), "/actions/"+id+"/stop", nil, found)
			}))
}

// apiCaller is the part of a client that these verbs need.
type apiCaller interface {
	Get(ctx context.Context, path string, query url.Values, reply any) error
	Post(ctx context.Context, path string, body, reply any) error
}

func actionListCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "The actions that wait, work or have ended, the newest first",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := connect(c.Context(), u, toRead)
			if err != nil {
				return err
			}
			defer api.Close()
			query := url.Values{"limit": {"1000"}}
			for {
				var page web.ActionPage
				if err := api.Get(c.Context(), "/actions", query, &page); err != nil {
					return err
				}
				for i := range page.Actions {
					if err := tellAction(u, &page.Actions[i], false); err != nil {
						return err
					}
				}
				if page.Next == "" {
					return nil
				}
				query.Set("cursor", page.Next)
			}
		},
	}
}

// actionChangeCommand is a verb about actions that are named.
func actionChangeCommand(u *ui, use, short string, how access, ask func(*cobra.Command, apiCaller, string,
	*web.Action) error) *cobra.Command {
	return &cobra.Command{
		Use:   use,
		Short: short,
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, ids []string) error {
			for _, id := range ids {
				if id == "" || strings.Trim(id, "0123456789") != "" {
					return usage("%q isn't an ID of an action, which is a number (\"laundromat action list\" shows them)", id)
				}
			}
			api, err := connect(c.Context(), u, how)
			if err != nil {
				return err
			}
			defer api.Close()
			for _, id := range ids {
				var found web.Action
				if err := ask(c, api, id, &found); err != nil {
					return err
				}
				if err := tellAction(u, &found, true); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// tellAction writes a line about an action, and with isWhole why seeds were refused.
func tellAction(u *ui, a *web.Action, isWhole bool) error {
	if u.json {
		return encodeTo(u.out, a)
	}
	matched := ""
	if a.Matched != nil {
		matched = fmt.Sprintf(" of %d", *a.Matched)
	}
	line := fmt.Sprintf("%s\t%s\t%s%s\t%d%s done, %d refused\tasked %s by %s", a.ID, a.State, a.Do, filterWords(a.Filter), a.Done, matched,
		a.Refused, a.Asked.Format("2006-01-02 15:04:05 MST"), a.By)
	if a.Error != "" {
		line += "\t" + a.Error
	}
	if isWhole {
		for _, r := range a.Reasons {
			line += fmt.Sprintf("\n\t%d not: %s", r.Seeds, r.Reason)
			for _, one := range r.First {
				line += "\n\t\t" + one.URI
			}
		}
	}
	_, err := fmt.Fprintln(u.out, line)
	return err
}

// filterWords are the flags that say the same as a filter.
func filterWords(f *web.ActionFilter) string {
	words := ""
	for _, one := range [...]struct{ flag, value string }{
		{"state", f.State}, {"format", f.Format}, {"encoding", f.Encoding}, {"host", f.Host}, {"source", f.Source}, {"catalog", f.Catalog},
		{"error", f.Error}, {"notice", f.Notice},
		{"product", f.Product}, {"washer", f.Washer}, {"parent", f.Parent}, {"relative", f.Relative},
	} {
		if one.value != "" {
			words += " --" + one.flag + " " + one.value
		}
	}
	return words
}

// runActions works on actions in the background. The function returned ends that, and waits for the end.
func runActions(u *ui, folder *storage.Folder, log *logfile.Log) (end func()) {
	acting, endActing := context.WithCancel(u.stopping)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := folder.Actions.Run(acting); err != nil {
			log.Error().Err(err).Msg("no action is worked on")
		}
	}()
	return func() { endActing(); <-ended }
}
