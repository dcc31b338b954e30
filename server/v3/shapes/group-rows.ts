/** Groups rows by a key. The returned function finds the rows of a key; a key without rows has an empty group. */
export const grouped = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): ((key: string) => readonly Row[]) => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return (key) => groups.get(key) ?? []
}
