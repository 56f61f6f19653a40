package direct

// Ahead is the number of rows or columns that steps fetch together, that many ahead.
const Ahead = 8
