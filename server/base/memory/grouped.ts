import { mapWithPauses } from '../yield.ts'

type Groups<Row> = (key: string) => readonly Row[]

/** Adds a row to its group. */
export const addTo = <Key, Row>(groups: Map<Key, Row[]>, key: Key, row: Row): void => {
  const group = groups.get(key)
  if (group) group.push(row)
  else groups.set(key, [row])
}

/** Groups rows by a key, in the order in which the keys first occur. */
export const groupsOf = <Key, Row>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> => {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) addTo(groups, keyOf(row), row)
  return groups
}

/** Returns a function that finds the rows of a key; a key without rows has an empty group. */
export const grouped = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Groups<Row> => {
  const groups = groupsOf(rows, keyOf)
  return (key) => groups.get(key) ?? []
}

/** The same for rows without a bound. */
export const groupedWithPauses = async <Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  signal?: AbortSignal,
): Promise<Groups<Row>> => {
  const groups = new Map<string, Row[]>()
  await mapWithPauses(rows, (row) => addTo(groups, keyOf(row), row), signal)
  return (key) => groups.get(key) ?? []
}
