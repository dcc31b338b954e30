import { mapWithPauses } from '../yield.ts'

type Groups<Row> = (key: string) => readonly Row[]

const createGrouping = <Row>(keyOf: (row: Row) => string) => {
  const groups = new Map<string, Row[]>()
  return {
    add(row: Row): void {
      const key = keyOf(row)
      const group = groups.get(key)
      if (group) group.push(row)
      else groups.set(key, [row])
    },
    of: (key: string): readonly Row[] => groups.get(key) ?? [],
  }
}

/** Groups rows by a key. The returned function finds the rows of a key; a key without rows has an empty group. */
export const grouped = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Groups<Row> => {
  const { add, of } = createGrouping(keyOf)
  for (const row of rows) add(row)
  return of
}

/** The same for rows without a bound. */
export const groupedWithPauses = async <Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  signal?: AbortSignal,
): Promise<Groups<Row>> => {
  const { add, of } = createGrouping(keyOf)
  await mapWithPauses(rows, add, signal)
  return of
}
