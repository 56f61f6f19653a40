//go:build mpi

package distributed

/*
#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// lanes_wait completes a request: it polls for a moment, then sleeps between polls, so that waiting
// ranks leave the cores to computing ranks.
static int lanes_wait(MPI_Request *request) {
	int done = 0, failed = 0;
	for (int k = 0; k < 200; k++) {
		if ((failed = MPI_Test(request, &done, MPI_STATUS_IGNORE)) || done) return failed;
		sched_yield();
	}
	struct timespec pause = {0, 20000};
	for (;;) {
		if ((failed = MPI_Test(request, &done, MPI_STATUS_IGNORE)) || done) return failed;
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 200000) pause.tv_nsec += pause.tv_nsec / 4;
	}
}

static int lanes_start(int *rank, int *size) {
	int given, failed;
	if ((failed = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given))) return failed;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	if ((failed = MPI_Comm_rank(MPI_COMM_WORLD, rank))) return failed;
	return MPI_Comm_size(MPI_COMM_WORLD, size);
}

static int lanes_stop(void) { return MPI_Finalize(); }

static void lanes_abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

static int lanes_meet(const void *mine, void *all, int bytes) {
	MPI_Request request;
	int failed = MPI_Iallgather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, MPI_COMM_WORLD, &request);
	return failed ? failed : lanes_wait(&request);
}

static int lanes_exchange(const double *send, const int *sent, const int *from, double *recv, const int *received, const int *to) {
	return MPI_Alltoallv(send, sent, from, MPI_DOUBLE, recv, received, to, MPI_DOUBLE, MPI_COMM_WORLD);
}

static int lanes_collect(double *v, const int *counts, const int *at) {
	return MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, counts, at, MPI_DOUBLE, MPI_COMM_WORLD);
}

static int lanes_broadcast(void *b, int bytes) { return MPI_Bcast(b, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }

static int lanes_gather(const void *send, int bytes, void *recv, const int *counts, const int *at) {
	return MPI_Allgatherv(send, bytes, MPI_BYTE, recv, counts, at, MPI_BYTE, MPI_COMM_WORLD);
}

// lanes_pingpong sends a message from rank 0 to rank 1 and back, times times.
static int lanes_pingpong(void *b, int bytes, int times, int rank, double *seconds) {
	int failed = MPI_Barrier(MPI_COMM_WORLD);
	double start = MPI_Wtime();
	for (int k = 0; k < times && rank < 2 && !failed; k++) {
		if (rank == 0 && !(failed = MPI_Send(b, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD)))
			failed = MPI_Recv(b, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (rank == 1 && !(failed = MPI_Recv(b, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)))
			failed = MPI_Send(b, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
	}
	*seconds = MPI_Wtime() - start;
	return failed;
}

static int lanes_text(int code, char *text) {
	int length = 0;
	MPI_Error_string(code, text, &length);
	return length;
}
*/
import "C"

import (
	"errors"
	"os"
	"runtime"
	"time"
	"unsafe"
)

// mpi is the wire of MPI. All its calls are made by one thread, as MPI_THREAD_FUNNELED
// wants it, whichever goroutine asks.
type mpi struct {
	number, count int
	calls         chan func()
	done          chan struct{}
}

// Start begins MPI, once in a process. stop, without which no rank can end by itself, is
// a call of all ranks.
func Start() (r *Ranks, stop func() error, err error) {
	// Open MPI would take signals from Go, for which a nil pointer is no reason to die.
	if _, set := os.LookupEnv("OMPI_MCA_opal_signal"); !set {
		os.Setenv("OMPI_MCA_opal_signal", "")
	}
	m := &mpi{calls: make(chan func()), done: make(chan struct{})}
	go m.serve()
	var rank, size C.int
	if err := m.call(func() C.int { return C.lanes_start(&rank, &size) }); err != nil {
		return nil, nil, err
	}
	m.number, m.count = int(rank), int(size)
	return newRanks(m), func() error { return m.call(func() C.int { return C.lanes_stop() }) }, nil
}

func (m *mpi) serve() {
	runtime.LockOSThread()
	for f := range m.calls {
		f()
		m.done <- struct{}{}
	}
}

// call has the thread of MPI make a call.
func (m *mpi) call(f func() C.int) error {
	var code C.int
	var text string
	m.calls <- func() {
		if code = f(); code != C.MPI_SUCCESS {
			var buffer [C.MPI_MAX_ERROR_STRING]C.char
			text = C.GoStringN(&buffer[0], C.lanes_text(code, &buffer[0]))
		}
	}
	<-m.done
	if code != C.MPI_SUCCESS {
		return errors.New("distributed: " + text)
	}
	return nil
}

func (m *mpi) rank() int { return m.number }
func (m *mpi) size() int { return m.count }

func (m *mpi) meet(mine *record, all []record) error {
	return m.call(func() C.int {
		return C.lanes_meet(unsafe.Pointer(mine), unsafe.Pointer(&all[0]), C.int(unsafe.Sizeof(*mine)))
	})
}

func (m *mpi) exchange(send []float64, sent []int, recv []float64, received []int) error {
	a, from := layout(sent)
	b, to := layout(received)
	return m.call(func() C.int {
		return C.lanes_exchange(first[float64, C.double](send), &a[0], &from[0], first[float64, C.double](recv), &b[0], &to[0])
	})
}

func (m *mpi) collect(v []float64, counts []int) error {
	a, at := layout(counts)
	return m.call(func() C.int { return C.lanes_collect(first[float64, C.double](v), &a[0], &at[0]) })
}

func (m *mpi) broadcast(b []byte) error {
	const most = 1 << 28
	for len(b) > 0 {
		part := b[:min(len(b), most)]
		if err := m.call(func() C.int { return C.lanes_broadcast(unsafe.Pointer(&part[0]), C.int(len(part))) }); err != nil {
			return err
		}
		b = b[len(part):]
	}
	return nil
}

func (m *mpi) gather(send, recv []byte, counts []int) error {
	a, at := layout(counts)
	return m.call(func() C.int {
		return C.lanes_gather(unsafe.Pointer(unsafe.SliceData(send)), C.int(len(send)), unsafe.Pointer(unsafe.SliceData(recv)), &a[0], &at[0])
	})
}

// PingPong measures how long a message of the given bytes takes from rank 0 to rank 1: half the
// mean time of a round trip. All ranks call it.
func (r *Ranks) PingPong(bytes, times int) (time.Duration, error) {
	m, is := r.wire.(*mpi)
	if !is || m.count < 2 || bytes < 1 || times < 1 {
		return 0, errors.New("distributed: PingPong: a message of a byte or more goes between two ranks of MPI")
	}
	b := make([]byte, bytes)
	var seconds C.double
	err := m.call(func() C.int {
		return C.lanes_pingpong(unsafe.Pointer(&b[0]), C.int(bytes), C.int(times), C.int(m.number), &seconds)
	})
	return time.Duration(float64(seconds) / float64(2*times) * float64(time.Second)), err
}

func (m *mpi) end(status int) {
	m.call(func() C.int {
		C.lanes_abort(C.int(status))
		return C.MPI_SUCCESS
	})
	os.Exit(status)
}

// layout turns counts into C lengths and offsets.
func layout(counts []int) (lengths, begins []C.int) {
	lengths, begins = make([]C.int, len(counts)), make([]C.int, len(counts))
	at := 0
	for k, c := range counts {
		lengths[k], begins[k] = C.int(c), C.int(at)
		at += c
	}
	return lengths, begins
}

// first is where C finds a slice.
func first[Go, C any](v []Go) *C { return (*C)(unsafe.Pointer(unsafe.SliceData(v))) }
