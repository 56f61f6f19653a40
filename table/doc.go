// Package table makes rows for training of tables: CSV, TSV, Parquet, JSON lines, and the text
// of Vowpal Wabbit.
//
//   - Open opens a file, or all files of a pattern, as a Source.
//   - Infer looks through a source and says what becomes of each column: a Recipe, which is
//     readable JSON and may be edited.
//   - Fit learns what a recipe needs: vocabularies, means, deviations, bins. The Encoder holds
//     the recipe with all that was learned.
//   - Encoder.Encode makes sparse.Data of a source, Encoder.Blocks makes them block after block.
//   - Encoder.Scorer scores single rows by a model, from strings or a map.
//
// An encoded row depends on its cells and the encoder alone. It has the same bits in every
// table and by itself, for any number of workers, any compression and any CPU.
package table
