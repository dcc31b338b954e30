import { ignoresUnknown, type ParamSource } from '../../shared/params.ts'
import { canonical } from '../base/memory/canonical.ts'
import type { ServedMethod } from './entry.ts'

/**
 * What a call asks for as a text. Calls of a method with the same text have the same parameters, so an answer that is kept needs no parameters to be read.
 * Names that the method ignores are left out. Throws RangeError for values that are nested too deep.
 */
export const askedText = ({ def, names }: ServedMethod, raw: unknown, source: ParamSource): string => {
  if (raw === undefined || raw === null) return canonical(NONE)
  if (!ignoresUnknown(def, source) || typeof raw !== 'object' || Array.isArray(raw)) return canonical(raw)
  const known: Record<string, unknown> = {}
  for (const name of names) if (Object.hasOwn(raw, name)) known[name] = (raw as Readonly<Record<string, unknown>>)[name]
  // A query is read in another way than a body (params.ts).
  return source === 'query' ? `?${canonical(known)}` : canonical(known)
}

const NONE = {}
