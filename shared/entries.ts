import type { MethodDef } from './method.ts'

/*
 * The only module that interprets method definitions: names, aliases, paths and verbs. Dispatch, limits, the REST mirror, the documents and the client look
 * up methods here. params.ts parses parameters.
 */

export interface Entry<N extends string = string, D extends MethodDef = MethodDef> {
  readonly name: N
  readonly def: D
  readonly names: readonly string[]
  /** Names by REST path, with parameters as `:name`. Empty for a method that only JSON-RPC has. */
  readonly paths: ReadonlyMap<string, string>
  readonly verbs: readonly ('GET' | 'POST')[]
  readonly section: Section
}

export type Section = 'v2' | 'v3' | 'v4' | 'emulate' | 'local' | 'service'

/**
 * @internal REST path of a name or an alias: /api/v3/jetton/transfers for `v3.jetton.transfers`, /api/v3/hooks/list for `hooks.list`,
 * /api/emulate/v1/emulateTrace for `emulate.trace`. Names without a dot are methods of v2.
 */
export const pathOf = (name: string): string => {
  if (name.startsWith('v3.')) return `/api/${name.replaceAll('.', '/')}`
  if (name.startsWith('hooks.')) return `/api/v3/${name.replace('.', '/')}`
  if (!name.startsWith('emulate.')) return `/api/v2/${name}`
  const [, what] = name.split('.') as [string, string]
  return `/api/emulate/v1/emulate${what[0]!.toUpperCase()}${what.slice(1)}`
}

const SECTIONS: Readonly<Record<string, Section>> = { v3: 'v3', hooks: 'v3', v4: 'v4', emulate: 'emulate', local: 'local', rpc: 'service' }

/** A name without a dot is a method of v2, or without a REST path a method of the service. */
const sectionOf = (name: string, { rest }: MethodDef): Section =>
  name.includes('.') ? (SECTIONS[name.split('.', 1)[0]!] ?? 'v2') : rest === 'none' ? 'service' : 'v2'

const entryOf = <N extends string, D extends MethodDef>(name: N, def: D): Entry<N, D> => {
  const names = [name, ...(def.aliases ?? [])]
  const verbs = (['GET', 'POST'] as const).filter((verb) => def.rest.includes(verb))
  return {
    name,
    def,
    names,
    paths: new Map(
      def.paths?.map((path) => [`/api/v4${path}`, name]) ?? (verbs.length === 0 ? [] : names.map((each) => [pathOf(each), each])),
    ),
    verbs,
    section: sectionOf(name, def),
  }
}

export const listEntries = <N extends string, D extends MethodDef>(methods: Readonly<Record<N, D>>): readonly Entry<N, D>[] =>
  (Object.entries(methods) as [N, D][]).map(([name, def]) => entryOf(name, def))

/** Entries by name and alias, case-sensitive. A Map, because `__proto__` and `constructor` would be found in an object. */
export const entriesByName = <N extends string, D extends MethodDef>(methods: Readonly<Record<N, D>>): ReadonlyMap<string, Entry<N, D>> =>
  new Map(listEntries(methods).flatMap((entry) => entry.names.map((name) => [name, entry] as const)))
