package extract_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"laundromat/records/extract"
)

// tableKinds are the ways in which a table was taken for another, each with variations. The first text is what is
// read. The second has the labels and rows, apart by | and lines; made-up labels alone are left out.
var tableKinds = []struct {
	kind string
	rows [][2]string
}{
	{"one column of values that hold signs", [][2]string{
		{"time\n05:40\n21:30\n", "time\n05:40\n21:30"},
		{"05:40\n21:30\n07:15\n", "05:40\n21:30\n07:15"},
		{"page\nhttps://a.example/x\nhttps://b.example/y\n", "page\nhttps://a.example/x\nhttps://b.example/y"},
		{"when\n2024-05-01T10:00:00\n2024-05-02T11:30:00\n", "when\n2024-05-01T10:00:00\n2024-05-02T11:30:00"},
		{"mac\n00:1B:44:11:3A:B7\n00:1B:44:11:3A:B8\n", "mac\n00:1B:44:11:3A:B7\n00:1B:44:11:3A:B8"},
		{"price\n12,5\n13,75\n140,25\n", "price\n12,5\n13,75\n140,25"},
		{"ratio\n2:1\n3:1\n4:2\n", "ratio\n2:1\n3:1\n4:2"},
		{"name\nSmith, Ann\nDoe, John\n", "name\nSmith, Ann\nDoe, John"},
		{"note\nYes!\nNo!\nWell!\n", "note\nYes!\nNo!\nWell!"},
		{"mail\nann@a.example\nbob@b.example\n", "mail\nann@a.example\nbob@b.example"},
		{"text\nOne sentence, and more.\nAnother; it is short.\nA third | one\n",
			"text\nOne sentence, and more.\nAnother; it is short.\nA third / one"},
	}},
	{"one column whose lines end in a delimiter", [][2]string{
		{"town;\nBonn;\nUlm;\n", "town\nBonn\nUlm"},
		{"town,\nBonn,\nUlm,\n", "town\nBonn\nUlm"},
		{"n,\n12,\n7,\n0,\n", "n\n12\n7\n0"},
		{"town\t\nBonn\t\nUlm\t\n", "town\nBonn\nUlm"},
		{"\"town\"|\n\"Bonn\"|\n\"Ulm\"|\n", "town\nBonn\nUlm"},
		{"day;\n2024-01-02;\n2024-01-03;\n", "day\n2024-01-02\n2024-01-03"},
		{"town;;\nBonn;;\nUlm;;\n", "town\nBonn\nUlm"},
		{"town;\r\nBonn;\r\nUlm;\r\n", "town\nBonn\nUlm"},
		{"a;b;\n1;2;\n3;4;\n", "a|b\n1|2\n3|4"},
		{"a,b\n1,2,\n3,4,\n", "a|b\n1|2\n3|4"},
	}},
	{"values that begin as comments do", [][2]string{
		{"colour\n#a3c1ad\n#0f52ba\n", "colour\n#a3c1ad\n#0f52ba"},
		{"room\n#garden\n#kitchen\nlobby\n", "room\n#garden\n#kitchen\nlobby"},
		{"tag,n\n#one,1\n#two,2\n", "tag|n\n#one|1\n#two|2"},
		{"#id,name\n1,x\n2,y\n", "#id|name\n1|x\n2|y"},
		{"# made by hand\na,b\n1,2\n", "a|b\n1|2"},
		{"# made\n# by hand\nname;n\nx;1\ny;2\n", "name|n\nx|1\ny|2"},
		{"# made by hand\nname\nAnna\nBob\n", "name\nAnna\nBob"},
		{"channel;n\n#news;1\n#art;2\n", "channel|n\n#news|1\n#art|2"},
		{"a,b\n1,2\n# in the middle\n3,4\n", "a|b\n1|2\n3|4"},
		{"code\n#1\n#2\n#3\n", "code\n#1\n#2\n#3"},
	}},
	{"cells that hold a table", [][2]string{
		{"id,t\n1,\"a\tb\nc\td\"\n2,\"e\tf\ng\th\"\n", "id|t\n1|a\tb↵c\td\n2|e\tf↵g\th"},
		{"id,t\n1,x\n2,\"a;b;c\nd;e;f\ng;h;i\nj;k;l\"\n3,y\n", "id|t\n1|x\n2|a;b;c↵d;e;f↵g;h;i↵j;k;l\n3|y"},
		{"id,t\n1,\"a/b\nc/d\ne/f\"\n2,z\n", "id|t\n1|a/b↵c/d↵e/f\n2|z"},
		{"id;t\n1;\"a,b\nc,d\ne,f\"\n2;z\n", "id|t\n1|a,b↵c,d↵e,f\n2|z"},
		{"id\tt\n1\t\"a,b\nc,d\"\n2\tz\n", "id|t\n1|a,b↵c,d\n2|z"},
		{"id,t\n1,\"{\"\"a\"\": 1, \"\"b\"\": 2}\"\n2,z\n", "id|t\n1|{\"a\": 1, \"b\": 2}\n2|z"},
		{"\"a\",\"b\"\n\"1;2;3\",\"x\"\n\"4;5;6\",\"y\"\n", "a|b\n1;2;3|x\n4;5;6|y"},
		{"t,id\n\"x: 1\ny: 2\",1\n\"x: 3\ny: 4\",2\n", "t|id\nx: 1↵y: 2|1\nx: 3↵y: 4|2"},
		{"id,n,t\n1,5,\"a\tb\"\n2,6,\"c\td\"\n", "id|n|t\n1|5|a\tb\n2|6|c\td"},
		{"id,t\n1,\"\n\n\"\n2,\"a,b\n\"\n", "id|t\n1|↵↵\n2|a,b↵"},
	}},
	{"rows that equal the first", [][2]string{
		{"yes,no\nyes,no\nno,yes\n", "yes|no\nyes|no\nno|yes"},
		{"T,F\nT,F\nT,F\nT,F\n", "T|F\nT|F\nT|F\nT|F"},
		{"open\nopen\nopen\nshut\n", "open\nopen\nopen\nshut"},
		{"a,b\n1,2\na,b\n3,4\n", "a|b\n1|2\n3|4"},
		{"a,b\nx,y\n\na,b\nz,w\n", "a|b\nx|y\nz|w"},
		{"n\n1\n2\nn\n3\n", "n\n1\n2\n3"},
		{"a;b\nx;y\nz;w\na;b\nu;v\n", "a|b\nx|y\nz|w\na|b\nu|v"},
		{"red,red\nred,red\nblue,red\n", "red|red\nred|red\nblue|red"},
		{"day,n\n2024-01-01,1\n\nday,n\n2024-01-02,2\n", "day|n\n2024-01-01|1\n2024-01-02|2"},
		{"y\ny\n", "y\ny"},
	}},
	{"aligned columns", [][2]string{
		{"NAME   STATUS   AGE\nalpha  Active   2d\nbeta   Gone     10d\n", "NAME|STATUS|AGE\nalpha|Active|2d\nbeta|Gone|10d"},
		{"name    n\nAnna    1\nBob    12\nCy    123\n", "name|n\nAnna|1\nBob|12\nCy|123"},
		{"Qty  Part            Vendor\n1    Resistor, 5 W   Acme\n2    Lamp            Digi Parts\n3                    Acme\n",
			"Qty|Part|Vendor\n1|Resistor, 5 W|Acme\n2|Lamp|Digi Parts\n3||Acme"},
		{"a    b\n\nx y  1\nz    2\nw    3\n", "a|b\nx y|1\nz|2\nw|3"},
		{"town      people  land\nBonn      331     DE\nGraz      302     AT\nChur      38      CH\n",
			"town|people|land\nBonn|331|DE\nGraz|302|AT\nChur|38|CH"},
		{"ID  LABELS\n1   a=b,c=d\n2   e=f,g=h\n3   i=j,k=l\n", "ID|LABELS\n1|a=b,c=d\n2|e=f,g=h\n3|i=j,k=l"},
		{"town    n\nZürich  1\nKöln    2\nBonn    3\n", "town|n\nZürich|1\nKöln|2\nBonn|3"},
		{"k      v\nähn    1\nöde    2\nübel   3\n", "k|v\nähn|1\nöde|2\nübel|3"},
		{"name   year   place\n-----  ----   -----\nAda    1815   London\nBob    1900   Rome\n",
			"name|year|place\nAda|1815|London\nBob|1900|Rome"},
		{"id  town  n\n--  ----  -\n1   Bonn  5\n2   Graz  7\n3   Chur  9\n", "id|town|n\n1|Bonn|5\n2|Graz|7\n3|Chur|9"},
		{"id town   n kind \n-- ---- --- -----\n 1 Bonn 331 a b\n 2 Graz 302 c\n 3 Chur  38 d e\n(3 rows)\n\n",
			"id|town|n|kind\n1|Bonn|331|a b\n2|Graz|302|c\n3|Chur|38|d e"},
		{"town       n\n---------- ---\nBonn A     331\nGraz        38\n\n(2 rows affected)\n", "town|n\nBonn A|331\nGraz|38"},
		{"id,town,n\n--,----,-\n1,Bonn,5\n2,Graz,7\n", "id|town|n\n1|Bonn|5\n2|Graz|7"},
		{"id  town  n\n1   Bonn  5\n--  --    -\n3   Chur  9\n4   Graz  7\n", "id|town|n\n1|Bonn|5\n--|--|-\n3|Chur|9\n4|Graz|7"},
		{"code  text\nA1    one, two\nB2    three; four\nC3    five | six\n", "code|text\nA1|one, two\nB2|three; four\nC3|five / six"},
	}},
	{"rows around the table", [][2]string{
		{"4,12\n5,13,wool,a\n6,14,silk,b\n7,15,hemp,c\n", "4|12\n5|13|wool|a\n6|14|silk|b\n7|15|hemp|c"},
		{"Report of the year\n\na,b\n1,2\n3,4\n", "a|b\n1|2\n3|4"},
		{"Station;Bonn\nday;high;low;rain\n2020-01-01;5;1;0\n2020-01-02;6;2;0\n", "day|high|low|rain\n2020-01-01|5|1|0\n2020-01-02|6|2|0"},
		{"Report,,\na,b,c\n1,2,3\n3,4,5\n", "a|b|c\n1|2|3\n3|4|5"},
		{"wide,header,of,many\n1,2\n3,4\n5,6\n", "wide|header\n1|2\n3|4\n5|6"},
		{"a,,,,\n1,2,3,4,5\n6,7,8,9,0\n", "a|column_2|column_3|column_4|column_5\n1|2|3|4|5\n6|7|8|9|0"},
		{"name,n\nx,1\ny,2\n\nSource: the office\n", "name|n\nx|1\ny|2"},
		{"7,8,9,\nyes,no,,x\nno,no,,y\n", "7|8|9\nyes|no||x\nno|no||y"},
		{"Export of today\nid;name\n1;Ann\n2;Bob\n", "id|name\n1|Ann\n2|Bob"},
		{"site,mail\nann\nbob\ncid\n", "site\nann\nbob\ncid"},
	}},
	{"years as labels", [][2]string{
		{"c,2019,2020\nFR,12,13\nDE,14,15\n", "c|2019|2020\nFR|12|13\nDE|14|15"},
		{"c,2020,2019\nFR,12,13\nDE,14,15\n", "c|2020|2019\nFR|12|13\nDE|14|15"},
		{"c,2011,2015,2016\nFR,12,13,4\nDE,14,15,5\n", "c|2011|2015|2016\nFR|12|13|4\nDE|14|15|5"},
		{"Musei,2011,2010\nGalleria,23.824,17.518\nMuseo,in restauro,in restauro\n",
			"Musei|2011|2010\nGalleria|23.824|17.518\nMuseo|in restauro|in restauro"},
		{"geo,2018,2017\nAT,12.7 p,: c\nBE,3.1,4.2\n", "geo|2018|2017\nAT|12.7 p|: c\nBE|3.1|4.2"},
		{"geo\t2018\t2017\nAT\t:\t:\nBE\t3.1\t4.2\n", "geo|2018|2017\nAT|:|:\nBE|3.1|4.2"},
		{"Ann,1999,2005\nBob,1998,2001\nCid,1997,2004\n", "Ann|1999|2005\nBob|1998|2001\nCid|1997|2004"},
		{"Country,Code,1960,1961\nAruba,ABW,54211,55438\nChad,TCD,3002596,3061423\n",
			"Country|Code|1960|1961\nAruba|ABW|54211|55438\nChad|TCD|3002596|3061423"},
		{"item;2024\nrye;12\noat;7\n", "item|2024\nrye|12\noat|7"},
		{"k,1990,2000,2010\na,,,1\nb,2,3,4\n", "k|1990|2000|2010\na|||1\nb|2|3|4"},
	}},
	{"tables that programs print", [][2]string{
		{" town | rooms\n------+-------\n Bonn |     3\n Ulm  |     4\n(2 rows)\n", "town|rooms\nBonn|3\nUlm|4"},
		{"| town | rooms |\n|:-----|------:|\n| Bonn | 3 |\n| Ulm | 4 |\n", "town|rooms\nBonn|3\nUlm|4"},
		{"+------+-------+\n| town | rooms |\n+------+-------+\n| Bonn |     3 |\n| Ulm  |     4 |\n+------+-------+\n2 rows in set\n",
			"town|rooms\nBonn|3\nUlm|4"},
		{"town | rooms\n--- | ---\nBonn | 3\nUlm | 4\n", "town|rooms\nBonn|3\nUlm|4"},
		{"| a | b | c |\n|---|---|---|\n| 1 |   | x |\n| 2 | y |   |\n", "a|b|c\n1||x\n2|y"},
		{"|town|rooms|\n|-|-|\n|Bonn|3|\n|Ulm|4|\n", "town|rooms\nBonn|3\nUlm|4"},
		{" id |  name\n----+--------\n  1 | Ann\n  2 | Bob\n(2 rows)\n\n", "id|name\n1|Ann\n2|Bob"},
		{"a,b\n---,---\n1,2\n3,4\n", "a|b\n1|2\n3|4"},
		{"town\n----\nBonn\nUlm\n", "town\nBonn\nUlm"},
		{"|Key|Value|\n|:--|--:|\n|x|1,5|\n|y|2,5|\n", "Key|Value\nx|1,5\ny|2,5"},
	}},
	{"a space behind each delimiter", [][2]string{
		{"a, b, c\n1, 2, 3\n4, 5, 6\n", "a|b|c\n1|2|3\n4|5|6"},
		{"\"Year\", \"Name\"\n2015, \"Smith, J\"\n2016, \"Doe, A\"\n", "Year|Name\n2015|Smith, J\n2016|Doe, A"},
		{"a; b\nx; y\nz; w\n", "a|b\nx|y\nz|w"},
		{"service_id, monday\nM1, 1\nM2, 0\n", "service_id|monday\nM1|1\nM2|0"},
		{"id, name, n\n1, Ann Lee, 5\n2, Bob, 6\n", "id|name|n\n1|Ann Lee|5\n2|Bob|6"},
		{"a, b\r\n1, x\r\n2, y\r\n", "a|b\n1|x\n2|y"},
		{"a,b\n1, x\n2,y\n", "a|b\n1| x\n2|y"},
		{"day, n\n2024-01-02, 5\n2024-01-03, 6\n", "day|n\n2024-01-02|5\n2024-01-03|6"},
		{"a| b\n1| x\n2| y\n", "a|b\n1|x\n2|y"},
		{"a, b, c\n1, , 3\n4, 5, 6\n", "a|b|c\n1||3\n4|5|6"},
	}},
	{"headers of several rows", [][2]string{
		{",A,B,Spills,Spills,Days,Days\nYear,,,2022,2023,2022,2023\n---,---,---,---,---,---,---\n0,E1,Alder,12,15,3.5,4\n1,E2,Aldri,1,0,0.25,0\n2,E3,Altri,8,9,1.5,2\n",
			"Year|A|B|Spills 2022|Spills 2023|Days 2022|Days 2023\n0|E1|Alder|12|15|3.5|4\n1|E2|Aldri|1|0|0.25|0\n2|E3|Altri|8|9|1.5|2"},
		{",2019,,2020,\nname,min,max,min,max\nAnna,1,2,3,4\nBob,1,2,3,4\n",
			"name|2019 min|2019 max|2020 min|2020 max\nAnna|1|2|3|4\nBob|1|2|3|4"},
		{"Name,Height\n,(m)\nEiffel,300\nBig Ben,96\n", "Name|Height (m)\nEiffel|300\nBig Ben|96"},
		{"Name,Share\n,%\nA,30\nB,70\n", "Name|Share %\nA|30\nB|70"},
		{"Country,GDP,GDP,Pop\n,2019,2020,2020\nX,1.5,2.5,3\nY,4.5,5.5,6\n",
			"Country|GDP 2019|GDP 2020|Pop 2020\nX|1.5|2.5|3\nY|4.5|5.5|6"},
		{"Name,From,To\n,start,end\nA,1,2\nB,3,4\n", "Name|From start|To end\nA|1|2\nB|3|4"},
		{"Name,Height\n,unknown\nEiffel,300\nBig Ben,96\n", "Name|Height\n|unknown\nEiffel|300\nBig Ben|96"},
		{"Name,Height\n,77\nEiffel,300\nBig Ben,96\n", "Name|Height\n|77\nEiffel|300\nBig Ben|96"},
		{"a,,a,a\n1,2,3,4\n5,6,7,8\n", "a|column_2|a_2|a_3\n1|2|3|4\n5|6|7|8"},
		{"Report,,\na,b,c\nx,y,z\nu,v,w\n", "a|b|c\nx|y|z\nu|v|w"},
	}},
	{"stray marks in a table whose fields are quoted", [][2]string{
		{"\"a\",\"b\"\n" + strings.Repeat("\"x\",\"5\" pipe\"\n", 20), "a|b" + strings.Repeat("\nx|5\" pipe", 20)},
		{"\"a\";\"b\"\n" + strings.Repeat("\"the \"old\" town\";\"1\"\n", 15), "a|b" + strings.Repeat("\nthe \"old\" town|1", 15)},
		{"a\tb\n1\t\"Foo\n2\tBar \"x\" y\n3\tBaz\n", "a|b\n1|\"Foo\n2|Bar \"x\" y\n3|Baz"},
		{"a,b\n1,5\" pipe\n2,6\" pipe\n3,x\n", "a|b\n1|5\" pipe\n2|6\" pipe\n3|x"},
		{"id,name,c\n1,\"Anna,x\n2,Bob,y\n3,\"Cid\",z\n4,Dan,w\n", "id|name|c\n1|\"Anna|x\n2|Bob|y\n3|Cid|z\n4|Dan|w"},
		{"id,name\n1,\"Bonn, \"old\"\"\n2,b\n", "id|name\n1|Bonn, \"old\"\n2|b"},
		{"n\tsaid\n1\t\"Ah\n2\t\"Yes\n3\t\"No\n4\t\"Well\n5\tso\n6\t\"Then\n7\t\"last\n",
			"n|said\n1|\"Ah\n2|\"Yes\n3|\"No\n4|\"Well\n5|so\n6|\"Then\n7|\"last"},
		{"DAY,\"HOUR,n,note\r\n1/2/2019,4:05,1,\"a \"\"b\"\" c\"\r\n1/3/2019,4:06,2,\"two\nlines\"\r\n1/4/2019,4:07,3,x\r\n",
			"DAY|\"HOUR|n|note\n1/2/2019|4:05|1|a \"b\" c\n1/3/2019|4:06|2|two↵lines\n1/4/2019|4:07|3|x"},
	}},
	{"tables that grow, and cells too many", [][2]string{
		{"a,b\nn0,0\nn1,1\nn2,2\nn3,3,x\nn4,4,y\nn5,5,z\n", "a|b|column_3\nn0|0\nn1|1\nn2|2\nn3|3|x\nn4|4|y\nn5|5|z"},
		{"id;n\n1;2\n3;4;more\n5;6\n", "id|n|column_3\n1|2\n3|4|more\n5|6"},
		{"id,day\n1,2024-01-01\n2,2024-01-02,x\n3,2024-01-03\n", "id|day|column_3\n1|2024-01-01\n2|2024-01-02|x\n3|2024-01-03"},
		{"a\tb\nx\ty\nz\tw\nu\tv\tq\no\tp\tr\nl\tm\tk\n", "a|b|column_3\nx|y\nz|w\nu|v|q\no|p|r\nl|m|k"},
		{"id,n\n1,2\n3,4,5\n6,7\n", "id|n\n1|2\n6|7"},
		{"id,name,town\n1,Smith, Ann,Ulm\n2,Doe,Bonn\n3,Roe,Graz\n", "id|name|town\n2|Doe|Bonn\n3|Roe|Graz"},
		{"id,name,n\n1,Smith,Ann,5\n2,Doe,6\n3,Roe,7\n", "id|name|n\n2|Doe|6\n3|Roe|7"},
		{"id,n\n1,2,,\n3,4\n5,6\n", "id|n\n1|2\n3|4\n5|6"},
		{"id,n,note\n1,2,a\n3,,4,\n5,6,b\n7,8,c\n", "id|n|note\n1|2|a\n3||4\n5|6|b\n7|8|c"},
		{"id,name,n\n1,Ann,2\n3,,Bob,4\n5,Cid,6\n7,Dan,8\n", "id|name|n\n1|Ann|2\n3|Bob|4\n5|Cid|6\n7|Dan|8"},
		{"n;day;who\n1;2024-01-01;a\n;2;2024-01-02;b\n3;2024-01-03;c\n4;2024-01-04;d\n",
			"n|day|who\n1|2024-01-01|a\n2|2024-01-02|b\n3|2024-01-03|c\n4|2024-01-04|d"},
		{"id,who,note\n1,Ann,a\n2,,Bob,b\n3,Cid,c\n", "id|who|note\n1|Ann|a\n3|Cid|c"},
		{"id,n,m\n1,2,3\n4,,,5\n6,7,8\n9,10,11\n", "id|n|m\n1|2|3\n4||5\n6|7|8\n9|10|11"},
		{"id,n,m\n1,2,3\n4,\"\",5,6\n6,7,8\n9,10,11\n", "id|n|m\n1|2|3\n6|7|8\n9|10|11"},
		{"k;v\na;1\nb;2;c;d\ne;3\n", "k|v|column_3|column_4\na|1\nb|2|c|d\ne|3"},
		{"k,v\n\"1\",\"2\"\n\"3,\"4\"\n\"5\",\"6\"\n\"7\",\"8\"\n", "k|v\n1|2\n\"3|4\n5|6\n7|8"},
	}},
}

// readTable gives the labels and rows of a text as one text. Empty cells at the end are left out. A vertical bar in a
// cell is a slash, a line end ↵.
func readTable(t testing.TB, text string) string {
	k := read(t, "a.txt", text, extract.Options{})
	rows, labels := valuesOf(k.records)
	if len(labels) > 0 && !slices.ContainsFunc(labels, func(s string) bool { return !strings.HasPrefix(s, "column_") }) {
		labels = nil
	}
	var lines []string
	if labels != nil {
		lines = append(lines, strings.Join(labels, "|"))
	}
	for _, row := range rows {
		for i := range row {
			row[i] = strings.NewReplacer("|", "/", "\n", "↵").Replace(row[i])
		}
		for len(row) > 1 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		lines = append(lines, strings.Join(row, "|"))
	}
	return strings.Join(lines, "\n")
}

func TestEachKindOfTableIsReadAsItWasMeant(t *testing.T) {
	for _, k := range tableKinds {
		for _, c := range k.rows {
			if got := readTable(t, c[0]); got != c[1] {
				t.Errorf("%s: %q\nread\n%s\nmeant\n%s", k.kind, c[0], got, c[1])
			}
		}
	}
}

// generatedForTerms is how many generated tables show what a term is worth.
const generatedForTerms = 40

// Without any one term of the cost something is read otherwise: a term that earns nothing goes.
func TestEachTermOfTheCostEarnsItsPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 9))
	var made []meant
	for len(made) < generatedForTerms {
		if m := makeTable(r); m.isRead(read(t, m.name, m.text, extract.Options{})) {
			made = append(made, m)
		}
	}
	labels, rows := orders(r, 40)
	var dirty []polluted
	scores := map[int]float64{}
	for i, p := range pollute(labels, rows) {
		if p.weight > 1 || i%37 == 0 {
			scores[len(dirty)] = p.score(read(t, "a.csv", p.text, extract.Options{}))
			dirty = append(dirty, p)
		}
	}
	kinds := 0
	for _, k := range tableKinds {
		kinds += len(k.rows)
	}
	t.Logf("%d tables of %d kinds, %d with faults, %d generated, %d polluted", kinds, len(tableKinds), len(faulty), len(made), len(dirty))
	for n := range extract.Terms {
		var lost []string
		what := extract.WithoutTerm(n, func() {
			for _, k := range tableKinds {
				for _, c := range k.rows {
					if readTable(t, c[0]) != c[1] {
						lost = append(lost, k.kind)
					}
				}
			}
			for _, c := range faulty {
				if k := read(t, "a.csv", c.in, extract.Options{}); !slices.Equal(k.records, c.records) {
					lost = append(lost, c.name)
				}
			}
			for _, m := range made {
				if !m.isRead(read(t, m.name, m.text, extract.Options{})) {
					lost = append(lost, "a generated table")
				}
			}
			for i, p := range dirty {
				if p.score(read(t, "a.csv", p.text, extract.Options{})) < scores[i] {
					lost = append(lost, p.kind)
				}
			}
		})
		slices.Sort(lost)
		t.Logf("%-40s %d", what, len(lost))
		if len(lost) == 0 {
			t.Errorf("without the price for %s everything is read as before", what)
		}
	}
}
