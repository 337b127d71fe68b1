package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"laundromat/seedlist"
	"laundromat/web"
	"laundromat/web/client"
	"laundromat/web/story"
)

func showCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "show HASH|URI",
		Short: "One record with its attempts",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return withSeed(c.Context(), u, args[0], func(api *client.Client, seed seedlist.Seed) error {
				attempts, err := api.Attempts(c.Context(), seed.Hash)
				if err != nil {
					return err
				}
				return showSeed(u, seed, attempts)
			})
		},
	}
}

// withSeed finds the seed that ref names.
func withSeed(ctx context.Context, u *ui, ref string, do func(*client.Client, seedlist.Seed) error) error {
	if _, err := client.HashOf(ref); err != nil {
		return err
	}
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return err
	}
	defer api.Close()
	hash, err := api.HashOf(ctx, ref)
	if err != nil {
		return err
	}
	var seed seedlist.Seed
	if err := api.Get(ctx, "/seeds/"+hash, nil, &seed); err != nil {
		return err
	}
	return do(api, seed)
}

// showSeed writes the record with the attempts as one more key: as text, in YAML with the keys of the JSON, or as one
// line of JSON.
func showSeed(u *ui, seed seedlist.Seed, attempts []seedlist.Attempt) error {
	text, err := json.Marshal(seed)
	if err != nil {
		return err
	}
	log, err := json.Marshal(attempts)
	if err != nil {
		return err
	}
	if attempts == nil {
		log = []byte("[]")
	}
	whole := json.RawMessage(fmt.Sprintf(`%s,"attempts":%s}`, strings.TrimSuffix(string(text), "}"), log))
	if u.json {
		encoder := json.NewEncoder(u.out)
		encoder.SetEscapeHTML(false)
		return encoder.Encode(whole)
	}
	// JSON is YAML; the order of keys stays.
	var node yaml.Node
	if err := yaml.Unmarshal(whole, &node); err != nil {
		return err
	}
	plain(&node)
	encoder := yaml.NewEncoder(u.out)
	encoder.SetIndent(2)
	return errors.Join(encoder.Encode(&node), encoder.Close())
}

// plain takes the style of JSON from a value and those within it.
func plain(node *yaml.Node) {
	node.Style = 0
	for _, inner := range node.Content {
		plain(inner)
	}
}

func whyCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "why HASH|URI",
		Short: "The story of one seed on one screen",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return withSeed(c.Context(), u, args[0], func(api *client.Client, seed seedlist.Seed) error {
				attempts, err := api.Attempts(c.Context(), seed.Hash)
				if err != nil {
					return err
				}
				var samples []web.NoticeLine
				if len(seed.Notices) > 0 {
					if samples, err = api.Samples(c.Context(), seed.Hash, 3); err != nil {
						return err
					}
				}
				if u.json {
					return encodeTo(u.out, struct {
						Seed     seedlist.Seed      `json:"seed"`
						Attempts []seedlist.Attempt `json:"attempts"`
						Samples  []web.NoticeLine   `json:"samples"`
					}{seed, attempts, samples})
				}
				story.Write(u.out, seed, attempts, samples)
				return nil
			})
		},
	}
}
