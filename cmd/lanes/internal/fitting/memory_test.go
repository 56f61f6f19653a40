package fitting

import "testing"

func TestParseMemory(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "1": 1, "3b": 3, "2KB": 2000, "2KiB": 2048, "1.5k": 1500, "7MB": 7e6, "8 GB": 8e9, "2gib": 2 << 30, "1T": 1e12, "1e9": 1e9,
	} {
		if got, err := ParseMemory("memory", text); err != nil || got != want {
			t.Errorf("%q is %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"0", "-1GB", "GB", "1XB", "nan", "1e30", "8GBB", "Inf", "1ib"} {
		if v, err := ParseMemory("memory", text); err == nil {
			t.Errorf("%q is taken for %d", text, v)
		}
	}
}
