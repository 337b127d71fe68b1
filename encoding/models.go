package encoding

// A model says how likely characters are in the words of one language. The letters
// outside ASCII stand in the order of how common they are; that order is nearly
// all that is needed to tell encodings apart.
type model struct {
	language string
	script   script
	letters  string // commonest first, in lower case
}

type script uint8

const (
	latin    script = iota
	alphabet        // Cyrillic, Greek, Hebrew, Arabic, Thai: words hold no ASCII letters
	chinese
	kana
	syllables
)

var models = []model{
	{"French", latin, "éèàêçôîâûùïëœüæÿ’"},
	{"German", latin, "üäößéàèôç"},
	{"Spanish", latin, "óíáéñúüçà"},
	{"Portuguese", latin, "ãçáéíóõêúâôàü"},
	{"Italian", latin, "àèùòìéîó"},
	{"Nordic", latin, "äåöøæéüáóèà"},
	{"Icelandic", latin, "áíðéóöúþýæ"},
	{"names of western Europe", latin, "éüöäóíáèñçåøàãæúëôêßîõâïòùýìðþœžšûÿ"},
	{"Polish", latin, "łóążęśćńźéöü"},
	{"Czech", latin, "íáéěšřčžýůúňóďťöü"},
	{"Slovak", latin, "áíéýčžšľúťôňäďóĺŕ"},
	{"Hungarian", latin, "áéöóőüíúű"},
	{"Romanian", latin, "ăîţâşșțéáö"},
	{"Slovene and Croatian", latin, "čšžćđüö"},
	{"Turkish", latin, "ıüşğçöİâîû"},
	{"Lithuanian", latin, "ėšųžąūįčę"},
	{"Latvian", latin, "āīēšņūļžķģčō"},
	{"Estonian", latin, "äüõöšž"},
	{"Esperanto and Maltese", latin, "ĉĝŭŝĵĥħżġċ"},
	{"Russian", alphabet, "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"},
	{"Ukrainian", alphabet, "оаинвієртслкдмупязьгбчйхжїцшющфєґ’"},
	{"Belarusian", alphabet, "аніоесрктлядвыпмузйўьбгчжхэцшёюф"},
	{"Bulgarian", alphabet, "аоиетнрсвлкдпмзгяъбучцжхщшюйфь"},
	{"Serbian and Macedonian", alphabet, "аоиенртсјвкудпмлзгбљчшжњцћхђџфѓќѕ"},
	{"Greek", alphabet, "ατοιενσρκπηυμλςίόάδγέήθωχύφώβξζψϊΐϋΰ"},
	{"Hebrew", alphabet, "יוהלאתרבםשמנדקכפעטחגסזצןךףץ"},
	{"Arabic", alphabet, "اليمنرتوبةدعفسهكحقجشصىطأخضثزذغإءئآظؤ"},
	{"Persian", alphabet, "اینردهومتسبلشکزخفگپقعجحچطصآغضذظثژ"},
	{"Thai", alphabet, "านรกอเงวมยลสตทดปคบ่้ี็พไหชิัะ์ุูขแใโจำผธถณซึศญื"},
	{"Chinese", chinese, simplified},
	{"Chinese, traditional", chinese, traditional},
	{"Japanese", kana, "のいしたるとうにはをかてんがなこれでまっりすくもらだつさきあせけじよどえわちみおげそめごばずびろほうやぎぐひむぶょゅゃー" + katakana + kanji},
	{"Korean", syllables, hangul},
}

const (
	katakana   = "ンスルトリアーイラクシドロジレフタコテプセサマムニメオパバグデブカキハナチソワヤミツノエモベケネガポボゲダウ"
	kanji      = "日本大年人国会中一出社事者地東京的業学生上月長名分市部新道文行方合内場後前手自同立高見小間山田川町村県駅研究作品時代戦化電車語図書館関係第"
	simplified = "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长" +
		"市省县区州城名京海江山河北南东西新华民政府部教育研究院所工业经济社会科技信息数据图书馆类型号第版世界历史语言网络电话地址姓作者标题"
	traditional = "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可她裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長" +
		"市省縣區州城名京海江山河北南東西新華民政府部教育研究院所工業經濟社會科技資訊數據圖書館類型號第版世界歷史語言網路電話地址姓作者標題臺灣灣臺"
	hangul = "이다의는에을가고지한하도를은로사기시자어나인서리스아대그정보부해수전제일구장국원상주동문학과관성위대경공계산소비조물무선연유여들만있었것면라않없때까우며던적음각개교실현중안신민세간간명등식용진행분당방회내" +
		"명울북남강역도록본생활영미모트드러코크르"
)

// candidates are the encodings that are tried, likeliest first, with how much less
// likely (as a logarithm) each is than the first before a word is seen.
var candidates = []struct {
	name  string
	prior float64
}{
	{"windows-1252", 0},
	{"windows-1251", -1},
	{"gb18030", -1},
	{"shift_jis", -1},
	{"euc-jp", -1},
	{"big5", -1},
	{"euc-kr", -1},
	{"koi8-r", -1},
	{"windows-1250", -1.5},
	{"iso-8859-2", -1.5},
	{"iso-8859-15", -2},
	{"koi8-u", -1.5},
	{"windows-1253", -1.5},
	{"iso-8859-7", -1.6},
	{"windows-1254", -2},
	{"windows-1255", -1.5},
	{"windows-1256", -1.5},
	{"windows-1257", -2},
	{"iso-8859-5", -2},
	{"windows-874", -2},
	{"ibm866", -2.5},
	{"iso-8859-3", -4},
	{"macintosh", -4},
	{"x-mac-cyrillic", -4},
	{"ibm850", -4},
	{"ibm852", -4},
}

// candidateNames returns the names of the candidates and, last, "utf-8": UTF-8 with
// stray bytes in it.
func candidateNames() []string {
	names := make([]string, 0, len(candidates)+1)
	for _, c := range candidates {
		names = append(names, c.name)
	}
	return append(names, "utf-8")
}

// priorOf is that of a candidate; what is none, but is declared, has that of the rare.
func priorOf(name string) float64 {
	for _, c := range candidates {
		if c.name == name {
			return c.prior
		}
	}
	return -4
}
