import { describe, expect, it } from 'vitest'
import { type Builder, beginCell } from '../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../server/cell/cell.ts'
import type { SourceBlock } from '../../server/chain/blocks.ts'
import { shardBlocks } from '../../server/index/follow/shard-blocks.ts'
import { storeBlock, storeBlockExtra } from '../../server/tlb/block/block.ts'
import { loadBlockTransactions } from '../../server/tlb/block/block-transactions.ts'
import { visitShards } from '../../server/tlb/block/shard-hashes.ts'
import { NO_CURRENCY } from '../../server/tlb/currency.ts'
import { type BlockId, WHOLE_SHARD } from '../../server/tlb/ids.ts'
import { storeTransaction } from '../../server/tlb/transaction/transaction.ts'
import { forks } from '../kit/bombs.ts'

/* Blocks that no validator signs, as a lite-server can make them if it is believed about the head: they describe far more than they hold. */

const SIZE = 4_096
const TOO_MANY = /too many cells/
const noExtra = (b: Builder): Builder => b.storeUint(0, 5)
/** hml_same: the rest of a key of 256 bits below 22 forks, and a whole key of 64 bits. */
const [REST, LT] = [
  beginCell()
    .storeUint(0b110, 3)
    .storeUint(256 - 22, 8),
  beginCell().storeUint(0b110, 3).storeUint(64, 7),
]

/** 2^count entries of an augmented dictionary in `count` cells. */
const augmentedForks = (leaf: Cell, count: number): Cell => {
  let cell = leaf
  for (let i = 0; i < count; i++) cell = noExtra(beginCell().storeUint(0, 2).storeRef(cell).storeRef(cell)).end()
  return cell
}

const plain = storeTransaction({
  account: new Uint8Array(32),
  lt: 9n,
  prevTransHash: new Uint8Array(32),
  prevTransLt: 0n,
  now: 0,
  origStatus: 'active',
  endStatus: 'active',
  inMsg: undefined,
  outMsgs: [],
  totalFees: NO_CURRENCY,
  stateUpdate: { oldHash: new Uint8Array(32), newHash: new Uint8Array(32) },
  description: {
    type: 'tick-tock',
    isTock: false,
    storage: { feesCollected: 0n, statusChange: 'unchanged' },
    compute: { type: 'skipped', reason: 'no_state' },
    aborted: false,
    destroyed: false,
  },
})
/** ext_out_msg_info$11 from an account of zeros, 2^11 times. */
const log = beginCell().storeUint(0b11100, 5).storeUint(0, 8).storeUint(0, 256).storeUint(0, 2).storeUint(0, 98).end()
const logs = forks(beginCell().storeUint(0b110, 3).storeUint(4, 3).storeRef(log).end(), 11)
const withLogs = beginCell()
  .storeBits(plain.data(), plain.bits)
  .storeRef(beginCell().storeUint(1, 2).storeRef(logs).end())
  .storeRef(plain.ref(1))
  .storeRef(plain.ref(2))
  .end()

const blockOf = (accountBlocks: Cell): Cell => {
  const [randSeed, createdBy] = [new Uint8Array(32), new Uint8Array(32)]
  const extra = storeBlockExtra({ inMsgDescr: EMPTY_CELL, outMsgDescr: EMPTY_CELL, accountBlocks, randSeed, createdBy })
  return storeBlock({ globalId: 0, info: EMPTY_CELL, valueFlow: EMPTY_CELL, stateUpdate: EMPTY_CELL, extra })
}
const withTransactions = (transaction: Cell, count: number): Cell => {
  const inside = noExtra(beginCell().storeSlice(LT.end().slice())).storeRef(transaction).end()
  const label =
    count === 22
      ? REST
      : beginCell()
          .storeUint(0b110, 3)
          .storeUint(256 - count, 9)
  const leaf = noExtra(beginCell().storeSlice(label.end().slice())).storeUint(5, 4).storeUint(0, 256)
  const root = augmentedForks(leaf.storeSlice(inside.slice()).storeRef(EMPTY_CELL).end(), count)
  return blockOf(noExtra(beginCell().storeBit(1).storeRef(root)).end())
}

describe('forged blocks', () => {
  it('a block that repeats one transaction four million times is refused', () => {
    expect(() => loadBlockTransactions(withTransactions(plain, 22), SIZE).next()).toThrow(TOO_MANY)
  })

  it('a transaction that repeats one message more often than its block has room for is refused', () => {
    const root = withTransactions(withLogs, 0)
    expect([...loadBlockTransactions(root, 2 ** 17)][0]!.outMsgs).toHaveLength(2 ** 11)
    expect(() => loadBlockTransactions(root, SIZE).next()).toThrow(TOO_MANY)
  })

  it('a masterchain block of 2^15 shards in sixteen cells is refused', () => {
    let tree = beginCell().storeBit(0).end()
    for (let i = 0; i < 15; i++) tree = beginCell().storeBit(1).storeRef(tree).storeRef(tree).end()
    const root = beginCell().storeUint(0b110, 3).storeUint(32, 6).storeRef(tree).end()
    expect(() => visitShards(root, () => {})).toThrow(TOO_MANY)
  })

  it('large shard blocks without end behind a masterchain block are not all held in memory', async () => {
    let reads = 0
    const id = (seqno: number): BlockId => {
      const rootHash = Buffer.alloc(32)
      rootHash.writeUInt32BE(seqno)
      return { workchain: 0, shard: WHOLE_SHARD, seqno, rootHash, fileHash: rootHash }
    }
    const read = async ({ seqno }: BlockId): Promise<SourceBlock> => {
      reads++
      return { id: id(seqno), size: 15 << 20, prev: [id(seqno - 1)] } as unknown as SourceBlock
    }
    await expect(shardBlocks([id(5_000)], [], read)).rejects.toThrow(/do not lead to an indexed block/)
    expect(reads).toBeLessThan(20)
  })
})
