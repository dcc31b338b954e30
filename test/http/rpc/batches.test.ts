import { describe, expect, it } from 'vitest'
import type { Call } from '../../../server/base/call.ts'
import type { Outcome } from '../../../server/dispatch/types.ts'
import { createRpc } from '../../../server/http/rpc/json-rpc.ts'
import { registry } from '../../../shared/registry.ts'
import { sleep } from '../../kit/wait.ts'

/* The answers of all batches together, while they are made. */

const KiB = 1 << 10
const methods = { echo: registry.getMasterchainInfo }
const batch = Array.from({ length: 4 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'echo', params: { id } }))
const call = { signal: new AbortController().signal } as Call

interface Item {
  readonly id: number
  readonly result?: string
  readonly error?: { readonly data: { readonly kind: string; readonly retryAfter?: number } }
}

describe('batches', () => {
  it('batches that are made at once share a limit of bytes, and free their part when they are done', async () => {
    const json = JSON.stringify('x'.repeat(100 * KiB))
    // No batch is done before the answers of all are counted.
    const dispatch = async (_: string, params: unknown): Promise<Outcome> => {
      if ((params as { id: number }).id === 3) await sleep(500)
      return { ok: true, json, cached: false }
    }
    const rpc = createRpc({ methods, dispatch, batchesBytes: 1_000 * KiB })
    const ask = async (): Promise<Item[]> => JSON.parse((await rpc.receive(batch, call)) ?? '[]')
    const items = (await Promise.all(Array.from({ length: 5 }, ask))).flat()
    const refused = items.flatMap(({ error }) => (error ? [error.data] : []))
    expect(items.filter(({ id, result }) => id < 3 && result !== undefined)).toHaveLength(9)
    expect(refused[0]).toEqual({ kind: 'UNAVAILABLE', retryAfter: 1 })
    expect((await ask()).every(({ result }) => result !== undefined)).toBe(true)
  })

  it('batches count the bytes of the wire, so two for each Cyrillic letter', async () => {
    const json = JSON.stringify('ж'.repeat(100 * KiB))
    const rpc = createRpc({ methods, dispatch: () => ({ ok: true, json, cached: true }), batchesBytes: 500 * KiB })
    const items: Item[] = JSON.parse((await rpc.receive(batch, call))!)
    expect(items.filter(({ result }) => result !== undefined)).toHaveLength(2)
  })
})
