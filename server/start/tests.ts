import { startTonway } from './start.ts'
import type { TestHooks, Tonway, TonwayOfFile, UseTonway } from './types.ts'

/** Maximum time (ms) of a start, which with an index includes creating a database. */
const START_MS = 60_000

/** A proxy, because the tonway starts after its variable is assigned. */
const proxyOf = (current: () => Tonway | undefined): TonwayOfFile =>
  new Proxy({} as TonwayOfFile, {
    get(_, name) {
      const tonway = current()
      if (tonway === undefined)
        throw new Error(
          `useTonway(): ${String(name)} can be used in tests and hooks only, and useTonway() itself is called outside of them: at the top of a file or in a describe`,
        )
      return Reflect.get(tonway, name)
    },
  })

/**
 * Creates `useTonway` for the hooks of a test runner. The tonway starts before the first test and is closed after the last one. The state of the chain is
 * saved before each test and restored after it, so each test sees the state after `beforeAll`, and no changes of other tests.
 */
export const createUseTonway =
  ({ beforeAll, afterAll, beforeEach, afterEach }: TestHooks): UseTonway =>
  (options) => {
    let tonway: Tonway | undefined
    let restore: (() => Promise<void>) | undefined
    beforeAll(async () => {
      tonway = await startTonway(options)
    }, START_MS)
    beforeEach(async () => {
      if (tonway === undefined) return
      const { local } = tonway.client
      const { snapshot } = await local.snapshot()
      const [{ automine }, { hold }] = await Promise.all([local.setAutomine({}), local.holdShardBlocks({})])
      restore = async () => {
        // The revert is first, because it drops waiting messages. With automine on they would get a block.
        await local.revert({ snapshot })
        await Promise.all([local.setAutomine({ automine }), local.holdShardBlocks({ hold })])
      }
    })
    afterEach(async () => {
      await restore?.()
      restore = undefined
    })
    afterAll(async () => {
      await tonway?.close()
      tonway = undefined
    }, START_MS)
    return proxyOf(() => tonway)
  }
