import type { Say } from '../field.ts'

/** v3's text of a value that cannot be read (v3.md 1.4); parseParams puts `failed to decode: ` before it. */
export const unconvertible: Say = (name) => `schema: error converting value for "${name}"`

/** The same of one element of a list. */
export const unconvertibleAt =
  (index: number): Say =>
  (name) =>
    `schema: error converting value for index ${index} of "${name}"`
