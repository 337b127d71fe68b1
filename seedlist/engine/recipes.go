package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"laundromat/seedlist"
)

// RecipeMoves are the moves of [Moves] that are about recipes.
type RecipeMoves struct{ moves *Moves }

// recipeSession is a session that looks at recipes, or changes them.
type recipeSession struct{ *Session }

// RecipesVersion rises with each change of the recipes.
func (l *RecipeMoves) RecipesVersion(ctx context.Context) (uint64, error) {
	return found(ctx, l.moves.ask, func(in *Session) (uint64, error) { return recipeSession{in}.recipesVersion(), nil })
}

func (s recipeSession) recipesVersion() (version uint64) {
	for _, row := range s.items(ItemQuery{Kind: Recipes, Keys: []string{RecipesVersion}, Most: 1}) {
		var err error
		if version, err = strconv.ParseUint(string(row.Data), 10, 64); err != nil {
			s.fail(fmt.Errorf("the version of the recipes: %w", err))
		}
	}
	return version
}

// Recipes are all in their order.
func (l *RecipeMoves) Recipes(ctx context.Context) (all []seedlist.Recipe, version uint64, err error) {
	err = l.moves.read(ctx, func(in *Session) error {
		s := recipeSession{in}
		version, all = s.recipesVersion(), s.recipes()
		return nil
	})
	return all, version, err
}

func (s recipeSession) recipes() (all []seedlist.Recipe) {
	for _, row := range s.items(ItemQuery{Kind: Recipes, Prefix: RecipeNamed, Most: math.MaxInt32}) {
		var r seedlist.Recipe
		if err := json.Unmarshal(row.Data, &r); err != nil {
			s.fail(fmt.Errorf("the recipe %s can't be read: %w", strings.TrimPrefix(row.Key, RecipeNamed), err))
		}
		all = append(all, r)
	}
	seedlist.SortRecipes(all)
	return all
}

// RecipeForms are bodies of recipes.
func (l *RecipeMoves) RecipeForms(ctx context.Context, sums ...string) (forms map[string][]byte, err error) {
	forms = map[string][]byte{}
	for some := range slices.Chunk(sums, formsAtOnce) {
		keys := make([]string, len(some))
		for i, sum := range some {
			keys[i] = RecipeForm + sum
		}
		err = l.moves.ask(ctx, func(in *Session) error {
			for _, row := range in.items(ItemQuery{Kind: Recipes, Keys: keys, Most: len(keys)}) {
				forms[strings.TrimPrefix(row.Key, RecipeForm)] = row.Data
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return forms, nil
}

// formsAtOnce is how many bodies are read in one transaction.
const formsAtOnce = 500

// PutRecipe puts a recipe into the list.
func (l *RecipeMoves) PutRecipe(ctx context.Context, r seedlist.Recipe, before string) (changed bool, err error) {
	if err := r.Check(); err != nil {
		return false, err
	}
	r.SHA256 = seedlist.RecipeSum(r.Body)
	err = l.moves.write(ctx, func(in *Session) error {
		changed = false
		s := recipeSession{in}
		return s.editRecipes(func(all []seedlist.Recipe) error {
			is := r
			at := indexOfRecipe(all, r.Name)
			if at >= 0 {
				is.Place, is.Added = all[at].Place, all[at].Added
				if all[at].SHA256 == r.SHA256 && (before == "" || before == r.Name || at+1 < len(all) && all[at+1].Name == before) {
					return nil
				}
			} else if is.Added = s.now.Round(0).UTC(); len(all) >= seedlist.MostRecipes {
				return seedlist.ErrRecipesMany
			}
			switch {
			case before != "" && before != r.Name:
				to := indexOfRecipe(all, before)
				if to < 0 {
					return seedlist.ErrNotFound
				}
				is.Place = s.makeRoom(all, to, r.Name)
			case at < 0 && len(all) > 0:
				is.Place = all[len(all)-1].Place + 1
			}
			changed = true
			if at >= 0 && all[at].SHA256 != r.SHA256 {
				s.retireForm(all[at].SHA256)
			}
			s.putRecipe(&is)
			s.putItem(RecipeForm+r.SHA256, r.Body)
			s.putItem(recipeOld+r.SHA256, nil)
			return nil
		})
	})
	return changed, err
}

// makeRoom moves the recipe at an index, and those behind it, one place further, and answers the place that is free.
func (s recipeSession) makeRoom(all []seedlist.Recipe, at int, besides string) int64 {
	free := all[at].Place
	for i := range all[at:] {
		if r := &all[at+i]; r.Name != besides {
			r.Place++
			s.putRecipe(r)
		}
	}
	return free
}

// putItem has a row about recipes written; without data it is removed.
func (s recipeSession) putItem(key string, data []byte) {
	s.next.Items = append(s.next.Items, Item{Kind: Recipes, Key: key, Data: data})
}

func (s recipeSession) putRecipe(r *seedlist.Recipe) {
	data, _ := json.Marshal(r) // of texts and numbers
	s.putItem(RecipeNamed+r.Name, data)
}

func indexOfRecipe(all []seedlist.Recipe, name string) int {
	for i := range all {
		if all[i].Name == name {
			return i
		}
	}
	return -1
}

// RemoveRecipe takes a recipe out of the list.
func (l *RecipeMoves) RemoveRecipe(ctx context.Context, name string) error {
	return l.moves.write(ctx, func(in *Session) error {
		s := recipeSession{in}
		return s.editRecipes(func(all []seedlist.Recipe) error {
			at := indexOfRecipe(all, name)
			if at < 0 {
				return seedlist.ErrNotFound
			}
			s.putItem(RecipeNamed+name, nil)
			s.retireForm(all[at].SHA256)
			return nil
		})
	})
}

// editRecipes changes recipes, and raises their version if anything was changed.
func (s recipeSession) editRecipes(change func(all []seedlist.Recipe) error) error {
	s.flush() // what another operation of the transaction wrote is seen
	version := s.recipesVersion()
	all := s.recipes()
	if err := change(all); err != nil || len(s.next.Items) == 0 {
		return err
	}
	s.touched++
	s.putItem(RecipesVersion, strconv.AppendUint(nil, version+1, 10))
	s.forgetForms(all)
	return nil
}

// recipeOld begins the keys of rows that say since when a form is not in force any more.
const recipeOld = "old:"

// keptForm is how long a form is kept that is not in force, though no record names it. A document may be at work that
// was guessed by it.
const keptForm = 24 * time.Hour

// retireForm notes that a form is not in force any more.
func (s recipeSession) retireForm(sum string) {
	data, _ := json.Marshal(s.now.Round(0).UTC())
	s.putItem(recipeOld+sum, data)
}

// forgetForms removes forms that no record and no recipe has any more.
func (s recipeSession) forgetForms(all []seedlist.Recipe) {
	rows := s.items(ItemQuery{Kind: Recipes, Prefix: recipeOld, Most: math.MaxInt32})
	if len(rows) == 0 {
		return
	}
	used := map[string]bool{}
	for name, n := range s.allCounts() {
		if what, is := strings.CutPrefix(name, countRecipe); is && n > 0 {
			used[what[strings.IndexByte(what, ':')+1:]] = true
		}
	}
	for _, r := range all {
		used[r.SHA256] = true // also that of one which changes now: it is retired only now
	}
	for _, row := range s.next.Items {
		used[strings.TrimPrefix(row.Key, RecipeForm)] = true
	}
	for _, row := range rows {
		var since time.Time
		sum := strings.TrimPrefix(row.Key, recipeOld)
		if json.Unmarshal(row.Data, &since) == nil && s.now.Sub(since) > keptForm && !used[sum] {
			s.putItem(recipeOld+sum, nil)
			s.putItem(RecipeForm+sum, nil)
		}
	}
}

// rows are all rows about recipes after a place.
func (s recipeSession) rows(after seedlist.Place, limit int) (rows []seedlist.Row) {
	for _, r := range s.items(ItemQuery{Kind: Recipes, After: after.Name, Most: limit}) {
		if r.Key != RecipesVersion || string(r.Data) != "0" { // as good as none
			rows = append(rows, seedlist.Row{Place: seedlist.Place{Name: r.Key}, Data: r.Data})
		}
	}
	return rows
}

// isOver says that a recipe would lead to more seeds than it may, since others were made after the work looked.
func (s recipeSession) isOver(d *completion) bool {
	fresh := map[string]int64{}
	for i, u := range d.named {
		seed := &d.seeds[i]
		if seed.Page == nil || seed.Most <= 0 {
			continue
		}
		if s.byHash(u.Hash()) != nil {
			continue
		}
		s.loadPages()
		name := strings.TrimPrefix(seed.Source, seedlist.RecipeSource)
		if fresh[name]++; s.pages.before[countPages+name]+s.pages.made[name]+fresh[name] > seed.Most {
			return true
		}
	}
	return false
}

// recipePages are the seeds that recipes led to: those made in a transaction, by the names of the recipes, and all
// counts before it, if they were asked for.
type recipePages struct{ made, before map[string]int64 }

// loadPages reads how many seeds recipes led to before the transaction. Where many write, the row of the version keeps
// others from making such seeds until the end.
func (s recipeSession) loadPages() {
	if s.pages.before == nil {
		s.items(ItemQuery{Kind: Recipes, Keys: []string{RecipesVersion}, Most: 1})
		s.pages.before = s.allCounts()
	}
}
