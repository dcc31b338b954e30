import { parseAddress } from '../../shared/fields/address.ts'
import { accountKey, nameOf, rawOfKey } from '../store/row-keys.ts'
import type { WriteRow } from '../store/schema/table.ts'
import type { tokenFlags } from '../store/schema/tokens.ts'

/* Parses a list of tokens with flags: CSV, a JSON array of objects, or one JSON object per line. Every error text begins with a line number. */

export type FlaggedToken = WriteRow<typeof tokenFlags>

export interface TokenList {
  readonly tokens: readonly FlaggedToken[]
  readonly faults: readonly string[]
}

interface Entry {
  readonly line: number
  readonly fields: Readonly<Record<string, unknown>> | string
}

const COLUMNS = ['address', 'is_scam', 'is_nsfw']

/** Cells of a CSV line, without quotes around them. No valid cell contains a comma or a quote. */
const cellsOf = (line: string): string[] => line.split(',').map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'))

const ofCsv = (text: string): Entry[] => {
  const lines = text.split(/\r\n|\n|\r/).map((line, i) => ({ line: i + 1, cells: cellsOf(line) }))
  const filled = lines.filter(({ cells }) => cells.some((cell) => cell !== ''))
  const first = filled[0]?.cells.map((cell) => cell.toLowerCase())
  const hasHead = first?.includes('address') === true
  const head = hasHead ? first : COLUMNS
  const entries: Entry[] = []
  const unknown = head.find((name) => !COLUMNS.includes(name))
  if (unknown !== undefined)
    entries.push({ line: filled[0]!.line, fields: `the columns are ${COLUMNS.join(', ')}, not ${JSON.stringify(unknown)}` })
  for (const { line, cells } of hasHead ? filled.slice(1) : filled) {
    const fields = Object.fromEntries(head.map((name, i) => [name, cells[i] ?? '']))
    entries.push({ line, fields: cells.length > head.length ? `it has ${cells.length} columns instead of ${head.length}` : fields })
  }
  return entries
}

/** Texts of the elements of a JSON array, with the numbers of their first lines. undefined if brackets do not match. */
const elementsOf = (text: string): { readonly text: string; readonly line: number }[] | undefined => {
  const found: { text: string; line: number }[] = []
  let [depth, line, start, startLine] = [0, 1, -1, 1]
  let isOver = false
  const end = (at: number): void => {
    if (start >= 0) found.push({ text: text.slice(start, at).trim(), line: startLine })
    start = -1
  }
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (char === '\n') line++
    if (/\s/.test(char)) continue
    if (isOver) return undefined
    if (depth === 1 && (char === ',' || char === ']')) {
      if (start < 0 && (char === ',' || found.length > 0)) return undefined
      end(i)
    } else if (depth >= 1 && start < 0) [start, startLine] = [i, line]
    if (char === '"') {
      for (i++; i < text.length && text[i] !== '"' && text[i] !== '\n'; i++) if (text[i] === '\\') i++
      if (text[i] === '\n') line++
    } else if (char === '[' || char === '{') depth++
    else if (char === ']' || char === '}') isOver = --depth === 0
    if (depth === 0 && !isOver) return undefined
  }
  return isOver ? found : undefined
}

const objectOf = (text: string): Entry['fields'] => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : 'it is not an object'
  } catch (error) {
    return `it is not JSON (${(error as Error).message})`
  }
}

const ofJson = (text: string): Entry[] => {
  const elements = elementsOf(text)
  if (elements === undefined)
    return [{ line: text.trimEnd().split('\n').length, fields: 'the array does not end here, or it has an empty element' }]
  return elements.map(({ text: element, line }) => ({ line, fields: objectOf(element) }))
}

const ofJsonLines = (text: string): Entry[] =>
  text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [{ line: i + 1, fields: objectOf(line) }]))

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
export const readTokenList = (given: string): TokenList => {
  const text = given.replace(/^\uFEFF/, '')
  const tokens = new Map<string, { readonly token: FlaggedToken; readonly line: number }>()
  const faults: string[] = []
  for (const entry of entriesOf(text)) {
    const token = tokenOf(entry)
    if (typeof token === 'string') {
      faults.push(`line ${entry.line}: ${token}`)
      continue
    }
    const key = token.account as Buffer
    const before = tokens.get(nameOf(key))
    if (before && (before.token.is_scam !== token.is_scam || before.token.is_nsfw !== token.is_nsfw))
      faults.push(`line ${entry.line}: ${rawOfKey(key)} has other flags in line ${before.line}`)
    tokens.set(nameOf(key), before ?? { token, line: entry.line })
  }
  return { tokens: [...tokens.values()].map(({ token }) => token), faults }
}
