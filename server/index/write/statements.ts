import { TRACE_BROKEN, TRACE_COMPLETE, TRACE_PENDING } from '../../store/codes.ts'
import { createRows, type TableRows } from '../../store/rows/rows.ts'
import { accounts } from '../../store/schema/accounts.ts'
import { columnList, columnNames, type Table } from '../../store/schema/table.ts'
import { bytes, NULL } from '../derive/rows/text.ts'
import type { ExtensionRows } from '../topics/topic.ts'

/* Turns COPY lines into INSERT statements, so that a small group goes to the server in one message. */

/** ON CONFLICT clause of each `merged` table. */
const CONFLICT: Readonly<Record<string, string>> = {
  cells: 'on conflict (hash) do nothing',
  accounts: `on conflict (account) do update set ${columnNames(accounts)
    .filter((name) => name !== 'account' && name !== 'first_lt' && name !== 'data_boc')
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')},
      data_boc = case when excluded.data_boc is null and excluded.data_hash = accounts.data_hash then accounts.data_boc else excluded.data_boc end`,
  traces: `on conflict (trace_id) do update set
      mc_seqno_end = greatest(traces.mc_seqno_end, excluded.mc_seqno_end),
      end_lt = greatest(traces.end_lt, excluded.end_lt), end_utime = greatest(traces.end_utime, excluded.end_utime),
      edges = traces.edges + excluded.edges, pending_edges = traces.pending_edges + excluded.pending_edges, nodes = traces.nodes + excluded.nodes,
      state = case when traces.state = ${TRACE_BROKEN} or traces.pending_edges + excluded.pending_edges < 0 then ${TRACE_BROKEN}
        when traces.pending_edges + excluded.pending_edges = 0 then ${TRACE_COMPLETE} else ${TRACE_PENDING} end`,
}

/** The ON CONFLICT clause of a `merged` table. Throws if there is none. */
export const conflictOf = ({ name }: Table): string => {
  const conflict = CONFLICT[name]
  if (conflict === undefined) throw new Error(`nothing says how rows of ${name} are merged`)
  return conflict
}

/** A line as a list of SQL values. COPY escapes are valid in an E'' string. Quotes are doubled first, so that no text can look like a null. */
const tuple = (row: string): string =>
  `(e'${(row.includes("'") ? row.replaceAll("'", "''") : row).replaceAll('\t', "',e'")}')`.replaceAll(`e'${NULL}'`, 'null')

const values = (lines: readonly string[]): string => lines.map(tuple).join(',')

/** INSERT of rows into a chain table; an empty string if there are none. */
export const insert = (table: Table, lines: readonly string[]): string => {
  if (lines.length === 0) return ''
  // Sorted, so that every writer locks rows in the same order.
  const conflict = table.kind === 'merged' ? ` ${conflictOf(table)}` : ''
  return `insert into ${table.name} (${columnList(table)}) values ${values([...lines].sort())}${conflict};`
}

/** Returns a function that reads the key of a COPY line: its key columns, joined by spaces. */
export const keyer = (columns: readonly string[], key: readonly string[]): ((row: string) => string) => {
  const places = key.map((name) => columns.indexOf(name))
  return (row) => {
    const parts = row.split('\t')
    return places.map((place) => parts[place]).join(' ')
  }
}

/** Maximum rows per statement. */
const AT_ONCE = 1_000

const upsert = (table: Table, lines: readonly string[]): string => {
  const { name, key, kind } = table
  const names = columnNames(table)
  // One statement cannot update a row twice, so only the last line of each key is kept.
  const keyOf = keyer(names, key)
  const rows = kind === 'state' ? [...new Map(lines.map((row) => [keyOf(row), row])).values()].sort() : lines
  const rest = names.filter((column) => !key.includes(column))
  const put = rest.length === 0 ? 'do nothing' : `do update set ${rest.map((column) => `${column} = excluded.${column}`).join(', ')}`
  const conflict = kind === 'state' ? ` on conflict (${key.join(', ')}) ${put}` : ''
  let script = ''
  for (let i = 0; i < rows.length; i += AT_ONCE) {
    script += `insert into ${name} (${names.join(', ')}) values ${values(rows.slice(i, i + AT_ONCE))}${conflict};\n`
  }
  return script
}

const deleteOwned = (name: string, owner: string, keys: readonly Buffer[]): string =>
  keys.length === 0 ? '' : `delete from ${name} where ${owner} in (${keys.map((key) => `e'${bytes(key)}'`).join(',')});\n`

const linesOf = ({ table, rows }: TableRows): readonly string[] => {
  const written = createRows(table)
  for (const row of rows) written.add(row)
  return written.lines()
}

/** The rows of a topic as one script, in the order of its tables. Throws if the rows name a table of another topic. */
export const extensionScript = (tables: readonly Table[], { tables: made = [], rows = {}, replaced = {} }: ExtensionRows): string => {
  const strange = [...Object.keys(rows), ...Object.keys(replaced), ...made.map(({ table }) => table.name)].find(
    (name) => !tables.some((table) => table.name === name),
  )
  if (strange !== undefined) throw new Error(`${strange} is no table of this extension`)
  return tables
    .map((table) => {
      const own = made.filter((each) => each.table === table)
      const lines = [...(rows[table.name] ?? []), ...own.flatMap(linesOf)]
      const gone = [...(replaced[table.name] ?? []), ...own.flatMap((each) => each.replaced)]
      // Fast path: most blocks have no rows for most tables.
      if (lines.length === 0 && gone.length === 0) return ''
      return `${table.owner === undefined ? '' : deleteOwned(table.name, table.owner, gone)}${upsert(table, lines)}`
    })
    .join('')
}

/**
 * A script that deletes rows of extension tables above a masterchain block, and all rows owned by `touched`, the accounts that changed since.
 * The rows of these accounts are derived again after it.
 */
export const revertScript = (tables: readonly Table[], seqno: number, touched: readonly Buffer[]): string =>
  tables
    .filter(({ kind }) => kind !== 'outside')
    .map(
      ({ name, owner }) =>
        `${owner === undefined ? '' : deleteOwned(name, owner, touched)}delete from ${name} where mc_seqno > ${seqno};\n`,
    )
    .join('')
