package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"laundromat/records/spec"
	"laundromat/seedlist"
	"laundromat/states/recipe"
	"laundromat/web"
	"laundromat/web/client"
)

func recipeCommand(u *ui) *cobra.Command {
	return group("recipe", "Say what is made of which documents: add, list, show, test and remove recipes",
		"add, list, show, test, remove or merges", recipeAddCommand(u), recipeListCommand(u), recipeShowCommand(u), recipeTestCommand(u),
		recipeRemoveCommand(u), recipeMergesCommand(u))
}

func recipeAddCommand(u *ui) *cobra.Command {
	var before string
	c := &cobra.Command{
		Use:   "add FILE…",
		Short: "Add recipes, or give those of the same name another form",
		Long: "Add puts recipes into the seed list, with their specs and schemas. A recipe with the name of one that is\n" +
			"there takes its place. In the order of the list the first that matches a document counts: a new one goes\n" +
			"to the end, and with --before in front of another. Nothing is washed again by that: \"laundromat seed\n" +
			"rewash --recipe NAME\" does it.",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			var all []*recipe.Recipe
			for _, name := range args { // a wrong one costs all
				r, err := readRecipe(u, name)
				if err != nil {
					return err
				}
				all = append(all, r)
			}
			api, err := connect(c.Context(), u, toChange)
			if err != nil {
				return err
			}
			defer api.Close()
			for _, r := range all {
				if err := putRecipe(c.Context(), u, api, r, before); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().StringVar(&before, "before", "", "put them before the recipe of this NAME")
	return c
}

// readRecipe reads a recipe; "-" is standard input.
func readRecipe(u *ui, name string) (r *recipe.Recipe, err error) {
	var text []byte
	folder := filepath.Dir(name)
	if name == "-" {
		name, folder = "stdin", "."
		text, err = io.ReadAll(io.LimitReader(u.in, 1<<20))
	} else {
		text, err = os.ReadFile(name)
	}
	if err != nil {
		return nil, usage("%w", err)
	}
	if r, err = recipe.Parse(name, text, folder); err != nil {
		return nil, usage("%w", err)
	}
	return r, nil
}

// recipeFiles are recipes in files, and where the records that recipes make go.
type recipeFiles struct {
	names []string
	all   []*recipe.Recipe
	into  recordsInto
}

// load reads them.
func (f *recipeFiles) load(u *ui) error {
	for _, name := range f.names {
		r, err := readRecipe(u, name)
		if err != nil {
			return err
		}
		f.all = append(f.all, r)
	}
	return nil
}

// textOf is a recipe as the API takes it: all in one, with its name.
func textOf(r *recipe.Recipe) string {
	name, _ := json.Marshal(r.Name)
	return `{"name":` + string(name) + "," + strings.TrimPrefix(string(r.Body()), "{")
}

func putRecipe(ctx context.Context, u *ui, api *client.Client, r *recipe.Recipe, before string) error {
	var put web.RecipePut
	err := api.Post(ctx, "/recipes", web.PutRecipe{Text: textOf(r), Before: before}, &put)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Name, err)
	}
	if u.json {
		return encodeTo(u.out, put)
	}
	what := "kept"
	if !put.Changed {
		what = "the same"
	}
	_, err = fmt.Fprintf(u.out, "%s\t%s\t%s\n", put.Name, what, put.SHA256[:12])
	return err
}

func recipeListCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "All recipes in their order, with how many documents each was found for",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			api, err := connect(c.Context(), u, toRead)
			if err != nil {
				return err
			}
			defer api.Close()
			var all web.Recipes
			if err := api.Get(c.Context(), "/recipes", nil, &all); err != nil {
				return err
			}
			if err := u.head("name", "form", "documents", "older"); err != nil {
				return err
			}
			for _, r := range all.Recipes {
				if u.json {
					err = encodeTo(u.out, r)
				} else {
					_, err = fmt.Fprintf(u.out, "%s\t%s\t%d\t%d\n", r.Name, r.SHA256[:12], r.Documents, r.Older)
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// findRecipe reads a recipe of the list.
func findRecipe(ctx context.Context, api *client.Client, name string) (r web.Recipe, err error) {
	if !seedlist.IsRecipeName(name) {
		return r, usage("%q isn't the name of a recipe: %w", name, seedlist.ErrRecipeName)
	}
	return r, api.Get(ctx, "/recipes/"+name, nil, &r)
}

func recipeShowCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "A recipe as the list keeps it, with its spec and schema, as JSON that \"recipe add\" takes",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connect(c.Context(), u, toRead)
			if err != nil {
				return err
			}
			defer api.Close()
			r, err := findRecipe(c.Context(), api, args[0])
			if err != nil {
				return err
			}
			if u.json {
				return encodeTo(u.out, r)
			}
			read, err := recipe.FromBody(r.Name, r.Recipe)
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err := json.Indent(&text, []byte(textOf(read)), "", "  "); err != nil {
				return err
			}
			text.WriteByte('\n')
			_, err = u.out.Write(text.Bytes())
			return err
		},
	}
}

func recipeRemoveCommand(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "remove NAME…",
		Short: "Remove recipes; documents keep what was made by them until they are washed again",
		Args:  cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			api, err := connect(c.Context(), u, toChange)
			if err != nil {
				return err
			}
			defer api.Close()
			for _, name := range args {
				if _, err := findRecipe(c.Context(), api, name); err != nil {
					return err
				}
			}
			for _, name := range args {
				if err := api.Delete(c.Context(), "/recipes/"+name); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func recipeTestCommand(u *ui) *cobra.Command {
	var o recordsOptions
	c := &cobra.Command{
		Use:   "test NAME|FILE INPUT",
		Short: "Read an input by a recipe of the list, or by one in a file, and write its records; nothing is kept",
		Long: "Test reads a FILE or URL as the recipe says, and writes the records that its spec makes; with --as nq the\n" +
			"statements that its part rdf makes of them. Whether the recipe would be found for that document is not\n" +
			"asked, and no further page is read. Exit: as of \"laundromat records\".",
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := recipeNamed(c.Context(), u, args[0])
			if err != nil {
				return err
			}
			if r.Spec == nil {
				o.whole = &spec.Spec{}
			} else {
				whole := *r.Spec
				whole.Pages = nil // this page alone
				o.whole = &whole
			}
			if _, ofStatements, err := o.statementsForm(u); ofStatements && err == nil {
				o.csvw = r.CSVW
			}
			if o.given.Encoding == "" {
				o.given.Encoding = r.Given().Encoding
			}
			if as := r.ReadAs(); as != "" && o.given.Format == "" {
				o.given.Format = as
			}
			return runRecords(c.Context(), u, &o, args[1:])
		},
	}
	o.addRecords(c.Flags())
	for _, name := range []string{"spec", "schema", "log", "csvw", "metadata", "package"} {
		c.Flags().MarkHidden(name)
	}
	return c
}

// recipeNamed is a recipe in a file or, by its name, of the list.
func recipeNamed(ctx context.Context, u *ui, name string) (*recipe.Recipe, error) {
	if info, err := os.Stat(name); name == "-" || err == nil && !info.IsDir() {
		return readRecipe(u, name)
	}
	api, err := connect(ctx, u, toRead)
	if err != nil {
		return nil, err
	}
	defer api.Close()
	found, err := findRecipe(ctx, api, name)
	if err != nil {
		return nil, err
	}
	return recipe.FromBody(found.Name, found.Recipe)
}
