package article_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laundromat/text/article"
)

// dated holds pages against their dates, and that a page without one is told.
func dated(t *testing.T, pages map[string]string) {
	t.Helper()
	for source, want := range pages {
		a, told := fromPage(t, source+"<p>text")
		if a.Created != want || (want == "") != strings.Contains(told.String(), "text/no-date") {
			t.Errorf("%s: %q %s, %s; want %q", source, a.Created, a.CreatedFrom, told, want)
		}
	}
}

const ldScript, ldEnd = `<script type="application/ld+json">`, `</script>`

// TestPublicationComesBeforeCreation, wherever each stands.
func TestPublicationComesBeforeCreation(t *testing.T) {
	const created, published = `<time itemprop=dateCreated datetime=2021-03-01>x</time>`,
		`<time itemprop=datePublished datetime=2021-03-09>y</time>`
	dated(t, map[string]string{
		created + published: "2021-03-09",
		published + created: "2021-03-09",
		created:             "2021-03-01",
		`<meta itemprop=dateCreated content=2021-03-01><meta itemprop=datePublished content=2021-03-09>`: "2021-03-09",
		`<meta itemprop=dateCreated content=2021-03-01>` +
			published: "2021-03-09",
		`<meta name=dcterms.created content=2021-03-01><meta name=dcterms.issued content=2021-03-09>`: "2021-03-09",
		`<meta name=date content=2021-03-01>` +
			published: "2021-03-09",
		ldScript + `{"@type":"Article","dateCreated":"2021-03-01","datePublished":"2021-03-09"}` +
			ldEnd: "2021-03-09",
		ldScript + `{"@type":"Article","dateCreated":"2021-03-01"}` + ldEnd +
			`<meta property="article:published_time" content=2021-03-09>`: "2021-03-09",
		ldScript + `{"@type":"WebPage","datePublished":"2021-03-01","mainEntity":{"@type":"Article","datePublished":"2021-03-09"}}` +
			ldEnd: "2021-03-09",
		ldScript + `{"@type":"Article","datePublished":"2021-03-09","mainEntityOfPage":{"@type":"WebPage","datePublished":"2021-03-01"}}` +
			ldEnd: "2021-03-09",
		ldScript + `{"@graph":[{"@type":"WebPage","datePublished":"2021-03-01"},{"@type":"NewsArticle","datePublished":"2021-03-09"}]}` +
			ldEnd: "2021-03-09",
		ldScript + `{"@type":"WebPage","datePublished":"2021-03-01"}` + ldEnd + ldScript +
			`{"@type":"Article","datePublished":"2021-03-09"}` + ldEnd: "2021-03-09",
		ldScript + `{"@type":"VideoObject","uploadDate":"2021-03-01"}` + ldEnd + published: "2021-03-09",
	})
}

// TestDatesOfOthersAreNone of the page's: a comment's, a review's, a related post's, that of a list's item.
func TestDatesOfOthersAreNone(t *testing.T) {
	item := func(attrs, inner string) string { return `<div itemscope ` + attrs + `>` + inner + `</div>` }
	const date = `<meta itemprop=datePublished content=2022-06-01>`
	teaser := func(day int) string {
		return fmt.Sprintf(`<article><h4>x</h4><time class=published datetime=2012-04-%02d>then</time></article>`, day)
	}
	dated(t, map[string]string{
		item(`itemprop=comment itemtype="https://schema.org/Comment"`,
			date): "",
		item(`itemtype="http://schema.org/UserComments"`,
			date): "",
		item(`itemprop=review itemtype="https://schema.org/Review"`,
			date): "",
		item(`itemtype="https://schema.org/Product"`,
			item(`itemprop=reviews`, date)): "",
		item(`itemtype="https://schema.org/Article"`,
			date): "2022-06-01",
		item(`itemtype="https://schema.org/Blog"`, item(`itemprop=blogPost itemtype="https://schema.org/BlogPosting"`,
			date)): "2022-06-01",
		item(`itemtype="https://schema.org/Article"`,
			date+item(`itemprop=comment`, strings.Replace(date, "2022", "2020", 1))): "2022-06-01",
		item(`itemtype="https://schema.org/ItemList"`, item(`itemprop=itemListElement itemtype="https://schema.org/Article"`, date)): "",
		`<div typeof="schema:Comment"><span property="schema:datePublished" content=2022-06-01>x</span></div>`:                       "",
		`<section class=related>` + teaser(1) + teaser(2) + `</section>`:                                                             "",
		`<h1>x</h1>` + teaser(1) + teaser(2): "",
		`<article><h1>x</h1><time class=published datetime=2021-03-04>x</time></article>` + teaser(1) +
			teaser(2): "2021-03-04",
		`<article><time class=published datetime=2021-03-04>x</time><article class=x><time class=published datetime=2021-05-01>y</time></article></article>`: "2021-03-04",
		`<article><time class=published datetime=2021-03-04>x</time></article>`:                                                                              "2021-03-04",
		`<time class=published datetime=2021-03-04>x</time>` + teaser(1) +
			teaser(2): "2021-03-04",
		`<ol class=comment-list><li><time class=published datetime=2022-06-01>x</time></ol>`:            "",
		`<aside><time itemprop=datePublished datetime=2022-06-01>x</time></aside>`:                      "",
		`<article><footer><time itemprop=datePublished datetime=2021-03-04>x</time></footer></article>`: "2021-03-04",
		ldScript + `{"@type":"ItemList","itemListElement":[{"@type":"Article","datePublished":"2022-06-01"}]}` +
			ldEnd: "",
		ldScript + `{"@type":"ItemList","itemListElement":[{"@type":"ListItem","item":{"@type":"Article","datePublished":"2022-06-01"}}]}` +
			ldEnd: "",
		ldScript + `{"@type":"Product","review":{"@type":"Review","datePublished":"2022-06-01"}}` +
			ldEnd: "",
		ldScript + `{"@type":"JobPosting","datePublished":"2022-06-01"}` +
			ldEnd: "",
		ldScript + `{"@type":"Article","comment":[{"@type":"Comment","datePublished":"2022-06-01"}]}` +
			ldEnd: "",
		ldScript + `[{"@type":"Article","url":"http://o.example/","datePublished":"2022-06-01"},{"@type":"Article","url":"http://a.example/dir/p","datePublished":"2021-03-04"}]` +
			ldEnd: "2021-03-04",
		ldScript + `[{"@type":"Article","datePublished":"2022-06-01"},{"@type":"Article","datePublished":"2022-06-02"},{"@type":"Article","datePublished":"2022-06-03"}]` +
			ldEnd: "",
	})
}

// TestDatesThatMachinesAreTold are read, in whatever way.
func TestDatesThatMachinesAreTold(t *testing.T) {
	dated(t, map[string]string{
		ldScript + `{"@type":"Article","datePublished":1614834367}` + ldEnd:                      "2021-03-04T05:06:07Z",
		ldScript + `{"@type":"Article","datePublished":1614834367000}` + ldEnd:                   "2021-03-04T05:06:07Z",
		ldScript + `{"@type":"Article","datePublished":{"@value":"2021-03-04"}}` + ldEnd:         "2021-03-04",
		ldScript + `{"@type":"Article","datePublished":["2021-03-04"]}` + ldEnd:                  "2021-03-04",
		`<article><time itemprop=datePublished>2021-03-04</time></article>`:                      "2021-03-04",
		`<time pubdate>4 March 2021</time>`:                                                      "2021-03-04",
		`<article><time>March 4, 2021</time></article>`:                                          "2021-03-04",
		`<time class=published><span>4</span> March 2021</time>`:                                 "2021-03-04",
		`<span itemprop=datePublished>2021-03-04</span>`:                                         "2021-03-04",
		`<data itemprop=datePublished content=2021-03-04>x</data>`:                               "2021-03-04",
		`<span property="dc:date dc:created" content="2021-03-04T05:06:07+01:00">4 March</span>`: "2021-03-04T04:06:07Z",
		`<span property="schema:datePublished">2021-03-04</span>`:                                "2021-03-04",
		`<span property="dcterms:issued" content=2021-03-04>x</span>`:                            "2021-03-04",
		`<meta property="schema:datePublished" content=2021-03-04>`:                              "2021-03-04",
		`<meta name="DC.Issued" content="2021-03-04">`:                                           "2021-03-04",
		`<meta name="dcterms:issued" content="2021-03-04">`:                                      "2021-03-04",
		`<meta name="DC.date" content="2021-03-04">`:                                             "2021-03-04",
		`<meta name="dc:created" content="2021-03-04">`:                                          "2021-03-04",
		`<time datetime="soon" itemprop=datePublished>2021-03-04</time>`:                         "2021-03-04",
		`<p>4 March 2021</p><span class=date>2021-03-04</span>`:                                  "",
		`<time>yesterday</time>`:                                                                 "",
	})
}

// TestAFaultInJSONCostsNothing where it leaves one reading.
func TestAFaultInJSONCostsNothing(t *testing.T) {
	const of = `{"@type":"Article","datePublished":"2021-03-04"}`
	pages := map[string]string{}
	for _, script := range []string{
		"\n// <![CDATA[\n" + of + "\n// ]]>\n", "//<![CDATA[\n" + of + "//]]>", "/* <![CDATA[ */" + of + "/* ]]> */", "<!--\n" + of +
			"\n//-->", "<!-- " + of, of + ";", "\ufeff" + of,
		`{"@type":"Article","datePublished":"2021-03-04",}`, `{"@type":"Article",,"datePublished":"2021-03-04"}`,
		`{"@type":"Article" "datePublished":"2021-03-04"}`,
		`{"@type":"Article","headline":"a "quoted" word","datePublished":"2021-03-04"}`,
		`{"@type":"Article","headline":"a\xb","datePublished":"2021-03-04"}`,
		`{'@type':'Article','datePublished':'2021-03-04'}`, `{"@type":"Article",datePublished:"2021-03-04"}`,
		`{"@type":"Article","datePublished":"2021-03-04"`, of + of, of + "\n" + `{"@type":"Thing"}`,
		`{"@type":"Article", /* x */ "datePublished":"2021-03-04" // y` + "\n}", `[{"@type":"Article","datePublished":"2021-03-04"},`,
		`{"@graph":[{"@type":"Article","datePublished":"2021-03-04"}}`,
		"{\"@type\":\"Article\",\"description\":\"a\nb\tc\",\"datePublished\":\"2021-03-04\"}",
		`{"@type":"Article","headline":undefined,"datePublished":"2021-03-04"}`,
	} {
		pages[ldScript+script+ldEnd] = "2021-03-04"
	}
	// What has no one reading says nothing.
	for _, script := range []string{`{"@type":"Article","datePublished":"2021-03-0`, `"2021-03-04"`, `datePublished 2021-03-04`, ``, `{`,
		`[[[[`, `:::`, `{"@type":"Article","datePublished":}`} {
		pages[ldScript+script+ldEnd] = ""
	}
	dated(t, pages)
}

// TestNothingIsPublishedInTheFuture: ten digits that would be are a day and its hour.
func TestNothingIsPublishedInTheFuture(t *testing.T) {
	next := time.Now().AddDate(1, 0, 0)
	for s, want := range map[string]string{
		"2013040902": "2013-04-09T02:00:00", "2021123123": "2021-12-31T23:00:00", "1614834367": "2021-03-04T05:06:07Z", "2013130902": "",
		"2013040925": "", "2050010101": "", "9999999999": "",
		"9999999999999": "", next.Format("2006-01-02"): "", next.Format(time.RFC3339): "", next.Format(time.RFC1123Z): "",
		fmt.Sprint(next.Unix()):               "",
		time.Now().UTC().Format("2006-01-02"): time.Now().UTC().Format("2006-01-02"), "2999-01-01": "",
	} {
		if got, _ := article.ParseDate(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

// TestAZoneThatIsNotKnownSaysNothing: date and time stand without it.
func TestAZoneThatIsNotKnownSaysNothing(t *testing.T) {
	const at = "Thu, 04 Mar 2021 05:06:07 "
	for s, want := range map[string]string{
		at + "IST": "2021-03-04T05:06:07", at + "BST": "2021-03-04T05:06:07", at + "XYZ": "2021-03-04T05:06:07",
		at + "A": "2021-03-04T05:06:07", at + "Uhr": "2021-03-04T05:06:07",
		at + "Europe/Berlin": "2021-03-04T05:06:07", at + "America/New_York": "2021-03-04T05:06:07", at + "MET": "2021-03-04T04:06:07Z",
		at + "MEST":    "2021-03-04T03:06:07Z",
		at + "Etc/GMT": "2021-03-04T05:06:07Z", at + "Etc/UTC": "2021-03-04T05:06:07Z", at + "Etc/GMT+5": "2021-03-04T10:06:07Z",
		at + "Etc/GMT-1": "2021-03-04T04:06:07Z",
		at + "IST+0530":  "2021-03-03T23:36:07Z", at + "EST": "2021-03-04T10:06:07Z", at + "Z": "2021-03-04T05:06:07Z",
		"2021-03-04 05:06:07 IST":      "2021-03-04T05:06:07",
		"Thu, 2021/03/04 05:06:07 EST": "2021-03-04T10:06:07Z", "Thu, 2021-03-04T05:06:07Z": "2021-03-04T05:06:07Z",
		"Thursday 25/12/2020": "2020-12-25", "Thu, 03/04/2021": "",
		"Thu Mar  4 05:06:07 IST 2021": "2021-03-04T05:06:07", at + "or later": "", at + "EST or later": "",
	} {
		if got, _ := article.ParseDate(s); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
