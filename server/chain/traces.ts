import { TonError } from '../../shared/errors.ts'
import { parseBocRoot, serializeBoc } from '../cell/boc.ts'
import { beginCell } from '../cell/builder.ts'
import type { Cell } from '../cell/cell.ts'
import { dictSet } from '../cell/dict.ts'
import type { BlockInfo } from '../tlb/block/block-info.ts'
import { hashToBig, sameBytes, toHex } from '../tlb/block-id.ts'
import { configVersion } from '../tlb/config/general.ts'
import { type AccountId, type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../tlb/ids.ts'
import { shardAccountCell } from '../tlb/state/shard-account.ts'
import type { TransactionRequest, Tvm } from '../tvm/tvm.ts'
import type { KeptAccount } from './account-states.ts'
import { chainError } from './ask.ts'
import type { Blocks } from './blocks.ts'
import type { BlockConfig } from './configs.ts'
import { must } from './proofs/error.ts'
import type { FetchLibraries } from './run-method.ts'
import type { Chain, TransactionInBlock } from './types.ts'

/* Transactions that are run again: from the account at the masterchain block that their block refers to, one after another, up to the one that is asked for. */

/** Transactions of the account between that masterchain block and the one that is asked for. */
const MOST_BEFORE = 200
/** Libraries that one transaction is given. */
const MOST_LIBRARIES = 16

export interface TracesDeps {
  readonly blocks: Pick<Blocks, 'block'>
  readonly tvm: Pick<Tvm, 'runTransactions'>
  readonly pin: (at: number | BlockId | undefined, signal: AbortSignal) => Promise<BlockId>
  readonly accountAt: (id: AccountId, block: BlockId, signal: AbortSignal) => Promise<KeptAccount>
  readonly configAt: (block: BlockId, signal: AbortSignal) => Promise<BlockConfig>
  readonly librariesAt: (block: BlockId) => FetchLibraries
  readonly lookupBlock: Chain['lookupBlock']
  readonly blockTransactionIds: Chain['blockTransactionIds']
  readonly transactions: Chain['transactions']
}

/** What a block says of its transactions' surroundings. */
interface Around {
  readonly info: BlockInfo
  readonly randSeed: Uint8Array
  /** The masterchain block whose configuration and libraries they saw. */
  readonly master: BlockId
}

const BOC = { crc32c: false } as const
const kindOf = ({ transaction: { description } }: TransactionInBlock): TransactionRequest['kind'] =>
  description.type === 'tick-tock' ? (description.isTock ? 'tock' : 'tick') : 'message'

const missing = (id: AccountId, lt: bigint, cause?: unknown): TonError =>
  new TonError('NOT_FOUND', `the account ${id.workchain}:${toHex(id.hash)} has no transaction at lt ${lt}`, { cause })

export const createTraces = (deps: TracesDeps): Chain['traceTransaction'] => {
  const { blocks, tvm, pin, accountAt, configAt, librariesAt, transactions } = deps

  const aroundOf = async (id: BlockId, signal: AbortSignal): Promise<Around> => {
    const { info, prev, extra } = await blocks.block(id, signal)
    const ref = id.workchain === MASTERCHAIN ? prev[0] : info.masterRef
    must(ref !== undefined, 'block', 'no masterchain block that it refers to')
    const { seqno, rootHash, fileHash } = ref
    return { info, randSeed: extra.randSeed, master: { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno, rootHash, fileHash } }
  }

  /** The transaction at an lt. */
  const find = async (id: AccountId, lt: bigint, signal: AbortSignal): Promise<TransactionInBlock> => {
    const { state } = await accountAt(id, await pin(undefined, signal), signal)
    if (lt <= 0n || state.lastTransLt < lt) throw missing(id, lt)
    const { workchain } = id
    const shard = workchain === MASTERCHAIN ? WHOLE_SHARD : state.shardBlock.shard
    const block = await deps.lookupBlock({ workchain, shard, seqno: 0 }, { lt }, signal).catch((error: unknown) => {
      // An lt that no block has: before the first one, or between two.
      throw error instanceof TonError && error.kind === 'CHAIN' ? missing(id, lt, error) : error
    })
    const page = { count: 1, after: { account: id.hash, lt: lt - 1n } }
    const [first] = (await deps.blockTransactionIds(block, page, signal)).ids
    if (first?.lt !== lt || !sameBytes(first.account, id.hash)) throw missing(id, lt)
    const { transactions: found } = await transactions(id, { from: { lt, hash: first.hash }, limit: 1, toLt: lt - 1n }, signal)
    return found[0]!
  }

  /** The transaction and those of the account before it that the state at its masterchain block does not know yet, oldest first. */
  const chainTo = async (id: AccountId, last: TransactionInBlock, since: bigint, signal: AbortSignal) => {
    const from = { lt: last.transaction.lt, hash: last.hash }
    const { transactions: found } = await transactions(id, { from, limit: MOST_BEFORE + 1, toLt: since }, signal)
    if (found.length > MOST_BEFORE) throw new TonError('CHAIN', `more than ${MOST_BEFORE} transactions of the account in that block`)
    return found.toReversed()
  }

  const requestOf = async (of: TransactionInBlock, around: Around, signal: AbortSignal) => {
    const { transaction } = of
    const config = await configAt(around.master, signal)
    const prevBlocks = await config.prevBlocks(signal)
    return {
      kind: kindOf(of),
      config: config.tvm(),
      ...(transaction.inMsg === undefined ? {} : { message: serializeBoc(transaction.inMsg.root, BOC) }),
      now: transaction.now,
      lt: transaction.lt,
      blockLt: around.info.startLt,
      randomSeed: around.randSeed,
      ...(prevBlocks === undefined ? {} : { prevBlocksInfo: serializeBoc(prevBlocks, BOC) }),
    }
  }

  /** Runs one transaction, again with the libraries that it asks for. */
  const runOne = async (of: TransactionInBlock, around: Around, account: Uint8Array, trace: boolean, signal: AbortSignal) => {
    const request = await requestOf(of, around, signal)
    const fetch = librariesAt(around.master)
    const asked = new Set<string>()
    let libraries: Cell | undefined
    for (;;) {
      const given = libraries === undefined ? {} : { libraries: serializeBoc(libraries, BOC) }
      const batch = [{ ...request, ...given, account: 'traced', shardAccount: account, trace }]
      const [result] = await tvm.runTransactions(batch, signal)
      if (!result?.ok) throw new TonError('CHAIN', `the transaction cannot be run again: ${result?.error ?? 'no result'}`)
      const name = result.missingLibrary
      const isNew = name !== undefined && !asked.has(name) && asked.size < MOST_LIBRARIES
      const found = isNew ? await fetch([Uint8Array.from(Buffer.from(name, 'hex'))], signal) : []
      if (found.length === 0) return result
      asked.add(name!)
      for (const { hash, code } of found) libraries = dictSet(libraries, 256, hashToBig(hash), beginCell().storeRef(code))
    }
  }

  return async (id, lt, signal) => {
    const last = await find(id, lt, signal)
    try {
      const around = await aroundOf(last.block, signal)
      const { state } = await accountAt(id, around.master, signal)
      const run = await chainTo(id, last, state.lastTransLt, signal)
      let account = serializeBoc(shardAccountCell(state), BOC)
      const arounds = new Map([[toHex(last.block.rootHash), around]])
      for (const each of run) {
        const name = toHex(each.block.rootHash)
        const own = arounds.get(name) ?? (await aroundOf(each.block, signal))
        arounds.set(name, own)
        const isLast = each === run.at(-1)
        const result = await runOne(each, own, account, isLast, signal)
        if (!sameBytes(parseBocRoot(result.transaction).hash(), each.hash)) {
          throw new TonError('CHAIN', `the transaction at lt ${each.transaction.lt} does not come out as it is recorded`)
        }
        account = result.shardAccount
        if (isLast) return { ...last, version: configVersion((await configAt(own.master, signal)).root).version, log: result.steps }
      }
      throw missing(id, lt)
    } catch (error) {
      throw chainError(error, signal)
    }
  }
}
