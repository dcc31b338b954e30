import { TonError } from '../../shared/errors.ts'
import type { Cell } from '../cell/cell.ts'
import type { BlockInfo } from '../tlb/block/block-info.ts'
import { sameBytes, toHex } from '../tlb/bytes.ts'
import { configVersion } from '../tlb/config/general.ts'
import { type AccountId, type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../tlb/ids.ts'
import type { ShardAccount } from '../tlb/state/shard-account.ts'
import type { TransactionRequest } from '../tvm/executor/execute.ts'
import { prevBlocksValue } from '../tvm/get-method-request.ts'
import type { MadeTransaction } from '../tvm/make-transaction.ts'
import type { Tvm } from '../tvm/tvm.ts'
import type { Blocks } from './blocks.ts'
import type { AccountState, Chain, TransactionInBlock } from './chain-port.ts'
import { chainError } from './checked-query.ts'
import type { GetMethodsDeps } from './get-methods.ts'
import { fetchingLibraries } from './libraries.ts'
import { must } from './proofs/error.ts'

/*
 * Replays a transaction. Starts from the account at the masterchain block that the transaction's block refers to, and runs the account's transactions since
 * then in order, up to the requested one.
 */

/** Maximum number of the account's transactions that a replay runs before the requested transaction. */
const MAX_BEFORE = 200

export interface TracesDeps extends Omit<GetMethodsDeps, 'tvm'> {
  readonly blocks: Pick<Blocks, 'block'>
  readonly tvm: Pick<Tvm, 'runTransaction'>
  readonly lookupBlock: Chain['lookupBlock']
  readonly blockTransactionIds: Chain['blockTransactionIds']
  readonly transactions: Chain['transactions']
}

interface BlockContext {
  readonly info: BlockInfo
  readonly randSeed: Uint8Array
  /** The masterchain block whose configuration and libraries the transactions used. */
  readonly master: BlockId
}

const kindOf = ({ transaction: { description } }: TransactionInBlock): TransactionRequest['kind'] =>
  description.type === 'tick-tock' ? (description.isTock ? 'tock' : 'tick') : 'message'

const missing = (id: AccountId, lt: bigint, cause?: unknown): TonError =>
  new TonError('NOT_FOUND', `the account ${id.workchain}:${toHex(id.hash)} has no transaction at lt ${lt}`, { cause })

/** True if an lt is after the account's last transaction. False for an account that does not exist: it may have been deleted, and its last lt is unknown. */
const isAfterLast = ({ account, lastTransLt }: AccountState, lt: bigint): boolean => account !== undefined && lastTransLt < lt

export const createTraces = (deps: TracesDeps): Chain['traceTransaction'] => {
  const { blocks, tvm, pin, accountAt, configAt, librariesAt, transactions } = deps

  const versionAt = async (block: BlockId, signal: AbortSignal) => configVersion((await configAt(block, signal)).root).version
  const aroundOf = async (id: BlockId, signal: AbortSignal): Promise<BlockContext> => {
    const { info, prev, extra } = await blocks.block(id, signal)
    const ref = id.workchain === MASTERCHAIN ? prev[0] : info.masterRef
    must(ref !== undefined, 'block', 'no masterchain block that it refers to')
    const { seqno, rootHash, fileHash } = ref
    return { info, randSeed: extra.randSeed, master: { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash, fileHash } }
  }

  const find = async (id: AccountId, lt: bigint, signal: AbortSignal): Promise<TransactionInBlock> => {
    const state = await accountAt(id, await pin(undefined, signal), signal)
    if (lt <= 0n || isAfterLast(state, lt)) throw missing(id, lt)
    const { workchain } = id
    const shard = workchain === MASTERCHAIN ? WHOLE_SHARD : state.shardBlock.shard
    const block = await deps.lookupBlock({ workchain, shard, seqno: 0 }, { lt }, signal).catch((error: unknown) => {
      // No block contains this lt: the lt is before the first block, or between two blocks.
      throw error instanceof TonError && error.kind === 'CHAIN' ? missing(id, lt, error) : error
    })
    const page = { count: 1, after: { account: id.hash, lt: lt - 1n } }
    const [first] = (await deps.blockTransactionIds(block, page, signal)).ids
    if (first?.lt !== lt || !sameBytes(first.account, id.hash)) throw missing(id, lt)
    const { transactions: found } = await transactions(id, { from: { lt, hash: first.hash }, limit: 1, toLt: lt - 1n }, signal)
    return found[0]!
  }

  /** The account's transactions after lt `since` up to `last`, oldest first. */
  const chainTo = async (id: AccountId, last: TransactionInBlock, since: bigint, signal: AbortSignal) => {
    const from = { lt: last.transaction.lt, hash: last.hash }
    const { transactions: found, next } = await transactions(id, { from, limit: MAX_BEFORE, toLt: since }, signal)
    if (next.lt > since)
      throw new TonError(
        'CHAIN',
        `the account has more than ${MAX_BEFORE} transactions, or a million cells, since the masterchain block that its block refers to: too many to run again`,
      )
    return found.toReversed()
  }

  const runOne = async (
    account: AccountId,
    of: TransactionInBlock,
    around: BlockContext,
    shardAccount: ShardAccount,
    log: boolean,
    signal: AbortSignal,
    client: string | undefined,
  ): Promise<MadeTransaction> => {
    const { transaction } = of
    const { root: config, prevBlocks } = await configAt(around.master, signal)
    const request: TransactionRequest = {
      kind: kindOf(of),
      config,
      account,
      shardAccount,
      message: transaction.inMsg?.root,
      now: transaction.now,
      lt: transaction.lt,
      blockLt: around.info.startLt,
      blockSeed: around.randSeed,
      prevBlocks: prevBlocks && prevBlocksValue(prevBlocks),
      log,
    }
    const run = async (libraries: Cell | undefined): Promise<MadeTransaction> => {
      const result = await tvm.runTransaction({ ...request, libraries }, signal, { inPool: true, client })
      if (!result.ok) throw new TonError('CHAIN', `the transaction cannot be run again: ${result.error}`)
      return result
    }
    return await fetchingLibraries(run, {}, librariesAt(around.master), signal)
  }

  return async (id, lt, signal, client) => {
    const last = await find(id, lt, signal)
    try {
      const around = await aroundOf(last.block, signal)
      const state = await accountAt(id, around.master, signal)
      const run = await chainTo(id, last, state.lastTransLt, signal)
      let account: ShardAccount = state
      const arounds = new Map([[toHex(last.block.rootHash), around]])
      for (const each of run) {
        const name = toHex(each.block.rootHash)
        const own = arounds.get(name) ?? (await aroundOf(each.block, signal))
        arounds.set(name, own)
        const isLast = each === run.at(-1)
        const result = await runOne(id, each, own, account, isLast, signal, client)
        if (!sameBytes(result.transaction.hash(), each.hash)) {
          throw new TonError(
            'CHAIN',
            `running the transaction at lt ${each.transaction.lt} again gives another result than the recorded one`,
          )
        }
        account = result.shardAccount
        if (isLast) return { ...last, version: await versionAt(own.master, signal), log: result.log, debug: result.debug }
      }
      throw missing(id, lt)
    } catch (error) {
      throw chainError(error, signal)
    }
  }
}
