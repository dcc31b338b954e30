import { TRACE_BROKEN, TRACE_COMPLETE, TRACE_PENDING } from '../../store/codes.ts'
import { columnList, columnNames, type TableDef, type TableName } from '../../store/schema/columns.ts'
import type { ExtensionRows } from '../topics/topic.ts'
import { bytes, NULL } from './rows/text.ts'

/* Lines of COPY as statements: small groups go to the server in one message. */

/** Tables whose rows may be there already: copied to a temporary one first. */
export const STAGED = ['cells', 'accounts', 'traces'] as const

export type Staged = (typeof STAGED)[number]
export const isStaged = (table: TableName): table is Staged => (STAGED as readonly string[]).includes(table)

/** What happens to a row that is there already. */
export const CONFLICT: { readonly [T in Staged]: string } = {
  cells: 'on conflict (hash) do nothing',
  accounts: `on conflict (account) do update set ${columnNames('accounts')
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

/** A line as a list of SQL values: COPY's escapes are those of an E'' string. Quotes are doubled first, so that no text can look like a null. */
const tuple = (row: string): string =>
  `(e'${(row.includes("'") ? row.replaceAll("'", "''") : row).replaceAll('\t', "',e'")}')`.replaceAll(`e'${NULL}'`, 'null')

const values = (lines: readonly string[]): string => lines.map(tuple).join(',')

/** Rows of one of the index's own tables; empty for none. */
export const insert = (table: TableName, lines: readonly string[]): string => {
  if (lines.length === 0) return ''
  // Rows are locked in one order, whoever writes them.
  const conflict = isStaged(table) ? ` ${CONFLICT[table]}` : ''
  return `insert into ${table} (${columnList(table)}) values ${values([...lines].sort())}${conflict};`
}

/** What a line's key says. */
export const keyer = (columns: readonly string[], key: readonly string[]): ((row: string) => string) => {
  const places = key.map((name) => columns.indexOf(name))
  return (row) => {
    const parts = row.split('\t')
    return places.map((place) => parts[place]).join(' ')
  }
}

/** Rows of one statement at most. */
const AT_ONCE = 1_000

const upsert = ({ name, columns, key, kind }: TableDef, lines: readonly string[]): string => {
  const names = columns.split(' ')
  // One statement cannot put a row twice: the last one counts.
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

/** What an extension derived as one script; throws where it names a table that is not its own. */
export const extensionScript = (tables: readonly TableDef[], { rows, replaced = {} }: ExtensionRows): string => {
  const unknown = [...Object.keys(rows), ...Object.keys(replaced)].find((name) => !tables.some((table) => table.name === name))
  if (unknown !== undefined) throw new Error(`${unknown} is no table of this extension`)
  return tables
    .map((table) => {
      // Most blocks have nothing for most tables.
      if (!rows[table.name]?.length && !replaced[table.name]?.length) return ''
      const gone = table.owner === undefined ? '' : deleteOwned(table.name, table.owner, replaced[table.name] ?? [])
      return gone + upsert(table, rows[table.name] ?? [])
    })
    .join('')
}

/** Takes extension tables back to a masterchain block, but for the rows that are derived again. `touched`: accounts that changed since. */
export const revertScript = (tables: readonly TableDef[], seqno: number, touched: readonly Buffer[]): string =>
  tables
    .filter(({ kind }) => kind !== 'outside')
    .map(
      ({ name, owner }) =>
        `${owner === undefined ? '' : deleteOwned(name, owner, touched)}delete from ${name} where mc_seqno > ${seqno};\n`,
    )
    .join('')
