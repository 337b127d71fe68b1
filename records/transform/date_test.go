package transform_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"

	"laundromat/records/recordtest"
)

// dated maps one text by a rule, and gives the result and the code of the finding.
func dated(t testing.TB, rule, text string) (string, string) {
	t.Helper()
	q, _ := json.Marshal(text)
	got, codes, _ := run(t, "d: {date: "+rule+"}", `{"d":`+string(q)+`}`)
	v := recordtest.ValueOf(t, got)
	d, _ := v.Get("d")
	code, _, _ := strings.Cut(codes, " ")
	return d.Text, code
}

func TestDates(t *testing.T) {
	for _, c := range []struct{ rule, in, want, code string }{
		{`"%d/%m/%Y"`, "03/04/2020", "2020-04-03T00:00:00Z", ""},
		{`"%d/%m/%Y"`, "3/4/2020", "2020-04-03T00:00:00Z", ""},
		{`"%m/%d/%y"`, "3/4/20", "2020-03-04T00:00:00Z", "map/two-digit-year"},
		{`"%m/%d/%y"`, "3/4/69", "1969-03-04T00:00:00Z", "map/two-digit-year"},
		{`{pattern: "%m/%d/%y", pivot: 30}`, "3/4/29", "2029-03-04T00:00:00Z", "map/two-digit-year"},
		{`{pattern: "%m/%d/%y", pivot: 30}`, "3/4/30", "1930-03-04T00:00:00Z", "map/two-digit-year"},
		{`"%d/%m/%Y"`, "31/02/2020", "", "map/date"},
		{`"%d/%m/%Y"`, "29/02/2019", "", "map/date"},
		{`"%d/%m/%Y"`, "29/02/2020", "2020-02-29T00:00:00Z", ""},
		{`"%d/%m/%Y"`, "3/13/2020", "", "map/date"},
		{`"%d/%m/%Y"`, "3/4/20", "", "map/date"},
		{`"%d/%m/%Y"`, "3/4/2020 x", "", "map/date"},
		{`"%d/%m/%Y"`, "  3/4/2020 ", "2020-04-03T00:00:00Z", ""},
		{`"%d/%m/%Y"`, "", "", ""},
		{`"%d/%m/%Y"`, "2020-04-03T00:00:00Z", "2020-04-03T00:00:00Z", ""},
		{`"%d/%m/%Y"`, "unknown", "", "map/date"},
		{`"%d %B %Y"`, "1st March 2020", "2020-03-01T00:00:00Z", ""},
		{`"%d %B %Y"`, "22nd Sept. 2020", "2020-09-22T00:00:00Z", ""},
		{`"%B %d, %Y"`, "MARCH 3rd, 2020", "2020-03-03T00:00:00Z", ""},
		{`"%a, %d %b %Y %H:%M:%S %z"`, "Tue, 03 Mar 2020 10:00:00 +0100", "2020-03-03T09:00:00Z", ""},
		{`"%a, %d %b %Y %H:%M:%S %z"`, "Wed, 03 Mar 2020 10:00:00 +0100", "", "map/date"},
		{`"%a, %d %b %Y %H:%M:%S %Z"`, "Tue, 03 Mar 2020 10:00:00 GMT", "2020-03-03T10:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-03-03 10:00 PST", "2020-03-03T18:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-03-03 10:00 IST", "", "map/time-zone"},
		{`{pattern: "%Y-%m-%d %H:%M %Z", timezone: Asia/Kolkata}`, "2020-03-03 10:00 IST", "2020-03-03T04:30:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-07-03 10:00 Europe/Paris", "2020-07-03T08:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-07-03 10:00 America/New_York", "2020-07-03T14:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-07-03 10:00 America/New York", "2020-07-03T14:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-07-03 10:00 AMERICA/NEW YORK", "2020-07-03T14:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-07-03 10:00 America/North Dakota/New Salem", "2020-07-03T15:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-07-03 10:00 America/Port of Spain", "2020-07-03T14:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-07-03 10:00 America/Port-au-Prince", "2020-07-03T14:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-07-03 10:00 Africa/Dar es Salaam", "2020-07-03T07:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-07-03 10:00 Asia/Ho Chi Minh", "2020-07-03T03:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z (local)"`, "2020-07-03 10:00 America/New York (local)", "2020-07-03T14:00:00Z", ""},
		{`"%Y-%m-%d %H:%M %Z (local)"`, "2020-07-03 10:00 America/Chicago (local)", "2020-07-03T15:00:00Z", ""},
		{`"%H:%M %Z on %Y-%m-%d"`, "10:00 America/Los Angeles on 2020-07-03", "2020-07-03T17:00:00Z", ""},
		{`"%H:%M %Z %Y-%m-%d"`, "10:00 America/Los Angeles 2020-07-03", "2020-07-03T17:00:00Z", ""},
		{`{pattern: "%d.%m.%Y %H:%M", timezone: America/New York}`, "3.7.2020 10:00", "2020-07-03T14:00:00Z", ""},
		{`{pattern: "%d.%m.%Y %H:%M", timezone: " America/Sao Paulo"}`, "3.7.2020 10:00", "2020-07-03T13:00:00Z", ""},
		{`"%d.%m.%Y, %H.%M Uhr"`, "3.4.2020, 18.30 Uhr", "2020-04-03T18:30:00Z", ""},
		{`{pattern: "%d.%m.%Y %H:%M", timezone: Europe/Berlin}`, "3.4.2020 18:30", "2020-04-03T16:30:00Z", ""},
		{`{pattern: "%d.%m.%Y", timezone: Asia/Tokyo}`, "3.4.2020", "2020-04-03T00:00:00Z", ""},
		{`{pattern: "%d.%m.%Y", timezone: America/New_York}`, "3.4.2020", "2020-04-03T00:00:00Z", ""},
		{`{pattern: "%d.%m.%Y %H:%M", timezone: Europe/Berlin}`, "29.3.2020 02:30", "", "map/time-gap"},
		{`{pattern: "%d.%m.%Y %H:%M", timezone: Europe/Berlin}`, "25.10.2020 02:30", "2020-10-25T00:30:00Z", "map/time-overlap"},
		{`{pattern: "%d.%m.%Y %H:%M", timezone: Europe/Berlin}`, "29.3.2020 03:00", "2020-03-29T01:00:00Z", ""},
		{`{pattern: "%d.%m.%Y %H:%M", timezone: Europe/Berlin}`, "29.3.2020 01:59", "2020-03-29T00:59:00Z", ""},
		{`{pattern: "%d.%m.%Y %H:%M", timezone: Europe/Berlin}`, "25.10.2020 03:00", "2020-10-25T02:00:00Z", ""},
		{`{pattern: "%d.%m.%Y %H:%M %Z", timezone: Europe/Berlin}`, "25.10.2020 02:30 CET", "2020-10-25T01:30:00Z", ""},
		{`{pattern: "%m/%d/%Y %I:%M %p", timezone: America/New_York}`, "11/1/2020 1:30 AM", "2020-11-01T05:30:00Z", "map/time-overlap"},
		{`{pattern: "%m/%d/%Y %I:%M %p", timezone: America/New_York}`, "3/8/2020 2:30 AM", "", "map/time-gap"},
		{`{pattern: "%m/%d/%Y %I:%M %p", timezone: Australia/Lord_Howe}`, "10/4/2020 2:15 AM", "", "map/time-gap"},
		{`{pattern: "%Y-%m-%d %H:%M", timezone: Pacific/Apia}`, "2011-12-30 12:00", "", "map/time-gap"},
		{`{pattern: "%Y-%m-%d %H:%M", timezone: "+05:30"}`, "2020-03-03 10:00", "2020-03-03T04:30:00Z", ""},
		{`"%m/%d/%Y %I:%M %p"`, "3/8/2020 12:00 AM", "2020-03-08T00:00:00Z", ""},
		{`"%m/%d/%Y %I:%M %p"`, "3/8/2020 12:00 PM", "2020-03-08T12:00:00Z", ""},
		{`"%m/%d/%Y %I:%M%p"`, "3/8/2020 1:05pm", "2020-03-08T13:05:00Z", ""},
		{`"%m/%d/%Y %I %p"`, "3/8/2020 9 p.m.", "2020-03-08T21:00:00Z", ""},
		{`"%m/%d/%Y %I:%M %p"`, "3/8/2020 13:00 PM", "", "map/date"},
		{`"%m/%d/%Y %I:%M %p"`, "3/8/2020 0:30 AM", "", "map/date"},
		{`"%Y-%m-%d %H:%M"`, "2020-12-31 24:00", "2021-01-01T00:00:00Z", ""},
		{`"%Y-%m-%d %H:%M"`, "2020-12-31 24:01", "", "map/date"},
		{`"%Y-%m-%d %H:%M"`, "2020-12-31 25:00", "", "map/date"},
		{`"%Y-%m-%d %H:%M:%S"`, "2016-12-31 23:59:60", "", "map/date"},
		{`"%Y-%m-%dT%H:%M:%S.%f%z"`, "2020-03-03T10:00:00.123456Z", "2020-03-03T10:00:00Z", ""},
		{`"%Y-%m-%dT%H:%M:%S%z"`, "2020-03-03T10:00:00-03:30", "2020-03-03T13:30:00Z", ""},
		{`"%Y-%m-%d%z"`, "2020-03-03+14:00", "2020-03-03T00:00:00Z", ""},
		{`"%m%d%Y"`, "1122020", "", "map/date"}, {`"%d%m%y"`, "030420", "2020-04-03T00:00:00Z", "map/two-digit-year"},
		{`"%H%M %d.%m.%Y"`, "0930 3.4.2020", "2020-04-03T09:30:00Z", ""},
		{`"%Y%m%d"`, "20200303", "2020-03-03T00:00:00Z", ""},
		{`"%Y-%j"`, "2020-366", "2020-12-31T00:00:00Z", ""},
		{`"%Y-%j"`, "2019-366", "", "map/date"},
		{`"%G-W%V-%u"`, "2020-W53-5", "2021-01-01T00:00:00Z", ""},
		{`"%G-W%V-%u"`, "2019-W53-5", "", "map/date"},
		{`"%Y %W %w"`, "2020 00 3", "2020-01-01T00:00:00Z", ""},
		{`"%Y %U %a"`, "2020 01 Sun", "2020-01-05T00:00:00Z", ""},
		{`"%s"`, "1583229600", "2020-03-03T10:00:00Z", ""},
		{`"%F %T"`, "2020-03-03 10:00:00", "2020-03-03T10:00:00Z", ""},
		{`"%b %e %Y %r"`, "Mar  3 2020 10:00:00 PM", "2020-03-03T22:00:00Z", ""},
		{`"%-d/%-m/%Y"`, "3/4/2020", "2020-04-03T00:00:00Z", ""},
		{`"%B %Y"`, "March 2020", "2020-03-01T00:00:00Z", "map/date-part"},
		{`"%Y"`, "2020", "2020-01-01T00:00:00Z", "map/date-part"},
		{`["%d/%m/%Y", "%Y-%m-%d"]`, "2020-04-03", "2020-04-03T00:00:00Z", ""},
		{`["%d/%m/%Y", "%m/%d/%Y"]`, "4/13/2020", "2020-04-13T00:00:00Z", ""},
		{`["%d/%m/%Y", "%m/%d/%Y"]`, "31/2/2020", "", "map/date"},
		{`{}`, "2020-04-03T10:00:00+02:00", "2020-04-03T08:00:00Z", ""},
		{`true`, "2020-04-03", "2020-04-03T00:00:00Z", ""},
		{`"%d/%m/%Y"`, "٠٣/٠٤/٢٠٢٠", "2020-04-03T00:00:00Z", ""},
		{`"%Y年%m月%d日"`, "2020年4月3日", "2020-04-03T00:00:00Z", ""},
		{`"%Y-%m-%d"`, "0000-01-01", "", "map/date"},
		{`{pattern: "%Y-%m-%d %H:%M", timezone: "+02:00"}`, "0001-01-01 00:00", "", "map/date"},
		{`"%Y-%m-%d %H:%M %Z"`, "2020-03-03 10:00 UTC+2", "", "map/time-zone"},
		{`"%Y-%m-%d %H:%M %z"`, "2020-03-03 10:00 UTC+2", "2020-03-03T08:00:00Z", ""},
		{`{pattern: "%d %B %Y", language: [fr, de]}`, "3 März 2020", "2020-03-03T00:00:00Z", ""},
		{`{pattern: "%d %B %Y", language: [pl, hr]}`, "3 listopad 2020", "", "map/date"},
	} {
		want := c.want
		if want == "" {
			want = c.in
		}
		if got, code := dated(t, c.rule, c.in); got != want || code != c.code {
			t.Errorf("%s %q: %s [%s], want %s [%s]", c.rule, c.in, got, code, want, c.code)
		}
	}
}

func TestDatesInLanguages(t *testing.T) {
	for _, c := range []struct{ language, pattern, in, want string }{
		{"fr", "%d %B %Y", "1er août 2020", "2020-08-01"}, {"fr", "%d %b %Y", "3 févr. 2020", "2020-02-03"},
		{"fr", "%A %d %B %Y", "mardi 3 mars 2020", "2020-03-03"},
		{"fr", "%d %b %Y", "3 janv. 2020", "2020-01-03"}, {"fr", "%d %b %Y", "3 juil. 2020", "2020-07-03"},
		{"fr", "%d %b %Y", "3 DEC 2020", "2020-12-03"},
		{"fr-FR", "%a %d %b %Y", "mar. 3 mars 2020", "2020-03-03"}, {"fr", "%d %B %Y", "3 AOUT 2020", "2020-08-03"},
		{"fr", "%d %b %Y", "3 juin 2020", "2020-06-03"},
		{"de", "%d. %B %Y", "3. März 2020", "2020-03-03"}, {"de", "%d. %b %Y", "3. Mrz. 2020", "2020-03-03"},
		{"de", "%A, %d. %B %Y", "Dienstag, 3. Maerz 2020", "2020-03-03"},
		{"de", "%a, %d.%m.%Y", "Di, 03.03.2020", "2020-03-03"}, {"de-AT", "%d %B %Y", "3. Jänner 2020", "2020-01-03"},
		{"de", "%d. %b %Y", "3. Okt. 2020", "2020-10-03"},
		{"es", "%d de %B de %Y", "3 de marzo de 2020", "2020-03-03"}, {"es", "%A, %d de %B de %Y", "miércoles, 4 de setiembre de 2019",
			"2019-09-04"}, {"es", "%d %b %Y", "3 ene. 2020", "2020-01-03"},
		{"it", "%A %d %B %Y", "martedì 3 marzo 2020", "2020-03-03"}, {"it", "%d %b %Y", "1º gen 2020", "2020-01-01"},
		{"it", "%A %d %B %Y", "martedi 3 marzo 2020", "2020-03-03"},
		{"nl", "%A %d %B %Y", "dinsdag 3 maart 2020", "2020-03-03"}, {"nl", "%d %b %Y", "3 mrt. 2020", "2020-03-03"},
		{"nl", "%a %d %b %Y", "di 3 mrt 2020", "2020-03-03"},
		{"pt", "%A, %d de %B de %Y", "terça-feira, 3 de março de 2020", "2020-03-03"}, {"pt_BR", "%d-%b-%Y", "3-mar-2020", "2020-03-03"},
		{"pt", "%a, %d %b %Y", "ter., 3 mar. 2020", "2020-03-03"},
		{"sv", "%A den %d %B %Y", "tisdag den 3 mars 2020", "2020-03-03"}, {"sv", "%d %b %Y", "3 okt. 2020", "2020-10-03"},
		{"sv", "%a %d %b %Y", "ti 3 mars 2020", "2020-03-03"},
		{"da", "%A den %d. %B %Y", "tirsdag den 3. marts 2020", "2020-03-03"}, {"da", "%A d. %d. %B %Y", "lørdag d. 7. marts 2020",
			"2020-03-07"}, {"no", "%d. %B %Y", "3. desember 2020", "2020-12-03"},
		{"nb", "%a %d. %b %Y", "tir. 3. mars 2020", "2020-03-03"}, {"fi", "%d. %B %Y", "3. maaliskuuta 2020", "2020-03-03"},
		{"fi", "%A %d. %B %Y", "tiistaina 3. maaliskuuta 2020", "2020-03-03"},
		{"fi", "%d. %b %Y", "3. maalis 2020", "2020-03-03"}, {"pl", "%d %B %Y", "3 października 2020", "2020-10-03"},
		{"pl", "%d %b %Y", "3 paź 2020", "2020-10-03"},
		{"pl", "%A, %d %B %Y", "środa, 4 wrzesnia 2019", "2019-09-04"}, {"pl", "%B %d %Y", "styczeń 3 2020", "2020-01-03"},
		{"cs", "%d. %B %Y", "3. července 2020", "2020-07-03"},
		{"cs", "%d. %B %Y", "3. června 2020", "2020-06-03"}, {"cs", "%A %d. %B %Y", "úterý 3. března 2020", "2020-03-03"},
		{"sk", "%d. %B %Y", "3. októbra 2020", "2020-10-03"},
		{"ru", "%d %B %Y", "3 марта 2020", "2020-03-03"}, {"ru", "%d %B %Y г.", "3 мая 2020 г.", "2020-05-03"},
		{"ru", "%a, %d %b %Y", "вт, 3 мар. 2020", "2020-03-03"},
		{"ru", "%B %d %Y", "Август 3 2020", "2020-08-03"}, {"ru", "%A, %d %B %Y", "вторник, 3 марта 2020", "2020-03-03"},
		{"uk", "%d %B %Y", "3 березня 2020", "2020-03-03"},
		{"uk", "%A, %d %B %Y", "п’ятниця, 6 березня 2020", "2020-03-06"}, {"bg", "%d %B %Y", "3 март 2020", "2020-03-03"},
		{"hr", "%d. %B %Y.", "3. ožujka 2020.", "2020-03-03"},
		{"sr", "%d. %B %Y.", "3. марта 2020.", "2020-03-03"}, {"sr", "%d. %b %Y.", "3. mart 2020.", "2020-03-03"},
		{"sl", "%d. %B %Y", "3. marca 2020", "2020-03-03"},
		{"hu", "%Y. %B %d.", "2020. március 3.", "2020-03-03"}, {"hu", "%Y. %B %d", "2020. október 3-án", "2020-10-03"},
		{"ro", "%d %B %Y", "3 martie 2020", "2020-03-03"},
		{"tr", "%d %B %Y", "3 Ağustos 2020", "2020-08-03"}, {"tr", "%d %B %Y %A", "3 Mart 2020 Salı", "2020-03-03"},
		{"tr", "%d %B %Y", "3 ŞUBAT 2020", "2020-02-03"}, {"tr", "%d %B %Y", "3 KASIM 2020", "2020-11-03"},
		{"el", "%d %B %Y", "3 Μαρτίου 2020", "2020-03-03"}, {"el", "%d %b %Y", "3 Μαΐ 2020", "2020-05-03"},
		{"el", "%A %d %B %Y", "Τρίτη 3 Μάρτιος 2020", "2020-03-03"},
		{"ca", "%d %B %Y", "3 març 2020", "2020-03-03"}, {"lt", "%Y %B %d", "2020 kovo 3", "2020-03-03"},
		{"lv", "%Y. %d. %B", "2020. 3. martā", "2020-03-03"},
		{"et", "%d. %B %Y", "3. märts 2020", "2020-03-03"}, {"is", "%d. %B %Y", "3. júní 2020", "2020-06-03"},
		{"id", "%A, %d %B %Y", "Selasa, 3 Maret 2020", "2020-03-03"},
		{"la", "%d %B %Y", "3 Martii 2020", "2020-03-03"}, {"ja", "%Y年%m月%d日(%a)", "2020年3月3日(火)", "2020-03-03"},
		{"zh", "%Y年%B%d日 %A", "2020年十二月1日 星期二", "2020-12-01"},
		{"ja", "%Y年%B%d日", "2024年3月5日", "2024-03-05"}, {"ja", "%Y年%B%d日", "2024年１２月５日", "2024-12-05"},
		{"ja", "%Y年%B%d日(%a)", "2020年11月3日(火)", "2020-11-03"},
		{"zh", "%Y年%B%d日", "2020年1月11日", "2020-01-11"}, {"ko", "%Y년 %B %d일", "2020년 10월 3일", "2020-10-03"},
		{"ar", "%d %B %Y", "٣ مارس ٢٠٢٠", "2020-03-03"}, {"ar", "%d %B %Y", "3 ابريل 2020", "2020-04-03"},
		{"ar", "%d %B %Y", "3 كانون الثاني 2020", "2020-01-03"},
		{"ar", "%A، %d %B %Y", "الثلاثاء، 3 مارس 2020", "2020-03-03"}, {"ar", "%d %B %Y", "3 تشرين الأول 2020", "2020-10-03"},
		{"he", "%d ב%B %Y", "3 במרץ 2020", "2020-03-03"}, {"he", "%d %B %Y", "3 באוקטובר 2020", "2020-10-03"},
		{"he", "%A, %d %B %Y", "יום שלישי, 3 מרץ 2020", "2020-03-03"},
		{"th", "%d %B %Y", "3 มีนาคม 2020", "2020-03-03"}, {"th", "วัน%Aที่ %d %B %Y", "วันอังคารที่ 3 มีนาคม 2020", "2020-03-03"},
		{"th", "%d %B %Y", "3 พฤศจิกายน 2020", "2020-11-03"},
		{"vi", "%d %B %Y", "3 tháng Ba 2020", "2020-03-03"}, {"vi", "%d %B, %Y", "3 Tháng mười hai, 2020", "2020-12-03"},
		{"vi", "%d %B %Y", "3 tháng 1 2020", "2020-01-03"},
		{"vi", "Ngày %d %B năm %Y", "Ngày 03 tháng 11 năm 2020", "2020-11-03"}, {"vi", "%A, %d %B %Y", "Chủ Nhật, 1 tháng 3 2020",
			"2020-03-01"},
		{"ko", "%Y년 %m월 %d일 %A", "2020년 3월 3일 화요일", "2020-03-03"}, {"es", "%d/%b/%Y", "03/AGO/2020", "2020-08-03"},
		{"en", "%A %d %B %Y", "Tues 3 March 2020", "2020-03-03"},
	} {
		rule := fmt.Sprintf("{pattern: %q, language: %s}", c.pattern, c.language)
		if c.language == "no" {
			rule = fmt.Sprintf("{pattern: %q, language: 'no'}", c.pattern)
		}
		if got, code := dated(t, rule, c.in); got != c.want+"T00:00:00Z" || code != "" {
			t.Errorf("%s %s %q: %s [%s], want %s", c.language, c.pattern, c.in, got, code, c.want)
		}
	}
}

// TestGeneratedDatesAreThoseOfGo writes dates by another writer of patterns, time.Format, and
// reads them back.
func TestGeneratedDatesAreThoseOfGo(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	forms := [][2]string{
		{"%Y-%m-%dT%H:%M:%S%z", time.RFC3339}, {"%a, %d %b %Y %H:%M:%S %z", time.RFC1123Z},
		{"%A, %d-%b-%Y %H:%M:%S %Z", "Monday, 02-Jan-2006 15:04:05 MST"},
		{"%B %e, %Y %I:%M:%S %p", "January _2, 2006 3:04:05 PM"}, {"%Y%m%d%H%M%S", "20060102150405"}, {"%j/%Y %T", "002/2006 15:04:05"},
		{"%d.%m.%Y %R:%S", "2.1.2006 15:04:05"},
	}
	zones := []string{"Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Adelaide", "UTC"}
	for range 200 {
		form, name := forms[random.IntN(len(forms))], zones[random.IntN(len(zones))]
		zone, _ := time.LoadLocation(name)
		// Noon is never within a change of clocks.
		day := time.Date(1901+random.IntN(198), 1, 1, 12, random.IntN(60), random.IntN(60), 0, time.UTC).AddDate(0, 0, random.IntN(365))
		when := time.Date(day.Year(), day.Month(), day.Day(), 12, day.Minute(), day.Second(), 0, zone)
		text := when.Format(form[1])
		if strings.Contains(form[1], "02-Jan-2006") && strings.ContainsAny(text[len(text)-5:], "+-") {
			continue // the zone has no abbreviation
		}
		rule := fmt.Sprintf("{pattern: %q, timezone: %s}", form[0], name)
		want := when.UTC().Format("2006-01-02T15:04:05Z")
		if _, offset := when.Zone(); offset%60 != 0 && strings.HasSuffix(form[0], "%z") {
			continue // the offset is written without its seconds
		}
		if got, code := dated(t, rule, text); got != want || code != "" {
			t.Errorf("%s %q: %s [%s], want %s", rule, text, got, code, want)
		}
	}
}

// TestPythonReadsTheSame compares with strptime of Python, a second reader.
func TestPythonReadsTheSame(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 here")
	}
	random := rand.New(rand.NewPCG(5, 6))
	patterns := []string{"%d/%m/%Y", "%m/%d/%y", "%Y-%j", "%d %B %Y", "%d %b %y %H:%M", "%I:%M %p %d.%m.%Y", "%G-W%V-%u", "%Y %W %w",
		"%Y %U %w", "%H%M%S %Y%m%d"}
	pick := func(from ...string) string { return from[random.IntN(len(from))] }
	var input strings.Builder
	var cases [][2]string
	for range 300 {
		p := patterns[random.IntN(len(patterns))]
		text := p
		for _, r := range [][]string{{"%d", "1", "9", "28", "29", "30", "31", "05"}, {"%m", "1", "2", "02", "11", "12", "13"},
			{"%Y", "2019", "2020", "1999", "0099"},
			{"%y", "00", "68", "69", "99"}, {"%j", "001", "60", "365", "366", "367"}, {"%B", "March", "february", "Sept"},
			{"%b", "Mar", "FEB", "jun"},
			{"%H", "0", "9", "23", "12", "25"}, {"%I", "1", "12", "11", "0"}, {"%M", "00", "59", "60"}, {"%p", "AM", "pm"},
			{"%S", "00", "59"}, {"%G", "2019", "2020"},
			{"%V", "01", "52", "53"}, {"%u", "1", "7"}, {"%W", "00", "01", "52", "53"}, {"%U", "00", "01", "52", "53"},
			{"%w", "0", "1", "6"}} {
			text = strings.ReplaceAll(text, r[0], pick(r[1:]...))
		}
		cases = append(cases, [2]string{p, text})
		fmt.Fprintf(&input, "%s\t%s\n", p, text)
	}
	script := `
import sys, datetime
for line in sys.stdin:
    p, s = line.rstrip("\n").split("\t")
    try: print(datetime.datetime.strptime(s, p).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0"))
    except ValueError: print(s)
`
	cmd := exec.Command(python, "-c", script)
	cmd.Stdin = strings.NewReader(input.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(out), "\n")
	for i, c := range cases {
		got, code := dated(t, fmt.Sprintf("%q", c[0]), c[1])
		if strings.Contains(c[0], "%B") && strings.Contains(c[1], "Sept") {
			continue // Python takes no abbreviation for %B
		}
		if lenient := strings.ContainsAny(c[0], "UWj") && !strings.HasPrefix(lines[i], c[1][:4]) ||
			strings.Contains(c[1], "2019-W53") || strings.Contains(c[0], "%H%M%S"); lenient && got == c[1] {
			continue // Python counts a day that the year lacks into the next, and parts digits that adjoin
		}
		if got != lines[i] {
			t.Errorf("%s %q: %s [%s], Python %s", c[0], c[1], got, code, lines[i])
		}
	}
}

func FuzzDates(f *testing.F) {
	f.Add("%d %B %Y", "1er août 2020")
	f.Add("%Y-%m-%dT%H:%M:%S.%f%z", "2020-03-03T10:00:00.1+01:00")
	f.Add("%A %d %b %y %I %p %Z", "Montag 3. März 20 3 pm CET")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		p, _ := json.Marshal(pattern)
		m, err := compile(t, `{"d": {"date": {"pattern": `+string(p)+`, "language": ["de", "fr", "pt"], "timezone": "Europe/Berlin"}}}`)
		if err != nil {
			return
		}
		out := &tally{}
		r := recordOf(t, `{"d":""}`)
		r.Fields[0].Value.Text = text
		if err := m.Sink(out).Record(r); err != nil {
			t.Fatal(err)
		}
		if got := out.records[0].Fields[0].Value.Text; got != text {
			if _, err := time.Parse("2006-01-02T15:04:05Z", got); err != nil {
				t.Errorf("%q %q: %s", pattern, text, got)
			}
		} else if len(out.notices) == 0 && strings.TrimSpace(text) != "" {
			if _, err := time.Parse("2006-01-02T15:04:05Z", got); err != nil {
				t.Errorf("%q stays without a word", text)
			}
		}
	})
}

// TestADayAloneIsWrittenWhereItIsAskedFor: as date, words for null, and patterns that have a time.
func TestADayAloneIsWrittenWhereItIsAskedFor(t *testing.T) {
	const rule = `d: {date: {pattern: ["%d.%m.%Y", "%B %Y"], as: date, missing: [n/a, "-"]}}`
	for in, want := range map[string]string{
		"03.04.2024": `{"d":"2024-04-03"`, "2024-04-03": `{"d":"2024-04-03"`, "31.02.2024": `{"d":"31.02.2024"`, "n/a": `{"d":null`,
		" - ": `{"d":null`,
		"":    `{"d":""`, "May 2024": `{"d":"2024-05-01"`, "N/A": `{"d":"N/A"`, "2024-02-30": `{"d":"2024-02-30"`,
		"29.02.2024": `{"d":"2024-02-29"`,
	} {
		got, _, _ := run(t, rule, `{"d":"`+in+`"}`)
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	if _, err := compile(t, `d: {date: {pattern: "%Y-%m-%d %H:%M", as: date}}`); err == nil ||
		!strings.Contains(err.Error(), "has a time") {
		t.Errorf("%v", err)
	}
}
