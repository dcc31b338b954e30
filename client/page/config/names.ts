import { humanised } from '../base/format.ts'

/* Names of fields of configuration parameters: those of block.tlb, and in words. */

/** Short forms in the names of block.tlb, in full. */
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

/** Names that are not only their words. Only `ext` distinguishes `validators_ext` from `validators`: it has the total weight. */
const NAMES: Readonly<Record<string, string>> = {
  ext: 'Extended format',
  // Before what is said beside the value.
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

/** Whether an object is a dictionary: all its keys are numbers. */
export const isDictionary = (of: object): boolean => !Array.isArray(of) && Object.keys(of).every((key) => /^-?\d+$/.test(key))

/** Names of all fields in a value, at every level, as block.tlb has them and in words. Rows of a list have the same fields, so one of them is read. */
export const fieldNames = (value: unknown): readonly string[] => {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return fieldNames(value[0])
  if (isDictionary(value)) return fieldNames(Object.values(value)[0])
  return Object.entries(value).flatMap(([name, each]) => [name, wordsOf(name), ...fieldNames(each)])
}
