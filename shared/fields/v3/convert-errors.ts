import type { Say } from '../field.ts'

/** v3's error text for a value that cannot be parsed. parseParams adds the prefix `failed to decode: `. */
export const unconvertible: Say = (name) => `schema: error converting value for "${name}"`

export const unconvertibleAt =
  (index: number): Say =>
  (name) =>
    `schema: error converting value for index ${index} of "${name}"`
