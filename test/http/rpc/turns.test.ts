import { expect, it } from 'vitest'
import type { Call } from '../../../server/base/call.ts'
import { createRpc } from '../../../server/http/rpc/json-rpc.ts'
import { registry } from '../../../shared/registry.ts'
import { countTurns } from '../../kit/turns.ts'

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
