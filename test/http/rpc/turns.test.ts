import { describe, expect, it } from 'vitest'
import type { Call } from '../../../server/base/call.ts'
import { createRpc } from '../../../server/http/rpc/rpc.ts'
import { registry } from '../../../shared/registry.ts'

/* Answers that cost nothing but their bytes: whoever asks for many of them must leave turns of the event loop to others. */

const SIZE = 16_000
const echo = (id: number): object => ({ jsonrpc: '2.0', id, method: 'echo', params: { size: SIZE } })

/** How many turns of the event loop there were until `work` was done. */
const turnsOf = async (work: Promise<unknown>): Promise<number> => {
  let turns = 0
  let isDone = false
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work
  isDone = true
  return turns
}

describe('the event loop turns', () => {
  it('the event loop goes on while a batch of large answers is made', async () => {
    const json = JSON.stringify('x'.repeat(SIZE))
    const rpc = createRpc({ methods: { echo: registry.getMasterchainInfo }, dispatch: () => ({ ok: true, json, cached: true }) })
    const call = { signal: new AbortController().signal } as Call
    const answer = Promise.resolve(
      rpc.receive(
        Array.from({ length: 1_000 }, (_, id) => echo(id)),
        call,
      ),
    )
    // 16 MB, of which one is made in a turn.
    expect(await turnsOf(answer)).toBeGreaterThanOrEqual(12)
    expect(JSON.parse((await answer)!)).toHaveLength(1_000)
  })
})
