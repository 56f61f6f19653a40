"""The C library of lanes, called by ctypes. See lanes.h for what each function does."""

import contextlib
import ctypes
import json
import os
import pathlib
import signal
import socket
import sys
import threading
import weakref

import numpy as np
import scipy.sparse

OK, BAD_ARGUMENT, BAD_OPTION, BAD_DATA, BAD_FILE, NO_MEMORY, CANCELLED, NOT_BEGUN, INTERNAL = range(9)
_NAMES = {"darwin": "liblanes.dylib", "win32": "lanes.dll"}
_TYPES = {np.dtype(np.int32): 1, np.dtype(np.int64): 2, np.dtype(np.float32): 3, np.dtype(np.float64): 4}


class LanesError(Exception):
    """What the library says of a call that failed, where no error of Python fits."""


class _Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t), ("length", ctypes.c_size_t)]


class _Handle(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint64)]


class _Rows(ctypes.Structure):
    _fields_ = [("matrix", _Handle), ("labels", ctypes.c_void_p), ("weights", ctypes.c_void_p),
                ("offsets", ctypes.c_void_p), ("length", ctypes.c_int64)]


class Point(ctypes.Structure):
    """A point of a run: fit, nonzeros, passes, seconds, objective, gradient_norm, gap, metric."""

    _fields_ = [("fit", ctypes.c_int32), ("nonzeros", ctypes.c_int32)] + [
        (name, ctypes.c_double) for name in ("passes", "seconds", "objective", "gradient_norm", "gap", "metric")]


_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Point), ctypes.c_void_p)


class _Library:
    """The library, loaded at the first call, in one process."""

    def __init__(self):
        self._lock = threading.Lock()
        self._functions = None
        self._process = None

    def __getattr__(self, name):
        functions = self._functions
        if functions is None:
            with self._lock:
                functions = self._functions = self._functions or self._load()
        if self._process != os.getpid():
            raise RuntimeError(
                "lanes was used before this process was forked, and its runtime does not survive a fork: start "
                "processes by 'spawn' or 'forkserver' (multiprocessing.set_start_method), or use joblib's loky")
        return getattr(functions, name)

    def _load(self):
        path = os.environ.get("LANES_LIBRARY") or pathlib.Path(__file__).parent / _NAMES.get(sys.platform, "liblanes.so")
        functions = ctypes.CDLL(os.fspath(path))
        v, i, t = ctypes.c_void_p, ctypes.c_int64, ctypes.POINTER(_Text)
        h, p, n, s = _Handle, ctypes.POINTER(_Handle), ctypes.c_int32, ctypes.c_char_p
        r = ctypes.POINTER(_Rows)
        for name, arguments in {
            "version": [t], "matrix_from_csr": [i, i, v, n, v, n, v, n, p], "matrix_from_dense": [i, i, v, n, i, i, p],
            "matrix_borrow_dense": [i, i, v, n, i, i, n, p],
            "matrix_free": [h], "train": [r, r, h, s, _PROGRESS, v, p, t], "model_free": [h], "model_save": [h, t],
            "model_load": [s, ctypes.c_size_t, p], "model_read": [s, p], "model_write": [h, s], "model_about": [h, t],
            "model_coefficients": [h, v, i, v, i], "path_coefficients": [h, v, i, v, i], "scores": [h, h, n, v, i], "probabilities": [h, h, n, v, i],
            "predict": [h, h, n, v, i], "dense_scores": [h, i, i, v, n, i, i, n, v, i], "dense_probabilities": [h, i, i, v, n, i, i, n, v, i],
            "score_row": [h, v, v, i, v, i], "evaluate": [h, r, s, t], "inference": [h, r, s, t],
            "metric": [s, v, v, v, i, v], "portfolio": [i, i, v, s, v, t], "matrix_read": [s, h, p],
            "encoder_fit": [s, s, ctypes.c_size_t, s, p], "encoder_of": [h, p], "encoder_free": [h], "encoder_recipe": [h, t],
            "encoder_names": [h, t], "encoder_encode": [h, s, s, ctypes.c_size_t, s, p, t],
            "matrix_shape": [h, v, v, v], "matrix_labels": [h, v, i], "matrix_weights": [h, v, i], "matrix_words": [h, t],
            "matrix_csr": [h, v, i, v, v, i],
        }.items():
            function = getattr(functions, "lanes_" + name)
            function.argtypes, function.restype = arguments + [t], ctypes.c_int32
        self._process = os.getpid()
        return functions


_library = _Library()

_REPORT = 1 << 26  # most bytes of a report, which holds a trace of some 400,000 points
_room = threading.local()


def _report():
    """A buffer for a report of the library, and the function that reads the report."""
    room = getattr(_room, "report", None)
    if room is None:
        room = _room.report = np.empty(_REPORT, np.uint8)  # pages that no report reaches take no memory
    out = _Text(ctypes.cast(_address(room), ctypes.c_char_p), _REPORT, 0)
    return out, lambda: json.loads(room[:out.length].tobytes()) if out.length < _REPORT else {}


def _error(status, text):
    kind = {BAD_ARGUMENT: ValueError, BAD_OPTION: ValueError, BAD_DATA: ValueError, BAD_FILE: OSError,
            NO_MEMORY: MemoryError}.get(status, LanesError)
    return kind(text)


def call(name, *arguments, allowed=(OK,)):
    """Calls a function of the library by its name without lanes_; raises its message as an error."""
    function = getattr(_library, "lanes_" + name)
    message = getattr(_room, "message", None)
    if message is None:
        _room.bytes = ctypes.create_string_buffer(2000)
        message = _room.message = _Text(ctypes.cast(_room.bytes, ctypes.c_char_p), 2000, 0)
    status = function(*arguments, message)
    if status not in allowed:
        raise _error(status, _room.bytes.value.decode("utf-8", "replace"))
    return status


def text(name, *arguments):
    """Calls a function whose last output is a text, and returns the text as bytes."""
    size = 4096
    while True:
        room = ctypes.create_string_buffer(size)
        out = _Text(ctypes.cast(room, ctypes.c_char_p), size, 0)
        call(name, *arguments, out)
        if out.length < size:
            return room.raw[:out.length]
        size = out.length + 1


def version():
    """Returns the version of the library."""
    return text("version").decode()


def _address(array):
    return None if array is None else array.__array_interface__["data"][0]


def _doubles(values, length, what):
    if values is None:
        return None
    values = np.ascontiguousarray(values, dtype=np.float64)
    if values.shape != (length,):
        raise ValueError(f"{what} has the shape {values.shape}; ({length},) is needed")
    return values


def _canonical(x):
    """Compressed rows whose columns ascend: x itself if it is so."""
    x = x.tocsr()
    sizes = [len(array) for array in (x.indptr, x.indices, x.data)]
    if sizes[0] != x.shape[0] + 1 or x.indptr[-1] > min(sizes[1:]):
        raise ValueError(f"X: indptr, indices and data have {sizes[0]}, {sizes[1]} and {sizes[2]} elements; a CSR matrix of {x.shape[0]} rows needs "
                         f"{x.shape[0] + 1} in indptr, and as many as its last element says in the others")
    if not x.has_canonical_format:
        x = x.copy()
        x.sum_duplicates()
    return x


def _contiguous(array, types):
    """The array itself if it is contiguous and of one of the types, else a copy, of the last type if need be."""
    return np.ascontiguousarray(array, array.dtype if array.dtype in types else types[-1])


def _dense(x):
    """A dense array that the library can borrow, which must live on, and how the library is told of it."""
    x = np.asarray(x)
    size = x.dtype.itemsize
    if x.dtype not in _TYPES or x.dtype.kind != "f" or any(s < 0 or s % size for s in x.strides):
        x = np.ascontiguousarray(x, dtype=np.float64)
        size = 8
    return x, (x.shape[0], x.shape[1], _address(x), _TYPES[x.dtype], x.strides[0] // size, x.strides[1] // size)


class Matrix:
    """Rows in the library: of a CSR matrix, or of a dense array with any strides, which must not change meanwhile."""

    def __init__(self, x, workers=1):
        handle = _Handle()
        if scipy.sparse.issparse(x):
            x = _canonical(x)
            indptr, indices = (_contiguous(array, (np.int32, np.int64)) for array in (x.indptr, x.indices))
            data = _contiguous(x.data, (np.float32, np.float64))
            call("matrix_from_csr", x.shape[0], x.shape[1], _address(indptr), _TYPES[indptr.dtype],
                 _address(indices), _TYPES[indices.dtype], _address(data), _TYPES[data.dtype], handle)
        else:
            x, dense = _dense(x)
            call("matrix_borrow_dense", *dense, workers, handle)
            self._borrowed = x
        self.shape, self.handle = x.shape, handle

    @classmethod
    def of(cls, handle):
        """The matrix of a handle, which is freed with it."""
        self, shape = cls.__new__(cls), (ctypes.c_int64 * 3)()
        call("matrix_shape", handle, *(ctypes.addressof(shape) + 8 * k for k in range(3)))
        self.shape, self.entries, self.handle = tuple(shape[:2]), shape[2], handle
        return self

    def labels(self):
        """The labels of the rows of a table: numbers, or places of words."""
        y = np.empty(self.shape[0])
        call("matrix_labels", self.handle, _address(y), len(y))
        return y

    def words(self):
        """The words that labels stand for, or None."""
        return json.loads(text("matrix_words", self.handle))

    def weights(self):
        """The weights of the rows of a table."""
        weights = np.empty(self.shape[0])
        call("matrix_weights", self.handle, _address(weights), len(weights))
        return weights

    def csr(self):
        """The entries, as a scipy.sparse.csr_matrix."""
        begin, columns, values = np.empty(self.shape[0] + 1, np.int64), np.empty(self.entries, np.int32), np.empty(self.entries)
        call("matrix_csr", self.handle, _address(begin), len(begin), _address(columns), _address(values), self.entries)
        return scipy.sparse.csr_matrix((values, columns, begin), self.shape)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        call("matrix_free", self.handle)


def _free(name, handle, process):
    if os.getpid() == process:
        getattr(_library, name)(handle, None)


class Encoder:
    """What was learned of the columns of a table: it makes rows of tables.

    A table is a path, a pattern of paths, or the bytes of a text.
    """

    def __init__(self, handle):
        self.handle = handle
        weakref.finalize(self, _free, "lanes_encoder_free", handle, os.getpid()).atexit = False

    @staticmethod
    def _table(table):
        if isinstance(table, bytes):
            return None, table, len(table)
        return os.fsencode(table), None, 0

    @classmethod
    def fit(cls, table, options):
        """Learns the columns of a table; options are as lanes.h says."""
        handle = _Handle()
        call("encoder_fit", *cls._table(table), json.dumps(options).encode(), handle)
        return cls(handle)

    @classmethod
    def of(cls, model):
        """The encoder of a model that was trained on a table."""
        handle = _Handle()
        call("encoder_of", model.handle, handle)
        return cls(handle)

    def recipe(self):
        """The recipe, with what was learned of each column, as a dict."""
        return json.loads(text("encoder_recipe", self.handle))

    def names(self):
        """The names of the columns of encoded rows."""
        return json.loads(text("encoder_names", self.handle))

    def encode(self, table, options):
        """Makes a Matrix of a table, and the report of what was seen in it."""
        handle, (out, report) = _Handle(), _report()
        call("encoder_encode", self.handle, *self._table(table), json.dumps(options).encode(), handle, out)
        return Matrix.of(handle), report()


class Model:
    """A model of the library. It pickles as the text of its file."""

    def __init__(self, handle, about=None):
        self.handle = handle
        self.about = about or json.loads(text("model_about", handle))
        weakref.finalize(self, _free, "lanes_model_free", handle, os.getpid()).atexit = False

    @classmethod
    def loads(cls, file):
        """Makes a model of the bytes of its file."""
        handle = _Handle()
        call("model_load", file, len(file), handle)
        return cls(handle)

    @classmethod
    def read(cls, path):
        """Reads a model from a file, as the command writes it."""
        handle = _Handle()
        call("model_read", os.fsencode(path), handle)
        return cls(handle)

    def dumps(self):
        """Returns the bytes of the model's file."""
        return text("model_save", self.handle)

    def write(self, path):
        """Writes the model to a file, which the command reads."""
        call("model_write", self.handle, os.fsencode(path))

    def __reduce__(self):
        return Model.loads, (self.dumps(),)

    def __deepcopy__(self, _):
        return self

    def coefficients(self):
        """Returns coefficients (scores x features) and intercepts (scores)."""
        k, d = self.about["scores"], self.about["features"]
        w, b = np.empty((k, d)), np.empty(k)
        call("model_coefficients", self.handle, _address(w), w.size, _address(b), b.size)
        return w, b

    def path_coefficients(self, points):
        """Returns coefficients (points x scores x features) and intercepts (points x scores) of the path that the model is of."""
        k, d = self.about["scores"], self.about["features"]
        w, b = np.empty((points, k, d)), np.empty((points, k))
        call("path_coefficients", self.handle, _address(w), w.size, _address(b), b.size)
        return w, b

    def _of_rows(self, name, x, width, workers):
        if scipy.sparse.issparse(x):
            with Matrix(x) as matrix:
                return self._of_rows(name, matrix, width, workers)
        out = np.empty((x.shape[0], width))
        if not isinstance(x, Matrix):
            x, dense = _dense(x)
            call("dense_" + name, self.handle, *dense, workers, _address(out), out.size)
            return out
        call(name, self.handle, x.handle, workers, _address(out), out.size)
        return out

    def scores(self, x, workers=0):
        """Returns the scores of rows, an array of rows x scores."""
        if x.shape[0] == 1 and not isinstance(x, Matrix):
            return self._row_scores(x)
        return self._of_rows("scores", x, self.about["scores"], workers)

    def _row_scores(self, x):
        if scipy.sparse.issparse(x):
            x = _canonical(x)
            columns, values = np.ascontiguousarray(x.indices[:x.indptr[1]], np.int64), x.data[:x.indptr[1]]
        else:
            columns, values = None, np.asarray(x)[0]
        values = np.ascontiguousarray(values, np.float64)
        out = np.empty((1, self.about["scores"]))
        call("score_row", self.handle, _address(columns), _address(values), len(values), _address(out), out.size)
        return out

    def probabilities(self, x, workers=0):
        """Returns probabilities, an array of rows x scores: of the positive class for one score."""
        return self._of_rows("probabilities", x, self.about["scores"], workers)


class _Watch:
    """Is called by a thread of the library ten times a second, and says whether a run shall end.

    Python raises KeyboardInterrupt in the main thread, which waits for the library. Its handler of
    signals writes the number of the signal to a socket at once: a run of the main thread reads it.
    """

    _sockets = None

    def __init__(self, progress):
        self.progress, self.raised, self.interrupted = progress, None, False
        self.main = threading.current_thread() is threading.main_thread()
        self.callback = _PROGRESS(self._tell) if progress is not None or self.main else _PROGRESS()

    def __enter__(self):
        if self.main:
            if _Watch._sockets is None:
                _Watch._sockets = socket.socketpair()
                for end in self._sockets:
                    end.setblocking(False)
            self.before = signal.set_wakeup_fd(self._sockets[1].fileno(), warn_on_full_buffer=False)
        return self

    def _read(self):
        try:
            numbers = self._sockets[0].recv(4096)
        except BlockingIOError:
            return
        self.interrupted = self.interrupted or signal.SIGINT in numbers
        if self.before != -1:
            os.write(self.before, numbers)

    def _tell(self, point, _):
        try:
            if self.main:
                self._read()
            return int(self.interrupted or (self.progress is not None and bool(self.progress(point.contents))))
        except BaseException as raised:  # it must not pass through C
            self.raised = raised
            return 1

    def __exit__(self, *_):
        if self.main:
            signal.set_wakeup_fd(self.before)
            self._read()


def _rows(matrix, y, weights, offsets):
    """Rows of the library, and the arrays that they point to."""
    n = matrix.shape[0]
    keep = [_doubles(y, n, "y"), _doubles(weights, n, "sample_weight"), _doubles(offsets, n, "offset")]
    return _Rows(matrix.handle, *map(_address, keep), n), keep


def train(x, y, options, weights=None, offsets=None, validation=None, initial=None, progress=None):
    """Trains a model, and returns it with the report and whether the run was cancelled.

    x is an array or a Matrix; y may be None for a Matrix with labels. A thread of
    the library calls progress with the last Point, and ends the run if it returns True. Ctrl-C ends
    a run of the main thread: KeyboardInterrupt is raised. An exception of a run that has a model
    has model and report.
    """
    handle, (out, report_of) = _Handle(), _report()

    def made():
        report = report_of()
        return Model(handle, report.pop("model", None)), report

    with contextlib.ExitStack() as stack:
        workers = options.get("settings", {}).get("workers", 0)
        matrix = x if isinstance(x, Matrix) else stack.enter_context(Matrix(x, workers))
        rows, kept = _rows(matrix, y, weights, offsets)
        valid_rows = None
        if validation is not None:
            valid_rows, kept_valid = _rows(stack.enter_context(Matrix(validation[0], workers)), validation[1], None, None)
        watch = _Watch(progress)
        try:
            with watch:
                status = call("train", rows, valid_rows, initial.handle if initial else _Handle(), json.dumps(options).encode(),
                              watch.callback, None, handle, out, allowed=(OK, CANCELLED, NOT_BEGUN))
            if watch.raised is not None:
                raise watch.raised
        except BaseException as raised:
            if handle.id:
                raised.model, raised.report = made()
            raise
        del kept
    if not handle.id:
        raise LanesError("the run ended before there was a model: give it more time")
    return *made(), status == CANCELLED


def inference(model, x, y, options, weights=None, offsets=None):
    """Returns the errors of a model's weights, by the rows of its training; x is an array or a Matrix."""
    with contextlib.ExitStack() as stack:
        matrix = x if isinstance(x, Matrix) else stack.enter_context(Matrix(x, options.get("workers", 0)))
        rows, kept = _rows(matrix, y, weights, offsets)
        table = json.loads(text("inference", model.handle, rows, json.dumps(options).encode()))
        del kept
    return table


def portfolio(returns, options):
    """Returns the weights of a portfolio and the report, of an array of periods x assets."""
    returns = np.ascontiguousarray(returns, dtype=np.float64)
    weights = np.empty(returns.shape[1])
    report = text("portfolio", returns.shape[0], returns.shape[1], _address(returns), json.dumps(options).encode(), _address(weights))
    return weights, json.loads(report)
