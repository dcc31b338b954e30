import type { CompiledQuery } from 'kysely'
import { Lru } from '../../base/memory/lru.ts'
import { isListOf } from '../postgres/lists.ts'
import { keyListsOf, onNode, type Split, splitOnNode, splitValues, tablesOf } from './on-node.ts'
import type { Node, Place } from './shard-map.ts'

/** A statement as the node at a place of the map answers it. */
interface NodeStatement<R> {
  readonly node: number
  readonly query: CompiledQuery<R>
}

/** Statements as nodes answer them. Their texts are made once. */
export interface NodeStatements {
  /** `values`: those of the distribution column by which the places were found. */
  at<R>(places: readonly Place[], query: CompiledQuery<R>, values: readonly Uint8Array[] | undefined): readonly NodeStatement<R>[]
  /** The first table of a statement that is distributed; undefined if there is none. All of a statement for nodes are distributed in the same way. */
  tableOf(text: string): string | undefined
}

/** Statements whose texts are kept. */
const MOST_TEXTS = 1_000

/** What is known of a statement. */
interface Known {
  /** Its distributed tables. */
  readonly tables: readonly string[]
  /** The numbers of its values that can be lists of keys (keyListsOf). */
  readonly lists: readonly number[]
  /** Its texts for each node, by the lowest hash of a shard that is read alone. */
  readonly texts: readonly Map<number | undefined, string>[]
  /** The same with a list of keys for each shard, by the number of the list; undefined where that cannot be. */
  readonly splits: readonly Map<number, Split | undefined>[]
}

export const createNodeStatements = (nodes: readonly Node[]): NodeStatements => {
  const distributed = new Set(nodes.flatMap(({ parts }) => [...parts.keys()]))
  const kept = new Lru<string, Known>({ max: MOST_TEXTS })
  const knownOf = (text: string): Known => {
    let known = kept.get(text)
    if (known === undefined) {
      const tables = tablesOf(text, distributed)
      known = { tables, lists: keyListsOf(text, tables), texts: nodes.map(() => new Map()), splits: nodes.map(() => new Map()) }
      kept.set(text, known)
    }
    return known
  }

  const textAt = ({ node, only }: Place, text: string): string => {
    const texts = knownOf(text).texts[node]!
    let own = texts.get(only?.low)
    if (own === undefined) {
      own = onNode(text, nodes[node]!, distributed, only)
      texts.set(only?.low, own)
    }
    return own
  }

  /** The number of the value that is the list of these keys; undefined if a statement has no such list. */
  const listOf = ({ sql: text, parameters }: CompiledQuery, keys: readonly Uint8Array[]): number | undefined => {
    const { lists } = knownOf(text)
    return lists.find((number) => isListOf(parameters[number - 1], keys))
  }

  /** The text in which each shard has its own part of a list; undefined where that cannot be. */
  const splitAt = (node: number, { sql: text, parameters }: CompiledQuery, list: number): Split | undefined => {
    const { tables, splits } = knownOf(text)
    const own = splits[node]!
    if (!own.has(list)) own.set(list, splitOnNode(text, nodes[node]!, distributed, { tables, list, count: parameters.length }))
    return own.get(list)
  }

  return {
    at(places, query, values) {
      const list = values && places.some(({ keys }) => keys) ? listOf(query, values) : undefined
      return places.map((place) => {
        const { node, keys } = place
        const split = keys && list !== undefined ? splitAt(node, query, list) : undefined
        if (!split) return { node, query: { ...query, sql: textAt(place, query.sql) } }
        return { node, query: { ...query, sql: split.text, parameters: splitValues(query.parameters, list!, split, keys!) } }
      })
    },
    tableOf: (text) => knownOf(text).tables[0],
  }
}
