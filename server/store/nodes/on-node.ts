import { bytesList } from '../postgres/lists.ts'
import { TABLES } from '../schema/tables.ts'
import type { Hashes, Node, Part } from './shard-map.ts'

/* The text of a statement as one node of a Citus cluster answers it: over its own shards. */

/** Words of SQL that can follow a table; any other word there is its alias. */
const NO_ALIAS = 'where|order|limit|offset|cross|inner|left|right|full|natural|join|on|using|union|except|intersect|group|having|as'

/** A table in `from` or `join`, and its alias. */
const TABLE = new RegExp(
  `\\b(from|join)\\s+("?)([a-z_]+)\\2(?:\\s+(?:as\\s+)?(?!(?:${NO_ALIAS})\\b)("?)([a-z_][a-z0-9_]*)\\4)?(?![\\w".])`,
  'g',
)

/** A table of ours that is read as a whole: in a list of tables, in brackets, or with its schema. */
const WHOLE = new RegExp(
  `(?:\\b(?:from|join)\\b[\\s(]*|,\\s*)(?:only\\s+)?(?:"?\\w+"?\\.)?"?(?:${Object.keys(TABLES).join('|')})"?(?![\\w".])`,
)

/** The parts that have rows of some hashes: one of a table that is distributed by such shards, otherwise all. */
const partsWith = (parts: readonly Part[], only: Hashes | undefined): readonly Part[] => {
  const part = only && parts.find(({ low, high }) => low === only.low && high === only.high)
  return part ? [part] : parts
}

/**
 * The text with `partsOf` in place of each distributed table. Throws if another table of ours is left in it: a node has none of its rows, and the coordinator, which can be a node too, has
 * all of them.
 */
const withParts = (text: string, distributed: ReadonlySet<string>, partsOf: (table: string) => string): string => {
  const replaced = (of: (table: string) => string): string =>
    text.replace(TABLE, (whole: string, word: string, _: string, table: string, __: string | undefined, alias: string | undefined) =>
      distributed.has(table) ? `${word} (${of(table)}) as "${alias ?? table}"` : whole,
    )
  if (WHOLE.test(replaced(() => ''))) throw new Error(`a node does not have all tables of: ${text}`)
  return replaced(partsOf)
}

const union = (table: string, parts: readonly Part[], conditionOf: (part: Part) => string): string =>
  parts.length === 0
    ? `select * from ${table} where false`
    : parts.map((part) => `select * from ${part.name}${conditionOf(part)}`).join(' union all ')

/** A statement over distributed tables as one node answers it: over its parts of them, or over those with the hashes `only`. */
export const onNode = (text: string, { parts }: Node, distributed: ReadonlySet<string>, only?: Hashes): string =>
  withParts(text, distributed, (table) => union(table, partsWith(parts.get(table) ?? [], only), () => ''))

/** The tables of a statement that are distributed. All of a statement for nodes are distributed in the same way. */
export const tablesOf = (text: string, distributed: ReadonlySet<string>): readonly string[] =>
  [...text.matchAll(TABLE)].flatMap(([, , , table]) => (distributed.has(table!) ? [table!] : []))

const keyColumn = (table: string): string => TABLES[table as keyof typeof TABLES].key[0]!

/** A column that has one of the values of a list: the column's name, and the list's number. */
const ANY = /(?:"?\w+"?\.)?"?(\w+)"? = any\(\$(\d+)::bytea\[\]\)/g

/** Whether a column is the distribution column of each of these tables that has a column of this name. */
const isKey = (column: string, tables: readonly string[]): boolean =>
  tables.some((table) => keyColumn(table) === column) &&
  tables.every((table) => keyColumn(table) === column || !(column in TABLES[table as keyof typeof TABLES].columns))

/** Numbers of the parameters of a statement that are used only as `key column = any($n)`. */
export const keyListsOf = (text: string, tables: readonly string[]): readonly number[] => {
  const numbers = new Set([...text.matchAll(ANY)].filter(([, column]) => isKey(column!, tables)).map(([, , number]) => Number(number)))
  const left = text.replace(ANY, (whole, column: string) => (isKey(column, tables) ? '' : whole))
  return [...numbers].filter((number) => !new RegExp(`\\$${number}(?!\\d)`).test(left))
}

/** A statement whose shards have a list of keys each. */
export interface Split {
  readonly text: string
  /** Lowest hashes of the shards. The first shard's list replaces the statement's own; the lists of the others follow all parameters. */
  readonly lows: readonly number[]
}

/**
 * Like onNode, but each shard is searched only for its own keys. Every table must be limited to the list `list`. `count`: of the statement's parameters. Undefined if its tables do not
 * have the same shards.
 */
export const splitOnNode = (
  text: string,
  { parts }: Node,
  distributed: ReadonlySet<string>,
  { tables, list, count }: { readonly tables: readonly string[]; readonly list: number; readonly count: number },
): Split | undefined => {
  const first = parts.get(tables[0]!) ?? []
  const lows = first.map(({ low }) => low)
  const isAlike = tables.every((table) => {
    const own = parts.get(table) ?? []
    return own.length === first.length && own.every(({ low, high }) => first.some((part) => part.low === low && part.high === high))
  })
  if (!isAlike || lows.length === 0) return undefined
  const listOf = ({ low }: Part): number => (low === lows[0] ? list : count + lows.indexOf(low))
  const free = text.replace(ANY, (whole, _, at: string) => (Number(at) === list ? 'true' : whole))
  const conditionOf =
    (table: string) =>
    (part: Part): string =>
      ` where ${keyColumn(table)} = any($${listOf(part)}::bytea[])`
  return { text: withParts(free, distributed, (table) => union(table, parts.get(table)!, conditionOf(table))), lows }
}

/** The values of a split statement. `keys`: by the lowest hash of the shard. */
export const splitValues = (
  values: readonly unknown[],
  list: number,
  { lows }: Split,
  keys: ReadonlyMap<number, readonly Uint8Array[]>,
): unknown[] => {
  const [first, ...others] = lows.map((low) => bytesList(keys.get(low) ?? []))
  return [...values.slice(0, list - 1), first, ...values.slice(list), ...others]
}
