import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Call } from '../../../server/base/call.ts'
import { createRpc } from '../../../server/http/rpc/json-rpc.ts'
import { registry } from '../../../shared/registry.ts'
import { busy, countPerTurn, countTurns } from '../../kit/turns.ts'

/* Answers that wait for nothing: whoever asks for many of them must leave turns of the event loop to others. */

it('the event loop goes on while a batch is answered from the caches', async () => {
  const dispatch = async () => {
    const end = performance.now() + 1
    while (performance.now() < end);
    return { ok: true, json: '1', cached: true } as const
  }
  const rpc = createRpc({ methods: { echo: registry.getMasterchainInfo }, dispatch })
  const turns = countTurns()
  const requests = Array.from({ length: 200 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'echo', params: {} }))
  const answer = await rpc.receive(requests, { signal: new AbortController().signal } as Call)
  turns.stop()
  // 200 ms of work, of which ten are done in a turn.
  expect(turns.count()).toBeGreaterThanOrEqual(12)
  expect(JSON.parse(answer!)).toHaveLength(200)
})

it('batches that get the long answer of one run are counted in several turns', async () => {
  const made = sleep(200, { ok: true, json: `"${'x'.repeat(10_000)}"`, cached: false } as const)
  const rpc = createRpc({ methods: { echo: registry.getMasterchainInfo }, dispatch: () => made })
  const batch = [{ jsonrpc: '2.0', id: 1, method: 'echo', params: {} }]
  const counted = countPerTurn()
  const { byteLength } = Buffer
  Buffer.byteLength = (text) => {
    counted.see()
    busy(1)
    return byteLength(text)
  }
  try {
    await Promise.all(Array.from({ length: 100 }, () => rpc.receive(batch, { signal: new AbortController().signal } as Call)))
  } finally {
    Buffer.byteLength = byteLength
  }
  expect(counted.all()).toBe(100)
  expect(counted.most()).toBeLessThan(50)
})
