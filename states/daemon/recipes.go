package daemon

import (
	"context"
	"errors"
	"mime"
	"slices"
	"sync"
	"time"

	"laundromat/internal/fault"
	"laundromat/internal/fetch"
	"laundromat/seedlist"
	"laundromat/states"
	"laundromat/states/kind"
	"laundromat/states/recipe"
)

// Recipes are those of a seed list, as it has them now.
type Recipes struct {
	list recipeList

	mu      sync.Mutex
	asked   time.Time // when version was asked for
	version uint64
	set     *recipe.Set // nil before the first look
	matches map[string]known
	forms   map[string]*recipe.Recipe // by SHA-256
}

// known is what is known of a form before anything is made by it.
type known struct {
	match *recipe.Match
	// asksMore says that it makes more than statements of RDF.
	asksMore bool
}

// recipeList is the part of a seed list that is needed for its recipes.
type recipeList interface {
	seedlist.Recipes
	seedlist.Reader
}

// NewRecipes are the recipes of a list.
func NewRecipes(list recipeList) *Recipes {
	return &Recipes{list: list, matches: map[string]known{}, forms: map[string]*recipe.Recipe{}}
}

// recipesStale is how old an answer about the version may be that came after a claim.
const recipesStale = 100 * time.Millisecond

// mostForms is how many forms are kept ready.
const mostForms = 1024

// Current are the recipes as they were at a time, or later.
func (r *Recipes) Current(ctx context.Context, since time.Time) (*recipe.Set, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	if r.set != nil && !r.asked.Before(since) && now.Sub(r.asked) < recipesStale {
		return r.set, nil
	}
	version, err := r.list.RecipesVersion(ctx)
	if err != nil {
		return nil, err
	}
	if r.set == nil || version != r.version {
		if err := r.load(ctx); err != nil {
			return nil, err
		}
	}
	r.asked = now
	return r.set, nil
}

// load reads the recipes.
func (r *Recipes) load(ctx context.Context) error {
	all, version, err := r.list.Recipes(ctx)
	if err != nil {
		return err
	}
	var missing []string
	for i := range all {
		if _, ok := r.matches[all[i].SHA256]; !ok {
			missing = append(missing, all[i].SHA256)
		}
	}
	bodies, err := r.list.RecipeForms(ctx, missing...)
	if err != nil {
		return err
	}
	matches := make(map[string]known, len(all))
	listed := make([]recipe.Listed, len(all))
	for i, is := range all {
		of, ok := r.matches[is.SHA256]
		if !ok {
			if of.match, of.asksMore, err = recipe.MatchOf(is.Name, bodies[is.SHA256]); err != nil {
				return fault.New("daemon.recipes", fault.Local, fault.LocalDatabase, "the recipe %s can't be read: %w", is.Name, err)
			}
		}
		matches[is.SHA256] = of
		listed[i] = recipe.Listed{Name: is.Name, SHA256: is.SHA256, Match: of.match, AsksMore: of.asksMore}
	}
	r.set, r.version, r.matches = recipe.NewSet(listed), version, matches
	return nil
}

// Form is a recipe by the SHA-256 of its form, whether it is in force or not; nil if no list has it any more.
func (r *Recipes) Form(ctx context.Context, name, sum string) (*recipe.Recipe, error) {
	r.mu.Lock()
	form := r.forms[sum]
	r.mu.Unlock()
	if form != nil {
		return form, nil
	}
	bodies, err := r.list.RecipeForms(ctx, sum)
	if err != nil || bodies[sum] == nil {
		return nil, err
	}
	if form, err = recipe.FromBody(name, bodies[sum]); err != nil {
		return nil, fault.New("daemon.recipes", fault.Local, fault.LocalDatabase, "the recipe %s can't be read: %w", name, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.forms) >= mostForms {
		clear(r.forms)
	}
	r.forms[sum] = form
	return form, nil
}

// RecipeFacts are what recipes are held against, of a seed in a list.
func RecipeFacts(
	ctx context.Context, seeds seedlist.Reader, set *recipe.Set, seed *seedlist.Seed, format string,
) (f recipe.Facts, asked string, err error) {
	f.Format = format
	if reply := lastReply(seed.Record); reply != nil {
		f.Media, _, _ = mime.ParseMediaType(first(reply.Headers["content-type"]))
	} else if seed.Archive != nil {
		f.Media, _, _ = mime.ParseMediaType(seed.Archive.ContentType)
	}
	root, below := *seed, ""
	if seed.Archive != nil && seed.Archive.URI != "" {
		f.URIs = append(f.URIs, seed.Archive.URI)
	}
	for root.Parent != "" && root.Archive != nil {
		below = "!/" + root.Archive.Entry + below
		parent, err := seeds.Record(ctx, root.Parent)
		if err != nil {
			return f, "", err
		}
		root = parent
	}
	f.URIs = append(f.URIs, root.URI+below)
	f.Source = root.Source
	if u, err := seedlist.ParseURI(root.URI); err == nil && !u.Relative {
		f.Host = u.Host
	}
	if set.AsksCatalogs() {
		whole, err := seeds.Seed(ctx, root.Hash)
		if err != nil && !errors.Is(err, seedlist.ErrNotFound) {
			return f, "", err
		}
		for _, listing := range whole.Catalogs {
			if !listing.Gone {
				f.Catalogs = append(f.Catalogs, listing.Catalog)
			}
		}
	}
	return f, root.RecipeAsked, nil
}

// FindRecipe is the recipe of a set that a seed is washed by, which was guessed to be of a format; nil for none.
func FindRecipe(ctx context.Context, seeds seedlist.Reader, set *recipe.Set, seed *seedlist.Seed, format string) (*recipe.Listed, error) {
	if set.Len() == 0 {
		return nil, nil
	}
	facts, asked, err := RecipeFacts(ctx, seeds, set, seed, format)
	if err != nil {
		return nil, err
	}
	if asked != "" {
		if named := set.Named(asked); named != nil {
			return named, nil
		}
	}
	return set.Find(&facts), nil
}

// cooked is how a document is washed: by a recipe, or by none.
type cooked struct {
	by       *recipe.Recipe // nil for none
	use      *seedlist.RecipeUse
	guessed  states.Guessed
	document states.Document // as it is read
	err      error           // of the guess
}

// cook guesses what a document is, and finds the recipe for it.
func (r *Recipes) cook(ctx context.Context, claim *seedlist.Claim, document states.Document) (c cooked, err error) {
	c.document = document
	c.guessed, c.err = states.Guess(ctx, document, states.Given{})
	if c.err != nil && fault.CodeOf(c.err) != fault.FormatNotRDF {
		return c, nil // that is no guess
	}
	set, err := r.Current(ctx, claim.Since)
	if err != nil {
		return c, err
	}
	found, err := FindRecipe(ctx, r.list, set, &claim.Seed, c.guessed.Kind.Record())
	if err != nil || found == nil {
		return c, err
	}
	c.use = &seedlist.RecipeUse{Name: found.Name, SHA256: found.SHA256}
	if c.by, err = r.Form(ctx, found.Name, found.SHA256); err == nil && c.by == nil {
		err = fault.New("daemon.recipes", fault.Local, fault.LocalDatabase, "the recipe %s is not there any more", found.Name)
	}
	if err != nil {
		return c, err
	}
	return c.read(ctx)
}

// cookAgain is how a document is washed whose recipe was found before.
func (r *Recipes) cookAgain(ctx context.Context, claim *seedlist.Claim, document states.Document) (c cooked, err error) {
	use := claim.Seed.Recipe
	if use == nil {
		c.document = document
		c.guessed, c.err = states.Guess(ctx, document, states.Given{})
		return c, nil
	}
	form, err := r.Form(ctx, use.Name, use.SHA256)
	if err != nil {
		return c, err
	}
	if form == nil { // of a list that was salvaged
		return r.cook(ctx, claim, document)
	}
	c = cooked{by: form, use: use, document: document}
	c.guessed, c.err = states.Guess(ctx, document, states.Given{})
	return c.read(ctx)
}

// read guesses once more where the recipe says how the document is read.
func (c cooked) read(ctx context.Context) (cooked, error) {
	c.document = readBy(c.by, c.document)
	given := c.by.Given()
	is, _ := kind.Named(given.Format)
	if given.Format != "" && c.guessed.IsBytes && !is.IsBytes() {
		c.err = fault.New("daemon.guessing", fault.Data, fault.FormatNotRDF, "it is %s, which can't be read as %s, as the recipe %s says",
			c.guessed.Kind, is, c.use.Name)
		return c, nil
	}
	if given == (states.Given{}) {
		return c, nil
	}
	before := c.guessed.Kind.Record()
	c.guessed, c.err = states.Guess(ctx, c.document, given)
	if now := c.guessed.Kind.Record(); now != before {
		use := *c.use
		use.Format = before
		c.use = &use
	}
	return c, nil
}

// readBy is a document with the base that a recipe gives it.
func readBy(by *recipe.Recipe, document states.Document) states.Document {
	if by != nil && by.Read.Base != "" {
		document.Base, document.BaseIsFile = by.Read.Base, fetch.IsFile(by.Read.Base)
	}
	return document
}

// makes are the products that are made of a document.
func (o *RunOptions) makes(by *recipe.Recipe, guessed *states.Guessed) []string {
	made := by.Makes(guessed.Kind, o.wanted())
	if guessed.IsBytes && !guessed.Kind.IsBytes() { // bytes of which nobody knows more
		return nil
	}
	return made
}

// asked are the products that documents are asked for, whatever they are.
func (o *RunOptions) asked(by *recipe.Recipe) []string {
	switch {
	case by == nil || by.Products == nil && by.Spec == nil:
		return o.wanted()
	case by.Products != nil:
		return by.Products
	}
	all := slices.Clone(o.wanted())
	if !slices.Contains(all, kind.Records) {
		all = append(all, kind.Records)
	}
	return all
}

// settingsBy are those that a document is read with.
func settingsBy(by *recipe.Recipe, settings states.Settings) states.Settings {
	if by != nil && by.Read.FixMojibake {
		settings.Clean.FixMojibake = true
	}
	return settings
}

// Now is the recipe that a seed would be washed by now, by what is known of it; nil for none.
func (r *Recipes) Now(ctx context.Context, seed *seedlist.Seed) (*recipe.Listed, error) {
	set, err := r.Current(ctx, time.Time{})
	if err != nil {
		return nil, err
	}
	return FindRecipe(ctx, r.list, set, seed, seed.Matched())
}

// use is how a seed would be washed now, as a record has it; nil for no recipe.
func (r *Recipes) use(ctx context.Context, seed *seedlist.Seed) (*seedlist.RecipeUse, error) {
	now, err := r.Now(ctx, seed)
	if err != nil || now == nil {
		return nil, err
	}
	return &seedlist.RecipeUse{Name: now.Name, SHA256: now.SHA256}, nil
}

// Making are those of some seeds of which a product would be made now, if it is wanted: a recipe may leave it out.
func (r *Recipes) Making(ctx context.Context, product string, seeds []seedlist.Seed) (making []seedlist.Seed, err error) {
	for i := range seeds {
		now, err := r.use(ctx, &seeds[i])
		if err != nil {
			return nil, err
		}
		var by *recipe.Recipe
		if now != nil {
			if by, err = r.Form(ctx, now.Name, now.SHA256); err != nil {
				return nil, err
			}
		}
		makes := func(is kind.Kind) bool { return slices.Contains(by.Makes(is, kind.Products()), product) }
		if slices.ContainsFunc(kind.OfRecord(seeds[i].Format), makes) {
			making = append(making, seeds[i])
		}
	}
	return making, nil
}

// isStale says that a seed was washed by another recipe than it would be now, or by another form of it. Where that
// is not known, it is washed again.
func (r *Recipes) isStale(ctx context.Context, seed *seedlist.Seed) bool {
	now, err := r.Now(ctx, seed)
	return err != nil || IsOfOtherRecipe(seed, now)
}

// of is the recipe that a seed was washed by; nil for none, and where that is not known.
func (r *Recipes) of(ctx context.Context, seed *seedlist.Seed) *recipe.Recipe {
	if seed.Recipe == nil {
		return nil
	}
	form, _ := r.Form(ctx, seed.Recipe.Name, seed.Recipe.SHA256) // with an error what is missing is made again
	return form
}

// makes are the products that are made of a seed's document, by what is known of it.
func (r *Recipes) makes(ctx context.Context, seed *seedlist.Seed, wanted []string) []string {
	return r.of(ctx, seed).Makes(kind.Kind(seed.Format), wanted)
}

// IsOfOtherRecipe says that a seed was washed by another recipe than that which is for it now, or by another form of
// it.
func IsOfOtherRecipe(seed *seedlist.Seed, now *recipe.Listed) bool {
	switch {
	case now == nil || seed.Recipe == nil:
		return (now == nil) != (seed.Recipe == nil)
	}
	return now.SHA256 != seed.Recipe.SHA256
}

// Concerned are those of some seeds that a recipe concerns: an older form of it made what is there, or it would be
// found for them now and was not. No bytes are looked at.
func (r *Recipes) Concerned(ctx context.Context, name string, seeds []seedlist.Seed) (concerned []seedlist.Seed, err error) {
	for i := range seeds {
		seed := &seeds[i]
		if seed.Format == "" { // nothing is known of it, and it is no document, or waits to be guessed
			continue
		}
		now, err := r.Now(ctx, seed)
		if err != nil {
			return nil, err
		}
		isFound, wasFound := now != nil && now.Name == name, seed.Recipe != nil && seed.Recipe.Name == name
		if isFound || wasFound {
			if IsOfOtherRecipe(seed, now) {
				concerned = append(concerned, *seed)
			}
		}
	}
	return concerned, nil
}
