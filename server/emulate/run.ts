import type { Pause } from '../base/yield.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import { type AccountId, MASTERCHAIN } from '../tlb/ids.ts'
import { alignLt, LT_ALIGN } from '../tlb/lt.ts'
import { loadAccount } from '../tlb/state/account.ts'
import { loadTransaction } from '../tlb/transaction/transaction.ts'
import type { MadeTransaction, MakeTransaction, RefusedTransaction, TransactionOutcome } from '../tvm/make-transaction.ts'
import type { EmulatedAccount, EmulatedAccounts } from './accounts.ts'
import type { BlockBase } from './block-base.ts'
import { EmulationError } from './error.ts'
import type { EmulatedLibraries } from './libraries.ts'
import { createQueue, destinationOf, type Waiting } from './queue.ts'
import { type EmulatedNode, type EmulateRequest, LAST_TIME } from './trace.ts'

/** Limits of one request: number of transactions, number of messages that they send, depth, milliseconds. */
export const LIMITS = { transactions: 256, sent: 4_096, depth: 32, time: 3_000 } as const

/** Delay of a message to another shard: masterchain blocks, and seconds. */
const HOP = { blocks: 3, seconds: 1 } as const

interface NextBlock {
  readonly seqno: number
  readonly mcSeqno: number
  readonly startLt: bigint
  readonly now: number
}

const blockOf = (account: EmulatedAccount, base: BlockBase, { at, now }: EmulateRequest, step: number): NextBlock => {
  const ahead = 1 + HOP.blocks * step
  const { endLt, shardBlock, id } = account
  const after = endLt > base.endLt ? endLt : base.endLt
  // A masterchain block is created after the shard blocks that it references, so the later of both times counts.
  const last = Math.max(account.utime, base.utime)
  const later = id.workchain === MASTERCHAIN ? 1 : 0
  return {
    seqno: shardBlock.seqno + ahead,
    mcSeqno: at.seqno + ahead,
    startLt: alignLt(after) + LT_ALIGN * BigInt(ahead - 1 + later),
    now: Math.min(LAST_TIME, (now >= last ? now : last + 1) + HOP.seconds * step),
  }
}

export interface EmulationRun {
  readonly make: MakeTransaction
  readonly request: EmulateRequest
  readonly base: BlockBase
  readonly accounts: EmulatedAccounts
  readonly libraries: EmulatedLibraries
  readonly randSeed: Uint8Array
  readonly signal: AbortSignal
  /** Shared by all emulations of the process, so that together they block the event loop only briefly. */
  readonly pause: Pause
}

const refused = ({ exitCode, error }: RefusedTransaction): EmulationError =>
  exitCode === undefined
    ? new EmulationError('message', `failed to emulate shard block: ${error}`)
    : new EmulationError('refused', `failed to emulate shard block: EmulationExternalNotAccepted: ${exitCode}`, { exitCode })

const execute = async (run: EmulationRun, item: Waiting, account: EmulatedAccount, block: NextBlock): Promise<TransactionOutcome> => {
  const { make, pause, base, libraries, randSeed, signal } = run
  const before = loadAccount(account.now.accountCell)
  await libraries.addFor(before?.state.type === 'active' ? before.state.init.code : undefined)
  const least = (item.lt > block.startLt ? item.lt : block.startLt) + 1n
  for (;;) {
    const given: Parameters<MakeTransaction>[0] = {
      kind: 'message',
      config: base.config.root,
      account: account.id,
      shardAccount: account.now,
      message: item.message,
      lt: account.lastLt > least ? account.lastLt : least,
      blockLt: block.startLt,
      now: block.now,
      blockSeed: randSeed,
      libraries: libraries.root(),
      prevBlocks: base.prevBlocks,
      ignoreSignatures: item.ignoreSignatures,
    }
    await pause()
    const outcome = await make(given, signal)
    // Checked also if the account refused the message: its code may need a library before it can accept.
    const missing = outcome.missingLibrary
    if (missing === undefined || !(await libraries.add(missing))) return outcome
  }
}

const toNode = (item: Waiting, account: EmulatedAccount, block: NextBlock, made: MadeTransaction): EmulatedNode => {
  const { workchain, shard } = account.shardBlock
  return {
    account: account.id,
    transaction: loadTransaction(made.transaction),
    before: account.now,
    after: made.shardAccount,
    block: { workchain, shard, seqno: block.seqno },
    mcSeqno: block.mcSeqno,
    parent: item.parent,
    depth: item.depth,
  }
}

const isSameShard = (a: EmulatedAccount, b: EmulatedAccount): boolean =>
  a.shardBlock.workchain === b.shardBlock.workchain && a.shardBlock.shard === b.shardBlock.shard

/** Returns the messages that a transaction sent to accounts, with the step of their delivery. */
const sent = async (
  run: EmulationRun,
  node: EmulatedNode,
  from: EmulatedAccount,
  step: number,
  outMsgs: readonly Cell[],
): Promise<Waiting[]> => {
  const places = outMsgs.flatMap((message) => {
    const place = destinationOf(message)
    return place === undefined ? [] : [{ message, ...place }]
  })
  for (const { to } of places) run.accounts.want(to)
  const waiting: Waiting[] = []
  for (const { message, to, lt } of places) {
    const account = await run.accounts.get(to)
    waiting.push({
      message,
      to,
      lt,
      hash: message.hashKey(),
      step: isSameShard(from, account) ? step : step + 1,
      depth: node.depth + 1,
      parent: node,
      ignoreSignatures: false,
    })
  }
  return waiting
}

/** How far a request is. */
export interface Progress {
  /** Numbers of transactions, and of messages sent by them, so far. The last transaction may send more messages than `LIMITS.sent`. */
  transactions: number
  sent: number
  /** The step (block) of the last transaction, and the greatest end lt. */
  step: number
  lt: bigint
}

export const isFull = ({ transactions, sent }: Progress): boolean => transactions >= LIMITS.transactions || sent >= LIMITS.sent

/** Delivers messages until none is left or a limit is reached. Adds their transactions to `nodes` and to `so`. Returns whether messages were left out. */
export const deliverAll = async (run: EmulationRun, first: readonly Waiting[], nodes: EmulatedNode[], so: Progress): Promise<boolean> => {
  const queue = createQueue()
  for (const item of first) queue.push(item)
  let isIncomplete = false
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    if (isFull(so)) return true
    run.signal.throwIfAborted()
    const account = await run.accounts.get(item.to)
    const block = blockOf(account, run.base, run.request, item.step)
    const outcome = await execute(run, item, account, block)
    if (!outcome.ok) {
      if (nodes.length === 0) throw refused(outcome)
      isIncomplete = true
      continue
    }
    const node = toNode(item, account, block, outcome)
    nodes.push(node)
    so.transactions++
    so.sent += outcome.outMsgs.length
    so.step = item.step
    if (outcome.endLt > so.lt) so.lt = outcome.endLt
    account.now = outcome.shardAccount
    account.lastLt = outcome.endLt
    const next = await sent(run, node, account, item.step, outcome.outMsgs)
    if (node.depth + 1 < LIMITS.depth) for (const each of next) queue.push(each)
    else if (next.length > 0) isIncomplete = true
  }
  return isIncomplete
}

/** Returns the initial messages of an emulation. Throws EmulationError for a message that cannot be delivered. */
export const firstOf = ({ starts }: Pick<EmulateRequest, 'starts'>): Waiting[] =>
  starts.map(({ message, step = 0, depth = 0, ignoreSignatures = false }) => {
    try {
      const place = destinationOf(message)
      if (place === undefined) {
        throw new EmulationError('message', 'in msg found with no destination: Ext out message found')
      }
      return { message, ...place, hash: message.hashKey(), step, depth, parent: undefined, ignoreSignatures }
    } catch (error) {
      if (error instanceof CellError)
        throw new EmulationError('message', `Can't deserialize message boc: ${error.message}`, { cause: error })
      throw error
    }
  })

export const hasWorkchain = ({ workchain }: AccountId, { config }: BlockBase): boolean =>
  workchain === MASTERCHAIN || config.workchains.has(workchain)

/** Throws EmulationError for an account in a workchain that the configuration does not have, because no shard would accept a message to it. */
export const checkWorkchain = (id: AccountId, base: BlockBase): void => {
  if (!hasWorkchain(id, base)) throw new EmulationError('message', 'no shard found for message')
}
