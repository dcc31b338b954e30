/* Reads the syntax trees of libpg-query, which are plain JSON: each node is an object with one member, named after its kind. */

/** The members of a node. */
export type Node = Readonly<Record<string, unknown>>
/** A node with its kind; an empty kind if there is none. */
type Kinded = { readonly kind: string; readonly of: Node }

/* An empty node, list or text stands for what is absent or of another form. */
export const nodeOf = (value: unknown): Node => (typeof value === 'object' && value !== null ? (value as Node) : {})
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** The value at a path of members; undefined if there is none. */
export const get = (value: unknown, ...path: readonly string[]): unknown => path.reduce<unknown>((at, name) => nodeOf(at)[name], value)
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
/** The one node kind of an object such as `{ ColumnRef: ... }`. */
export const kindOf = (value: unknown): Kinded => {
  const [entry] = Object.entries(nodeOf(value))
  return { kind: entry?.[0] ?? '', of: nodeOf(entry?.[1]) }
}

/** All nodes of a kind, those inside others too. */
export const findAll = (value: unknown, kind: string, found: Node[] = []): Node[] => {
  if (Array.isArray(value)) for (const each of value) findAll(each, kind, found)
  else if (typeof value === 'object' && value !== null)
    for (const [name, of] of Object.entries(value)) {
      if (name === kind) found.push(nodeOf(of))
      findAll(of, kind, found)
    }
  return found
}

/** The names of a ColumnRef: `t.account` as `['t', 'account']`. A star is an empty name. */
export const fieldsOf = (ref: Node): readonly string[] => listOf(ref['fields']).map((field) => textOf(get(field, 'String', 'sval')))

/** The subqueries of an expression, without those inside them. */
export const subLinksOf = (value: unknown): readonly Node[] => {
  if (Array.isArray(value)) return value.flatMap(subLinksOf)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, of]) => (name === 'SubLink' ? [nodeOf(of)] : subLinksOf(of)))
}
