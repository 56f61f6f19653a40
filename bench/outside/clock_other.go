//go:build !linux

package main

import "time"

var begun = time.Now()

func now() time.Duration { return time.Since(begun) }
