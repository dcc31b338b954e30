import { createHash } from 'node:crypto'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { dictSet } from '../../../server/cell/dict.ts'
import type { ChainTip, Genesis, MadeBlock, Step } from '../../../server/chain/local/model.ts'
import type { ChainStore } from '../../../server/chain/local/store/chain-store.ts'
import { type BlockId, WHOLE_SHARD } from '../../../server/tlb/ids.ts'

/* Hand-made steps with ids, times and states like those of a chain, but meaningless blocks. For tests of code that only stores them. */

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())
const number = (cell: Cell | undefined): Cell => beginCell().storeMaybeRef(cell).end()

/** A state: a cell with a dictionary of 64-bit keys. */
export const putState = (state: Cell | undefined, entries: readonly (readonly [bigint, Cell])[]): Cell => {
  let dict = state?.slice().loadMaybeRef()
  for (const [key, value] of entries) dict = dictSet(dict, 64, key, beginCell().storeRef(value))
  return number(dict)
}

const block = (workchain: number, seqno: number, salt: string, state: Cell): MadeBlock => {
  const root = beginCell()
    .storeInt(workchain, 32)
    .storeUint(seqno, 32)
    .storeBytes(Buffer.from(salt))
    .storeRef(beginCell().storeBytes(state.hash()).end())
    .end()
  const boc = serializeBoc(root)
  const id: BlockId = { workchain, shard: WHOLE_SHARD, seqno, rootHash: root.hash(), fileHash: sha256(boc) }
  // No test here reads the header.
  return { id, boc, root, info: undefined as never, state }
}

/** A step after a tip with new states. Every tenth masterchain block is a key block. */
export const handMadeStep = (tip: ChainTip, states: { master: Cell; shard: Cell }, salt = ''): Step => {
  const seqno = tip.master.id.seqno + 1
  const shard = block(0, seqno, salt, states.shard)
  const master = block(-1, seqno, salt, states.master)
  const utime = tip.master.utime + (seqno % 3 === 0 ? 2 : 0)
  const endLt = tip.master.endLt + 2_000_000n
  return {
    shard,
    master,
    signatures: {
      type: 'ordinary',
      validatorSetHash: 77,
      catchainSeqno: seqno,
      signatures: [{ nodeIdShort: new Uint8Array(32).fill(3), signature: new Uint8Array(64).fill(seqno & 255) }],
    },
    tip: {
      master: { id: master.id, state: states.master, endLt, utime },
      shard: { id: shard.id, state: states.shard, endLt: endLt - 1_000_000n, utime },
      keyBlockSeqno: seqno % 10 === 0 ? seqno : tip.keyBlockSeqno,
    },
    sent: [],
    printed: [],
    refused: [],
    postponed: [],
    pending: false,
  }
}

export const handMadeGenesis = (): Genesis => {
  const zero = (workchain: number) => {
    const root = putState(undefined, [[1n, beginCell().storeInt(workchain, 32).end()]])
    const boc = serializeBoc(root)
    return { root, boc, id: { workchain, shard: WHOLE_SHARD, seqno: 0, rootHash: root.hash(), fileHash: sha256(boc) } }
  }
  const masterState = zero(-1)
  const shardState = zero(0)
  return {
    masterState,
    shardState,
    zeroState: { workchain: -1, rootHash: masterState.id.rootHash, fileHash: masterState.id.fileHash },
    tip: {
      master: { id: masterState.id, state: masterState.root, endLt: 0n, utime: 1_700_000_000 },
      shard: { id: shardState.id, state: shardState.root, endLt: 0n, utime: 1_700_000_000 },
      keyBlockSeqno: 0,
    },
  }
}

/** Packs and writes a step, as the producer does. */
export const appendStep = async (
  store: Pick<ChainStore, 'packStep' | 'appendStep'>,
  step: Step,
  waiting: readonly number[] = [],
): Promise<ChainTip> => store.appendStep(step, waiting, await store.packStep(step))
