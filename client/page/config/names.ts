import { humanised } from '../base/format.ts'

const WORDS: Readonly<Record<string, string>> = {
  mc: 'masterchain',
  tot: 'total',
  num: 'number',
  denom: 'denominator',
  sec: 'time',
  mult: 'factor',
  acc: 'account',
  msg: 'message',
  msgs: 'messages',
  lt: 'logical time',
  frac: 'share',
  ps: '',
  ms: '',
  ext: 'external',
  utime: 'time',
  addr: 'address',
  ihr: 'IHR',
  vm: 'VM',
  adnl: 'ADNL',
  id: 'ID',
  ids: 'IDs',
  dns: 'DNS',
  list: 'validators',
}

/**
 * Names whose words alone would be misleading or incomplete. Example: only the constructor name `ext` distinguishes `validators_ext`, which has a total
 * weight, from `validators`.
 */
const NAMES: Readonly<Record<string, string>> = {
  ext: 'Extended format',
  // Without "before", because the value already contains it.
  elections_start_before: 'Elections start',
  elections_end_before: 'Elections end',
  underload: 'Underloaded below',
}

/** A name of block.tlb in words: `min_tot_rounds` as `Min total rounds`. */
export const wordsOf = (name: string): string =>
  NAMES[name] ??
  humanised(
    name
      .split('_')
      .map((word) => WORDS[word] ?? word)
      .filter((word) => word !== '')
      .join(' '),
  )

export const isDictionary = (of: object): boolean => !Array.isArray(of) && Object.keys(of).every((key) => /^-?\d+$/.test(key))

/** Names of all fields in a value, at every level, from block.tlb and in words. Elements of a list have the same fields, so only one element is read. */
export const fieldNames = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return fieldNames(value[0])
  if (isDictionary(value)) return fieldNames(Object.values(value)[0])
  return Object.entries(value).flatMap(([name, each]) => [name, wordsOf(name), ...fieldNames(each)])
}
