package block_test

import (
	"fmt"
	"strings"
	"testing"

	"laundromat/text"
	"laundromat/text/block"
)

// oneLine is the text of a page with "|" between blocks; those that are hidden are in brackets.
func oneLine(t *testing.T, source string) string {
	t.Helper()
	r, _ := read(t, source, block.Options{})
	obeys(t, source, r)
	var all []string
	for _, b := range r.Blocks {
		s := r.Text[b.Start:b.End]
		if b.Kind == text.Hidden {
			s = "[" + s + "]"
		}
		all = append(all, s)
	}
	return strings.Join(all, "|")
}

// TestAFormulaIsThereOnce, not a second time as its source or as a drawing of it.
func TestAFormulaIsThereOnce(t *testing.T) {
	const math, tex = `<math><semantics><mrow><mi>x</mi><mo>=</mo><mn>2</mn></mrow>`,
		`<annotation encoding="application/x-tex">x = 2</annotation></semantics></math>`
	for source, want := range map[string]string{
		`<p>a ` + math + tex + ` b`: "a x=2 b",
		`<p>a ` + math + `<annotation-xml encoding="MathML-Content"><ci>y</ci></annotation-xml>` + tex +
			` b`: "a x=2 b",
		`<p>a <math><semantics><annotation>x = 2</annotation></semantics></math> b`: "a x = 2 b",
		`<p>a <math alttext="x=2"><mi>x</mi></math> b`:                              "a x b",
		`<p>a <span class="katex"><span class="katex-mathml">` + math + tex +
			`</span><span class="katex-html" aria-hidden="true">x=2</span></span> b`: "a x=2 b",
		`<p>a <span class="katex"><span class="katex-html" aria-hidden="true">x=2</span></span> b`: "a x=2 b",
		`<p>a <span class="MathJax_Preview">x</span><span class="MathJax"><nobr aria-hidden="true">x=2</nobr><span class="MJX_Assistive_MathML">` +
			math + `</semantics></math></span></span> b`: "a x=2 b",
		`<p>a <mjx-container><mjx-math aria-hidden="true"><mjx-mi>x</mjx-mi></mjx-math><mjx-assistive-mml>` + math +
			`</semantics></math></mjx-assistive-mml></mjx-container> b`: "a x=2 b",
		`<p>a <span class="MathJax_Preview">x=2</span> b`:                                             "a x=2 b",
		`<p>a <span aria-hidden="true">x</span> ` + math + `</semantics></math> b`:                    "a x x=2 b",
		`<p>a <span class="mwe-math-element"><span>` + math + tex + `</span><img alt="x=2"></span> b`: "a x=2 b",
		`<table><tr><td>f<td>` + math + tex + `</table>`:                                              "f|x=2",
		`<p>an <annotation>annotation</annotation> of none`:                                           "an annotation of none",
	} {
		if got := oneLine(t, source); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// TestWhatIsHiddenSaysSo: by its attribute alone, never by a style or a name.
func TestWhatIsHiddenSaysSo(t *testing.T) {
	for source, want := range map[string]string{
		`<p hidden>a</p><p>b`:                                                "[a]|b",
		`<p hidden="until-found">a</p><p>b`:                                  "[a]|b",
		`<div hidden><p>a</p><ul><li>b</ul></div>c`:                          "[a]|[b]|c",
		`<div hidden><nav>a</nav><h1>b</h1></div>c`:                          "a|[b]|c",
		`<p>a <span hidden>b</span> c`:                                       "a|[b]|c",
		`<p>a <a hidden href=x>b</a> c`:                                      "a|[b]|c",
		`<nav hidden>a</nav>b`:                                               "a|b",
		`<div hidden role=navigation>a</div>b`:                               "a|b",
		`<div role=navigation hidden>a</div>b`:                               "a|b",
		`<datalist><option>a<option>b</datalist>c`:                           "[a]|[b]|c",
		`<datalist><label>or <select><option>a</select></label></datalist>c`: "[or]|[a]|c",
		`<body hidden><p>a`:                                                  "a",
		`<p title=hidden>a`:                                                  "a",
		`<p style="display:none">a`:                                          "a",
		`<p class=hidden aria-hidden=true>a`:                                 "a",
		`<details><summary>a</summary>b</details>`:                           "a|b",
		`<template><p>a</template>b`:                                         "b",
		`<input type=hidden value=a>b`:                                       "b",
		`<table><tr hidden><td>a<tr><td>b</table>`:                           "[a]|b",
	} {
		if got := oneLine(t, source); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// TestShadowRootsAreText of the page; other templates are not.
func TestShadowRootsAreText(t *testing.T) {
	for source, want := range map[string]string{
		`<x-a><template shadowrootmode=open><p>a</template>b</x-a>`:                                                  "a|b",
		`<x-a><template shadowrootmode="closed"><p>a</p></template></x-a>c`:                                          "a|c",
		`<x-a><template SHADOWROOTMODE=open>a</template></x-a>`:                                                      "a",
		`<div><template shadowrootmode=open><slot></slot></template><p>a</div>`:                                      "a",
		`<div><template shadowrootmode=open><style>p{}</style>a</template></div>b`:                                   "a|b",
		`<div><template shadowrootmode=open><x-b><template shadowrootmode=open>a</template></x-b>b</template></div>`: "a|b",
		`<div><template shadowrootmode=open>a<template>b</template></template></div>`:                                "a",
		`<div><template><template shadowrootmode=open>a</template></template></div>b`:                                "b",
		`<p>a<template shadowrootmode=open>b</template>c`:                                                            "a|b|c",
		`<div><template shadowroot=open>a</template>b</div>`:                                                         "b",
		`<div><template shadowrootmode=open><nav>a</nav><h1>b</h1></template></div>`:                                 "a|b",
	} {
		if got := oneLine(t, source); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// TestElementsAreQuotes: what is in q is one, without the space around it.
func TestElementsAreQuotes(t *testing.T) {
	for source, want := range map[string]string{
		`<p>He said <q>so</q>.`:         "so",
		`<p>He said <q> so it is </q>.`: "so it is",
		`<q>a</q> <q>b</q>`:             "a; b",
		`<q>a <q>b</q> c</q>`:           "a b c",
		`<q></q>a`:                      "",
		`<q> </q>a<q><img></q>`:         "",
		`<q>a <b>b</b> c</q>`:           "a b c",
		`<q><p>a</p><p>b</p></q>`:       "a\n\nb",
		`<p>a<q>b`:                      "b",
		`<q cite=x>&ldquo;a&rdquo;</q>`: "“a”",
		`<ul><li><q>a</q><li>b</ul>`:    "a",
		`<blockquote>a</blockquote>`:    "",
	} {
		r, _ := read(t, source, block.Options{})
		var got []string
		for _, q := range r.Quotes {
			got = append(got, r.Text[q.Start:q.End])
		}
		if fmt.Sprint(strings.Join(got, "; ")) != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
}

// TestSoftHyphensAreNoLetters, however they are written.
func TestSoftHyphensAreNoLetters(t *testing.T) {
	for source, want := range map[string]string{
		"<p>con&shy;tent": "content", "<p>con\u00adtent": "content", "<p>con&#173;tent": "content", "<p>con&#xAD;tent": "content",
		"<p>con&shytent": "content",
		"<p>\u00ad":      "", "<p>&shy;": "", "<p>a \u00ad b": "a b", "<p>«\u00ada\u00ad»": "«a»", "<p>a\u00ad</p><p>b": "a|b",
		"<h1>Vladi\u00admir</h1>": "Vladimir",
		"<p>é\u00a0\u00ad\u00a9":  "é\u00a0\u00a9", "<pre>a\u00adb</pre>": "a\u00adb", "<p>a\u00ad<b>b</b>": "ab",
	} {
		if got := oneLine(t, source); got != want {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
	if r, _ := read(t, "<title>con\u00adtent</title>", block.Options{}); r.Title != "content" {
		t.Errorf("%q", r.Title)
	}
}
