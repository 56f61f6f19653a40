// Package stamp tells whether a file has changed while it is open.
package stamp

import "os"

// Stamp is the size of a file and the times of its last changes, in nanoseconds. Written is the
// last change of its bytes. Changed is the last change of its metadata, or 0 if the system does not
// tell. Equal stamps have equal fields: compare them by ==. A program can set Written back, but not
// Changed.
type Stamp struct {
	Size             int64
	Written, Changed int64
}

// Of returns the stamp of an open file.
func Of(file *os.File) (Stamp, error) {
	info, err := file.Stat()
	if err != nil {
		return Stamp{}, err
	}
	return From(info), nil
}

// From returns the stamp of a file that was looked up.
func From(info os.FileInfo) Stamp {
	return Stamp{info.Size(), info.ModTime().UnixNano(), changed(info)}
}
