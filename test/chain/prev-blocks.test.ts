import { expect, it } from 'vitest'
import { prevBlocksTuple } from '../../server/chain/prev-blocks.ts'

/* PREVBLOCKSINFO. A proof by a lite-server has no more of the previous blocks than the version needs, so no others may be read. */

const block = (seqno: number) => ({ seqno, rootHash: new Uint8Array(32).fill(1), fileHash: new Uint8Array(32).fill(2) })

const askedFor = (hasSteps: boolean): { readonly asked: readonly number[]; readonly parts: number } => {
  const asked: number[] = []
  const before = (seqno: number) => {
    asked.push(seqno)
    return block(seqno)
  }
  return { parts: prevBlocksTuple(block(1_000), block(900), before, hasSteps).length, asked }
}
const LAST = Array.from({ length: 15 }, (_, i) => 999 - i)

it('before version 9 only the last blocks are read', () => {
  expect(askedFor(false)).toEqual({ asked: LAST, parts: 2 })
})

it('since version 9 every hundredth block is read as well', () => {
  expect(askedFor(true)).toEqual({ asked: [...LAST, ...[900, 800, 700, 600, 500, 400, 300, 200, 100, 0]], parts: 3 })
})
