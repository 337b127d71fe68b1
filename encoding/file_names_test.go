package encoding_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/encoding"
)

// wordsIn are words of names as people give them, by the encoding that old programs write them in.
var wordsIn = map[string]string{
	"ibm437":       "Übersicht Straße größe Prüfung Gemälde café résumé niño año señal élève Ärzte Äpfel Bücher Schüler Müll Gebäude Öl Größenordnung naïve über",
	"ibm850":       "São Ações coração Relatório Índice população educação análise saúde região ciência",
	"ibm866":       "Отчёт данные Москва список таблица население города Россия документы книга архив школа улица",
	"shift_jis":    "データ 東京 日本語 人口 統計 資料 一覧表 書類 新しいフォルダ 報告書 画像 学校",
	"gb18030":      "数据 北京 人口统计 新建文件夹 文档 中国 资料 列表 报告 学校 图片 说明",
	"windows-1252": "Übersicht Straße größe Prüfung Gemälde café résumé niño élève Bücher Gebäude",
	"big5":         "資料 臺北 人口統計 新資料夾 說明 報告 學校 圖片 台灣",
	"euc-kr":       "자료 서울 인구 통계 보고서 학교 새폴더 문서 목록 한국",
	"ibm852":       "Zażółć Łódź dane ludność książka Gdańsk wyniki świat źródło Wrocław",
}

func TestNamesOfFilesAreReadInTheirLikeliestEncoding(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 13))
	right, all := map[string]int{}, map[string]int{}
	for _, name := range []string{"ibm437", "ibm850", "ibm866", "shift_jis", "gb18030", "windows-1252", "big5", "euc-kr", "ibm852"} {
		encode, _ := encoding.NewEncoder(name)
		words := strings.Fields(wordsIn[name])
		for range 25 {
			var names, want []string
			for len(names) < 4 {
				text := words[r.IntN(len(words))] + "/" + words[r.IntN(len(words))] + "_2014.nt"
				b, err := encode(nil, []byte(text))
				if err != nil {
					t.Fatalf("%s in %s: %v", text, name, err)
				}
				names, want = append(names, string(b)), append(want, text)
			}
			read := encoding.FileNames(names)
			for i := range names {
				got, ok := read(names[i])
				all[name]++
				if ok && got == want[i] {
					right[name]++
				}
				if names[i] != want[i] && !slices.Contains(encoding.FileNameBytes(want[i]), names[i]) {
					t.Errorf("%s is not found in %s", want[i], name)
				}
			}
		}
	}
	for name, n := range all {
		t.Logf("%s: %d of %d", name, right[name], n)
		if right[name]*10 < n*9 {
			t.Errorf("%s: %d of %d names came right", name, right[name], n)
		}
	}
}
