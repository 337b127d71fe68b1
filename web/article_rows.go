package web

import (
	"context"
	"fmt"
	"net/url"

	"laundromat/states/articles"
	"laundromat/states/kind"
)

// ArticleRows are some articles of a document, without their texts.
type ArticleRows struct {
	SHA256   string       `json:"sha256" doc:"of the file of articles, before compression"`
	From     int64        `json:"from" doc:"number of the first article, from 1"`
	Articles []ArticleRow `json:"articles"`
	Total    *int64       `json:"total,omitempty" doc:"articles of the file"`
	// Next is the number of the article after these; 0 at the end.
	Next int64 `json:"next,omitempty"`
}

// ArticleRow is what a list says of an article.
type ArticleRow struct {
	Article    int64    `json:"article" doc:"its number in the file, from 1; …/articles?from=N&limit=1 gives all of it"`
	ID         string   `json:"id"`
	URL        string   `json:"url,omitempty"`
	Title      string   `json:"title,omitempty"`
	Created    string   `json:"created,omitempty"`
	Kind       string   `json:"kind,omitempty"`
	Languages  []string `json:"languages,omitempty"`
	Characters int64    `json:"characters" doc:"of its text"`
	Links      int64    `json:"links"`
	Quotes     int64    `json:"quotes"`
	Begins     string   `json:"begins,omitempty" doc:"the beginning of its main content"`
	// More says that the text goes on after that.
	More bool `json:"more,omitempty" doc:"the text goes on"`
}

type articleRowsRequest struct {
	Hash  string `path:"hash" pattern:"^[0-9a-f]{32}$" doc:"key of the seed"`
	From  int64  `query:"from" minimum:"1" default:"1" doc:"number of the first article"`
	Limit int    `query:"limit" minimum:"1" maximum:"1000" default:"100"`
}

type articleRowsReply struct {
	Link string `header:"Link"`
	Body ArticleRows
}

// beginShown is how many characters of an article's text a list has.
const beginShown = 200

// articleRows reads articles by their numbers.
func articleRows(ctx context.Context, a *api, r *articleRowsRequest) (body ArticleRows, err error) {
	file, err := openProduct(ctx, a, r.Hash, kind.Articles)
	if err != nil {
		return body, err
	}
	defer file.Close()
	body = ArticleRows{SHA256: file.Name.SHA256, From: r.From, Articles: []ArticleRow{}, Total: file.Product.Written}
	err = articles.EachStored(ctx, file, r.From, func(number int64, s *articles.Stored) (bool, error) {
		if len(body.Articles) == r.Limit {
			body.Next = number
			return false, nil
		}
		begins, more := s.Begins(beginShown)
		body.Articles = append(body.Articles, ArticleRow{Article: number, ID: s.ID, URL: s.URL, Title: s.Title, Created: s.Created,
			Kind: s.Metadata.Kind, Languages: s.LanguageNames(), Characters: s.Characters(), Links: int64(len(s.Attributes.Links)),
			Quotes: int64(len(s.Attributes.Quotes)), Begins: begins, More: more})
		return true, nil
	})
	return body, problem(err)
}

// queryOf is a query of names and values; what is "" or false is left out.
func queryOf(pairs ...any) string {
	query := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if text := fmt.Sprint(pairs[i+1]); text != "" && text != "false" {
			query.Set(fmt.Sprint(pairs[i]), text)
		}
	}
	return query.Encode()
}
