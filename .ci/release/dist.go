package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// dist builds an archive for each system. Two runs on one commit with one version of Go give the
// same bytes: paths are trimmed, and times come from the commit.
func dist(s *stranger, folder string) error {
	seconds, err := output(s.root, nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	when := time.Unix(unix, 0).UTC()
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	target := modulePath + "/cmd/lanes@" + s.version
	if _, err := s.do("install", nil, "go", "install", "-trimpath", target); err != nil {
		return err
	}
	if _, err := s.do("manual", nil, filepath.Join(s.work, "go", "bin", "lanes"), "manual", "."); err != nil {
		return err
	}
	var sums strings.Builder
	for _, system := range systems {
		goos, goarch, _ := strings.Cut(system, "/")
		name := fmt.Sprintf("lanes-%s-%s-%s", strings.TrimPrefix(s.version, "v"), goos, goarch)
		// A path of its own for each, or the host's would land elsewhere.
		home := filepath.Join(s.work, name)
		env := []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0", "GOPATH=" + home}
		if _, err := s.do(name, env, "go", "install", "-trimpath", "-ldflags=-s -w -buildid=", target); err != nil {
			return err
		}
		files := map[string]string{}
		err := filepath.WalkDir(filepath.Join(home, "bin"), func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				files[filepath.Base(path)] = path
			}
			return err
		})
		if err != nil {
			return err
		}
		if len(files) != 1 {
			return fmt.Errorf("%s: built %d files", system, len(files))
		}
		manual := filepath.Join(s.work, "manual")
		if err := filepath.WalkDir(manual, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				within, _ := filepath.Rel(manual, path)
				files[filepath.ToSlash(within)] = path
			}
			return err
		}); err != nil {
			return err
		}
		for _, text := range []string{"LICENSE", "NOTICES", "README.md"} {
			files[text] = filepath.Join(s.work, "modules", filepath.FromSlash(modulePath)+"@"+s.version, text)
		}
		suffix, write := ".tar.gz", writeTar
		if goos == "windows" {
			suffix, write = ".zip", writeZip
		}
		sum, err := writeArchive(filepath.Join(folder, name+suffix), name, files, when, write)
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sum, name+suffix)
	}
	fmt.Print(sums.String())
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), []byte(sums.String()), 0o666)
}

type archiver func(out io.Writer, top string, files map[string]string, when time.Time) error

func writeArchive(path, top string, files map[string]string, when time.Time, write archiver) ([]byte, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	sum := sha256.New()
	if err := write(io.MultiWriter(file, sum), top, files, when); err != nil {
		return nil, err
	}
	return sum.Sum(nil), file.Close()
}

func mode(name string) fs.FileMode {
	if name == "lanes" || name == "lanes.exe" {
		return 0o755
	}
	return 0o644
}

func writeTar(out io.Writer, top string, files map[string]string, when time.Time) error {
	compressed, _ := gzip.NewWriterLevel(out, gzip.BestCompression)
	archive := tar.NewWriter(compressed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data, err := os.ReadFile(files[name])
		if err != nil {
			return err
		}
		if err := archive.WriteHeader(&tar.Header{
			Name: top + "/" + name, Mode: int64(mode(name)), Size: int64(len(data)), ModTime: when, Format: tar.FormatUSTAR,
		}); err != nil {
			return err
		}
		if _, err := archive.Write(data); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	return compressed.Close()
}

func writeZip(out io.Writer, top string, files map[string]string, when time.Time) error {
	archive := zip.NewWriter(out)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		data, err := os.ReadFile(files[name])
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: top + "/" + name, Method: zip.Deflate, Modified: when}
		header.SetMode(mode(name))
		w, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return archive.Close()
}
