import type { ActionTypes } from './details.ts'

/* Action types that a client requests: by name, and by the shortcuts `v1` to `v5` and `latest` for several types. */

/** Versions of the list of types. Each version includes the types of all earlier versions. */
const VERSIONS = [1, 2, 3, 4, 5] as const

/**
 * Returns the action types that a client supports, from the names and shortcuts in its request. The types of version 1 are always included. Without names,
 * these are the types of the latest version.
 */
export type SupportedTypes = (names: readonly string[]) => ReadonlySet<string>

export const createSupportedTypes = (allTypes: ActionTypes): SupportedTypes => {
  const types = Object.entries(allTypes)
  const sets = new Map<string, string[]>()
  for (const [type, { shortcuts = [] }] of types)
    for (const shortcut of shortcuts) sets.set(shortcut, [...(sets.get(shortcut) ?? []), type])
  const upTo = (version: number): string[] => types.flatMap(([type, { since }]) => (since !== undefined && since <= version ? [type] : []))
  for (const version of VERSIONS) sets.set(`v${version}`, upTo(version))
  const [first, latest] = [upTo(1), upTo(VERSIONS.at(-1)!)]
  sets.set('latest', latest)
  return (names) => new Set([...first, ...(names.length === 0 ? latest : names.flatMap((name) => sets.get(name) ?? [name]))])
}

export interface Visible {
  readonly type: string
  readonly ancestors: readonly string[]
}

/** A client sees an action if it supports the type of that action, but no type of an action that contains it (`ancestors`). */
export const isVisible = ({ type, ancestors }: Visible, supported: ReadonlySet<string>): boolean =>
  supported.has(type) && !ancestors.some((ancestor) => supported.has(ancestor))
