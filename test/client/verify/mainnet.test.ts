import { describe, expect, it } from 'vitest'
import { createLightClient } from '../../../client/verify/index.ts'
import { blockProof, replay, trustedOf } from './prover.ts'

describe('a light client of recorded mainnet', () => {
  it('x', async () => {
    const { store, query } = replay()
    const light = createLightClient({ call: blockProof(query, store), trusted: trustedOf({ seqno: 0, ...store.zeroState }) })
    const t = performance.now()
    expect((await light.catchUp()).seqno).toBe(199)
    console.log(performance.now() - t, light.state())
    await light.trust(trustedOf(store.idOf(store.index.find((row) => row.workchain === -1 && row.seqno === 100)!)))
  })
})
