package console

import (
	"runtime/debug"
	"strings"
)

// Version is what this binary was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		// A version made up of the commit has it in it.
		if commit := s.Value[:min(12, len(s.Value))]; s.Key == "vcs.revision" && !strings.Contains(text, commit) {
			text += " " + commit
		}
	}
	return text
}
