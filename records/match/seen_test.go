package match_test

import (
	"testing"

	"laundromat/records/match"
)

func TestTextIsWhatAReaderSees(t *testing.T) {
	for _, c := range []struct{ page, spec, want string }{
		{`<p id=x><span style="display:none">Key, A</span>A Key</p>`, `{a: '#x'}`, `[{"a":"A Key"}]`},
		{`<p id=x><span style="color: red; DISPLAY : None !important">k</span>v</p>`, `{a: '#x'}`, `[{"a":"v"}]`},
		{`<p id=x><span style="display:none;display:inline">k</span>v</p>`, `{a: '#x'}`, `[{"a":"kv"}]`},
		{`<p id=x><span style="visibility:hidden">k</span>v<i hidden>w</i></p>`, `{a: '#x'}`, `[{"a":"v"}]`},
		{`<p id=x><span hidden="until-found"><b>k</b></span>v</p>`, `{a: '#x'}`, `[{"a":"v"}]`},
		{`<p id=x><span aria-hidden=true>$5</span><span class=hidden>.00</span></p>`, `{a: '#x'}`, `[{"a":"$5.00"}]`},
		{`<p id=x><span id=k style="display:none">17</span>v</p>`, `{a: '#x', key: '#k'}`, `[{"a":"v","key":"17"}]`},
		{`<div hidden><p id=x>v<i>w</i></p></div>`, `{a: '#x'}`, `[{"a":"vw"}]`},
		{`<div id=x>v<script>var a = 1</script><style>p {}</style></div>`, `{a: '#x'}`, `[{"a":"v"}]`},
		{`<script id=x>{"n": 5}</script>`, `{a: {regexp: ['#x', '"n": (\d+)']}}`, `[{"a":"5"}]`},
		{`<p id=x>Main St<br>Springfield</p>`, `{a: '#x'}`, `[{"a":"Main St\nSpringfield"}]`},
		{"<p id=x>a<br/><br>b <br>c<br>\nd</p>", `{a: '#x'}`, `[{"a":"a\nb c\nd"}]`},
		{`<div id=x><p>a</p><p>b</p>c<div>d</div></div>`, `{a: '#x'}`, `[{"a":"a\nb\nc\nd"}]`},
		{`<table><tr id=x><td>a</td><td>b</td></table>`, `{a: '#x'}`, `[{"a":"a\nb"}]`},
		{`<ul id=x><li>a<li>b</ul>`, `{a: '#x', b: ['#x li']}`, `[{"a":"a\nb","b":["a","b"]}]`},
		{`<p id=x><b>a</b><i>b</i><span>c</span></p>`, `{a: '#x'}`, `[{"a":"abc"}]`},
		{`<p id=x>Nov 4<br>2021<span style="display:none">2021-11-04</span></p>`,
			`{a: {regexp: ['#x', '(\w+) (\d+)\s+(?P<a>\d+)']}, b: {no_html: '#x'}}`, `[{"a":"2021","b":"Nov 4\n2021"}]`},
		{`<p id=x>5<span hidden>0</span></p>`, `{a: {to_i: '#x'}}`, `[{"a":5}]`},
	} {
		if got := onHTML(t, compile(t, c.spec, match.Options{}), c.page).json(); got != c.want {
			t.Errorf("%s of %s: %s, want %s", c.spec, c.page, got, c.want)
		}
	}
}

func TestAnElementInBracketsIsOneThatIsHeld(t *testing.T) {
	const page = `<table><tr><th>n<tr><td>1<td><a>x</a><tr><td>2</table><ul><li class=a>p<li><b>q</b></ul>`
	for _, c := range [][2]string{
		{`['tr[td]', {a: {text: 'td'}}]`, `[{"a":"1"},{"a":"2"}]`},
		{`['table tr[ td ]', {a: {text: 'td'}}]`, `[{"a":"1"},{"a":"2"}]`},
		{`['tr[td]/td[a]', {a: ''}]`, `[{"a":"x"}]`},
		{`['//tr[th]', {a: 'th'}]`, `[{"a":"n"}]`},
		{`['li[b]', {a: ''}]`, `[{"a":"q"}]`},
		{`['li[class]', {a: ''}]`, `[{"a":"p"}]`},
		{`['li[@class]', {a: ''}]`, `[{"a":"p"}]`},
		{`['li[title], li[b]', {a: ''}]`, `[{"a":"q"}]`},
		{`['tr[td][2]', {a: {text: 'td'}}]`, `[{"a":"1"}]`},
		{`['tr:has(td)', {a: {text: 'td'}}]`, `[{"a":"1"},{"a":"2"}]`},
	} {
		if got := onHTML(t, compile(t, c[0], match.Options{}), page).json(); got != c[1] {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}
