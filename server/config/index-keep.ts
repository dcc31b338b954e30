import * as z from 'zod'

/* TONWAY_INDEX_KEEP: how much history the index retains. */

/** Number of masterchain blocks, or seconds of the chain's time. */
export type Keep = { readonly blocks: number } | { readonly seconds: number }

const FORM = 'must be all, a number of masterchain blocks (at least 10), or a time such as 30d, 12h or 90m'

/** Minimum number of blocks. With fewer, the transactions of a page could be pruned while the page is read. */
const LEAST_BLOCKS = 10
const MAX_NUMBER = 2 ** 31 - 1
const SECONDS = { m: 60, h: 3_600, d: 86_400 } as const

/** Parses the setting. Returns undefined for `all` and for invalid texts. */
export const readKeep = (text: string): Keep | undefined => {
  const [, digits, unit] = /^\s*([1-9]\d{0,9})([mhd])?\s*$/.exec(text) ?? []
  const number = Number(digits)
  if (digits === undefined || number > MAX_NUMBER) return undefined
  if (unit !== undefined) return { seconds: number * SECONDS[unit as keyof typeof SECONDS] }
  return number < LEAST_BLOCKS ? undefined : { blocks: number }
}

export const keepSetting = z
  .union([z.string(), z.number()], FORM)
  .transform((value) => String(value).trim())
  .refine((value) => value === 'all' || readKeep(value) !== undefined, FORM)
