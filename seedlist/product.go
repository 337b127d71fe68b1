package seedlist

import (
	"slices"
	"strings"
	"time"

	"laundromat/internal/digest"
)

// The names of products, in the order in which records list them.
const (
	ProductStatements = "statements" // clean files hold them
	ProductRecords    = "records"
	ProductArticles   = "articles"
)

// Products are the names of all products, in order.
func Products() []string { return []string{ProductStatements, ProductRecords, ProductArticles} }

// SortProducts puts products in the order of [Products].
func SortProducts(all []Product) {
	order := Products()
	slices.SortStableFunc(all, func(a, b Product) int { return slices.Index(order, a.Name) - slices.Index(order, b.Name) })
}

// Made is what a record says of products, and of how the document came to be washed.
type Made struct {
	// Products are what the last wash made. [Seed.MarshalJSON] adds which version is served.
	Products []Product `json:"products,omitzero"`
	// Records and Articles are what was read for these products. That of statements is [Record.Statements].
	Records  *digest.Records  `json:"records,omitempty"`
	Articles *digest.Articles `json:"articles,omitempty"`
	// Recipe is what the document is washed by, from guessing on; nil for none.
	Recipe *RecipeUse `json:"recipe,omitempty"`
	// RecipeAsked is the name of the recipe that was asked for when the seed was added; "" for that which matches.
	RecipeAsked string `json:"recipe_asked,omitempty"`
	// Page says how a recipe led to the document; nil where none did.
	Page *RecipePage `json:"page,omitempty"`
	// Depth is how many documents led to it: 0 for what people and catalogs name.
	Depth int `json:"depth,omitempty"`
}

// RecipePage is a page that a recipe led to. The source of its seed is [RecipeSource] and the name of the recipe.
type RecipePage struct {
	// Links are those from the first page of the recipe.
	Links int `json:"links"`
	// Detail says that the page holds the details of one record.
	Detail bool `json:"detail,omitempty"`
}

// RecipeSource begins the source of a seed that a recipe led to. The name of the recipe follows.
const RecipeSource = "recipe:"

// PageOf is the name of the recipe that led to the document; "" for none.
func (r *Record) PageOf() string {
	if name, is := strings.CutPrefix(r.Source, RecipeSource); is && r.Page != nil {
		return name
	}
	return ""
}

// Product is what a wash makes of a document, or why it could not. Its file, if it has one, is that which is served:
// where Error or None says that none came last, it is the file of the version Good.
type Product struct {
	Name string `json:"name"`
	// SHA256 and Bytes are those of the file before compression; absent where there is none.
	SHA256 string `json:"sha256,omitempty"`
	Bytes  *int64 `json:"bytes,omitempty"`
	// Written are the rows or articles in the file.
	Written *int64 `json:"written,omitempty"`
	Tables  int64  `json:"tables,omitempty"`
	// Fields are how many of the rows have each field, where a recipe says which there are.
	Fields map[string]int64 `json:"fields,omitempty"`
	// Schema is the SHA-256 of the schema beside the file; absent where there is none.
	Schema string `json:"schema,omitempty"`
	Error  *Error `json:"error,omitempty"`
	// None says that the document could hold some and holds none.
	None bool `json:"none,omitempty"`
	// Good is the number of the version that is served where it is not what came last.
	Good int64 `json:"good,omitempty"`
	// Of are the bytes that the file was made of, where these are not those of the record.
	Of *Source `json:"of,omitempty"`
	// Fence is that of the claim that wrote the file and the schema. Clean files have none.
	Fence uint64 `json:"fence,omitempty"`
	// Recipe is the SHA-256 of what says how the file was made, if anything does.
	Recipe string `json:"recipe,omitempty"`
	// Metadata is the place of the metadata by which the table was read; "" for none. That of what a catalog claims is
	// claims:///datapackage.json, and that of an entry of the same archive begins with archive:///.
	Metadata string `json:"metadata,omitempty"`
	// Empty counts the sound documents without any that came since Good, in a row and a day apart at least. The
	// last of them came at EmptyAt.
	Empty   int       `json:"empty,omitempty"`
	EmptyAt time.Time `json:"empty_at,omitzero"`
}

// Product is what a record says of a product; nil if it was not asked for.
func (r *Record) Product(name string) *Product {
	for i := range r.Products {
		if r.Products[i].Name == name {
			return &r.Products[i]
		}
	}
	return nil
}

// Source are stored bytes of a document.
type Source struct {
	Content digest.Content `json:"content"`
	Fence   uint64         `json:"fence,omitempty"` // of the claim that wrote them
	Format  string         `json:"format,omitempty"`
	Removed *Removal       `json:"removed,omitempty"` // that they are not stored any more
}

// KeptProduct is the file of a product of a version.
type KeptProduct struct {
	Name   string `json:"name"`
	Fence  uint64 `json:"fence,omitempty"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	// Written are the rows or articles in the file.
	Written int64  `json:"written"`
	Schema  string `json:"schema,omitempty"` // SHA-256 of the schema beside it
}
