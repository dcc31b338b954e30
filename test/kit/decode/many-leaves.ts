import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'

const DEPTH = 11
const KEY_BITS = 267
/** Bits of a leaf's label, which is written as so many nested members. */
const LABEL = 28

const leaf = (): Cell => {
  const b = beginCell().storeBit(false)
  for (let i = 0; i < LABEL; i++) b.storeBit(true)
  b.storeBit(false)
  for (let i = 0; i < LABEL; i++) b.storeBit(false)
  return b.storeBit(true).end()
}

const fork = (depth: number): Cell => {
  if (depth === 0) return leaf()
  const child = fork(depth - 1)
  const b = beginCell()
  // hml_same of all key bits that neither the forks nor the leaves have.
  if (depth === DEPTH)
    b.storeUint(3, 2)
      .storeBit(false)
      .storeUint(KEY_BITS - DEPTH - LABEL, 9)
  else b.storeUint(0, 2)
  return b.storeRef(child).storeRef(child).end()
}

/** A body of 13 cells whose JSON has two megabytes: the dictionary of a JVault claim with 2,048 leaves that share their cells. */
export const manyLeaves = (queryId: number): Cell =>
  beginCell().storeUint(0x78d9f109, 32).storeUint(BigInt(queryId), 64).storeBit(true).storeRef(fork(DEPTH)).end()
