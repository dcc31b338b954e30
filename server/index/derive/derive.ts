import { serializeBoc } from '../../cell/boc.ts'
import type { Cell } from '../../cell/cell.ts'
import { DIRECTION_IN, DIRECTION_OUT } from '../../store/codes.ts'
import { accountKey } from '../../store/keys.ts'
import { loadBlockTransactions } from '../../tlb/block/block-transactions.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import type { Message } from '../../tlb/message/message.ts'
import type { Transaction } from '../../tlb/transaction/transaction.ts'
import type { MasterBlock, Source, SourceBlock } from '../follow/source.ts'
import { EVERYTHING, type Selection } from '../service/selection.ts'
import { putBlock, putShardTop } from '../write/rows/block.ts'
import { type MessagePlace, putMessage } from '../write/rows/message.ts'
import { type RowBytes, RowTable } from '../write/rows/row.ts'
import { bytes, keyBytes, line } from '../write/rows/text.ts'
import { putTransaction, putTxByHash } from '../write/rows/transaction.ts'
import { type AccountFacts, accountFacts } from './account-facts.ts'
import type { KnownExtras } from './extras.ts'
import { hashName } from './hash-name.ts'
import { createRest } from './rest.ts'
import { touchedAccounts } from './touched.ts'
import { createTraceAssembler, isSystem, type OpenMessages, type TraceChange } from './traces.ts'
import type { VersionAt } from './versions.ts'

/* Rows of a group of consecutive masterchain blocks, derived from the blocks alone. Hashes as keys are 32 one-byte characters. */

/** The last state of an account in a group; `cells` are those of its data and code as each block of the group shows them, oldest first. */
export interface AccountChange {
  /** 36 bytes. */
  readonly key: Buffer
  readonly facts: AccountFacts
  readonly mcSeqno: number
  readonly master: BlockId
  readonly utime: number
  readonly lastTransHash: Uint8Array | undefined
  readonly lastTransLt: bigint
  /**
   * Where the index sees the account for the first time: the lt of its first transaction in the group; of an account that stands there without
   * one, of the last transaction that its state tells. What the table of accounts has already stays.
   */
  readonly firstLt: bigint
  readonly cells: readonly Cell[]
}

/** What one masterchain block of a group holds. */
export interface GroupBlock {
  readonly of: MasterBlock
  /** By lt, then account. */
  readonly placed: readonly Placed[]
  /** Accounts after the block. */
  readonly changes: readonly AccountChange[]
}

export interface GroupRows {
  readonly first: number
  readonly last: MasterBlock
  readonly blocks: RowBytes
  readonly shardTops: RowBytes
  readonly transactions: RowBytes
  readonly txByHash: RowBytes
  readonly messages: RowBytes
  /** Rows of cells by hash. */
  readonly cells: Map<string, string>
  /** By key, as 36 one-byte characters. */
  readonly accounts: ReadonlyMap<string, AccountChange>
  readonly accountSets: readonly string[]
  readonly traces: readonly TraceChange[]
  readonly parts: readonly GroupBlock[]
}

export interface DeriveDeps {
  readonly source: Pick<Source, 'account'>
  /** Messages on their way, across groups. */
  readonly open: OpenMessages
  /** Traces of messages sent before, by message hash, of those that are indexed. */
  readonly senders: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>
  readonly fromStart: boolean
  /** Across groups. */
  readonly extras: KnownExtras
  readonly versionAt: VersionAt
  /** Accounts whose transactions and states are wanted; all unless told. */
  readonly selection?: Selection
}

/** A transaction and where it stands; hashes as 32 one-byte characters, the account as a column. */
export interface Placed {
  readonly tx: Transaction
  readonly hash: string
  readonly block: SourceBlock
  readonly account: string
  readonly key: Buffer
  readonly after: AccountFacts | undefined
  /** Set once it is put to its trace. */
  traceId: string
  /** Whether it begins a trace whose true begin lies before the index. */
  isCutOff: boolean
}

interface LoadedBlock {
  readonly block: SourceBlock
  readonly transactions: readonly Transaction[]
  /** Of the whole block, wanted or not. */
  readonly count: number
}

/** What blocks show of an account so far; what is pruned away shows nothing, and most blocks leave data as it is. */
const shownOf = (before: AccountChange | undefined, { data, code }: AccountFacts): readonly Cell[] => {
  const shown = [data, code].filter((cell) => cell !== undefined && cell.type !== 'pruned') as Cell[]
  if (before === undefined) return shown
  return shown.length === 0 ? before.cells : [...before.cells, ...shown]
}

/** A row of cells. */
export const cellRow = (cell: Cell, mcSeqno: number): string => line([keyBytes(cell.hashKey()), String(mcSeqno), bytes(serializeBoc(cell))])

/** Hashes of in-messages whose sender is neither in `open` nor in these blocks; what the system sends has none. */
const unknownSenders = (transactions: Iterable<Transaction>, open: OpenMessages): readonly string[] => {
  const wanted = new Set<string>()
  const sent = new Set<string>()
  for (const tx of transactions) {
    if (tx.inMsg?.info.type === 'internal' && !isSystem(tx.inMsg)) wanted.add(tx.inMsg.root.hashKey())
    for (const message of tx.outMsgs) sent.add(message.root.hashKey())
  }
  return [...wanted].filter((hash) => !sent.has(hash) && open.get(hash) === undefined)
}

/** Facts of an account after a block; asked for whole where the update shows too little, and then only if the source's state is this very one. */
const factsAfter = async (
  cell: Cell | undefined,
  block: SourceBlock,
  hash: Uint8Array,
  master: BlockId,
  { source, extras }: Pick<DeriveDeps, 'source' | 'extras'>,
  signal: AbortSignal,
): Promise<AccountFacts | undefined> => {
  const facts = accountFacts(cell, extras)
  if (facts !== undefined) return facts
  const { workchain } = block.id
  const asked = await source.account(master, { workchain, hash }, signal)
  // Nobody has it any more. Updates leave out what stays: what was changed lately is known by its hash, so that the index's own row holds.
  if (asked === undefined) {
    const extra = await extras.stored(accountKey(workchain, hash))
    return accountFacts(cell, extras, { extra, hidesExtra: extra === undefined })
  }
  const { account: whole } = asked
  return whole !== undefined && cell !== undefined && whole.hashKey() === cell.hashKey(0) ? accountFacts(whole, extras) : undefined
}

/** Derives the rows of a group. `masters` follow one another. */
export const deriveGroup = async (
  masters: readonly MasterBlock[],
  { source, open, senders, fromStart, extras, versionAt, selection = EVERYTHING }: DeriveDeps,
  signal: AbortSignal,
): Promise<GroupRows> => {
  const rest = createRest()
  const loaded: { readonly of: MasterBlock; readonly blocks: LoadedBlock[] }[] = []
  for (const of of masters) {
    const blocks: LoadedBlock[] = []
    for (const block of [...of.shards, of.master]) {
      const all = loadBlockTransactions(block.root)
      const transactions = selection === EVERYTHING ? all : all.filter(({ account }) => selection.has(block.id.workchain, account))
      blocks.push({ block, transactions, count: all.length })
      await rest()
    }
    loaded.push({ of, blocks })
  }
  const missing = unknownSenders(
    loaded.flatMap(({ blocks }) => blocks.flatMap(({ transactions }) => transactions)),
    open,
  )
  if (missing.length > 0) for (const [hash, traceId] of await senders(missing)) open.set(hash, traceId)
  signal.throwIfAborted()

  const assembler = createTraceAssembler(open, fromStart)
  const rows = {
    blocks: new RowTable(),
    shardTops: new RowTable(),
    transactions: new RowTable(),
    txByHash: new RowTable(),
    messages: new RowTable(),
    cells: new Map<string, string>(),
    accounts: new Map<string, AccountChange>(),
    accountSets: [] as string[],
    parts: [] as GroupBlock[],
  }
  const keep = (cell: Cell, mcSeqno: number): void => {
    const key = cell.hashKey()
    if (!rows.cells.has(key)) rows.cells.set(key, cellRow(cell, mcSeqno))
  }
  const addMessage = (message: Message, place: MessagePlace): void => {
    putMessage(rows.messages, message, place)
    if (!place.listed) return
    keep(message.body, place.mcSeqno)
    if (message.initCell !== undefined) keep(message.initCell, place.mcSeqno)
  }

  for (const { of, blocks } of loaded) {
    const mcSeqno = of.master.id.seqno
    const version = await versionAt(of.master, signal)
    const placed: Placed[] = []
    const changes = new Map<string, AccountChange>()
    const sets = new Map<string, string>()
    for (const { block, transactions, count } of blocks) {
      putBlock(rows.blocks, block, mcSeqno, count)
      const { workchain } = block.id
      // Transactions come by account, then lt: the last of each account leaves it as the block does.
      const last = new Map<string, Transaction>()
      const firstLt = new Map<string, bigint>()
      for (const tx of transactions) {
        const id = hashName(tx.account)
        last.set(id, tx)
        if (!firstLt.has(id)) firstLt.set(id, tx.lt)
      }
      const states = new Map<string, AccountFacts | undefined>()
      const touched = touchedAccounts(block.parts)
      for (const id of new Set([...touched.keys(), ...last.keys()])) {
        const hash = Buffer.from(id, 'latin1')
        if (!selection.has(workchain, hash)) continue
        const shardAccount = touched.get(id)
        const tx = last.get(id)
        const facts = await factsAfter(shardAccount?.accountCell, block, hash, of.master.id, { source, extras }, signal)
        states.set(id, facts)
        const key = accountKey(workchain, hash)
        const name = key.toString('latin1')
        const before = rows.accounts.get(name)
        if (facts === undefined) continue
        // A code that stands open is new to the chain.
        if (facts.code?.levelMask === 0) keep(facts.code, mcSeqno)
        const lastTransLt = shardAccount?.lastTransLt ?? tx?.lt ?? 0n
        const change: AccountChange = {
          key,
          facts,
          mcSeqno,
          master: of.master.id,
          utime: block.info.genUtime,
          lastTransHash: shardAccount?.lastTransHash ?? tx?.root.hash(),
          lastTransLt,
          firstLt: before?.firstLt ?? firstLt.get(id) ?? lastTransLt,
          cells: shownOf(before, facts),
        }
        rows.accounts.set(name, change)
        changes.set(name, change)
        if (tx === undefined) sets.set(name, line([bytes(key), String(mcSeqno), String(change.utime)]))
      }
      for (const tx of transactions) {
        const id = hashName(tx.account)
        const left = last.get(id) === tx ? states.get(id) : undefined
        // Rather nothing of a state than half of it.
        const after = left?.hidesExtra ? undefined : left
        const key = accountKey(workchain, tx.account)
        placed.push({
          tx,
          hash: tx.root.hashKey(),
          block,
          account: bytes(key),
          key,
          after,
          traceId: '',
          isCutOff: false,
        })
      }
      await rest()
    }
    for (const top of of.tops) putShardTop(rows.shardTops, top.workchain, top.shard, top.seqno, mcSeqno)
    putShardTop(rows.shardTops, MASTERCHAIN, WHOLE_SHARD, mcSeqno, mcSeqno)

    // The sender of a message has a smaller lt than its receiver, in whatever shard.
    placed.sort((a, b) => (a.tx.lt < b.tx.lt ? -1 : a.tx.lt > b.tx.lt ? 1 : a.account < b.account ? -1 : 1))
    for (const entry of placed) {
      const { tx, hash, block, account, after } = entry
      const { traceId, hasSender, isCutOff } = assembler.add(tx, hash, mcSeqno)
      entry.traceId = traceId
      entry.isCutOff = isCutOff
      const { workchain, shard, seqno: blockSeqno } = block.id
      const place = { account, hash, traceId, mcSeqno, workchain, shard, blockSeqno }
      putTransaction(rows.transactions, tx, place, after)
      putTxByHash(rows.txByHash, hash, account, tx.lt)
      const { lt } = tx
      if (tx.inMsg !== undefined)
        addMessage(tx.inMsg, { account, lt, direction: DIRECTION_IN, index: 0, mcSeqno, listed: !hasSender, version })
      for (const [index, message] of tx.outMsgs.entries())
        addMessage(message, { account, lt, direction: DIRECTION_OUT, index, mcSeqno, listed: true, version })
      await rest()
    }
    rows.accountSets.push(...sets.values())
    rows.parts.push({ of, placed, changes: [...changes.values()] })
  }
  return { ...rows, first: masters[0]!.master.id.seqno, last: masters.at(-1)!, traces: [...assembler.changes()] }
}
