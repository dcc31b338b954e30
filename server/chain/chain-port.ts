import type { RunFor } from '../base/call.ts'
import type { Cell } from '../cell/cell.ts'
import type { ShardDescr } from '../tlb/block/shard-descr.ts'
import type { CurrencyCollection } from '../tlb/currency.ts'
import type { AccountId, BlockId, ShortBlockId } from '../tlb/ids.ts'
import type { Account } from '../tlb/state/account.ts'
import type { Transaction } from '../tlb/transaction/transaction.ts'
import type { VmStackValue } from '../tlb/vm-stack/value.ts'
import type { GetMethodResult, VmLog } from '../tvm/tvm.ts'
import type { SourceBlock } from './blocks.ts'
import type { BlockConfig } from './configs.ts'
import type {
  Head,
  LiteAnswer,
  LookupArgs,
  PartialBlockProof,
  ShardLink,
  SignatureSet,
  TransactionId,
  TransactionRef,
} from './liteserver.ts'
import type { ProvenAccount } from './proofs/account.ts'
import type { ListedTransaction } from './proofs/transactions.ts'

/*
 * The network as handlers use it: decoded and checked by proofs. chain.ts is the only implementation, and works over any LiteServer.
 * `at`: a masterchain seqno, or undefined for the head. Every failure of the chain is a TonError: CHAIN with TON's own text (`LITE_SERVER_UNKNOWN: ...`,
 * `LITE_SERVER_NOTREADY: ...`), SOURCE_TIMEOUT after the deadline, NO_WORKERS if no server can answer.
 */

export interface AccountState extends Omit<ProvenAccount, 'account'> {
  readonly id: AccountId
  readonly block: BlockId
  /** Undefined for account_none. */
  readonly account: Account | undefined
  readonly balance: CurrencyCollection
  /** `uninitialized` includes missing accounts, and active accounts without code. */
  readonly status: 'uninitialized' | 'active' | 'frozen'
  /** The account cell; account_none if the account does not exist. */
  readonly accountCell: Cell
}

export interface TransactionInBlock {
  readonly transaction: Transaction
  readonly hash: Uint8Array
  readonly workchain: number
  readonly block: BlockId
}

/** A page of the transactions of a block. */
export interface BlockPage {
  readonly count: number
  readonly after: TransactionRef | undefined
}

/** A transaction in the history of an account. */
export type HistoryPosition = Pick<TransactionId, 'lt' | 'hash'>

export interface BlockHeader extends Pick<SourceBlock, 'id' | 'globalId' | 'info'> {
  readonly prevBlocks: readonly BlockId[]
}

export interface GetMethodAnswer extends Omit<GetMethodResult, 'missingLibrary'> {
  readonly state: AccountState
}

export interface TracedTransaction extends TransactionInBlock {
  /** Global version in the configuration at the transaction's block. */
  readonly version: number
  /** Undefined if the transaction did not run the TVM. */
  readonly log: VmLog | undefined
  readonly debug: readonly string[] | undefined
}

/** An account at a block, with the lite-server's proofs as BoCs. */
export interface AccountProof
  extends Readonly<Pick<LiteAnswer<'getAccountState'>, 'shardProof' | 'proof' | 'state'>>,
    Pick<ProvenAccount, 'lastTransLt' | 'lastTransHash'> {
  /** Undefined if no shard contains the account. */
  readonly shardBlock: BlockId | undefined
}

/** All transactions of a block, ordered by account and lt. The proof shows that none is missing. */
export interface ListProof {
  readonly transactions: readonly ListedTransaction[]
  readonly proof: Uint8Array
}

/** Proofs that are forwarded to clients, which verify them again. Each proof is checked here before it is returned. */
export interface ChainProofs {
  /** The first links of the proof chain from `from` to `to`, as a lite-server returns them in one answer. */
  blockProof(from: BlockId, to: BlockId, signal: AbortSignal): Promise<PartialBlockProof>
  masterchainLinks(from: BlockId, to: BlockId, signal: AbortSignal): Promise<PartialBlockProof['steps']>
  /** The masterchain block that commits a shard block, and the links from that masterchain block to the shard block. */
  shardLinks(id: BlockId, signal: AbortSignal): Promise<{ readonly mcId: BlockId; readonly links: readonly ShardLink[] }>
  accountProof(id: AccountId, at: BlockId, signal: AbortSignal): Promise<AccountProof>
  transactionProof(
    block: BlockId,
    account: AccountId,
    lt: bigint,
    signal: AbortSignal,
  ): Promise<{ readonly root: Cell; readonly proof: Uint8Array }>
  transactionListProof(block: BlockId, signal: AbortSignal): Promise<ListProof>
}

export interface Chain extends ChainProofs {
  /** The newest proven masterchain head, from memory. */
  head(): Head
  heads(signal: AbortSignal): AsyncIterable<Head>
  masterchainInfo(signal: AbortSignal): Promise<LiteAnswer<'getMasterchainInfo'>>
  pin(at: number | undefined, signal: AbortSignal): Promise<BlockId>
  account(id: AccountId, at: number | BlockId | undefined, signal: AbortSignal): Promise<AccountState>
  /**
   * Newest first, including `from`; at most `limit`; stops before `toLt` (exclusive). `from` undefined: the account's last transaction. A million cells end
   * a list earlier, but never before two transactions; `next` is then the first transaction that is missing.
   * `archival`: queries servers with the complete history first. Otherwise these servers are queried only after a refusal. If no server has the history,
   * the error is CHAIN.
   */
  transactions(
    id: AccountId,
    query: {
      readonly from: HistoryPosition | undefined
      readonly limit: number
      readonly toLt: bigint
      readonly archival?: boolean | undefined
    },
    signal: AbortSignal,
  ): Promise<{ readonly transactions: readonly TransactionInBlock[]; readonly next: HistoryPosition }>
  lookupBlock(id: ShortBlockId, by: LookupArgs['by'], signal: AbortSignal): Promise<BlockId>
  blockHeader(id: BlockId, signal: AbortSignal): Promise<BlockHeader>
  /** Top shard blocks that a masterchain block commits, in the order of ShardHashes. */
  shards(masterchainBlock: BlockId, signal: AbortSignal): Promise<readonly { readonly id: BlockId; readonly descr: ShardDescr }[]>
  blockTransactionIds(
    id: BlockId,
    page: BlockPage,
    signal: AbortSignal,
  ): Promise<{ readonly incomplete: boolean; readonly ids: readonly TransactionId[] }>
  blockTransactions(
    id: BlockId,
    page: BlockPage,
    signal: AbortSignal,
  ): Promise<{ readonly incomplete: boolean; readonly transactions: readonly TransactionInBlock[] }>
  /** Signatures of a masterchain block, taken from a proof link whose target is that block. */
  signatures(masterchainSeqno: number, signal: AbortSignal): Promise<{ readonly id: BlockId; readonly signatures: SignatureSet }>
  shardBlockProof(
    id: BlockId,
    from: BlockId | undefined,
    signal: AbortSignal,
  ): Promise<{
    readonly from: BlockId
    readonly mcId: BlockId
    readonly links: readonly ShardLink[]
    readonly mcProof: PartialBlockProof['steps']
  }>
  /** The configuration at a masterchain block. */
  config(at: number | BlockId | undefined, signal: AbortSignal): Promise<BlockConfig>
  /** Libraries for at most 16 hashes, at a masterchain block or at the head. The result omits libraries that were not found. */
  libraries(
    hashes: readonly Uint8Array[],
    signal: AbortSignal,
    at?: BlockId,
  ): Promise<readonly { readonly hash: Uint8Array; readonly code: Cell }[]>
  outMsgQueueSizes(
    signal: AbortSignal,
  ): Promise<{ readonly shards: readonly { readonly id: BlockId; readonly size: number }[]; readonly limit: number }>
  sendMessage(boc: Uint8Array, signal: AbortSignal): Promise<void>
  /** Runs a get-method on the state at `at`; an account without code gives exit code -13. `stack`: from bottom to top; `trace`: log the steps. */
  runGetMethod(
    id: AccountId,
    methodId: number,
    stack: readonly VmStackValue[],
    at: number | BlockId | undefined,
    signal: AbortSignal,
    options?: { readonly trace?: boolean | undefined; readonly call?: RunFor | undefined },
  ): Promise<GetMethodAnswer>
  /**
   * Replays a transaction on the account's state before it, and returns the log of its steps. Rejects with NOT_FOUND if there is no such transaction, and
   * with CHAIN if the result differs from the recorded transaction (`local.setAccount` changed the account in that block).
   */
  traceTransaction(id: AccountId, lt: bigint, signal: AbortSignal, client?: string): Promise<TracedTransaction>
}
