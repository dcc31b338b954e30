/* Numbers, amounts and times as people read them. Amounts are bigints or decimal texts, never floats. */

const DIGITS = /^-?\d{1,90}$/

/** Groups of three digits: 1 234 567 with thin spaces that do not break. */
export const groups = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, '\u202f')

/** An amount in its unit: `1500000000` with 9 decimals is `['1', '5']`. Undefined for a text that is no number. */
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

/** The amount in at most about ten characters, for narrow places: `1 234.5`, `0.0896…`. `…` shows that something is cut off. */
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

/** An amount that was typed as GRAM, in nanograms; undefined for a text that is no amount. */
export const nanogramsOf = (text: string): string | undefined => {
  const [, whole, fraction = ''] = /^\s*(\d{1,18})(?:[.,](\d{1,9}))?\s*$/.exec(text) ?? []
  return whole === undefined ? undefined : (BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'))).toString()
}

const STEPS: readonly (readonly [seconds: number, unit: string])[] = [
  [31_557_600, 'y'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
]

/** A span of seconds in its largest unit: `3 min`. */
export const span = (seconds: number): string => {
  const size = Math.abs(seconds)
  const [step, unit] = STEPS.find(([least]) => size >= least) ?? [1, 's']
  return `${Math.floor(size / step)}\u00a0${unit}`
}

/** A span of seconds in its two largest units, because what is left until an end should not be cut by nearly a whole one: `22 h 58 min`. */
const closeSpan = (seconds: number): string => {
  const at = STEPS.findIndex(([least]) => seconds >= least)
  const [rest, next] = [seconds % (STEPS[at]?.[0] ?? 1), STEPS[at + 1]]
  return next === undefined || rest < next[0] ? span(seconds) : `${span(seconds)} ${span(rest)}`
}

/** Seconds by which clocks differ that count as the same: what has just happened is not shown as future. */
const SAME = 2

/** How long ago a time was, or how far ahead it is. Seconds. */
export const ago = (utime: number, now: number): string => {
  const past = now - utime
  if (past < 1 && past >= -SAME) return 'now'
  return past > 0 ? `${span(past)} ago` : `in ${closeSpan(-past)}`
}

/** Unix seconds: the largest that a block can say, where there is no end. */
export const NO_END = 0xffff_ffff

/** 24 hours, whatever the language of the browser. */
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }

const MOMENT: Intl.DateTimeFormatOptions = {
  ...{ year: 'numeric', month: 'short', day: 'numeric' },
  ...{ ...CLOCK, timeZoneName: 'short' },
}

/** A time in full, in the reader's time zone, which it names. Seconds. */
export const moment = (utime: number): string => {
  const date = new Date(utime * 1000)
  return Number.isNaN(date.getTime()) ? String(utime) : date.toLocaleString(undefined, MOMENT)
}

/** A time in UTC, whatever the reader's time zone: `2026-11-23 01:47:04 UTC`. Seconds. */
export const utcMoment = (utime: number): string => {
  const date = new Date(utime * 1000)
  return Number.isNaN(date.getTime()) ? String(utime) : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

const UTC_TEXT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2})?\s*(?:UTC|Z)?$/i

/** Unix seconds of a time in UTC that was typed as `2026-11-23 08:00:00`, the seconds at will; undefined for any other text, and for a day that does not exist. */
export const utcOf = (text: string): number | undefined => {
  const [, day, minute, second = ':00'] = UTC_TEXT.exec(text.trim()) ?? []
  if (day === undefined) return undefined
  const time = Date.parse(`${day}T${minute}${second}Z`)
  // February 30 is read as a day of March.
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(day) ? time / 1000 : undefined
}

/** The date of a time, in the reader's time zone. Seconds. */
export const dayOf = (utime: number | string): string => {
  const date = new Date(Number(utime) * 1000)
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleDateString(undefined, { dateStyle: 'medium' })
}

/** The reader's time zone at a time, by its short name. Seconds. */
export const zoneOf = (utime: number | string): string => {
  const date = new Date(Number(utime) * 1000)
  if (Number.isNaN(date.getTime())) return ''
  const parts = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts(date)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** Time of day with its seconds, in the reader's time zone. Seconds. */
export const clockTime = (utime: number): string => {
  const date = new Date(utime * 1000)
  return Number.isNaN(date.getTime()) ? '' : date.toLocaleTimeString(undefined, CLOCK)
}

/** Short forms that are written in capitals. */
const CAPITALS = /\b(nft|dns|dex|uri|url|id|evaa|tgbtc|dkg|dvn|mev)\b/gi

/** `jetton_transfer` as `Jetton transfer`, `query_id` as `Query ID`. `ton` is the coin there: `ton_amount` is `Gram amount`. */
export const humanised = (name: string): string => {
  const words = name
    .replaceAll('_', ' ')
    .replace(CAPITALS, (word) => word.toUpperCase())
    .replace(/\bton(s?)\b/gi, 'Gram$1')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A workchain in a word. */
export const workchainText = (workchain: number): string =>
  workchain === -1 ? 'masterchain' : workchain === 0 ? 'basechain' : `workchain ${workchain}`

/** The id of a block, as tools of TON write it: `(-1,8000000000000000,3)`. */
export const blockIdText = (workchain: number, shard: string, seqno: number): string => `(${workchain},${shard},${seqno})`

/** A number of things: `1 action`, `2 actions`. */
export const counted = (count: number, thing: string): string => `${groups(String(count))} ${thing}${count === 1 ? '' : 's'}`

/** An amount as a share of a whole: `12.34 %`, rounded to two digits after the point; `unknown` without a whole. */
export const shareText = (amount: string, whole: string | undefined): string => {
  if (whole === undefined || !DIGITS.test(amount) || !DIGITS.test(whole) || BigInt(whole) <= 0n) return 'unknown'
  const rounded = ((BigInt(amount) * 20_000n) / BigInt(whole) + 1n) / 2n
  // A part that is not the whole is not shown as the whole.
  const parts = rounded === 10_000n && BigInt(amount) < BigInt(whole) ? 9_999n : rounded
  return parts === 0n && BigInt(amount) > 0n ? '< 0.01 %' : `${exact(parts.toString(), 2)} %`
}

/** A long text with its middle left out. */
export const shortened = (text: string, head = 6, tail = 6): string =>
  text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`

/** Members of bodies that are times: `valid_until`, `expire_at`, `start_time`. */
const TIME_NAMES =
  /(^|_)(valid_until|valid_before|expires?_at|expiration(_date|_time)?|unlock_(at|time)|(start|end|begin|bid|sell)_(at|date|time)|deadline|timestamp|utime|unixtime)$/
/** Unix seconds of the years 2001 to 2099. */
const UNIX_SECONDS = /^[1-3]\d{9}$|^40\d{8}$/

/** Unix seconds, where a member of this name and value is a time; undefined for any other. A wallet that has no end says 2^32 - 1, which is no time. */
export const timeOf = (name: string, value: unknown): number | undefined =>
  TIME_NAMES.test(name) && UNIX_SECONDS.test(String(value)) ? Number(value) : undefined

/** Hashes, keys and signatures have lower-case digits everywhere in the page. */
export const withLowerHex = (text: string): string => (/^[0-9A-F]{40,}$/.test(text) ? text.toLowerCase() : text)

/** Text with bidirectional controls made visible, so that a name cannot reorder what stands beside it, and cut at `most` characters. */
export const tame = (text: string, most = 200): string => {
  const safe = text.replace(/(?![\n\t])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
  return safe.length > most ? `${safe.slice(0, most)}…` : safe
}
