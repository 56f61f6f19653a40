package main

import "sync"

// handles holds objects by their handles. A handle is never given twice.
type handles[T any] struct {
	what    string
	lock    sync.RWMutex
	last    uint64
	objects map[uint64]T
}

func (t *handles[T]) put(object T) uint64 {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.objects == nil {
		t.objects = map[uint64]T{}
	}
	t.last++
	t.objects[t.last] = object
	return t.last
}

func (t *handles[T]) get(handle uint64) (T, error) {
	t.lock.RLock()
	defer t.lock.RUnlock()
	object, found := t.objects[handle]
	if !found {
		return object, wrong("there is no %s with the handle %d: it was freed, or never made", t.what, handle)
	}
	return object, nil
}

func (t *handles[T]) free(handle uint64) error {
	t.lock.Lock()
	defer t.lock.Unlock()
	if _, found := t.objects[handle]; !found {
		return wrong("there is no %s with the handle %d: it was freed, or never made", t.what, handle)
	}
	delete(t.objects, handle)
	return nil
}
