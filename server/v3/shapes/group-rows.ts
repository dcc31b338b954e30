import { createGroups } from '../../base/memory/multi-map.ts'
import { mapWithPauses } from '../../base/yield.ts'

type Groups<Row> = (key: string) => readonly Row[]

/** Groups rows by a key. The returned function finds the rows of a key; a key without rows has an empty group. */
export const grouped = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Groups<Row> => {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return (key) => groups.get(key) ?? []
}

/** The same for rows without a bound. */
export const groupedWithPauses = async <Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  signal?: AbortSignal,
): Promise<Groups<Row>> => {
  const { add, of } = createGroups<Row>()
  await mapWithPauses(rows, (row) => add(keyOf(row), row), signal)
  return of
}
