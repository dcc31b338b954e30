import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, CellError } from '../../server/cell/cell.ts'
import { dictFromEntries } from '../../server/cell/dict.ts'
import { loadBlockTransactions } from '../../server/tlb/block/block-transactions.ts'
import { shardEntries, storeShardEntries } from '../../server/tlb/block/shard-hashes.ts'
import { shardOfPrefix } from '../../server/tlb/block/shard-ident.ts'
import { configParams } from '../../server/tlb/config/config-dictionary.ts'
import { loadValidatorSet, storeValidatorSet } from '../../server/tlb/config/validator-set.ts'
import { loadProcessedInfo, storeProcessedInfo } from '../../server/tlb/state/out-msg-queue.ts'
import { loadTransaction } from '../../server/tlb/transaction/transaction.ts'
import { storeTransaction } from '../kit/tlb/transaction.ts'
import { allBlocks } from './data.ts'
import { shardDescr } from './shard-descr.ts'

/* Readers of dictionaries and of trees of shards have budgets of cells. n entries take 2n - 1 cells of a budget. */

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)
const hash = (i: number): Uint8Array => {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(0, i)
  return bytes
}

const config = (count: number): Cell =>
  dictFromEntries(
    32,
    numbers(count).map((i) => [BigInt(i), beginCell().storeRef(beginCell().storeUint(i, 32).end())] as const),
  )!

const validators = (count: number): Cell =>
  storeValidatorSet({
    ...{ ext: true, utimeSince: 1, utimeUntil: 2, total: count, main: 1, totalWeight: BigInt(count) },
    list: numbers(count).map((i) => ({ publicKey: hash(i), weight: 1n })),
  })

/** One workchain of 2^bits shards, `more` of which are split once more. */
const shards = (bits: number, more: number): Cell =>
  storeShardEntries(
    numbers(1 << bits).flatMap((i) => {
      const halves = i < more ? [2 * i, 2 * i + 1] : []
      return (halves.length > 0 ? halves : [i]).map((prefix) => {
        const length = bits + (halves.length > 0 ? 1 : 0)
        return { workchain: 0, shard: shardOfPrefix(BigInt(prefix) << BigInt(64 - length), length), descr: shardDescr(i, false) }
      })
    }),
  )!

const processed = (count: number): Cell | undefined =>
  storeProcessedInfo(numbers(count).map((i) => ({ shard: 1n << 63n, mcSeqno: i, lastMsgLt: 1n, lastMsgHash: hash(i) })))

const template = [...loadBlockTransactions(allBlocks()[0]!.root)].find(({ inMsg }) => inMsg !== undefined)!
const sends = (count: number): Cell =>
  storeTransaction({ ...template, outMsgs: numbers(count).map(() => template.inMsg!), outMsgCount: count })

const CASES: readonly (readonly [what: string, most: number, read: (count: number) => number])[] = [
  ['parameters of a configuration', 1 << 13, (count) => [...configParams(config(count))].length],
  ['validators of a set', 512, (count) => loadValidatorSet(validators(count)).list.length],
  ['shards of a workchain', 1 << 11, (count) => shardEntries(shards(11, count - (1 << 11))).length],
  ['rows of a ProcessedInfo', 1 << 15, (count) => loadProcessedInfo(processed(count)).length],
  ['messages that a transaction sends', 1 << 11, (count) => loadTransaction(sends(count)).outMsgs.length],
]

describe('structures of a chain have limits', () => {
  it.each(CASES)('%s: %d are read, one more is refused', (_, most, read) => {
    expect(read(most)).toBe(most)
    expect(() => read(most + 1)).toThrow(expect.objectContaining({ constructor: CellError, kind: 'budget' }))
  })
})
