/** A text table: rows under their heads, columns two spaces apart. */
export const formatTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const all = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
