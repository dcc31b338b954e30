import { describe, expect, it } from 'vitest'
import { augEntries, loadAugE } from '../../server/cell/aug.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { dictEntries, dictGet } from '../../server/cell/dict.ts'
import { loadBlock, loadBlockExtra, loadStateUpdate } from '../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../server/tlb/block/block-info.ts'
import { loadBlockTransactions } from '../../server/tlb/block/block-transactions.ts'
import type { ExtBlkRef } from '../../server/tlb/block/ext-blk-ref.ts'
import { inMsgDescrAug } from '../../server/tlb/block/in-msg-descr.ts'
import { loadMcBlockExtra } from '../../server/tlb/block/mc-block-extra.ts'
import { outMsgDescrAug } from '../../server/tlb/block/out-msg-descr.ts'
import { shardEntries } from '../../server/tlb/block/shard-hashes.ts'
import { loadValueFlow } from '../../server/tlb/block/value-flow.ts'
import type { CurrencyCollection } from '../../server/tlb/currency.ts'
import { loadLibDescr } from '../../server/tlb/state/lib-descr.ts'
import { loadShardState } from '../../server/tlb/state/shard-state.ts'
import { CHAINS, cellOf, chainRows, file, hex, json, list } from './data.ts'

/* What others read in the same blocks: tongo's expected files, and the index beside each chain. */

interface Currency {
  readonly Grams: number | string
  readonly Other: Record<string, string>
}
interface TongoTransaction {
  readonly AccountAddr: string
  readonly Lt: number
  readonly PrevTransHash: string
  readonly PrevTransLt: number
  readonly Now: number
  readonly OutMsgCnt: number
  readonly OrigStatus: string
  readonly EndStatus: string
}
interface Tongo {
  readonly Accounts: Record<string, { readonly Transactions: Record<string, TongoTransaction> }>
  readonly TxHashes: readonly string[] | null
  readonly ValueFlow: Record<string, Currency | null>
  readonly InMsgDescrLength: number
  readonly OutMsgDescrLength: number
  readonly Libraries: Record<string, Record<string, unknown>>
}

const tongoCurrency = (value: CurrencyCollection | undefined): Currency | null =>
  value === undefined
    ? null
    : {
        Grams: value.grams.toString(),
        Other: Object.fromEntries([...(value.other ?? [])].map(([id, amount]) => [id.toString(), amount.toString()])),
      }
/* Numbers beyond 2^53 stand in the files as JSON numbers: quoted before they are parsed. */
const exact = (path: string): Tongo =>
  JSON.parse(
    file(path)
      .toString()
      .replace(/("(?:Grams|Lt|PrevTransLt)":\s*)(\d+)/g, '$1"$2"'),
  ) as Tongo

/** Publishers of one library in the new state of a block, whose update shows the libraries it touched and prunes the others. */
const publishersOf = (stateUpdate: Cell, library: string): string[] => {
  const { libraries } = loadShardState(loadStateUpdate(stateUpdate).new)
  const descr = loadLibDescr(dictGet(libraries, 256, BigInt(`0x${library}`))!)
  expect(hex(descr.lib.hash(0))).toBe(library)
  return [...dictEntries(descr.publishers, 256, { cells: 1e9 })].map(([id]) => id.toString(16).padStart(64, '0'))
}

describe('blocks against what others read in them', () => {
  const names = list('blocks', '.expected.json').map((name) => name.replace('.expected.json', ''))

  it.each(names)('accounts, transactions, value flow, counts and libraries of %s are as others read them', (name) => {
    const expected = exact(`blocks/${name}.expected.json`)
    const root = cellOf(file(`blocks/${name}.boc`))
    const block = loadBlock(root)
    const extra = loadBlockExtra(block.extra)
    const transactions = [...loadBlockTransactions(root)]

    const accounts: Record<string, { Transactions: Record<string, unknown> }> = {}
    for (const tx of transactions) {
      const id = hex(tx.account)
      accounts[id] ??= { Transactions: {} }
      accounts[id].Transactions[tx.lt.toString()] = {
        AccountAddr: hex(tx.account),
        Lt: tx.lt.toString(),
        PrevTransHash: hex(tx.prevTransHash),
        PrevTransLt: tx.prevTransLt.toString(),
        Now: tx.now,
        OutMsgCnt: tx.outMsgCount,
        OrigStatus: tx.origStatus,
        EndStatus: tx.endStatus,
      }
    }
    expect(accounts).toEqual(expected.Accounts)
    expect(transactions.map((tx) => tx.root.hashHex()).sort()).toEqual([...(expected.TxHashes ?? [])].sort())

    const flow = loadValueFlow(block.valueFlow)
    for (const [member, value] of Object.entries(expected.ValueFlow)) {
      const own = flow[(member[0]!.toLowerCase() + member.slice(1)) as keyof typeof flow]
      expect(tongoCurrency(own), member).toEqual(value)
    }

    const [inSpec, outSpec] = [inMsgDescrAug(0), outMsgDescrAug(0)]
    expect([...augEntries(inSpec, loadAugE(extra.inMsgDescr.slice(), inSpec), { cells: 1e9 })].length).toBe(expected.InMsgDescrLength)
    expect([...augEntries(outSpec, loadAugE(extra.outMsgDescr.slice(), outSpec), { cells: 1e9 })].length).toBe(expected.OutMsgDescrLength)

    for (const [hash, by] of Object.entries(expected.Libraries)) {
      expect(publishersOf(block.stateUpdate, hash)).toEqual(Object.keys(by))
    }
  })

  it.each(CHAINS)('headers and shard lists of %s are as others read them', (chain) => {
    interface Row {
      readonly id: string
      readonly prev: readonly { end_lt: string; seqno: number; root_hash: string; file_hash: string }[]
      readonly master_ref?: { seqno: number; root_hash: string; file_hash: string }
      readonly shards?: readonly Record<string, string | number>[]
      readonly [key: string]: unknown
    }
    const index = new Map(json<Row[]>(`chain/${chain}.index.json`).map((row) => [row.id, row]))
    const reference = (ref: ExtBlkRef) => ({
      end_lt: ref.endLt.toString(),
      seqno: ref.seqno,
      root_hash: hex(ref.rootHash),
      file_hash: hex(ref.fileHash),
    })
    for (const row of chainRows(chain)) {
      const expected = index.get(row.id)!
      const block = loadBlock(cellOf(Buffer.from(row.boc, 'base64')))
      const info = loadBlockInfo(block.info)
      expect({
        global_id: block.globalId,
        after_merge: info.afterMerge,
        before_split: info.beforeSplit,
        after_split: info.afterSplit,
        want_split: info.wantSplit,
        want_merge: info.wantMerge,
        key_block: info.keyBlock,
        seqno: info.seqno,
        workchain: info.workchain,
        shard: info.shard.toString(16).padStart(16, '0'),
        gen_utime: info.genUtime,
        start_lt: info.startLt.toString(),
        end_lt: info.endLt.toString(),
        catchain_seqno: info.genCatchainSeqno,
        prev_key_block_seqno: info.prevKeyBlockSeqno,
        prev: info.prev.map(reference),
      }).toEqual(
        Object.fromEntries(
          [
            'global_id',
            'after_merge',
            'before_split',
            'after_split',
            'want_split',
            'want_merge',
            'key_block',
            'seqno',
            'workchain',
            'shard',
            'gen_utime',
            'start_lt',
            'end_lt',
            'catchain_seqno',
            'prev_key_block_seqno',
            'prev',
          ].map((key) => [key, key === 'workchain' || key === 'shard' ? row[key] : expected[key]]),
        ),
      )
      if (expected.master_ref) {
        const { end_lt: _, ...master } = reference(info.masterRef!)
        expect(expected.master_ref).toMatchObject(master)
      }
      if (info.workchain !== -1) continue
      const shards = [...shardEntries(loadMcBlockExtra(loadBlockExtra(block.extra).custom!).shardHashes)]
      expect(
        shards.map(({ workchain, shard, descr }) => ({
          workchain,
          shard: shard.toString(16).padStart(16, '0'),
          seqno: descr.seqno,
          reg_mc_seqno: descr.regMcSeqno,
          start_lt: descr.startLt.toString(),
          end_lt: descr.endLt.toString(),
          root_hash: hex(descr.rootHash),
          file_hash: hex(descr.fileHash),
        })),
      ).toEqual(expected.shards)
    }
  })
})
