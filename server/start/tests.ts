import { startTonway } from './start.ts'
import type { TestHooks, Tonway, TonwayOfFile, UseTonway } from './types.ts'

/** Milliseconds that a start may take. With an index it creates a database. */
const START_MS = 60_000

/** An object with the members of the tonway that runs at the moment. */
const proxyOf = (current: () => Tonway | undefined): TonwayOfFile =>
  new Proxy({} as TonwayOfFile, {
    get(_, name) {
      const tonway = current()
      if (tonway === undefined) throw new Error(`useTonway(): ${String(name)} can be used in tests and hooks only, while the tonway runs`)
      return Reflect.get(tonway, name)
    },
  })

/**
 * `useTonway` for a test runner with these hooks. A tonway starts before the first test and is closed after the last one. The chain is marked before each
 * test and reverted to the mark after it. So each test sees what `beforeAll` has set up, and nothing of other tests.
 */
export const createUseTonway =
  ({ beforeAll, afterAll, beforeEach, afterEach }: TestHooks): UseTonway =>
  (options) => {
    let tonway: Tonway | undefined
    let mark: string | undefined
    beforeAll(async () => {
      tonway = await startTonway(options)
    }, START_MS)
    beforeEach(async () => {
      mark = (await tonway?.client.local.snapshot())?.snapshot
    })
    afterEach(async () => {
      if (mark === undefined) return
      await tonway?.client.local.revert({ snapshot: mark })
      mark = undefined
    })
    afterAll(async () => {
      await tonway?.close()
      tonway = undefined
    }, START_MS)
    return proxyOf(() => tonway)
  }
