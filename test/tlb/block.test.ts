import { describe, expect, it } from 'vitest'
import { type AugSpec, augEntries, augRootExtra, loadAugE, storeAugE } from '../../server/cell/aug.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'

import { accountTransactionsAug, loadAccountBlock, shardAccountBlocksAug, storeAccountBlock } from '../../server/tlb/block/account-block.ts'
import { loadBlock, loadBlockExtra, loadStateUpdate, storeBlock, storeBlockExtra } from '../../server/tlb/block/block.ts'
import { loadBlockInfo, storeBlockInfo } from '../../server/tlb/block/block-info.ts'
import { type InMsg, loadInMsg, storeInMsg } from '../../server/tlb/block/in-msg.ts'
import { inMsgDescrAug } from '../../server/tlb/block/in-msg-descr.ts'
import { loadMcBlockExtra, shardFeesAug, storeMcBlockExtra } from '../../server/tlb/block/mc-block-extra.ts'
import { loadOutMsg, type OutMsg, storeOutMsg } from '../../server/tlb/block/out-msg.ts'
import { outMsgDescrAug } from '../../server/tlb/block/out-msg-descr.ts'
import { shardEntries, storeShardEntries } from '../../server/tlb/block/shard-hashes.ts'
import { loadValueFlow, storeValueFlow } from '../../server/tlb/block/value-flow.ts'
import { addCurrency, equalCurrency } from '../../server/tlb/currency.ts'
import { loadMessage, storeMessage } from '../../server/tlb/message/message.ts'
import { loadMsgEnvelope, storeMsgEnvelope } from '../../server/tlb/message/msg-envelope.ts'
import { loadHashUpdate, storeHashUpdate } from '../../server/tlb/transaction/transaction.ts'
import { hasAllData } from '../kit/data.ts'
import { augFromEntries } from '../kit/tlb/aug.ts'
import { loadSignatures, storeSignatures } from '../kit/tlb/block-proof.ts'
import { allBlocks, type NamedBlock } from './data.ts'

/* Every part of every block: read, written back to the same hash, every sum in an augmented dictionary made anew. */

const blocks: readonly NamedBlock[] = allBlocks()

/** `stored` is a cell of HashmapAugE; all its labels and extras are made anew from the entries alone. */
const checkAugE = <Y>(cell: Cell, spec: AugSpec<Y>, title: string): Cell | undefined => {
  const s = cell.slice()
  const root = loadAugE(s, spec)
  s.end()
  const rebuilt = augFromEntries(
    spec,
    [...augEntries(spec, root, { cells: 1e9 })].map(([key, , value]) => [key, value] as const),
  )
  expect(rebuilt?.hashHex(), title).toBe(root?.hashHex())
  expect(storeAugE(beginCell(), spec, rebuilt).end().hashHex(), title).toBe(cell.hashHex())
  return root
}

/** Global version whose rules a block follows: 12, which made extra_flags of ihr_fee, took effect on both networks in 2025. */
const rulesOf = (genUtime: number): number => (genUtime < 1_750_000_000 ? 9 : 12)

/** Kinds of descriptors that the data has; the others are in descriptor.test.ts. */
const KINDS = [
  'export-deferred-tr',
  'export-deq-imm',
  'export-deq-short',
  'export-ext',
  'export-imm',
  'export-new',
  'import-deferred-fin',
  'import-deferred-tr',
  'import-ext',
  'import-fin',
  'import-imm',
]

const envelopesOf = (msg: InMsg | OutMsg): Cell[] => [...('inMsg' in msg ? [msg.inMsg] : []), ...('outMsg' in msg ? [msg.outMsg] : [])]

const checkEnvelope = (cell: Cell, title: string): void => {
  const envelope = loadMsgEnvelope(cell)
  expect(storeMsgEnvelope(envelope).hashHex(), title).toBe(cell.hashHex())
  checkMessage(envelope.msg, title)
}
const checkMessage = (cell: Cell, title: string): void => {
  expect(storeMessage(loadMessage(cell)).hashHex(), title).toBe(cell.hashHex())
}

describe('blocks of real data', () => {
  it('the parts of real blocks are written back to their hashes', () => {
    expect(blocks.length).toBeGreaterThan(hasAllData ? 950 : 900)
    for (const { name, root } of blocks) {
      const block = loadBlock(root)
      expect(storeBlock(block).hashHex(), name).toBe(root.hashHex())
      expect(storeBlockInfo(loadBlockInfo(block.info)).hashHex(), name).toBe(block.info.hashHex())
      expect(storeValueFlow(loadValueFlow(block.valueFlow)).hashHex(), name).toBe(block.valueFlow.hashHex())
      expect(storeBlockExtra(loadBlockExtra(block.extra)).hashHex(), name).toBe(block.extra.hashHex())
      const update = loadStateUpdate(block.stateUpdate)
      expect(update.old.hash(0), name).toEqual(update.oldHash)
      expect(update.new.hash(0), name).toEqual(update.newHash)
      expect([update.old.depth(0), update.new.depth(0)], name).toEqual([update.oldDepth, update.newDepth])
    }
  })

  it('value flows of real blocks balance', () => {
    for (const { name, root } of blocks) {
      const flow = loadValueFlow(loadBlock(root).valueFlow)
      const parts = [flow.fromPrevBlk, flow.imported, flow.feesImported, flow.created, flow.minted, flow.recovered].reduce(addCurrency)
      const out = [flow.toNextBlk, flow.exported, flow.feesCollected, ...(flow.burned ? [flow.burned] : [])].reduce(addCurrency)
      expect(equalCurrency(parts, out), name).toBe(true)
    }
  })

  it('account blocks of real data: every sum of fees and every record is right', () => {
    let count = 0
    for (const { name, root } of blocks) {
      const accounts = checkAugE(loadBlockExtra(loadBlock(root).extra).accountBlocks, shardAccountBlocksAug, name)
      for (const [id, extra, value] of augEntries(shardAccountBlocksAug, accounts, { cells: 1e9 })) {
        const whole = value.asCell()
        const block = loadAccountBlock(value)
        expect(BigInt(`0x${Buffer.from(block.account).toString('hex')}`), name).toBe(id)
        expect(storeAccountBlock(beginCell(), block).end().hashHex(), name).toBe(whole.hashHex())
        expect(storeHashUpdate(loadHashUpdate(block.stateUpdate)).hashHex(), name).toBe(block.stateUpdate.hashHex())
        const rebuilt = augFromEntries(
          accountTransactionsAug,
          [...augEntries(accountTransactionsAug, block.transactions, { cells: 1e9 })].map(([lt, , tx]) => [lt, tx] as const),
        )
        expect(rebuilt?.hashHex(), name).toBe(block.transactions.hashHex())
        expect(augRootExtra(accountTransactionsAug, block.transactions), name).toEqual(extra)
        count++
      }
    }
    expect(count).toBeGreaterThan(hasAllData ? 2000 : 1800)
  })

  it('messages of real blocks: every record, every envelope and every sum is right', () => {
    const kinds = new Map<string, number>()
    const note = (type: string) => kinds.set(type, (kinds.get(type) ?? 0) + 1)
    for (const { name, root } of blocks) {
      const block = loadBlock(root)
      const extra = loadBlockExtra(block.extra)
      const rules = rulesOf(loadBlockInfo(block.info).genUtime)
      const inSpec = inMsgDescrAug(rules)
      for (const [, , value] of augEntries(inSpec, checkAugE(extra.inMsgDescr, inSpec, name), { cells: 1e9 })) {
        const whole = value.asCell()
        const msg = loadInMsg(value)
        value.end()
        expect(storeInMsg(beginCell(), msg).end().hashHex(), name).toBe(whole.hashHex())
        for (const envelope of envelopesOf(msg)) checkEnvelope(envelope, name)
        if ('msg' in msg) checkMessage(msg.msg, name)
        note(msg.type)
      }
      const outSpec = outMsgDescrAug(rules)
      for (const [, , value] of augEntries(outSpec, checkAugE(extra.outMsgDescr, outSpec, name), { cells: 1e9 })) {
        const whole = value.asCell()
        const msg = loadOutMsg(value)
        value.end()
        expect(storeOutMsg(beginCell(), msg).end().hashHex(), name).toBe(whole.hashHex())
        for (const envelope of envelopesOf(msg)) checkEnvelope(envelope, name)
        if ('msg' in msg) checkMessage(msg.msg, name)
        note(msg.type)
      }
    }
    expect(hasAllData ? [...kinds.keys()].sort() : KINDS.filter((kind) => kinds.has(kind))).toEqual(
      hasAllData ? KINDS : KINDS.filter((kind) => !kind.includes('deferred-tr')),
    )
    expect([...kinds.values()].reduce((sum, n) => sum + n)).toBeGreaterThan(hasAllData ? 10_000 : 6_900)
  })

  it('masterchain extras: shard trees, shard fees, signatures, recovered and minted messages are read', () => {
    const seen = { extras: 0, configs: 0, fees: 0, signatures: 0, recovered: 0, minted: 0, shards: 0 }
    for (const { name, root } of blocks) {
      const { custom } = loadBlockExtra(loadBlock(root).extra)
      if (custom === undefined) continue
      const extra = loadMcBlockExtra(custom)
      expect(storeMcBlockExtra(extra).hashHex(), name).toBe(custom.hashHex())
      expect(extra.config !== undefined, name).toBe(loadBlockInfo(loadBlock(root).info).keyBlock)
      const shards = [...shardEntries(extra.shardHashes)]
      expect(storeShardEntries(shards)?.hashHex(), name).toBe(extra.shardHashes?.hashHex())
      const fees = [...augEntries(shardFeesAug, extra.shardFees, { cells: 1e9 })].map(([key, , value]) => [key, value] as const)
      expect(augFromEntries(shardFeesAug, fees)?.hashHex(), name).toBe(extra.shardFees?.hashHex())
      const signatures = loadSignatures(extra.prevBlkSignatures)
      expect(storeSignatures(signatures)?.hashHex(), name).toBe(extra.prevBlkSignatures?.hashHex())
      for (const cell of [extra.recoverCreateMsg, extra.mintMsg]) {
        if (cell === undefined) continue
        expect(storeInMsg(beginCell(), loadInMsg(cell.slice())).end().hashHex(), name).toBe(cell.hashHex())
      }
      seen.extras++
      seen.configs += extra.config ? 1 : 0
      seen.fees += fees.length
      seen.signatures += signatures.length
      seen.recovered += extra.recoverCreateMsg ? 1 : 0
      seen.minted += extra.mintMsg ? 1 : 0
      seen.shards += shards.length
    }
    // At least what the folder held when this was written; prev_blk_signatures is empty in every block that any network made.
    const least = hasAllData
      ? { extras: 290, configs: 13, fees: 837, signatures: 0, recovered: 288, minted: 3, shards: 2696 }
      : { extras: 268, configs: 5, fees: 600, signatures: 0, recovered: 260, minted: 1, shards: 1000 }
    for (const [what, count] of Object.entries(least)) expect(seen[what as keyof typeof seen], what).toBeGreaterThanOrEqual(count)
  })
})
