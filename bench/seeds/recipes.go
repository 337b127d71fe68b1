package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// recipesTogether is how many recipes are added by one command.
const recipesTogether = 500

// addRecipes puts the recipes into a new data folder. They differ in what they are for, as those of a house with many
// sources do: hosts, paths, catalogs, sources and media types. The last is for one document of twenty; no other is for
// any, and that is found out of each document.
func (o *options) addRecipes(ctx context.Context, data, base string) error {
	folder := filepath.Join(o.Folder, "recipes")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	var paths []string
	for i := range o.recipes {
		match := fmt.Sprintf("{host: data%d.example, format: [CSV, TSV]}", i)
		switch {
		case i == o.recipes-1:
			match = fmt.Sprintf(`{uri: "%s/*", media: application/rdf+xml}`, base)
		case i%10 == 4 || i%10 == 5:
			match = fmt.Sprintf(`{uri: "https://portal%d.example/export/*.csv"}`, i)
		case i%10 == 6:
			match = fmt.Sprintf(`{uri: "%s/export/%d/*"}`, base, i)
		case i%10 == 7:
			match = fmt.Sprintf(`{catalog: "https://catalog%d.example/"}`, i)
		case i%10 == 8:
			match = fmt.Sprintf(`{source: "list %d"}`, i)
		case i%10 == 9:
			match = fmt.Sprintf(`{media: "text/x-kind-%d"}`, i)
		}
		path := filepath.Join(folder, fmt.Sprintf("%d.yaml", i))
		text := fmt.Sprintf("name: recipe-%d\nmatch: %s\nproducts: [statements]\n", i, match)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
		paths = append(paths, path)
	}
	command := func(args ...string) error {
		var said bytes.Buffer
		c := exec.CommandContext(ctx, o.Program, append(args, "--data", data)...)
		c.Stderr = &said
		if err := c.Run(); err != nil {
			return fmt.Errorf("%s: %w: %s", args[0], err, said.Bytes())
		}
		return nil
	}
	if err := command("seed", "add", "--init", base+"/0."+extensions[0]); err != nil {
		return err
	}
	for some := range slices.Chunk(paths, recipesTogether) {
		if err := command(append([]string{"recipe", "add"}, some...)...); err != nil {
			return err
		}
	}
	return nil
}
