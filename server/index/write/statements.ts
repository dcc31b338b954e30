import { portionsOf } from '../../base/memory/portions.ts'
import { Rows, type TableRows } from '../../store/rows/copy-rows.ts'
import { RowBuffer } from '../../store/rows/row-buffer.ts'
import { columnList, columnNames, isReverted, type Table, type WriteRow } from '../../store/schema/table.ts'

/* SQL from the declarations of tables (store/schema): inserts, updates, merges, and the deletions of a revert. */

const NULL = '\\N'

/** The assignment to a column of a `merged` table; undefined if the stored value stays. */
const mergeOf = (table: Table, name: string): string | undefined => {
  const merge = table.columns[name]!.merge ?? 'replace'
  const [stored, added] = [`${table.name}.${name}`, `excluded.${name}`]
  switch (merge) {
    case 'keep':
      return undefined
    case 'replace':
      return `${name} = ${added}`
    case 'greatest':
      return `${name} = greatest(${stored}, ${added})`
    case 'sum':
      return `${name} = ${stored} + ${added}`
    default:
      return `${name} = ${merge.sql}`
  }
}

/** The ON CONFLICT clause of a table: replaces the existing row, or merges both rows if the table is `merged`. */
export const conflictOf = (table: Table): string => {
  const rest = columnNames(table).filter((name) => !table.key.includes(name))
  const set = rest.map((name) => mergeOf(table, name)).filter((each) => each !== undefined)
  return `on conflict (${table.key.join(', ')}) ${set.length === 0 ? 'do nothing' : `do update set ${set.join(', ')}`}`
}

/** A column of COPY's text format as SQL. COPY escapes are valid in an E'' string. */
const literal = (column: string): string => (column === NULL ? 'null' : `e'${column.replaceAll("'", "''")}'`)

/** A line as a list of SQL values. Faster than `literal` for each column. Quotes are doubled before nulls are replaced: no text may look like a null. */
const tuple = (row: string): string =>
  `(e'${(row.includes("'") ? row.replaceAll("'", "''") : row).replaceAll('\t', "',e'")}')`.replaceAll(`e'${NULL}'`, 'null')

const values = (lines: readonly string[]): string => lines.map(tuple).join(',')

/** INSERT of rows; empty if there are no rows. Rows of a `state` or `merged` table replace stored ones, or are merged with them. */
export const insert = (table: Table, lines: readonly string[]): string => {
  if (lines.length === 0) return ''
  const isState = table.kind === 'state'
  // One statement cannot update a row twice, so only the last line of each key is written.
  const keyOf = keyer(columnNames(table), table.key)
  const rows = isState ? [...new Map(lines.map((row) => [keyOf(row), row])).values()] : [...lines]
  const conflict = isState || table.kind === 'merged' ? ` ${conflictOf(table)}` : ''
  // Rows are sorted, so that every writer locks them in the same order.
  return `insert into ${table.name} (${columnList(table)}) values ${values(rows.sort())}${conflict};`
}

/** Returns a function that reads the key of a COPY line: the key columns, joined by spaces. */
const keyer = (columns: readonly string[], key: readonly string[]): ((row: string) => string) => {
  const places = key.map((name) => columns.indexOf(name))
  return (row) => {
    const parts = row.split('\t')
    return places.map((place) => parts[place]).join(' ')
  }
}

/** Maximum rows of a statement, and the bytes with which it ends. One block can have a million rows, or hundreds of half a megabyte. */
const MOST = { rows: 1_000, bytes: 1 << 20 }

const deleteOwned = (name: string, owner: string, keys: readonly Buffer[]): string =>
  keys.length === 0 ? '' : `delete from ${name} where ${owner} in (${keys.map((key) => `'\\x${key.toString('hex')}'`).join(',')});\n`

export const insertRows = <T extends Table>(table: T, rows: readonly WriteRow<T>[]): string => {
  const written = new Rows(table)
  for (const row of rows) written.add(row)
  return insert(table, written.lines())
}

function* insertsOf({ table, rows }: TableRows): Generator<string> {
  let written = new Rows(table)
  for (const row of rows) {
    written.add(row)
    if (written.length < MOST.rows && written.size < MOST.bytes) continue
    yield insert(table, written.lines())
    written = new Rows(table)
  }
  if (written.length > 0) yield insert(table, written.lines())
}

/** `column = value` for some columns, with the values as SQL. Null values are valid in assignments only, not in conditions. */
export const assignments = <T extends Table>({ columns }: T, given: Partial<WriteRow<T>>): readonly string[] => {
  const out = new RowBuffer()
  const entries = Object.entries(given as Readonly<Record<string, unknown>>)
  for (const [name, value] of entries) {
    if (value === undefined || value === null) out.null()
    else columns[name]!.put(out, value as never)
  }
  out.endRow()
  const written = out.lines()[0]!.split('\t')
  return entries.map(([name], i) => `${name} = ${literal(written[i]!)}`)
}

export const update = <T extends Table>(table: T, set: Partial<WriteRow<T>>, where: Partial<WriteRow<T>>): string =>
  `update ${table.name} set ${assignments(table, set).join(', ')} where ${assignments(table, where).join(' and ')}`

/**
 * The statements for the rows of a topic, in the order of its tables. Rows are split so that writing one statement does not hold the event loop. Throws if a
 * row belongs to a table of another topic.
 */
export function* topicStatements(tables: readonly Table[], made: readonly TableRows[]): Generator<string> {
  const strange = made.find(({ table }) => !tables.includes(table))
  if (strange !== undefined) throw new Error(`${strange.table.name} is not a table of this topic`)
  for (const table of tables) {
    const own = made.filter((each) => each.table === table)
    if (table.owner !== undefined) {
      const gone = own.flatMap(({ replaced }) => replaced)
      if (gone.length > 0) yield deleteOwned(table.name, table.owner, gone)
    }
    for (const of of own) for (const statement of insertsOf(of)) yield `${statement}\n`
  }
}

const deleteAbove = ({ name, since, revertedWith, group }: Table, seqno: number): string => {
  if (revertedWith === undefined) return `delete from ${name} where ${since} > ${seqno};\n`
  const { table: other, by } = revertedWith
  const above = `${other.name}.${other.since} > ${seqno}`
  const pairs = Object.entries(by)
  // Citus joins only colocated tables. If this table is not colocated with the other one, its rows are found by their keys.
  if (group === other.group)
    return `delete from ${name} using ${other.name} where ${above} and ${pairs.map(([own, its]) => `${name}.${own} = ${other.name}.${its}`).join(' and ')};\n`
  const [own, its] = [pairs.map(([column]) => column), pairs.map(([, column]) => column)]
  return `delete from ${name} where (${own.join(', ')}) in (select ${its.join(', ')} from ${other.name} where ${above});\n`
}

/**
 * Statements that delete rows above a masterchain block, and all rows of `changed`: the accounts that changed since. The caller derives the rows of these
 * accounts again.
 */
export function* revertStatements(tables: readonly Table[], seqno: number, changed: readonly Buffer[] = []): Generator<string> {
  const reverted = tables
    .filter(isReverted)
    // Tables whose rows are found through another table come first, while the other table still has its rows.
    .sort((a, b) => Number(b.revertedWith !== undefined) - Number(a.revertedWith !== undefined))
  for (const table of reverted) {
    if (table.owner !== undefined) for (const some of portionsOf(changed, MOST.rows)) yield deleteOwned(table.name, table.owner, some)
    yield deleteAbove(table, seqno)
  }
}
