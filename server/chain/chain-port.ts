import type { RunFor } from '../base/call.ts'
import type { Cell } from '../cell/cell.ts'
import type { BlockInfo } from '../tlb/block/block-info.ts'
import type { ShardDescr } from '../tlb/block/shard-descr.ts'
import type { CurrencyCollection } from '../tlb/currency.ts'
import type { AccountId, BlockId, ShortBlockId } from '../tlb/ids.ts'
import type { Account } from '../tlb/state/account.ts'
import type { Transaction } from '../tlb/transaction/transaction.ts'
import type { VmStackValue } from '../tlb/vm-stack/value.ts'
import type { VmLog } from '../tvm/tvm.ts'
import type { Head, LookupArgs, PartialBlockProof, SignatureSet, ZeroStateId } from './liteserver.ts'

/*
 * The network as handlers see it: decoded and checked by proofs. Implemented once, by chain.ts, over any LiteServer.
 * `at`: a masterchain seqno, or undefined for the head. Every failure of the chain is a TonError CHAIN with TON's own text
 * (`LITE_SERVER_UNKNOWN: ...`, `LITE_SERVER_NOTREADY: ...`), SOURCE_TIMEOUT after the deadline, NO_WORKERS if no server can answer.
 */

export interface AccountState {
  readonly id: AccountId
  /** The masterchain block that the answer is pinned to. */
  readonly block: BlockId
  readonly shardBlock: BlockId
  /** gen_utime of the shard block the state was read in, unix seconds. */
  readonly genUtime: number
  readonly genLt: bigint
  /** undefined: account_none */
  readonly account: Account | undefined
  readonly lastTransLt: bigint
  readonly lastTransHash: Uint8Array
  readonly balance: CurrencyCollection
  /** `uninitialized` also for a missing account and for an active one without code. */
  readonly status: 'uninitialized' | 'active' | 'frozen'
  /** The account as a cell, account_none when missing. */
  readonly accountCell: Cell
}

export interface TransactionInBlock {
  readonly transaction: Transaction
  readonly hash: Uint8Array
  readonly workchain: number
  readonly block: BlockId
}

export interface BlockHeader {
  readonly id: BlockId
  readonly globalId: number
  readonly info: BlockInfo
  readonly prevBlocks: readonly BlockId[]
}

export interface GetMethodAnswer {
  readonly exitCode: number
  readonly gasUsed: bigint
  /** From the bottom to the top. */
  readonly stack: readonly VmStackValue[]
  readonly state: AccountState
  /** The log of the TVM's steps; undefined if it was not requested. */
  readonly log?: VmLog | undefined
  /** What debug instructions have printed; undefined if nothing. */
  readonly debug?: readonly string[] | undefined
}

/** A transaction that was run again. */
export interface TracedTransaction extends TransactionInBlock {
  /** Global version of the configuration that it ran under. */
  readonly version: number
  /** The log of the TVM's steps; undefined if it did not run. */
  readonly log: VmLog | undefined
  /** What debug instructions have printed; undefined if nothing. */
  readonly debug: readonly string[] | undefined
}

/** An account at a block, as a lite-server proves it. */
export interface AccountProof {
  /** Undefined if no shard holds the account. */
  readonly shardBlock: BlockId | undefined
  readonly shardProof: Uint8Array
  readonly proof: Uint8Array
  readonly state: Uint8Array
  readonly lastTransLt: bigint
  readonly lastTransHash: Uint8Array
}

/** All transactions of a block by account, then lt, and the Merkle proof of that list. */
export interface ListProof {
  readonly transactions: readonly { readonly account: Uint8Array; readonly lt: bigint; readonly cell: Cell }[]
  readonly proof: Uint8Array
}

/** Proofs whose bytes clients check again. Each is checked before it is returned. */
export interface ChainProofs {
  /** The first links from one masterchain block to another: one answer of a lite-server. */
  blockProof(from: BlockId, to: BlockId, signal: AbortSignal): Promise<PartialBlockProof>
  /** All links from one masterchain block to another. */
  masterchainLinks(from: BlockId, to: BlockId, signal: AbortSignal): Promise<PartialBlockProof['steps']>
  /** The masterchain block that commits a block, and the links from it to the block. */
  shardLinks(
    id: BlockId,
    signal: AbortSignal,
  ): Promise<{ readonly mcId: BlockId; readonly links: readonly { readonly id: BlockId; readonly proof: Uint8Array }[] }>
  accountProof(id: AccountId, at: BlockId, signal: AbortSignal): Promise<AccountProof>
  /** One transaction of a block, with the Merkle proof of the block down to it. */
  transactionProof(
    block: BlockId,
    account: AccountId,
    lt: bigint,
    signal: AbortSignal,
  ): Promise<{ readonly root: Cell; readonly proof: Uint8Array }>
  transactionListProof(block: BlockId, signal: AbortSignal): Promise<ListProof>
}

export interface Chain extends ChainProofs {
  /** The newest masterchain head that was proven, without a query. */
  head(): Head
  heads(signal: AbortSignal): AsyncIterable<Head>
  masterchainInfo(signal: AbortSignal): Promise<{ last: BlockId; stateRootHash: Uint8Array; init: ZeroStateId }>
  /** The masterchain block a call is pinned to. */
  pin(at: number | undefined, signal: AbortSignal): Promise<BlockId>
  account(id: AccountId, at: number | BlockId | undefined, signal: AbortSignal): Promise<AccountState>
  /**
   * Newest first, the given one included; at most `limit`; stops before `toLt` (exclusive). `from` undefined: the account's last transaction.
   * `archival`: servers with the whole history are queried first; other reads query them after a refusal. If no server has the history, the error is CHAIN.
   */
  transactions(
    id: AccountId,
    query: {
      readonly from: { readonly lt: bigint; readonly hash: Uint8Array } | undefined
      readonly limit: number
      readonly toLt: bigint
      readonly archival?: boolean | undefined
    },
    signal: AbortSignal,
  ): Promise<{ readonly transactions: readonly TransactionInBlock[]; readonly next: { readonly lt: bigint; readonly hash: Uint8Array } }>
  lookupBlock(id: ShortBlockId, by: LookupArgs['by'], signal: AbortSignal): Promise<BlockId>
  blockHeader(id: BlockId, signal: AbortSignal): Promise<BlockHeader>
  /** Top shard blocks that a masterchain block commits, in shard-configuration order. */
  shards(masterchainBlock: BlockId, signal: AbortSignal): Promise<readonly { readonly id: BlockId; readonly descr: ShardDescr }[]>
  blockTransactionIds(
    id: BlockId,
    page: { readonly count: number; readonly after: { readonly account: Uint8Array; readonly lt: bigint } | undefined },
    signal: AbortSignal,
  ): Promise<{
    readonly incomplete: boolean
    readonly ids: readonly { readonly account: Uint8Array; readonly lt: bigint; readonly hash: Uint8Array }[]
  }>
  blockTransactions(
    id: BlockId,
    page: { readonly count: number; readonly after: { readonly account: Uint8Array; readonly lt: bigint } | undefined },
    signal: AbortSignal,
  ): Promise<{ readonly incomplete: boolean; readonly transactions: readonly TransactionInBlock[] }>
  /** Signatures of a masterchain block, from the proof link that ends in it. */
  signatures(masterchainSeqno: number, signal: AbortSignal): Promise<{ readonly id: BlockId; readonly signatures: SignatureSet }>
  shardBlockProof(
    id: BlockId,
    from: BlockId | undefined,
    signal: AbortSignal,
  ): Promise<{
    readonly from: BlockId
    readonly mcId: BlockId
    readonly links: readonly { readonly id: BlockId; readonly proof: Uint8Array }[]
    readonly mcProof: PartialBlockProof['steps']
  }>
  /** Cell of one parameter; undefined if it is not set. */
  configParam(param: number, at: number | undefined, signal: AbortSignal): Promise<Cell | undefined>
  /** Root of the configuration dictionary (Hashmap 32 ^Cell). */
  config(at: number | BlockId | undefined, signal: AbortSignal): Promise<Cell>
  /** What a masterchain state says beside the configuration: the contract that holds it (id, 32 bytes), and the coins of all accounts together. */
  masterState(
    at: number | BlockId | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly configAddress: Uint8Array; readonly globalBalance: bigint }>
  /** Libraries found for at most 16 hashes, at a masterchain block or at the head. Unknown ones are missing from the result. */
  libraries(
    hashes: readonly Uint8Array[],
    signal: AbortSignal,
    at?: BlockId,
  ): Promise<readonly { readonly hash: Uint8Array; readonly code: Cell }[]>
  /** PREVBLOCKSINFO at a masterchain block, as a VmStackValue; undefined where the TVM gets none. */
  prevBlocks(at: BlockId, signal: AbortSignal): Promise<Cell | undefined>
  outMsgQueueSizes(
    signal: AbortSignal,
  ): Promise<{ readonly shards: readonly { readonly id: BlockId; readonly size: number }[]; readonly limit: number }>
  sendMessage(boc: Uint8Array, signal: AbortSignal): Promise<void>
  /**
   * Runs on the state at `at`; an account without code gives exit code -13. `stack`: from the bottom to the top; `trace`: log the steps. Answers at once
   * if everything is at hand and the run is a quick one. Throws what it would else reject with.
   */
  runGetMethod(
    id: AccountId,
    methodId: number,
    stack: readonly VmStackValue[],
    at: number | BlockId | undefined,
    signal: AbortSignal,
    options?: { readonly trace?: boolean | undefined; readonly call?: RunFor | undefined },
  ): Promise<GetMethodAnswer> | GetMethodAnswer
  /**
   * Runs a transaction again on the account's state before it, and returns the log of its steps. Rejects with NOT_FOUND if there is no such transaction,
   * and with CHAIN if the result differs from the recorded transaction (`local.setAccount` changed the account in that block).
   */
  traceTransaction(id: AccountId, lt: bigint, signal: AbortSignal): Promise<TracedTransaction>
}
