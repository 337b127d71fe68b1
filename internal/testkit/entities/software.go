package entities

import (
	"strconv"
	"strings"
)

// Software makes two tables of programs on sale, with common of both in them. Programs come in lines: versions,
// editions and platforms of one product, of which a shop names some. The second shop seldom names the manufacturer,
// shortens words and has another price.
func Software(common, onlyA, onlyB int, seed uint64, hard float64) *Set {
	m := newMaker(seed)
	s := &Set{Pairs: map[[2]string]bool{}}
	s.Header = [2][]string{{"id", "title", "description", "manufacturer", "price"}, {"id", "name", "description", "manufacturer", "price"}}
	editions := [][2]string{{"", ""}, {"standard", "std"}, {"professional", "pro"}, {"deluxe", "dlx"}, {"home edition", "home"},
		{"small business", "sb"}}
	platforms := [][2]string{{"", ""}, {"for mac", "mac"}, {"for windows", "win"}, {"(win/mac)", ""}}
	kinds := [][2]string{{"", ""}, {"upgrade", "upg"}, {"5 user license", "5-user"}, {"academic", "acad"}}
	var brand string
	var product []string
	version, isYear, price := 0, false, 0.0
	for _, i := range m.Perm(common + onlyA + onlyB) {
		if brand == "" || m.chance(.45) { // a new product
			brand, product = m.pick(m.brand), []string{m.pick(m.topic)}
			for range m.IntN(3) {
				product = append(product, m.pick(m.part))
			}
			isYear, version, price = m.chance(.3), 1+m.IntN(11), 15+400*m.Float64()*m.Float64()
		} else {
			version += m.IntN(3)
			price *= .7 + .8*m.Float64()
		}
		edition, platform, kind := editions[m.IntN(len(editions))], platforms[m.IntN(len(platforms))], kinds[max(0, m.IntN(8)-4)]
		shown := [2]string{strconv.Itoa(version) + ".0", strconv.Itoa(version)}
		if isYear {
			shown = [2]string{strconv.Itoa(1996 + version), strconv.Itoa(1996 + version)}
		} else if m.chance(.5) {
			shown[0] = shown[1]
		}
		a := []string{"a" + strconv.Itoa(i), joinWords(strings.Join(product, " "), shown[0], edition[0], kind[0], platform[0]),
			strings.Join([]string{m.pick(m.topic), product[0], m.pick(m.topic), m.pick(m.topic), m.pick(m.topic), m.pick(m.topic),
				m.pick(m.topic), m.pick(m.topic), m.pick(m.topic), m.pick(m.topic), m.pick(m.topic)}, " "), brand,
			strconv.FormatFloat(price, 'f', 2, 64)}
		words := []string{}
		if m.chance(.7) {
			words = append(words, brand)
		}
		for k, p := range product {
			if k == 0 || !m.chance(.25*hard) {
				words = append(words, p)
			}
		}
		for _, w := range [...][2]string{shown, edition, kind, platform} {
			switch {
			case m.chance(.15 * hard):
			case m.chance(.4):
				words = append(words, w[1])
			default:
				words = append(words, w[0])
			}
		}
		if m.chance(.4) {
			words = append(words, m.pick(m.topic))
		}
		if m.chance(.15) {
			words = append([]string{strconv.Itoa(10000 + m.IntN(90000))}, words...) // an article number
		}
		b := []string{"b" + strconv.Itoa(i), joinWords(words...), "", "", strconv.FormatFloat(price*(.75+.3*m.Float64()), 'f', 2, 64)}
		if m.chance(.6) {
			b[2] = joinWords(product[0], m.pick(m.topic), m.pick(m.topic), m.pick(m.topic))
		}
		if m.chance(.1) {
			b[3] = brand
		}
		if m.chance(.15 * hard) {
			b[1] = m.typo(b[1])
		}
		if m.chance(.2 * hard) {
			a[1] = brand + " " + a[1]
		}
		s.put(i, common, onlyA, a, b)
	}
	s.shuffle(m)
	return s
}

// joinWords joins words that are not empty.
func joinWords(words ...string) string {
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}
