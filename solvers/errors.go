package solvers

import "errors"

var (
	// ErrCheckpointExists is why a run does not begin whose Settings.Checkpoint is
	// there already and is not what it resumes.
	ErrCheckpointExists = errors.New("the file exists and is not resumed; resume from it, name another, or allow it to be replaced")
	// ErrCheckpointInUse is why a run does not begin whose Settings.Checkpoint
	// another one writes that is alive.
	ErrCheckpointInUse = errors.New("another run that has not ended saves to it")
	// ErrResume is why a run does not begin whose Settings.Resume cannot be read or
	// is of another run.
	ErrResume = errors.New("resume")
	// ErrTooLarge is why a run cannot begin whose objective or gradient overflows at its
	// starting point, or the step of a row.
	ErrTooLarge = errors.New("the data are too large in magnitude: scale them first")
)
