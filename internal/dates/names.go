package dates

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// language is the names of months and weekdays in a language, as people write them: apart by spaces, other forms of
// one name by bars. An underscore is a space within a name. Case, accents, a full stop at the end, and what is left
// out at the end of a name need no form of their own. Weekdays begin on Monday.
type language struct{ tag, months, weekdays string }

var languages = []language{
	{"en", "january february march april may june july august september|sept october november december",
		"monday tuesday|tues wednesday thursday|thur|thurs friday saturday sunday"},
	{"fr", "janvier février mars avril mai juin|jun juillet|jul août septembre octobre novembre décembre",
		"lundi mardi mercredi jeudi vendredi samedi dimanche"},
	{"de", "januar|jänner|jan februar|feber märz|maerz|mrz april mai juni|juno juli august september|sept " +
		"oktober|okt november dezember",
		"montag dienstag mittwoch donnerstag freitag samstag|sonnabend sonntag"},
	{"es", "enero febrero marzo abril mayo junio julio agosto septiembre|setiembre octubre noviembre diciembre",
		"lunes martes miércoles|x jueves viernes sábado domingo"},
	{"it", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre|sett ottobre novembre dicembre",
		"lunedì martedì mercoledì giovedì venerdì sabato domenica"},
	{"nl", "januari februari maart|mrt april mei juni juli augustus september|sept oktober november december",
		"maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"},
	{"pt", "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
		"segunda-feira|segunda terça-feira|terça quarta-feira|quarta quinta-feira|quinta sexta-feira|sexta sábado " +
			"domingo"},
	{"sv", "januari februari mars april maj juni juli augusti september|sept oktober november december",
		"måndag|måndagen tisdag|tisdagen onsdag|onsdagen torsdag|torsdagen fredag|fredagen lördag|lördagen " +
			"söndag|söndagen"},
	{"da", "januar februar marts april maj juni juli august september|sept oktober november december",
		"mandag|mandagen tirsdag|tirsdagen onsdag|onsdagen torsdag|torsdagen fredag|fredagen lørdag|lørdagen " +
			"søndag|søndagen"},
	{"no", "januar februar mars april mai juni juli august september|sept oktober november desember",
		"mandag|måndag|mandagen tirsdag|tysdag onsdag torsdag fredag lørdag|laurdag søndag|sundag"},
	{"fi", "tammikuu|tammikuuta|tammikuun helmikuu|helmikuuta|helmikuun maaliskuu|maaliskuuta|maaliskuun " +
		"huhtikuu|huhtikuuta|huhtikuun toukokuu|toukokuuta|toukokuun kesäkuu|kesäkuuta|kesäkuun " +
		"heinäkuu|heinäkuuta|heinäkuun elokuu|elokuuta|elokuun syyskuu|syyskuuta|syyskuun " +
		"lokakuu|lokakuuta|lokakuun marraskuu|marraskuuta|marraskuun joulukuu|joulukuuta|joulukuun",
		"maanantai|maanantaina tiistai|tiistaina keskiviikko|keskiviikkona torstai|torstaina perjantai|perjantaina " +
			"lauantai|lauantaina sunnuntai|sunnuntaina"},
	{"pl", "styczeń|stycznia luty|lutego marzec|marca kwiecień|kwietnia maj|maja czerwiec|czerwca lipiec|lipca " +
		"sierpień|sierpnia wrzesień|września październik|października listopad|listopada grudzień|grudnia",
		"poniedziałek|pn|pon wtorek|wt środa|śr|środę czwartek|czw piątek|pt|pi sobota|sobotę|sb " +
			"niedziela|niedzielę|nd|ndz"},
	{"cs", "leden|ledna únor|února březen|března duben|dubna květen|května červen|června|čvn|čer " +
		"červenec|července|čvc|čec " +
		"srpen|srpna září|zář říjen|října listopad|listopadu prosinec|prosince",
		"pondělí úterý středa|středu čtvrtek pátek sobota|sobotu neděle|neděli"},
	{"sk", "január|januára február|februára marec|marca apríl|apríla máj|mája jún|júna júl|júla august|augusta " +
		"september|septembra október|októbra november|novembra december|decembra",
		"pondelok utorok streda|stredu štvrtok piatok sobota|sobotu nedeľa|nedeľu"},
	{"ru", "январь|января февраль|февраля март|марта апрель|апреля май|мая июнь|июня июль|июля август|августа " +
		"сентябрь|сентября октябрь|октября ноябрь|ноября декабрь|декабря",
		"понедельник|пн вторник|вт среда|среду|ср четверг|чт пятница|пятницу|пт суббота|субботу|сб воскресенье|вс"},
	{"uk", "січень|січня лютий|лютого березень|березня квітень|квітня травень|травня червень|червня липень|липня " +
		"серпень|серпня вересень|вересня жовтень|жовтня листопад|листопада грудень|грудня",
		"понеділок|пн вівторок|вт середа|середу|ср четвер|чт п'ятниця|пʼятниця|пятниця|пт субота|суботу|сб " +
			"неділя|неділю|нд"},
	{"bg", "януари февруари март април май юни юли август септември октомври ноември декември",
		"понеделник|пн вторник|вт сряда|ср четвъртък|чт петък|пт събота|сб неделя|нд"},
	{"hr", "siječanj|siječnja veljača|veljače ožujak|ožujka travanj|travnja svibanj|svibnja lipanj|lipnja " +
		"srpanj|srpnja " +
		"kolovoz|kolovoza rujan|rujna listopad|listopada studeni|studenoga|studenog prosinac|prosinca",
		"ponedjeljak utorak srijeda četvrtak petak subota nedjelja"},
	{"sr", "januar|januara|јануар|јануара februar|februara|фебруар|фебруара mart|marta|март|марта " +
		"april|aprila|април|априла " +
		"maj|maja|мај|маја jun|juna|juni|јун|јуна jul|jula|juli|јул|јула avgust|avgusta|август|августа " +
		"septembar|septembra|септембар|септембра oktobar|oktobra|октобар|октобра " +
		"novembar|novembra|новембар|новембра decembar|decembra|децембар|децембра",
		"ponedeljak|понедељак utorak|уторак sreda|среда četvrtak|четвртак petak|петак subota|субота nedelja|недеља"},
	{"sl", "januar|januarja februar|februarja marec|marca april|aprila maj|maja junij|junija julij|julija " +
		"avgust|avgusta " +
		"september|septembra oktober|oktobra november|novembra december|decembra",
		"ponedeljek torek sreda četrtek petek sobota nedelja"},
	{"hu", "január február március április május június július augusztus szeptember október november december",
		"hétfő kedd szerda csütörtök péntek szombat vasárnap"},
	{"ro", "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie|noi decembrie",
		"luni marți|marti miercuri joi vineri sâmbătă|simbata duminică"},
	{"tr", "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
		"pazartesi|pzt salı çarşamba|çar perşembe cuma cumartesi|cmt pazar|paz"},
	{"el", "ιανουάριος|ιανουαρίου|γενάρης φεβρουάριος|φεβρουαρίου μάρτιος|μαρτίου απρίλιος|απριλίου μάιος|μαΐου " +
		"ιούνιος|ιουνίου ιούλιος|ιουλίου αύγουστος|αυγούστου σεπτέμβριος|σεπτεμβρίου οκτώβριος|οκτωβρίου " +
		"νοέμβριος|νοεμβρίου δεκέμβριος|δεκεμβρίου",
		"δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή"},
	{"ca", "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
		"dilluns|dl dimarts|dt dimecres|dc dijous|dj divendres|dv dissabte|ds diumenge|dg"},
	{"gl", "xaneiro febreiro marzo abril maio xuño xullo agosto setembro outubro novembro decembro",
		"luns martes mércores xoves venres sábado domingo"},
	{"eu", "urtarrila|urtarrilaren otsaila|otsailaren martxoa|martxoaren apirila|apirilaren maiatza|maiatzaren " +
		"ekaina|ekainaren " +
		"uztaila|uztailaren abuztua|abuztuaren iraila|irailaren urria|urriaren azaroa|azaroaren abendua|abenduaren",
		"astelehena asteartea asteazkena osteguna ostirala larunbata igandea"},
	{"lt", "sausis|sausio vasaris|vasario kovas|kovo balandis|balandžio gegužė|gegužės birželis|birželio " +
		"liepa|liepos " +
		"rugpjūtis|rugpjūčio rugsėjis|rugsėjo spalis|spalio lapkritis|lapkričio gruodis|gruodžio",
		"pirmadienis antradienis trečiadienis ketvirtadienis penktadienis šeštadienis sekmadienis"},
	{"lv", "janvāris|janvārī februāris|februārī marts|martā aprīlis|aprīlī maijs|maijā jūnijs|jūnijā " +
		"jūlijs|jūlijā augusts|augustā " +
		"septembris|septembrī oktobris|oktobrī novembris|novembrī decembris|decembrī",
		"pirmdiena otrdiena trešdiena ceturtdiena piektdiena sestdiena svētdiena"},
	{"et", "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
		"esmaspäev teisipäev kolmapäev neljapäev reede laupäev pühapäev"},
	{"is", "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember desember",
		"mánudagur þriðjudagur miðvikudagur fimmtudagur föstudagur laugardagur sunnudagur"},
	{"id", "januari februari|pebruari maret april mei juni juli agustus|agt september oktober november|nopember " +
		"desember",
		"senin selasa rabu kamis jumat sabtu minggu|ahad"},
	{"la", "ianuarius|ianuarii februarius|februarii martius|martii aprilis maius|maii iunius|iunii iulius|iulii " +
		"augustus|augusti " +
		"september|septembris october|octobris november|novembris december|decembris", ""},
	{"zh", "一月|1月 二月|2月 三月|3月 四月|4月 五月|5月 六月|6月 七月|7月 八月|8月 九月|9月 十月|10月 十一月|11月 十二月|12月",
		"星期一|周一|週一 星期二|周二|週二 星期三|周三|週三 星期四|周四|週四 星期五|周五|週五 星期六|周六|週六 星期日|星期天|周日|週日"},
	{"ja", "一月|1月 二月|2月 三月|3月 四月|4月 五月|5月 六月|6月 七月|7月 八月|8月 九月|9月 十月|10月 十一月|11月 十二月|12月",
		"月曜日|月 火曜日|火 水曜日|水 木曜日|木 金曜日|金 土曜日|土 日曜日|日"},
	{"ko", "일월|1월 이월|2월 삼월|3월 사월|4월 오월|5월 유월|6월 칠월|7월 팔월|8월 구월|9월 시월|10월 십일월|11월 십이월|12월",
		"월요일|월 화요일|화 수요일|수 목요일|목 금요일|금 토요일|토 일요일|일"},
	{"ar", "يناير|كانون_الثاني|جانفي فبراير|شباط|فيفري مارس|آذار أبريل|نيسان|أفريل مايو|أيار|ماي " +
		"يونيو|حزيران|جوان يوليو|تموز|جويلية|يوليوز أغسطس|آب|أوت|غشت سبتمبر|أيلول|شتنبر " +
		"أكتوبر|تشرين_الأول نوفمبر|تشرين_الثاني|نونبر ديسمبر|كانون_الأول|دجنبر",
		"الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد"},
	{"he", "ינואר|בינואר פברואר|בפברואר מרץ|במרץ|מרס|במרס אפריל|באפריל מאי|במאי יוני|ביוני " +
		"יולי|ביולי אוגוסט|באוגוסט ספטמבר|בספטמבר אוקטובר|באוקטובר נובמבר|בנובמבר דצמבר|בדצמבר",
		"שני|יום_שני שלישי|יום_שלישי רביעי|יום_רביעי חמישי|יום_חמישי שישי|ששי|יום_שישי שבת|יום_שבת ראשון|יום_ראשון"},
	{"th", "มกราคม กุมภาพันธ์ มีนาคม เมษายน พฤษภาคม มิถุนายน กรกฎาคม สิงหาคม กันยายน ตุลาคม " +
		"พฤศจิกายน ธันวาคม",
		"จันทร์|วันจันทร์ อังคาร|วันอังคาร พุธ|วันพุธ พฤหัสบดี|วันพฤหัสบดี ศุกร์|วันศุกร์ เสาร์|วันเสาร์ อาทิตย์|วันอาทิตย์"},
	{"vi", "tháng_một|tháng_giêng|tháng_1|tháng_01|thg_1 tháng_hai|tháng_2|tháng_02|thg_2 " +
		"tháng_ba|tháng_3|tháng_03|thg_3 tháng_tư|tháng_4|tháng_04|thg_4 " +
		"tháng_năm|tháng_5|tháng_05|thg_5 tháng_sáu|tháng_6|tháng_06|thg_6 " +
		"tháng_bảy|tháng_7|tháng_07|thg_7 tháng_tám|tháng_8|tháng_08|thg_8 " +
		"tháng_chín|tháng_9|tháng_09|thg_9 tháng_mười|tháng_10|thg_10 " +
		"tháng_mười_một|tháng_11|thg_11 tháng_mười_hai|tháng_chạp|tháng_12|thg_12",
		"thứ_hai thứ_ba thứ_tư thứ_năm thứ_sáu thứ_bảy chủ_nhật"},
}

// sameAs are tags of languages whose names are those of another tag.
var sameAs = map[string]string{"nb": "no", "nn": "no", "bs": "sr", "sh": "sr", "ms": "id"}

// Languages are the tags of the languages whose names of months are known.
func Languages() []string {
	var all []string
	for _, l := range languages {
		all = append(all, l.tag)
	}
	return all
}

// Names are the names of months and weekdays in some languages.
type Names struct{ months, weekdays nameTable }

// NewNames returns no names: [Names.Add] adds those of a language.
func NewNames() *Names {
	return &Names{nameTable{names: map[string]uint16{}, shortest: 3}, nameTable{names: map[string]uint16{}, shortest: 2}}
}

// Add adds the names of a language by its tag (pt, pt-BR, pt_BR), and reports whether they are known.
func (n *Names) Add(tag string) bool {
	tag, _, _ = strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	if to, known := sameAs[tag]; known {
		tag = to
	}
	for _, l := range languages {
		if l.tag == tag {
			n.months.add(l.months)
			n.weekdays.add(l.weekdays)
			return true
		}
	}
	return false
}

// English are the names in English.
var English = sync.OnceValue(func() *Names {
	n := NewNames()
	n.Add("en")
	return n
})

// languageTables are the names of each of languages.
var languageTables = sync.OnceValue(func() (all []*Names) {
	for _, l := range languages {
		n := NewNames()
		n.Add(l.tag)
		all = append(all, n)
	}
	return all
})

// NamedIn says what a word names in each of [Languages]. It gives the number of a month, or of a weekday, and 0
// where it is no such name. A month is whole where the word is not the beginning of its name.
func NamedIn(word string) (months, weekdays []int, whole []bool) {
	word = strings.TrimSuffix(Fold(word), ".")
	tables := languageTables()
	months, weekdays, whole = make([]int, len(tables)), make([]int, len(tables)), make([]bool, len(tables))
	if !beginnings()[word] {
		return months, weekdays, whole
	}
	for i := range tables {
		months[i], weekdays[i] = tables[i].months.find(word), tables[i].weekdays.find(word)
		whole[i] = tables[i].months.names[word] != 0
	}
	return months, weekdays, whole
}

// beginnings are all that a name of a month or a weekday begins with, in any language, and the names.
var beginnings = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, table := range languageTables() {
		for _, names := range []map[string]uint16{table.months.names, table.weekdays.names} {
			for name := range names {
				for end := range name {
					all[name[:end]] = true
				}
				all[name] = true
			}
		}
	}
	return all
})

// nameTable are the names of months or weekdays in some languages, folded.
type nameTable struct {
	names    map[string]uint16 // a name, and the numbers that it may have as bits from 1
	shortest int               // the fewest letters of a name that is cut off
	phrases  []phrase          // names with spaces or digits in them, the longest first; they are never cut off
}

type phrase struct {
	text   string
	number int
}

func (t *nameTable) add(names string) {
	for i, forms := range strings.Fields(names) {
		for form := range strings.SplitSeq(forms, "|") {
			if strings.ContainsAny(form, "_0123456789") {
				t.phrases = append(t.phrases, phrase{Fold(strings.ReplaceAll(form, "_", " ")), i + 1})
				continue
			}
			t.names[Fold(form)] |= 1 << (i + 1)
		}
	}
	slices.SortStableFunc(t.phrases, func(a, b phrase) int { return len(b.text) - len(a.text) })
}

// begins calls try with each phrase that a text begins with, and its number, until one fits.
func (t *nameTable) begins(s string, try func(end, number int) bool) bool {
	for _, p := range t.phrases {
		rest, ok := strings.CutPrefix(s, p.text)
		if ok && (rest == "" || !isDigit(rest[0]) || !isDigit(p.text[len(p.text)-1])) && try(len(p.text), p.number) {
			return true
		}
	}
	return false
}

// find is the number of a word; zero where it has none, or several.
func (t *nameTable) find(word string) int {
	bits := t.names[word]
	if bits == 0 {
		if len([]rune(word)) < t.shortest {
			return 0
		}
		for name, b := range t.names {
			if strings.HasPrefix(name, word) {
				bits |= b
			}
		}
	}
	for n := 1; n <= 12; n++ {
		if bits == 1<<n {
			return n
		}
	}
	return 0
}

// Fold writes a text in small letters without accents, with digits in ASCII and plain
// spaces, so that names can be compared.
func Fold(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < 0x80
	}
	if ascii {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, c := range norm.NFKD.String(s) {
		c = unicode.ToLower(c)
		switch {
		case unicode.Is(unicode.Mn, c):
		case unicode.IsSpace(c):
			b.WriteByte(' ')
		case unicode.IsDigit(c):
			b.WriteByte(ASCIIDigit(c))
		case letters[c] != "":
			b.WriteString(letters[c])
		case unicode.Is(unicode.Cf, c): // marks of direction
		default:
			b.WriteRune(c)
		}
	}
	return norm.NFC.String(b.String())
}

// letters are those that have no accent to take away, and signs with another form.
var letters = map[rune]string{'ł': "l", 'ø': "o", 'đ': "d", 'ı': "i", 'æ': "ae", 'ß': "ss", 'ð': "d", 'þ': "th",
	'ς': "σ",
	'’': "'", 'ʼ': "'", '‐': "-", '‑': "-", '–': "-", '−': "-"}

// ASCIIDigit is a decimal digit of any script in ASCII. Those of a script follow each other
// from its zero on, and the zeros of scripts whose digits adjoin are ten apart.
func ASCIIDigit(c rune) byte {
	zero := c
	for unicode.IsDigit(zero - 1) {
		zero--
	}
	return byte('0' + (c-zero)%10)
}

// Digits is the number that a text of digits alone is.
func Digits(s string) (n int, ok bool) {
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = n*10 + int(c)
	}
	return n, s != ""
}
