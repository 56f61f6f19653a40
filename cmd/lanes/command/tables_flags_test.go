package command

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
)

// TestTableFlags: each flag of tables makes the columns that it says.
func TestTableFlags(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("t.csv", []byte("k,n,c,s,d,y\n"+
		"1,0.5,a,good red apple,2020-01-31 10:00:00,1\n2,1.5,b,bad red apple,2020-02-01 11:00:00,0\n3,2.5,a,good green pear,2020-03-02 10:30:00,1\n"+
		"4,-,b,bad pear,2020-01-05 23:00:00,0\n5,4.5,c,good apple,2020-02-07 10:00:00,1\n6,5.5,b,red,2020-03-08 11:00:00,0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	const only = "train t.csv --target y --missing - --ignore "
	for line, want := range map[string]string{
		only + "k,c,s,d":                                                     "n n=",
		only + "k,n,s,d":                                                     "c=a c=b c=c",
		only + "k,n,s,d --min-count 2":                                       "c=(rare) c=a c=b",
		only + "k,n,c,d --text s":                                            "s~apple s~bad s~good s~green s~pear s~red",
		only + "k,n,c,d --text s --min-df 3":                                 "s~apple s~good s~red",
		only + "k,n,c,d --text s --ngrams 2 --min-df 2":                      "s~apple s~bad s~good s~pear s~red s~red apple",
		only + "k,n,c,d --category s":                                        "s=bad pear s=bad red apple s=good apple s=good green pear s=good red apple s=red",
		only + "k,n,c,s":                                                     "d d.hour=10 d.hour=11 d.hour=23 d.month=01 d.month=02 d.month=03 d.weekday=Fri d.weekday=Mon d.weekday=Sat d.weekday=Sun",
		only + "n,c,s,d":                                                     "k",
		only + "k,n,d --category s --cross c*s --min-count 2":                "c*s=(rare) c=(rare) c=a c=a*s=(rare) c=b c=b*s=(rare) s=(rare)",
		only + "n,c,s,d --category k":                                        "k=1 k=2 k=3 k=4 k=5 k=6",
		only + "c,s,d --bins 2":                                              "k=..3 k=3.. n= n=..2.5 n=2.5..",
		only + "c,s,d --spline n=2,k=1":                                      "k k.bend1 k.bend2 n n.bend1 n.bend2 n.bend3 n=",
		only + "c,s,d --bins 2 --monotone n=down":                            "k=..3 k=3.. n= n>2.5",
		only + "c,s,d --spline n=1,k=1 --monotone *=down":                    "k.step1 k.step2 k.step3 n.step1 n.step2 n.step3 n=",
		only + "c,s,d --weight k --category n":                               "n= n=0.5 n=1.5 n=2.5 n=4.5 n=5.5",
		only + "n,s,d --id k":                                                "c=a c=b c=c",
		only + "s,d --offset k --group c":                                    "n n=",
		"train t.csv --target y --missing - --number n --ignore *":           "n n=",
		"train t.csv --target y --missing - --category c --ignore k,s*,d*,n": "c=a c=b c=c",
		"train t.csv --target y --ignore k,c,s,d --number n --missing -":     "n n=",
	} {
		if got := strings.Join(namesOf(t, line), " "); got != want {
			t.Errorf("%s: columns %s, not %s", line, got, want)
		}
	}
	for line, hashed := range map[string]int{
		only + "k,n,d --category s --cross c*s --hash 6": 6 + 64, only + "k,n,s,d --hash 6": 0, only + "k,n,d --category s --cross c*s": 6 + 6,
	} {
		done(t, line+" --model m --quiet")
		if v := object(t, done(t, "info m --json").out); v["d"] != float64(3+hashed) {
			t.Errorf("%s: %v columns", line, v["d"])
		}
	}
	none := weightsOf(t, only+"c,s,d --scale none")
	for _, line := range []string{"", " --scale minmax", " --scale log1p"} {
		if weightsOf(t, only+"c,s,d"+line) == none {
			t.Errorf("%s has the weights of --scale none", line)
		}
	}
	if weightsOf(t, only+"k,n,c,d --text s --counts") == weightsOf(t, only+"k,n,c,d --text s") {
		t.Error("--counts changes nothing")
	}
	if weightsOf(t, only+"n,s,d --weight k --category c") != weightsOf(t, only+"n,s,d --weight k") {
		t.Error("--category of a category changes something")
	}
	if a, b := weightsOf(t, only+"n,c,s --time d --weight k"), weightsOf(t, only+"n,c,s --times d --weight k --time 1h"); a != b {
		t.Error("--time of a column is not --times")
	}
	if a, b := weightsOf(t, only+"n,c,s --times d --weight k"), weightsOf(t, only+"n,c,s --times d=ymd --weight k"); a != b {
		t.Error("--times changes something by the format that the column has")
	}
	if weightsOf(t, only+"n,s,d --weight k") == weightsOf(t, only+"k,n,s,d") {
		t.Error("--weight changes nothing")
	}
	if weightsOf(t, only+"n,s,d --offset k") == weightsOf(t, only+"k,n,s,d") {
		t.Error("--offset changes nothing")
	}
	if weightsOf(t, only+"k,n,s,d --positive 0") == weightsOf(t, only+"k,n,s,d") {
		t.Error("--positive changes nothing")
	}
}

// TestTableReading: flags say how a file is read.
func TestTableReading(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"bar":    "a|b|y\n1|x|1\n2|z|0\n3|x|1\n4|z|0\n",
		"quotes": "a\tb\ty\n1\t\"x\"\tu\n2\tz\tv\n3\t\"x\"\tu\n4\tz\tv\n",
		"bad":    "a,b,y\n1,x,1\n2,z,0\n3,x\n4,z,0\n5,x,1,7\n6,z,0\n",
		"words":  "one,x,p\ntwo,z,q\nthree,x,p\nfour,z,q\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	rows := func(line string) any { return object(t, done(t, line+" --json --quiet").out)["n"] }
	for _, separator := range []string{"|", ""} {
		args := strings.Fields("train bar --target y --json --quiet")
		if separator != "" {
			args = append(args, "--separator", separator)
		}
		if o := inside(args...); o.status != exitDone || object(t, o.out)["n"] != 4.0 {
			t.Errorf("separator %q: %s", separator, o.stderr)
		}
	}
	if got := namesOf(t, "train quotes --target y --ignore a --quotes=false"); !slices.Contains(got, `b="x"`) {
		t.Errorf("without quotes: %q", got)
	}
	if got := namesOf(t, "train quotes --target y --ignore a --quotes"); !slices.Contains(got, "b=x") {
		t.Errorf("with quotes: %q", got)
	}
	if n := rows("train words --no-header --target 3 --category 2 --ignore 1"); n != 4.0 {
		t.Errorf("no header: %v rows", n)
	}
	if n := rows("train words --header --target p --category x --ignore one"); n != 3.0 {
		t.Errorf("a header: %v rows", n)
	}
	o := done(t, "train bad --target y --bad-rows 2 --json")
	if object(t, o.out)["n"] != 4.0 || strings.Count(o.stderr, "left out: bad:") != 2 || !strings.Contains(o.stderr, "bad:4") || !strings.Contains(o.stderr, "bad:6") {
		t.Errorf("bad rows: %s%s", o.out, o.stderr)
	}
	if o := inside(strings.Fields("train bad --target y --bad-rows 1")...); o.status != exitData || !strings.Contains(o.stderr, "bad:6") {
		t.Errorf("one bad row: exit status %d, %s", o.status, o.stderr)
	}
}

// TestTableErrors: what is wrong with a table or its flags is said with what to do.
func TestTableErrors(t *testing.T) {
	files := playground(t)
	t.Setenv("TMPDIR", t.TempDir())
	writeCSV(t, "t.csv", ',', people(60))
	if err := os.WriteFile("lacks.csv", []byte("person,age\nx,3\ny,4\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("bad.json", []byte("{}x"), 0o666); err != nil {
		t.Fatal(err)
	}
	done(t, "train t.csv --target pay --ignore person --model table.model --quiet")
	done(t, "convert t.csv encoded --target pay --ignore person --quiet")
	done(t, "convert t.csv t.lanes --target pay --ignore person --quiet")
	done(t, "convert t.csv other.lanes --target pay --ignore person,note --quiet")
	of := func(line string) string { return done(t, line).out }
	if o := done(t, "predict table.model encoded"); !strings.Contains(o.stderr, "encoded holds rows: their columns are taken for the encoded columns") || o.out != of("predict table.model t.lanes --quiet") {
		t.Errorf("rows for a model of a table: %s", o.stderr)
	}
	files += 7
	for line, says := range map[string]string{
		"3 train t.csv":                                      "t.csv is a table (csv), not LIBSVM text: name the column to learn, as in --target importance; its columns are person, age",
		"3 predict model t.csv":                              "t.csv is a table",
		"3 predict table.model tiny":                         "tiny holds rows of other columns than the",
		"3 eval table.model tiny":                            "which was trained on a table of person, age, city, note, since, pay, importance",
		"3 predict table.model other.lanes":                  "encoded from a table otherwise",
		"3 predict table.model returns":                      `returns has none of the columns that the encoder reads: the columns "age", "city"`,
		"2 convert tiny t.csv":                               "t.csv is there, and is neither a cache nor a model of lanes: --force overwrites it",
		"2 train t.csv --target wage":                        "no such column",
		"2 train t.csv --target pay --separator ;":           "name the character between them by --separator",
		"2 train t.csv --target pay --no-header":             "if the first row names the columns, say --header",
		"2 train t.csv --target pay --bad-rows 1.5":          "want a whole number from 0 on, or a share from 0% to 100%",
		"3 train tiny --target pay":                          "leave --target out",
		"3 predict t.csv tiny":                               "so it is not a model: lanes train --model FILE writes one",
		"2 train t.csv --target importence":                  "did you mean importance",
		"2 train t.csv --target pay --number agee":           "did you mean age",
		"2 train t.csv --target pay --cross age":             "give two columns",
		"2 train t.csv --target pay --separator x":           "want a comma",
		"2 train t.csv --target pay --separator ::":          "want a comma",
		"2 train t.csv --target pay --encoding klingon":      "want utf-8",
		"2 train t.csv --target pay --encoding=":             "the value is empty",
		"2 train t.csv --format csv":                         "name it by --target COLUMN",
		"2 train t.csv --target pay --recipe bad.json":       "leave --target out",
		"2 predict table.model t.csv --json --id age":        "beside --json give --out",
		"3 train t.csv --recipe bad.json":                    "no recipe as",
		"3 train t.csv --recipe nosuch":                      "no such file",
		"2 train t.csv --target pay --bins 3 --scale none":   "bins are not scaled",
		"2 train t.csv --target pay --merge":                 "LIBSVM text",
		"2 train t.csv --target pay --names tiny":            "names its columns",
		"2 train t.csv lacks.csv --target pay":               "one table",
		"2 train --target pay":                               "name the table",
		"2 train --generate onehot --target pay":             "not both",
		"2 train tiny --category age":                        "goes with a table",
		"2 train tiny --time age":                            "goes with a table",
		"2 info tiny --category age":                         "goes with a table",
		"2 info tiny --recipe":                               "goes with a table",
		"2 info t.csv --lipschitz":                           "this is a table",
		"2 convert tiny out --category age":                  "goes with a table",
		"2 convert tiny out --memory 1GB":                    "a cache that is made of a table",
		"2 convert t.csv out --target pay --memory 1GB":      "a cache that is made of a table",
		"2 convert t.csv out --target pay --float32":         "LIBSVM text",
		"2 predict model tiny --id age":                      "trained on a table",
		"2 eval model tiny --format csv":                     "trained on a table",
		"2 predict table.model t.csv --zero-based":           "not with a table",
		"2 eval table.model t.csv --zero-based":              "not with a table",
		"2 predict table.model t.csv --out o --id nosuch":    "no such column",
		"2 predict table.model t.csv --id age --labels":      "leave --id out",
		"3 predict table.model lacks.csv":                    `"city", "note", "since", "importance"`,
		"3 eval table.model lacks.csv":                       `"pay"`,
		"3 train nosuch.csv --target pay":                    "nosuch.csv",
		"3 train nosuch*.csv --target pay":                   "nosuch*.csv",
		"3 train t.csv --target person --format parquet":     "Parquet",
		"3 train t.csv --target pay --number city --quiet":   "\"Lima\" in line 2",
		"2 train t.csv --target pay --number age --text age": "age",
	} {
		status, args := int(line[0]-'0'), strings.Fields(line[2:])
		o := inside(args...)
		if o.status != status || !strings.Contains(o.stderr, says) || o.out != "" && !slices.Contains(args, "--json") {
			t.Errorf("lanes %s: exit status %d, %s%s", line[2:], o.status, o.stderr, o.out)
		}
		if v := object(t, inside(append(args, "--json")...).out); v["exit_status"] != float64(status) {
			t.Errorf("lanes %s --json: %v", line[2:], v)
		}
	}
	if left, _ := os.ReadDir("."); len(left) != files {
		t.Errorf("files are left: %v", left)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) != 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

// TestFlagsOfTables: every flag of tables is in the lists by which it is refused elsewhere.
func TestFlagsOfTables(t *testing.T) {
	t.Parallel()
	listed, seen := slices.Concat(input.ReadFlags, input.ColumnFlags, []string{"recipe"}), map[string]bool{}
	eachFlag(func(command string, flag *cli.Flag) {
		if of := flag.Annotations["group"]; len(of) == 0 || of[0] != input.TableGroup || flag.Name == "memory" {
			return
		}
		if seen[flag.Name] = true; !slices.Contains(listed, flag.Name) {
			t.Errorf("lanes %s --%s is in no list", command, flag.Name)
		}
	})
	if len(seen) != len(listed) {
		t.Errorf("%d flags, %d in the lists", len(seen), len(listed))
	}
}

// TestColumnsComplete: the shell completes names of columns.
func TestColumnsComplete(t *testing.T) {
	t.Chdir(t.TempDir())
	writeCSV(t, "t.csv", ',', people(20))
	for line, want := range map[string]string{
		"train t.csv --target ": "\npay\n", "info t.csv --category age,": "\nage,city\n", "predict m t.csv --id ": "\nperson\n", "train t.csv --scale ": "\nminmax\n",
	} {
		args := append([]string{"__complete"}, strings.Split(line, " ")...)
		if o := inside(args...); !strings.Contains("\n"+o.out, want) {
			t.Errorf("lanes %s: %q", line, o.out)
		}
	}
}
