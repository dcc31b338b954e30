import { UserError } from '../../base/user-error.ts'

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses a duration (`90d`, `12h`, `30m`, `10s`, `0`) to milliseconds; NaN for any other text. */
const spanOf = (text: string): number => {
  const match = /^(\d{1,9})([smhd])$/.exec(text)
  return text === '0' ? 0 : match ? Number(match[1]) * UNITS[match[2]!]! : Number.NaN
}

/** Parses `--overlap`, a duration of at most `days` days, to milliseconds. Throws UserError. */
export const parseOverlap = (text: string, days: number): number => {
  const span = spanOf(text.trim())
  if (!(span <= days * UNITS['d']!))
    throw new UserError(`--overlap: ${JSON.stringify(text)} is not a time such as 24h, 30m or 0, at most ${days}d`)
  return span
}

const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/
const HUNDRED_YEARS = 36_525 * 86_400_000

/** Parses `--expires`: a duration from `now` (unix milliseconds), or a date in UTC, which must be after `now`. Throws UserError. */
export const parseExpires = (text: string, now: number): Date => {
  const trimmed = text.trim()
  const at = DATE.test(trimmed) ? Date.parse(trimmed) : now + spanOf(trimmed)
  if (!(at <= now + HUNDRED_YEARS))
    throw new UserError(
      `--expires: ${JSON.stringify(text)} is not a time from now (90d, 12h) or a date (2030-01-31), at most a hundred years away`,
    )
  if (at <= now) throw new UserError(`--expires: ${JSON.stringify(text)} is not in the future`)
  return new Date(at)
}
