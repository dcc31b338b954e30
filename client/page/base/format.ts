const DIGITS = /^-?\d{1,90}$/

/** Separates groups of three digits with narrow no-break spaces: 1 234 567. */
export const groups = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, '\u202f')

/** Converts an amount to its unit: `1500000000` with 9 decimals is `{ sign: '', whole: '1', fraction: '5' }`. Undefined for a text that is not a number. */
export const unitsOf = (amount: string, decimals: number): { sign: string; whole: string; fraction: string } | undefined => {
  if (!DIGITS.test(amount) || decimals < 0 || decimals > 255) return undefined
  const sign = amount.startsWith('-') ? '−' : ''
  const digits = amount.replace('-', '').padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/^0+(?=\d)/, '')
  return { sign, whole, fraction: decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '') }
}

/** The amount in full, as a text: `1 234.000000001`. */
export const exact = (amount: string, decimals: number): string => {
  const parts = unitsOf(amount, decimals)
  return parts === undefined ? amount : `${parts.sign}${groups(parts.whole)}${parts.fraction === '' ? '' : `.${parts.fraction}`}`
}

/** The amount in about ten characters, for narrow spaces: `1 234.5`, `0.0896…`. `…` shows that digits are cut off. */
export const compact = (amount: string, decimals: number): string => {
  const parts = unitsOf(amount, decimals)
  if (parts === undefined) return ''
  const { sign, whole, fraction } = parts
  if (whole.length > 9) {
    const isWhole = fraction === '' && whole.endsWith('000000')
    return `${sign}${groups(whole.slice(0, -6))}M${isWhole ? '' : '…'}`
  }
  const first = Math.max(0, fraction.search(/[1-9]/))
  const digits = whole.length > 4 ? 0 : whole === '0' ? Math.max(4, first + 2) : 2
  const cut = fraction.slice(0, digits).replace(/0+$/, '')
  return `${sign}${groups(whole)}${cut === '' ? '' : `.${cut}`}${cut.length < fraction.length ? '…' : ''}`
}

/** Converts a typed amount to the smallest units. Undefined for a text that is not an amount, and if it has more digits after the point than `decimals`. */
export const unitsOfText = (text: string, decimals: number): string | undefined => {
  const [, whole, fraction = ''] = /^\s*(\d{1,60})(?:[.,](\d+))?\s*$/.exec(text) ?? []
  return whole === undefined || fraction.length > decimals ? undefined : BigInt(whole + fraction.padEnd(decimals, '0')).toString()
}

const STEPS: readonly (readonly [seconds: number, unit: string])[] = [
  [31_557_600, 'y'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** A duration in seconds, in its largest unit: `3 min`. */
export const span = (seconds: number): string => {
  const size = Math.abs(seconds)
  const [step, unit] = STEPS.find(([least]) => size >= least) ?? [1, 's']
  return `${Math.floor(size / step)}\u00a0${unit}`
}

/** A duration in seconds, in its two largest units: `22 h 58 min`. With one unit, the time until a deadline could be wrong by nearly a whole unit. */
const closeSpan = (seconds: number): string => {
  const at = STEPS.findIndex(([least]) => seconds >= least)
  const [rest, next] = [seconds % (STEPS[at]?.[0] ?? 1), STEPS[at + 1]]
  return next === undefined || rest < next[0] ? span(seconds) : `${span(seconds)} ${span(rest)}`
}

/** Tolerance in seconds between two clocks: an event that has just happened is not shown as future. */
const SAME = 2

/** The age of a time, or the remaining time until it. Both arguments are unix seconds. */
export const ago = (utime: number, now: number): string => {
  const past = now - utime
  if (past < 1 && past >= -SAME) return 'now'
  return past > 0 ? `${span(past)} ago` : `in ${closeSpan(-past)}`
}

/** The largest unix time that a block can contain. It stands for "no end". */
export const NO_END = 0xffff_ffff

/** A 24-hour clock in every language of the browser. */
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }

const MOMENT: Intl.DateTimeFormatOptions = {
  ...{ year: 'numeric', month: 'short', day: 'numeric' },
  ...{ ...CLOCK, timeZoneName: 'short' },
}

/** `utime`: unix seconds. Undefined for a time that no calendar has. */
const dateOf = (utime: number | string): Date | undefined => {
  const date = new Date(Number(utime) * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Date and time with the name of the time zone, in the browser's time zone. */
export const moment = (utime: number): string => dateOf(utime)?.toLocaleString(undefined, MOMENT) ?? String(utime)

/** Date and time in UTC: `2026-11-23 01:47:04 UTC`. */
export const utcMoment = (utime: number): string => {
  const text = dateOf(utime)?.toISOString().slice(0, 19).replace('T', ' ')
  return text === undefined ? String(utime) : `${text} UTC`
}

const UTC_TEXT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2})?\s*(?:UTC|Z)?$/i

/**
 * Parses a time in UTC such as `2026-11-23 08:00:00`; the seconds are optional. Returns unix seconds. Undefined for any other text, and for a date that does
 * not exist.
 */
export const utcOf = (text: string): number | undefined => {
  const [, day, minute, second = ':00'] = UTC_TEXT.exec(text.trim()) ?? []
  if (day === undefined) return undefined
  const time = Date.parse(`${day}T${minute}${second}Z`)
  // The Date constructor reads February 30 as a day in March.
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(day) ? time / 1000 : undefined
}

/** The date of a time, in the browser's time zone. */
export const dayOf = (utime: number | string): string => dateOf(utime)?.toLocaleDateString(undefined, { dateStyle: 'medium' }) ?? ''

/** The short name of the browser's time zone at a time. */
export const zoneOf = (utime: number | string): string => {
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts(dateOf(utime))
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** Time of day with seconds, in the browser's time zone. */
export const clockTime = (utime: number): string => dateOf(utime)?.toLocaleTimeString(undefined, CLOCK) ?? ''

const CAPITALS = /\b(nft|dns|dex|uri|url|id|evaa|tgbtc|dkg|dvn|mev)\b/gi

/**
 * Converts a name to words: `jetton_transfer` to `Jetton transfer`, `query_id` to `Query ID`. `ton` stands for the coin: `ton_amount` becomes `Gram amount`.
 */
export const humanised = (name: string): string => {
  const words = name
    .replaceAll('_', ' ')
    .replace(CAPITALS, (word) => word.toUpperCase())
    .replace(/\bton(s?)\b/gi, 'Gram$1')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const workchainText = (workchain: number): string =>
  workchain === -1 ? 'masterchain' : workchain === 0 ? 'basechain' : `workchain ${workchain}`

/** The id of a block in the notation of TON's tools: `(-1,8000000000000000,3)`. */
export const blockIdText = (workchain: number, shard: string, seqno: number): string => `(${workchain},${shard},${seqno})`

/** A number with its noun: `1 action`, `2 actions`. */
export const counted = (count: number, thing: string): string => `${groups(String(count))} ${thing}${count === 1 ? '' : 's'}`

/** An amount as a percentage of a total, with two digits after the point: `12.34 %`. `unknown` without a total. */
export const shareText = (amount: string, whole: string | undefined): string => {
  if (whole === undefined || !DIGITS.test(amount) || !DIGITS.test(whole) || BigInt(whole) <= 0n) return 'unknown'
  const rounded = ((BigInt(amount) * 20_000n) / BigInt(whole) + 1n) / 2n
  // A part that is less than the total is never rounded up to 100 %.
  const parts = rounded === 10_000n && BigInt(amount) < BigInt(whole) ? 9_999n : rounded
  return parts === 0n && BigInt(amount) > 0n ? '< 0.01 %' : `${exact(parts.toString(), 2)} %`
}

export const shortened = (text: string, head = 6, tail = 6): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`

/** Names of body members that contain times: `valid_until`, `expire_at`, `start_time`. */
const TIME_NAMES =
  /(^|_)(valid_until|valid_before|expires?_at|expiration(_date|_time)?|unlock_(at|time)|(start|end|begin|bid|sell)_(at|date|time)|deadline|timestamp|utime|unixtime)$/
/** Unix seconds of the years 2001 to 2099. */
const UNIX_SECONDS = /^[1-3]\d{9}$|^40\d{8}$/

/**
 * The unix seconds in a body member, if its name and its value are those of a time; otherwise undefined. Wallets use 2^32 - 1 for "no end", which is not a
 * time.
 */
export const timeOf = (name: string, value: unknown): number | undefined =>
  TIME_NAMES.test(name) && UNIX_SECONDS.test(String(value)) ? Number(value) : undefined

/** Lower case is the page's spelling of hex hashes, keys and signatures. */
export const withLowerHex = (text: string): string => (/^[0-9A-F]{40,}$/.test(text) ? text.toLowerCase() : text)

/** Replaces control characters, also bidirectional ones, so that a name cannot reorder the text next to it. Cuts the text at `most` characters. */
export const tame = (text: string, most = 200): string => {
  const safe = text.replace(/(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
  return safe.length > most ? `${safe.slice(0, most)}…` : safe
}
