import { parseAddress } from '../../../shared/fields/address.ts'
import { accountKey, nameOf, rawOfKey } from '../../store/row-keys.ts'
import type { WriteRow } from '../../store/schema/table.ts'
import type { tokenFlags } from '../../store/schema/tokens.ts'

/* Parses a list of tokens with flags: CSV, a JSON array of objects, or one JSON object per line. Every error text names the line, or the entry of an array. */

type FlaggedToken = WriteRow<typeof tokenFlags>

interface Entry {
  /** `line 3`; `entry 3` in an array. */
  readonly at: string
  readonly fields: Readonly<Record<string, unknown>> | string
}

const COLUMNS = ['address', 'is_scam', 'is_nsfw']

/** Cells of a CSV line, without quotes around them. No valid cell contains a comma or a quote. */
const cellsOf = (line: string): string[] => line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))

const ofCsv = (text: string): Entry[] => {
  const lines = text.split(/\r\n|\n|\r/).map((line, i) => ({ at: `line ${i + 1}`, cells: cellsOf(line) }))
  const filled = lines.filter(({ cells }) => cells.some((cell) => cell !== ''))
  const first = filled[0]?.cells.map((cell) => cell.toLowerCase())
  const hasHead = first?.includes('address') === true
  const head = hasHead ? first : COLUMNS
  const entries: Entry[] = []
  const unknown = head.find((name) => !COLUMNS.includes(name))
  if (unknown !== undefined)
    entries.push({ at: filled[0]!.at, fields: `the columns are ${COLUMNS.join(', ')}, not ${JSON.stringify(unknown)}` })
  for (const { at, cells } of hasHead ? filled.slice(1) : filled) {
    const fields = Object.fromEntries(head.map((name, i) => [name, cells[i] ?? '']))
    entries.push({ at, fields: cells.length > head.length ? `it has ${cells.length} columns instead of ${head.length}` : fields })
  }
  return entries
}

const fieldsOf = (value: unknown): Entry['fields'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : 'it is not an object'

const parse = <T>(text: string, use: (value: unknown) => T): T | string => {
  try {
    return use(JSON.parse(text))
  } catch (error) {
    return `it is not JSON (${(error as Error).message.replaceAll('\n', ' ')})`
  }
}

const ofJson = (text: string): Entry[] => {
  const entries = parse(text, (array) => (array as unknown[]).map((value, i) => ({ at: `entry ${i + 1}`, fields: fieldsOf(value) })))
  return typeof entries === 'string' ? [{ at: 'the array', fields: entries }] : entries
}

const ofJsonLines = (text: string): Entry[] =>
  text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [{ at: `line ${i + 1}`, fields: parse(line, fieldsOf) }]))

const entriesOf = (text: string): Entry[] => {
  const [first] = text.trimStart()
  if (first === '[') return ofJson(text)
  return first === '{' ? ofJsonLines(text) : ofCsv(text)
}

const FLAGS = new Map<unknown, boolean>([
  ...([true, 'true', 't', '1', 1] as const).map((word) => [word, true] as const),
  ...([false, 'false', 'f', '0', 0, '', null, undefined] as const).map((word) => [word, false] as const),
])

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 80)

const tokenOf = ({ fields }: Entry): FlaggedToken | string => {
  if (typeof fields === 'string') return fields
  const unknown = Object.keys(fields).find((name) => !COLUMNS.includes(name))
  if (unknown !== undefined) return `${shown(unknown)} is unknown: an entry has ${COLUMNS.join(', ')}`
  const { address, is_scam, is_nsfw } = fields
  const id = typeof address === 'string' ? parseAddress(address) : undefined
  if (id === undefined) return `${shown(address)} is not an address`
  for (const [name, value] of Object.entries({ is_scam, is_nsfw }))
    if (!FLAGS.has(typeof value === 'string' ? value.toLowerCase() : value)) return `${name} is ${shown(value)}, not true or false`
  const flag = (value: unknown): boolean => FLAGS.get(typeof value === 'string' ? value.toLowerCase() : value)!
  return { account: accountKey(id.workchain, id.hash), is_scam: flag(is_scam), is_nsfw: flag(is_nsfw) }
}

/** Parses a list and collects its errors. A token may be listed twice if both entries are equal. */
export const readTokenList = (given: string) => {
  const text = given.replace(/^\uFEFF/, '')
  const tokens = new Map<string, { readonly token: FlaggedToken; readonly at: string }>()
  const faults: string[] = []
  for (const entry of entriesOf(text)) {
    const token = tokenOf(entry)
    if (typeof token === 'string') {
      faults.push(`${entry.at}: ${token}`)
      continue
    }
    const key = token.account as Buffer
    const before = tokens.get(nameOf(key))
    if (before && (before.token.is_scam !== token.is_scam || before.token.is_nsfw !== token.is_nsfw))
      faults.push(`${entry.at}: ${rawOfKey(key)} has other flags in ${before.at}`)
    tokens.set(nameOf(key), before ?? { token, at: entry.at })
  }
  return { tokens: [...tokens.values()].map(({ token }) => token), faults }
}
