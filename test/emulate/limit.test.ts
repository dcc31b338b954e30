import { getEventListeners } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'
import type { Chain } from '../../server/chain/chain-port.ts'
import { createEmulator } from '../../server/emulate/emulator.ts'
import { LIMITS } from '../../server/emulate/run.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'

/* The time of an emulation, on a chain that does not answer. */

afterEach(() => {
  vi.useRealTimers()
})

const never = (_: unknown, signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
const chain = { config: never, blockHeader: never } as unknown as Chain
const emulator = createEmulator({ chain, tvm: {} as Tvm })
const zeros = new Uint8Array(32)
const request = { starts: [], at: { workchain: -1, shard: -(2n ** 63n), seqno: 1, rootHash: zeros, fileHash: zeros }, now: 1 }

it('emulations that end leave nothing at a signal that lives on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const caller = new AbortController()
  const all = Promise.allSettled([1, 2, 3].map(() => emulator.trace(request, caller.signal)))
  expect(getEventListeners(caller.signal, 'abort')).toHaveLength(1)
  vi.advanceTimersByTime(LIMITS.time)
  for (const ended of await all) expect(ended).toMatchObject({ status: 'rejected', reason: { kind: 'time' } })
  expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0)
  expect(vi.getTimerCount()).toBe(0)
})

it('an emulation whose caller leaves, or has left before, ends with the reason of the caller', async () => {
  const caller = new AbortController()
  const running = emulator.trace(request, caller.signal)
  const reason = new Error('left')
  caller.abort(reason)
  await expect(running).rejects.toBe(reason)
})
