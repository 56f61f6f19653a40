package command

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/cli"
)

// timeless is JSON without what the clock and the machine decide.
func timeless(t *testing.T, out string) string {
	t.Helper()
	if !strings.HasPrefix(out, "{") {
		return out
	}
	var bare func(v any) any
	bare = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			maps.DeleteFunc(v, func(name string, _ any) bool {
				return strings.Contains(name, "seconds") || name == "peak_rss_bytes" || name == "files"
			})
			for name := range v {
				v[name] = bare(v[name])
			}
		case []any:
			for k := range v {
				v[k] = bare(v[k])
			}
		}
		return v
	}
	text, err := json.Marshal(bare(object(t, out)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFalseFlags: a flag given as false is the same as not given, for every bool of every command,
// beside rows and beside a table. The flags whose default depends on the data are false then.
func TestFalseFlags(t *testing.T) {
	playground(t)
	for name, text := range map[string]string{
		"t.csv": "a,b,y\n1,\"x\",1\n2,\"z\",0\n3,\"x\",1\n4,\"z\",0\n2.5,\"x\",0\n", "scores": "1 0.5\n-1 0.2\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if o := inside(strings.Fields("train t.csv --target y --quiet --model tabled")...); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	lines := map[string][]string{
		"train":   {"train tiny", "train t.csv --target y", "train tiny --path --valid tiny", "train tiny --for logloss --cv 2"},
		"verify":  {"verify receipt tiny"},
		"compare": {"compare tiny --solvers newton,svrg --epochs 2"},
		"predict": {"predict --model model tiny", "predict tabled t.csv"},
		"eval":    {"eval --model model tiny", "eval --scores scores", "eval tabled t.csv"},
		"info":    {"info tiny", "info model", "info t.csv", "info tiny --lipschitz"},
		"convert": {"convert tiny out.lanes", "convert t.csv out2.lanes --target y"}, "generate": {"generate clicks --rows 50"}, "portfolio": {"portfolio returns --epochs 5"},
		"cpu": {"cpu"}, "bench": {"bench --list"}, "version": {"version"},
	}
	// The flags whose default the data decide, with what false means. They are tested below.
	byData := []string{"intercept", "bias", "header", "no-header", "quotes"}
	skipped := []string{"json", "quiet", "help"} // which say how a command prints, or end it
	tried := 0
	eachFlag(func(command string, flag *cli.Flag) {
		if flag.Value.Type() != "bool" || slices.Contains(byData, flag.Name) || slices.Contains(skipped, flag.Name) || command == "bench" && flag.Name == "list" {
			return
		}
		if flag.DefValue != "false" {
			t.Errorf("lanes %s --%s is %s by default", command, flag.Name, flag.DefValue)
		}
		for _, line := range lines[command] {
			if strings.Contains(line, "--"+flag.Name+" ") || strings.HasSuffix(line, "--"+flag.Name) {
				continue
			}
			args := append(strings.Fields(line), "--json", "--quiet", "--workers", "1")
			if slices.Contains([]string{"predict", "generate", "cpu", "version"}, command) {
				args = slices.DeleteFunc(args, func(a string) bool { return a == "--json" })
			}
			want, got := inside(args...), inside(append(args, "--"+flag.Name+"=false")...)
			if want.status != exitDone || got.status != exitDone || timeless(t, got.out) != timeless(t, want.out) || got.stderr != want.stderr {
				t.Errorf("lanes %s --%s=false: exit status %d and %d, %s\n%s\n%s", line, flag.Name, got.status, want.status, got.stderr, timeless(t, got.out), timeless(t, want.out))
			}
			tried++
		}
	})
	if tried < 40 {
		t.Errorf("%d lines were tried", tried)
	}

	if o := inside(strings.Fields("convert t.csv cache.lanes --target y --quiet")...); o.status != exitDone {
		t.Fatal(o.stderr)
	}
	plain := func(line string) (intercept any, bias any) {
		o := inside(append(strings.Fields(line), "--json", "--quiet")...)
		if o.status != exitDone {
			t.Fatalf("lanes %s: %s", line, o.stderr)
		}
		v := object(t, o.out)
		return v["intercept"], v["bias"]
	}
	// The intercept by every way to train: free, penalised or none.
	for line, want := range map[string][2]any{
		"train cache.lanes":                                             {true, 1.0},
		"train cache.lanes --intercept=false":                           {nil, 0.0},
		"train cache.lanes --bias=false":                                {nil, 0.0},
		"train cache.lanes --intercept=false --bias":                    {nil, 1.0},
		"train cache.lanes --intercept --bias=false":                    {true, 1.0},
		"train t.csv --target y":                                        {true, 1.0},
		"train t.csv --target y --intercept":                            {true, 1.0},
		"train t.csv --target y --bias":                                 {nil, 1.0},
		"train tiny --intercept":                                        {true, 1.0},
		"train tiny":                                                    {nil, 0.0},
		"train tiny --intercept=false":                                  {nil, 0.0},
		"train tiny --solver adap":                                      {nil, 1.0},
		"train tiny --solver adap --bias=false":                         {nil, 0.0},
		"train tiny --solver svrg --epochs 2 --intercept=false":         {nil, 0.0},
		"train tiny --solver adap --intercept=false":                    {nil, 0.0},
		"train t.csv --target y --intercept=false":                      {nil, 0.0},
		"train t.csv --target y --cv 2 --intercept=false":               {nil, 0.0},
		"train t.csv --target y --path --cv 2 --intercept=false":        {nil, 0.0},
		"train t.csv --target y --path --valid t.csv --intercept=false": {nil, 0.0},
		"train t.csv --target y --for logloss --cv 2":                   {nil, 1.0},
		"train t.csv --target y --for logloss --cv 2 --intercept=false": {nil, 0.0},
		"train t.csv --target y --loss squared --intercept=false":       {nil, 0.0},
		"train t.csv --target y --l1 0.01 --intercept=false":            {nil, 0.0},
		"train t.csv --target y --memory 1GB --intercept=false":         {nil, 0.0},
		"train t.csv --target y --memory 1GB":                           {true, 1.0},
		"train t.csv --target b --category a --multiclass --intercept":  {true, 1.0},
		"train t.csv --target b --category a --multiclass --bias=false": {nil, 0.0},
	} {
		if intercept, bias := plain(line); intercept != want[0] || bias != want[1] {
			t.Errorf("lanes %s: intercept %v and bias %v, want %v", line, intercept, bias, want)
		}
	}
	// The first line of CSV, and its quotes.
	for line, want := range map[string]float64{
		"info t.csv": 5, "info t.csv --header": 5, "info t.csv --header=false": 6, "info t.csv --no-header": 6, "info t.csv --no-header=false": 5,
	} {
		if o := inside(append(strings.Fields(line), "--json", "--quiet")...); o.status != exitDone || object(t, o.out)["n"] != want {
			t.Errorf("lanes %s: %s%s, want %v rows", line, o.out, o.stderr, want)
		}
	}
	for _, line := range []string{"info t.csv --header=false --no-header=false", "train tiny --quotes=false", "train tiny --header=false"} {
		if o := inside(strings.Fields(line)...); o.status != exitUsage {
			t.Errorf("lanes %s: exit status %d, %s", line, o.status, o.stderr)
		}
	}
	if got := namesOf(t, "train t.csv --target y --ignore a --quotes=false"); !slices.Contains(got, `b="x"`) {
		t.Errorf("without quotes: %q", got)
	}
}
