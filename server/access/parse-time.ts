import { KeyError } from './key-store.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A span of time (`90d`, `12h`, `30m`, `10s`, `0`) in milliseconds, at most `most` of them. Throws KeyError. */
export const parseSpan = (text: string, most: number): number => {
  const match = /^(\d{1,9})([smhd])$/.exec(text.trim())
  const span = text.trim() === '0' ? 0 : match ? Number(match[1]) * UNITS[match[2]!]! : Number.NaN
  if (!(span <= most)) throw new KeyError(`${JSON.stringify(text)} is not a time such as 90d, 12h, 30m or 10s, or it is too long`)
  return span
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/
const HUNDRED_YEARS = 36_525 * 86_400_000

/** A time after `now` (unix milliseconds): a span from then, or a date in UTC. Throws KeyError. */
export const parseWhen = (text: string, now: number): Date => {
  const trimmed = text.trim()
  const at = DATE.test(trimmed) ? Date.parse(trimmed) : now + parseSpan(trimmed, HUNDRED_YEARS)
  if (!(at > now)) throw new KeyError(`${JSON.stringify(text)} is not in the future`)
  return new Date(at)
}
