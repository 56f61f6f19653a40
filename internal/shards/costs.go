package shards

import "math"

// Costs are what passes over sharded rows are made of, in seconds.
type Costs struct {
	Entry   float64 // of a non-zero in a pass, on a worker
	Column  float64 // of a column in a pass: vectors that every process computes itself
	Add     float64 // of a column of a shard: clearing its node, and adding it
	Sums    float64 // in a pass
	Latency float64 // of a message
	Byte    float64 // on the network
}

// Pass is the model of a pass over rows with the given entries, columns and shards, on processes whose workers
// are speed times as fast as one. It counts a process's share of the entries and of the shards' nodes, and the
// vectors that every process computes. It also counts a sum of all columns. The sum takes a record to log2 P
// other processes, and a message to every other process there and back. It also takes 2 (1 - 1/P) of a vector
// each way at the speed of the network.
func (c *Costs) Pass(entries, columns, shards, processes, speed float64) (computing, vectors, moving float64) {
	computing = (float64(c.Entry*entries) + float64(c.Add*shards*columns)) / processes / speed
	vectors = c.Column * columns
	if processes > 1 {
		messages := float64(c.Sums*math.Ceil(math.Log2(processes))) + float64(2*(processes-1))
		share := (processes - 1) / processes
		moving = float64(messages*c.Latency) + float64(2*8*columns*share*c.Byte) + float64(c.Add*columns*share)
	}
	return computing, vectors, moving
}
