package main

/*
#define LANES_TYPES
#include "lanes.h"
*/
import "C"

import (
	"sync"
	"unsafe"
)

// handles holds objects by their handles. A handle is never given twice.
type handles[T any] struct {
	what    string
	lock    sync.RWMutex
	last    uint64
	objects map[uint64]T
}

func (t *handles[T]) put(object T) C.uint64_t {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.objects == nil {
		t.objects = map[uint64]T{}
	}
	t.last++
	t.objects[t.last] = object
	return C.uint64_t(t.last)
}

func (t *handles[T]) get(handle C.uint64_t) (T, error) {
	t.lock.RLock()
	defer t.lock.RUnlock()
	return t.find(handle)
}

// find is get for a caller that holds the lock.
func (t *handles[T]) find(handle C.uint64_t) (T, error) {
	object, found := t.objects[uint64(handle)]
	if !found {
		return object, wrong("there is no %s with the handle %d: it was freed, or never made", t.what, handle)
	}
	return object, nil
}

// free removes an object; the caller of the library frees it.
func (t *handles[T]) free(handle C.uint64_t, message *C.lanes_text) C.lanes_status {
	return call(message, func() error {
		t.lock.Lock()
		defer t.lock.Unlock()
		_, err := t.find(handle)
		delete(t.objects, uint64(handle))
		return err
	})
}

// with is a call that needs the object of a handle.
func (t *handles[T]) with(handle C.uint64_t, message *C.lanes_text, f func(T) error) C.lanes_status {
	return call(message, func() error {
		object, err := t.get(handle)
		if err != nil {
			return err
		}
		return f(object)
	})
}

// make is a call that writes the handle of a new object to out, an address of the caller.
func (t *handles[T]) make(out unsafe.Pointer, message *C.lanes_text, f func() (T, error)) C.lanes_status {
	return call(message, func() error {
		if out == nil {
			return wrong("%s is NULL", t.what)
		}
		object, err := f()
		if err == nil {
			*(*C.uint64_t)(out) = t.put(object)
		}
		return err
	})
}
