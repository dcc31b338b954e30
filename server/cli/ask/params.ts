import { parseJson } from '../../../shared/json.ts'

/** Parses JSON. Numbers beyond 2^53 become strings, which the service accepts. Any text that is not JSON stays as it is. */
const jsonOr = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** Parses the params of `tonway call`: one JSON object, or words `name=value`. Throws an Error whose message is for the user. */
export const readParams = (words: readonly string[]): Readonly<Record<string, unknown>> => {
  const [first] = words
  if (words.length === 1 && first!.trimStart().startsWith('{')) {
    const parsed = jsonOr(first!)
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>
    throw new Error(`the params are not JSON: ${first}`)
  }
  const params: Record<string, unknown> = {}
  for (const word of words) {
    const at = word.indexOf('=')
    if (at <= 0) throw new Error(`${word} is not a parameter; write name=value, or all params as one JSON object`)
    const name = word.slice(0, at)
    if (Object.hasOwn(params, name)) throw new Error(`${name} is given twice`)
    params[name] = jsonOr(word.slice(at + 1))
  }
  return params
}

const AMOUNT = /^(\d{1,27})(?:\.(\d{1,9}))?$/

/** Parses an amount in GRAM to decimal nanograms. Throws an Error whose message is for the user, also for 0. */
export const readAmount = (text: string): string => {
  const [, whole, fraction = ''] = AMOUNT.exec(text.trim()) ?? []
  if (whole === undefined)
    throw new Error(`amount ${text} is not valid; write GRAM as 1.5: digits without a sign, at most nine of them after the point`)
  const nanograms = BigInt(whole + fraction.padEnd(9, '0'))
  if (nanograms === 0n)
    throw new Error(`amount ${text} gives no coins; \`tonway call local.setBalance address=<address> balance=0\` takes them away`)
  return nanograms.toString()
}
