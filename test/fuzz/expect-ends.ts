import { expect } from 'vitest'
import { seed } from '../kit/random.ts'
import { attack, type Target } from './attack.ts'

/** `npm run fuzz -- cells` judges by 50 ms. Here the limit is far above that: a bomb takes for ever, not twice as long. */
const LIMIT_MS = 1000

/** Expects that each target ends with a value or an error of its own on `count` bombs. */
export const expectEnds = (targets: readonly Target[], count: number): void => {
  const { calls, values, findings } = attack(targets, count, seed, LIMIT_MS)
  expect(findings).toEqual([])
  // Most bombs fit into a cell, and not all of them are refused at the first bit.
  expect(calls).toBeGreaterThan((targets.length * count) / 2)
  expect(values).toBeGreaterThan(calls / 10)
}
