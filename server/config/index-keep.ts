import * as z from 'zod'

/* TONWAY_INDEX_KEEP: how much history the index keeps. */

/** Masterchain blocks, or seconds of the chain's time. */
export type Keep = { readonly blocks: number } | { readonly seconds: number }

const FORM = 'must be all, a number of masterchain blocks (at least 10), or a time such as 30d, 12h or 90m'

/** With fewer blocks a page of transactions would change while it is read. */
const LEAST_BLOCKS = 10
const MAX_NUMBER = 2 ** 31 - 1
const SECONDS = { m: 60, h: 3_600, d: 86_400 } as const

/** Reads the setting; undefined for `all` and for any text that is not understood. */
export const readKeep = (text: string): Keep | undefined => {
  const [, digits, unit] = /^\s*([1-9]\d{0,9})([mhd])?\s*$/.exec(text) ?? []
  const number = Number(digits)
  if (digits === undefined || number > MAX_NUMBER) return undefined
  if (unit !== undefined) return { seconds: number * SECONDS[unit as keyof typeof SECONDS] }
  return number < LEAST_BLOCKS ? undefined : { blocks: number }
}

/** The setting as it is given. */
export const keepSetting = z
  .union([z.string(), z.number()], FORM)
  .transform((value) => String(value).trim())
  .refine((value) => value === 'all' || readKeep(value) !== undefined, FORM)
