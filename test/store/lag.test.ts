import { expect, it } from 'vitest'
import { createLagClock } from '../../server/store/replicas/lag.ts'

/* The lag of a replica, by what its primary wrote. Times are milliseconds. */

it('the lag is the age of the oldest bytes that are missing, and nothing while none are', () => {
  const clock = createLagClock()
  expect(clock.lagOf(10n, 5_000)).toBeUndefined()
  clock.mark(10n, 0)
  clock.mark(20n, 100)
  clock.mark(30n, 200)
  expect(clock.lagOf(30n, 5_000)).toBe(0)
  expect(clock.lagOf(10n, 5_000)).toBe(4_900)
  expect(clock.lagOf(25n, 5_000)).toBe(4_800)
})

it('the lag does not grow while the primary does not answer, and goes on when it does again', () => {
  const clock = createLagClock()
  clock.mark(10n, 0)
  clock.mark(20n, 100)
  clock.mark(20n, 400)
  clock.stop()
  expect(clock.lagOf(10n, 60_000)).toBe(300)
  expect(clock.lagOf(20n, 60_000)).toBe(0)
  clock.mark(20n, 60_000)
  expect(clock.lagOf(10n, 60_100)).toBe(60_000)
})

it('the lag of a replica that lacks changes from before the primary was first seen is not known, until it has them', () => {
  const clock = createLagClock()
  clock.mark(100n, 0)
  clock.mark(200n, 1_000)
  expect(clock.lagOf(99n, 1_001)).toBe(Number.POSITIVE_INFINITY)
  expect(clock.lagOf(100n, 1_001)).toBe(1)
})

it('positions begin again after a failover to a server that is behind', () => {
  const clock = createLagClock()
  clock.mark(100n, 0)
  clock.stop()
  clock.mark(50n, 1_000)
  expect(clock.lagOf(50n, 9_000)).toBe(0)
  expect(clock.lagOf(40n, 9_000)).toBe(8_000)
})
