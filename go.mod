module github.com/lanes-go/lanes

go 1.26.0

require (
	github.com/klauspost/compress v1.20.3
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/mikelolasagasti/xz v1.0.1
	github.com/minio/asm2plan9s v0.0.0-20200509001527-cdd76441f9d8 // indirect
	golang.org/x/sys v0.49.0
	gonum.org/v1/gonum v0.17.0
)

tool github.com/minio/asm2plan9s
