import type { Say } from '../field.ts'

/** v3's error text for a value that cannot be parsed. parseParams puts `failed to decode: ` before it. */
export const unconvertible: Say = (name) => `schema: error converting value for "${name}"`

/** The same for an element of a list. */
export const unconvertibleAt =
  (index: number): Say =>
  (name) =>
    `schema: error converting value for index ${index} of "${name}"`
