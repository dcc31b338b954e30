import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LocalChain } from '../../server/chain/local/local-chain.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { embeddedCases, type ProofCase, recordedCases, runMutants } from '../fuzz/proofs.ts'
import { createTestChain } from '../kit/chain/local-chain.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'

/* A sample of the single-bit mutants of proofs; `npm run fuzz -- proofs` makes 100,000 of them, or as many as one says. */

const RECORDED = 2_000
const EMBEDDED = 500

const mustHold = (cases: readonly ProofCase[], count: number): void => {
  const { refused, same, findings } = runMutants(cases, count, 20_191_115)
  expect(findings).toEqual([])
  expect(refused + same).toBe(count)
  // The others hit what nobody reads: signatures beyond two thirds, fields that are only echoes.
  expect(refused / count).toBeGreaterThan(0.8)
}

describe('one bit changed in an answer with a proof', () => {
  let tvm: Tvm
  let local: LocalChain
  beforeAll(async () => {
    tvm = createTestTvm({ workers: 1 })
    local = await createTestChain(tvm)
  })
  afterAll(async () => {
    await local.close()
    await tvm.close()
  })

  it('one bit changed in an answer with a proof of an embedded chain is refused, or it means the same', async () => {
    mustHold(await embeddedCases(local), EMBEDDED)
  })

  it('one bit changed in an answer with a proof of mainnet is refused, or it means the same', async () => {
    mustHold(await recordedCases(), RECORDED)
  }, 120_000)
})
