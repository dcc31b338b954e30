import { setTimeout as sleep } from 'node:timers/promises'
import { TonError } from '../../shared/errors.ts'
import { formatRaw } from '../../shared/fields/address.ts'
import type { Registry, Result } from '../../shared/registry.ts'
import { joinAbort } from '../base/abort.ts'
import type { Call, Handlers } from '../base/call.ts'
import { inOwnTurn, mapWithPauses } from '../base/yield.ts'
import { serializeBoc } from '../cell/boc.ts'
import type { Chain, TransactionInBlock } from '../chain/chain-port.ts'
import { MINTER } from '../chain/local/local-chain.ts'
import { sameBytes } from '../tlb/bytes.ts'
import { type AccountId, MASTERCHAIN, sameAccount, WHOLE_SHARD } from '../tlb/ids.ts'
import { LT_ALIGN } from '../tlb/lt.ts'
import { distinctNormalizedHash } from '../tlb/message/message.ts'
import { actionCodeText, exitCodeText } from '../tvm/exit-codes.ts'
import { lastSteps } from '../tvm/last-steps.ts'
import { transactionId } from '../v2/wire.ts'
import { friendlyNames } from './friendly-names.ts'
import type { LocalDeps } from './in-block.ts'

/*
 * Traces without an index: reads the chain's blocks in order, and links transactions by the hashes of their messages. A block of workchain 0 and the
 * masterchain block with the same seqno form one step of the embedded chain.
 */

type Row = Result<'local.trace'>['transactions'][number]

/** Maximum number of masterchain blocks that are read, and of transactions in an answer. */
const MAX_BLOCKS = 1000
const MAX_TRANSACTIONS = 1000
const PAGE = 256
/** Maximum number of failed transactions that are run again to list their last VM steps. */
const MAX_FAILED = 3

const SKIPPED: Readonly<Record<string, string>> = {
  no_state: 'no contract is there',
  bad_state: 'the StateInit of the message is not that of the address',
  no_gas: 'the message has no coins for gas',
  suspended: 'the address is suspended',
}

/** A transaction of the answer. `parent`: index of the transaction that sent the message to it. */
interface Found {
  readonly of: TransactionInBlock
  readonly parent: number | null
}

const rawOf = (id: AccountId): string => formatRaw(id, 'lower')
const accountOf = ({ workchain, transaction: { account } }: TransactionInBlock): AccountId => ({ workchain, hash: account })

/** Returns whether a transaction belongs to block production: tick, tock, and the transfer of a block's fees to the elector. */
const isUpkeep = ({ workchain, transaction: { description, inMsg } }: TransactionInBlock, elector: AccountId | undefined): boolean => {
  if (description.type !== 'ordinary') return true
  if (workchain !== MASTERCHAIN || inMsg?.info.type !== 'internal' || elector === undefined) return false
  const { src, dest, createdLt } = inMsg.info
  // The message with a block's fees has the logical time at which the block begins. Messages of `local.fund` have a later time.
  const isFees = createdLt % LT_ALIGN === 0n && inMsg.body.bits === 0
  return isFees && dest.type === 'std' && sameAccount(dest, elector) && src?.type === 'std' && sameAccount(src, MINTER)
}

/** The transactions of the masterchain block and of the block of workchain 0 with this seqno, oldest first. */
const stepOf = async (chain: Chain, seqno: number, signal: AbortSignal): Promise<TransactionInBlock[]> => {
  const found: TransactionInBlock[] = []
  for (const workchain of [0, MASTERCHAIN]) {
    const id = await chain.lookupBlock({ workchain, shard: WHOLE_SHARD, seqno }, { seqno: true }, signal)
    for (let after: { account: Uint8Array; lt: bigint } | undefined; ; ) {
      const { transactions, incomplete } = await inOwnTurn(() => chain.blockTransactions(id, { count: PAGE, after }, signal))
      found.push(...transactions)
      const last = transactions.at(-1)?.transaction
      if (!incomplete || last === undefined) break
      after = { account: last.account, lt: last.lt }
    }
  }
  return found.sort(({ transaction: a }, { transaction: b }) => (a.lt < b.lt ? -1 : a.lt > b.lt ? 1 : Buffer.compare(a.account, b.account)))
}

/** Returns the seqno of the block of a workchain that has a logical time, or of the first after it; 0 if there is none. */
const seqnoAt = async (chain: Chain, workchain: number, lt: bigint, signal: AbortSignal): Promise<number> => {
  try {
    return (await chain.lookupBlock({ workchain, shard: WHOLE_SHARD, seqno: 0 }, { lt }, signal)).seqno
  } catch (error) {
    if (error instanceof TonError && error.kind === 'CHAIN') return 0
    throw error
  }
}

/** Returns the seqno of the block with a transaction. Throws NOT_FOUND if the transaction does not exist. */
const stepWith = async (chain: Chain, id: AccountId, lt: bigint, signal: AbortSignal): Promise<number> => {
  const seqno = await seqnoAt(chain, id.workchain, lt, signal)
  const step = seqno === 0 ? [] : await stepOf(chain, seqno, signal)
  if (step.some((each) => each.transaction.lt === lt && sameAccount(accountOf(each), id))) return seqno
  throw new TonError('NOT_FOUND', `the account ${rawOf(id)} has no transaction at lt ${lt}`)
}

/** Compares a hash with the hashes of a transaction and its messages. An external message has two hashes: its own and the normalized one. */
const hasHash = ({ hash, transaction: { inMsg, outMsgs } }: TransactionInBlock, searched: Uint8Array): boolean => {
  const normalized = inMsg && distinctNormalizedHash(inMsg)
  const own = [...(inMsg ? [inMsg, ...outMsgs] : outMsgs)].map(({ root }) => root.hash())
  return [hash, ...own, ...(normalized ? [normalized] : [])].some((each) => sameBytes(each, searched))
}

/**
 * Finds the transaction that sent the incoming message. Returns undefined if the message came from outside, or from local.*, which may be later than all
 * blocks of the sender. The last step is stored by its messages: a contract that sends messages to itself has a thousand of one trace in a block.
 */
const createSenders = (chain: Chain, signal: AbortSignal) => {
  let step = new Map<string, { readonly of: TransactionInBlock; readonly seqno: number }>()
  return async ({ transaction: { inMsg } }: TransactionInBlock) => {
    if (inMsg?.info.type !== 'internal' || inMsg.info.src?.type !== 'std') return undefined
    const key = inMsg.root.hashKey()
    const found = step.get(key)
    if (found !== undefined) return found
    const { src, createdLt } = inMsg.info
    const seqno = await seqnoAt(chain, src.workchain, createdLt, signal)
    if (seqno === 0) return undefined
    step = new Map()
    for (const of of await stepOf(chain, seqno, signal))
      for (const { root } of of.transaction.outMsgs) step.set(root.hashKey(), { of, seqno })
    return step.get(key)
  }
}

/** Finds the first transaction of the trace that contains a hash, in the newest blocks. Throws NOT_FOUND if none of them contains the hash. */
const rootOf = async (chain: Chain, hash: Uint8Array, last: number, signal: AbortSignal) => {
  for (let seqno = last; seqno > Math.max(0, last - MAX_BLOCKS); seqno--) {
    const of = (await stepOf(chain, seqno, signal)).find((each) => hasHash(each, hash))
    if (of === undefined) continue
    const senderOf = createSenders(chain, signal)
    let root = { of, seqno }
    for (let sender = await senderOf(of); sender !== undefined; sender = await senderOf(sender.of)) root = sender
    return { id: accountOf(root.of), lt: root.of.transaction.lt, seqno: root.seqno }
  }
  const text = `none of the newest ${MAX_BLOCKS} blocks has a transaction or a message of the hash ${Buffer.from(hash).toString('base64')}`
  throw new TonError('NOT_FOUND', text)
}

/** The root transaction of the requested trace; undefined if all transactions except upkeep are requested. */
type Root = { readonly id: AccountId; readonly lt: bigint } | undefined

/** Milliseconds for the blocks of what the caller just did, on a chain that a contract keeps busy without an end. */
const MIN_WAIT_MS = 2_000

/** `over` resolves once the chain has delivered all messages, or takes too long. `hasBlock` waits for a block, and resolves with false if the end comes before. */
const followChain = ({ control, chain }: Pick<LocalDeps, 'control' | 'chain'>, signal: AbortSignal) => {
  const tooLong = Promise.all([control.idleOrBusyTooLong(signal), sleep(MIN_WAIT_MS, undefined, { signal, ref: false })])
  const { signal: untilOver, abort, release } = joinAbort(signal)
  const over = Promise.race([control.idle(signal), tooLong]).finally(() => {
    release()
    abort()
  })
  // Nobody waits for it if the blocks that are there suffice.
  over.catch(() => {})
  const hasBlock = async (seqno: number): Promise<boolean> => {
    for await (const { id } of chain.heads(untilOver)) if (id.seqno >= seqno) return true
    signal.throwIfAborted()
    // The last block can come together with the end.
    return chain.head().id.seqno >= seqno
  }
  return { over, hasBlock }
}

/**
 * Collects the transactions of masterchain blocks from `seqno` on, with those of workchain 0, as long as the chain makes blocks (`hasBlock`). If `root` is
 * given, collects only the transactions of its trace, and stops once all messages of the trace are delivered. Stops too when an answer has no room for
 * more, because a contract may send messages to itself without an end.
 */
const walk = async (chain: Chain, root: Root, seqno: number, hasBlock: (seqno: number) => Promise<boolean>, signal: AbortSignal) => {
  const elector = root === undefined ? await electorOf(chain, signal) : undefined
  const found: Found[] = []
  /** Index of the sending transaction by the hash of each undelivered message. */
  const waiting = new Map<string, number>()
  for (let at = seqno; at - seqno < MAX_BLOCKS && (await hasBlock(at)); at++) {
    for (const of of await stepOf(chain, at, signal)) {
      const key = of.transaction.inMsg?.root.hashKey()
      const parent = (key === undefined ? undefined : waiting.get(key)) ?? null
      const isRoot = root === undefined ? !isUpkeep(of, elector) : of.transaction.lt === root.lt && sameAccount(accountOf(of), root.id)
      if (parent === null && !isRoot) continue
      if (found.length === MAX_TRANSACTIONS) return { found, complete: false, truncated: true }
      if (key !== undefined) waiting.delete(key)
      const place = found.push({ of, parent }) - 1
      for (const { info, root: message } of of.transaction.outMsgs) if (info.type === 'internal') waiting.set(message.hashKey(), place)
    }
    if (root !== undefined && found.length > 0 && waiting.size === 0) break
  }
  return { found, complete: waiting.size === 0, truncated: false }
}

const electorOf = async (chain: Chain, signal: AbortSignal): Promise<AccountId | undefined> => {
  const param = (await chain.config(undefined, signal)).param(1)
  return param && { workchain: MASTERCHAIN, hash: param.slice().loadBytes(32) }
}

const inMessageOf = ({ transaction: { inMsg } }: TransactionInBlock) => {
  const body = inMsg?.body.slice()
  const info = inMsg?.info.type === 'internal' ? inMsg.info : undefined
  return {
    from: info?.src?.type === 'std' ? rawOf(info.src) : null,
    value: info?.value.grams.toString() ?? null,
    op: body !== undefined && body.remainingBits >= 32 ? body.loadUint(32) : null,
    body: inMsg === undefined ? '' : Buffer.from(serializeBoc(inMsg.body)).toString('base64'),
    bounce: info?.bounce ?? false,
    bounced: info?.bounced ?? false,
  }
}

/** Success, exit codes and skip reasons of a transaction's phases. */
const outcomeOf = ({ transaction: { description } }: TransactionInBlock) => {
  const compute = 'compute' in description ? description.compute : undefined
  const action = 'action' in description ? description.action : undefined
  const ran = compute?.type === 'vm' ? compute : undefined
  const code = action?.resultCode ?? null
  return {
    success: ran?.success === true && action?.success === true,
    aborted: 'aborted' in description && description.aborted,
    destroyed: 'destroyed' in description && description.destroyed,
    exit_code: ran?.exitCode ?? null,
    exit: (ran === undefined ? SKIPPED[compute?.type === 'skipped' ? compute.reason : ''] : exitCodeText(ran.exitCode)) ?? '',
    result_code: code,
    result: (code === null ? undefined : actionCodeText(code)) ?? '',
    gas_used: ran === undefined ? null : Number(ran.gasUsed),
  }
}

const rowOf = ({ of, parent }: Found): Row => {
  const { transaction, hash } = of
  return {
    transaction_id: transactionId(transaction.lt, hash),
    account: rawOf(accountOf(of)),
    parent,
    ...inMessageOf(of),
    ...outcomeOf(of),
    old_status: transaction.origStatus,
    end_status: transaction.endStatus,
    total_fees: transaction.totalFees.grams.toString(),
    out_messages: transaction.outMsgCount,
    now: transaction.now,
    debug: [],
    last_steps: [],
  }
}

const accountsOf = (found: readonly Found[]): ReadonlyMap<string, AccountId> => {
  const all = new Map<string, AccountId>()
  for (const { of } of found) {
    const { inMsg } = of.transaction
    all.set(rawOf(accountOf(of)), accountOf(of))
    if (inMsg?.info.type === 'internal' && inMsg.info.src?.type === 'std') all.set(rawOf(inMsg.info.src), inMsg.info.src)
  }
  return all
}

const isFailedRun = ({ transaction: { description } }: TransactionInBlock): boolean =>
  'compute' in description && description.compute.type === 'vm' && !description.compute.success

/** The last VM steps of a failed run, one a line; empty if the run cannot be repeated. */
const stepsOf = async (chain: Chain, of: TransactionInBlock, { signal, client }: Call): Promise<string[]> => {
  try {
    const { log } = await chain.traceTransaction(accountOf(of), of.transaction.lt, signal, client)
    return lastSteps(log?.steps ?? [])
  } catch (error) {
    // The run cannot be repeated, because local.* changed the account in the same block.
    if (error instanceof TonError && error.kind === 'CHAIN') return []
    throw error
  }
}

export const createTraceHandlers = ({ control, chain }: LocalDeps): Pick<Handlers, Extract<keyof Registry, 'local.trace'>> => ({
  async 'local.trace'({ address, lt, hash, after }, call) {
    const { signal } = call
    const { over, hasBlock } = followChain({ control, chain }, signal)
    // The message may be in no block yet.
    if (hash !== undefined) await over
    const last = (await chain.masterchainInfo(signal)).last.seqno
    if (after !== undefined && after > last)
      throw new TonError('INVALID_PARAMS', `after must be at most ${last}, the seqno of the last block`)
    if (after !== undefined && last - after > MAX_BLOCKS)
      throw new TonError('INVALID_PARAMS', `after must be at most ${MAX_BLOCKS} blocks before the last one, ${last}`)
    const byHash = hash && (await rootOf(chain, hash, last, signal))
    const root = byHash ?? (address !== undefined && lt !== undefined ? { id: address, lt } : undefined)
    const first = byHash?.seqno ?? (root === undefined ? after! + 1 : await stepWith(chain, root.id, root.lt, signal))
    const { found, truncated, ...walked } = await walk(chain, root, first, hasBlock, signal)
    // Without a root, any undelivered message of the chain makes the answer incomplete: its sender need not be in the answer (local.*, or an earlier
    // block).
    const complete = walked.complete && (root !== undefined || !(await control.messagesWait(signal)))
    const row = (each: Found): Row => ({ ...rowOf(each), debug: [...control.printed(each.of.transaction.root.hashKey())] })
    const transactions = await mapWithPauses(found, row, signal)
    const failed = found.flatMap(({ of }, i) => (isFailedRun(of) ? [i] : [])).slice(0, MAX_FAILED)
    for (const i of failed) transactions[i] = { ...transactions[i]!, last_steps: await stepsOf(chain, found[i]!.of, call) }
    const address_book = await friendlyNames(chain, accountsOf(found), signal)
    return { complete, truncated, transactions, address_book }
  },
})
