import { createPauses, type Pause } from '../../base/yield.ts'
import { accountKey } from '../../store/row-keys.ts'
import { loadBlockTransactions } from '../../tlb/block/block-transactions.ts'
import type { Transaction } from '../../tlb/transaction/transaction.ts'
import type { MasterBlock, Source } from '../follow/source.ts'
import { EVERYTHING, type Selection } from '../service/account-selection.ts'
import { changesOf } from './account-changes.ts'
import type { Configs } from './config-at.ts'
import type { ExtraCurrencies } from './extra-currency-cache.ts'
import { type AccountChange, createGroupRows, type GroupBlock, type GroupRows, type Placed } from './group-rows.ts'
import { accountSetRow } from './rows/account.ts'
import { blockRow } from './rows/block.ts'
import { createTraceAssembler, isSystem, type OpenMessages } from './traces.ts'

export interface DeriveDeps {
  readonly source: Pick<Source, 'account'>
  readonly open: OpenMessages
  /** Trace ids of messages that were sent before this group of blocks, by message hash. */
  readonly senders: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly fromStart: boolean
  readonly extras: ExtraCurrencies
  readonly configs: Pick<Configs, 'version'>
  readonly selection?: Selection
}

/** Maximum number of milliseconds for which the work blocks the event loop. */
const TURN_MS = 2

/** Loads the transactions of the indexed accounts. `count` includes those of all other accounts. */
const loadTransactions = async (masters: readonly MasterBlock[], selection: Selection, pause: Pause) => {
  const loaded = []
  for (const of of masters) {
    const blocks = []
    for (const block of [...of.shards, of.master]) {
      const all: Transaction[] = []
      for (const transaction of loadBlockTransactions(block.root, block.size)) {
        all.push(transaction)
        await pause()
      }
      const transactions = selection === EVERYTHING ? all : all.filter(({ account }) => selection.has(block.id.workchain, account))
      blocks.push({ block, transactions, count: all.length })
    }
    loaded.push({ of, blocks })
  }
  return loaded
}

type LoadedMaster = Awaited<ReturnType<typeof loadTransactions>>[number]

/** Hashes of in-messages whose sender is unknown: neither in `open` nor in these blocks. System messages have no sender. */
const unknownSenders = async (loaded: readonly LoadedMaster[], open: OpenMessages, pause: Pause): Promise<readonly string[]> => {
  const received = new Set<string>()
  const sent = new Set<string>()
  for (const { blocks } of loaded) {
    for (const { transactions } of blocks) {
      for (const tx of transactions) {
        if (tx.inMsg?.info.type === 'internal' && !isSystem(tx.inMsg)) received.add(tx.inMsg.root.hashKey())
        for (const message of tx.outMsgs) sent.add(message.root.hashKey())
        await pause()
      }
    }
  }
  return [...received].filter((hash) => !sent.has(hash) && open.get(hash) === undefined)
}

/** Orders by lt, then account. A message's sender always has a smaller lt than its receiver, also across shards. */
const byLt = (a: Placed, b: Placed): number => (a.tx.lt < b.tx.lt ? -1 : a.tx.lt > b.tx.lt ? 1 : Buffer.compare(a.key, b.key))

export const deriveGroup = async (
  masters: readonly MasterBlock[],
  { source, open, senders, fromStart, extras, configs, selection = EVERYTHING }: DeriveDeps,
  signal: AbortSignal,
): Promise<GroupRows> => {
  const pause = createPauses(TURN_MS)
  const loaded = await loadTransactions(masters, selection, pause)
  const missing = await unknownSenders(loaded, open, pause)
  if (missing.length > 0) for (const [hash, traceId] of await senders(missing)) open.set(hash, traceId)
  signal.throwIfAborted()

  const assembler = createTraceAssembler(open, fromStart)
  const { rows, addCell, ...put } = createGroupRows()
  const accounts = new Map<string, AccountChange>()

  const deriveMaster = async ({ of, blocks }: LoadedMaster): Promise<GroupBlock> => {
    const { id } = of.master
    const mcSeqno = id.seqno
    const version = await configs.version(of.master, signal)
    const placed: Placed[] = []
    const changed = new Map<string, AccountChange>()
    /** Accounts that changed without a transaction: one row per account, even if several shard blocks of this masterchain block changed it. */
    const sets = new Map<string, AccountChange>()
    for (const loadedBlock of blocks) {
      const { block, transactions, count } = loadedBlock
      rows.blocks.add(blockRow(block, mcSeqno, count))
      const { changes, withoutTransaction, after } = await changesOf(loadedBlock, id, accounts, { source, extras, selection }, signal)
      for (const [name, change] of changes) {
        accounts.set(name, change)
        changed.set(name, change)
        // A code without pruned branches may be new: a state update prunes cells that the old state had.
        if (change.facts.code?.levelMask === 0) await addCell(change.facts.code, mcSeqno)
        await pause()
      }
      for (const change of withoutTransaction) sets.set(change.key.toString('latin1'), change)
      const { workchain } = block.id
      for (const tx of transactions)
        placed.push({
          tx,
          hash: tx.root.hashKey(),
          block,
          key: accountKey(workchain, tx.account),
          after: after.get(tx),
          traceId: '',
          isCutOff: false,
        })
      await pause()
    }
    put.putTops(of.tops, mcSeqno)
    placed.sort(byLt)
    for (const entry of placed) {
      const { traceId, hasSender, isCutOff } = assembler.add(entry.tx, entry.hash, mcSeqno)
      entry.traceId = traceId
      entry.isCutOff = isCutOff
      await put.putTransaction(entry, { mcSeqno, hasSender, version, pause })
      await pause()
    }
    for (const change of sets.values()) rows.accountSets.add(accountSetRow(change))
    return { of, placed, changes: [...changed.values()] }
  }

  const parts: GroupBlock[] = []
  for (const each of loaded) parts.push(await deriveMaster(each))
  const [first, last] = [masters[0]!.master.id.seqno, masters.at(-1)!]
  return { ...rows, first, last, accounts, traces: [...assembler.changes()], leftOut: put.leftOut(), parts }
}
