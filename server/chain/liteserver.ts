import { Fault } from '../base/fault.ts'
import type { AccountId, BlockId, ShortBlockId } from '../tlb/ids.ts'

/*
 * The chain port: the lite-server protocol, typed from lite_api.tl of ton-blockchain/ton.
 * chain/local (the embedded chain) and chain/lite (a pool of ADNL lite-servers) implement the port. chain/chain.ts uses the port and checks the proofs.
 * chain/endpoint serves the port over ADNL. Byte members are raw BoCs, exactly as on the wire.
 */

export interface ZeroStateId {
  readonly workchain: number
  readonly rootHash: Uint8Array
  readonly fileHash: Uint8Array
}

/** liteServer.transactionId / liteServer.transactionId3 */
export interface TransactionRef {
  readonly account: Uint8Array
  readonly lt: bigint
}

/** liteServer.transactionId, with all its fields. */
export interface TransactionId extends TransactionRef {
  readonly hash: Uint8Array
}

/** liteServer.transactionMetadata; depth is -1 for a message without metadata. */
export interface TransactionMetadata {
  readonly mode: number
  readonly depth: number
  readonly initiator: AccountId
  readonly initiatorLt: bigint
}

export interface Signature {
  /** sha256 of the TL-serialized public key, 32 bytes. */
  readonly nodeIdShort: Uint8Array
  readonly signature: Uint8Array
}

/** liteServer.SignatureSet. The first public schema does not contain `simplex`. */
export type SignatureSet = {
  readonly validatorSetHash: number
  readonly catchainSeqno: number
  readonly signatures: readonly Signature[]
} & (
  | { readonly type: 'ordinary' }
  | { readonly type: 'simplex'; readonly sessionId: Uint8Array; readonly slot: number; readonly candidate: Uint8Array }
)

/** liteServer.BlockLink */
export type BlockLink = {
  readonly toKeyBlock: boolean
  readonly from: BlockId
  readonly to: BlockId
  readonly destProof: Uint8Array
} & (
  | { readonly type: 'forward'; readonly configProof: Uint8Array; readonly signatures: SignatureSet }
  | { readonly type: 'back'; readonly proof: Uint8Array; readonly stateProof: Uint8Array }
)

export interface PartialBlockProof {
  readonly complete: boolean
  readonly from: BlockId
  readonly to: BlockId
  readonly steps: readonly BlockLink[]
}

/** liteServer.shardBlockLink: the next lower block on the way from a masterchain block down to a shard block, and its proof. */
export interface ShardLink {
  readonly id: BlockId
  readonly proof: Uint8Array
}

/** Search key of a block: exactly one of seqno (mode bit 0), lt (bit 1) and utime (bit 2). */
export interface LookupArgs {
  readonly id: ShortBlockId
  readonly by: { readonly seqno: true } | { readonly lt: bigint } | { readonly utime: number }
}

export interface LiteFunctions {
  getMasterchainInfo: { args: Record<never, never>; answer: { last: BlockId; stateRootHash: Uint8Array; init: ZeroStateId } }
  getMasterchainInfoExt: {
    args: { mode: number }
    answer: LiteFunctions['getVersion']['answer'] & LiteFunctions['getMasterchainInfo']['answer'] & { lastUtime: number }
  }
  getTime: { args: Record<never, never>; answer: { now: number } }
  getVersion: { args: Record<never, never>; answer: { mode: number; version: number; capabilities: bigint; now: number } }
  getBlock: { args: { id: BlockId }; answer: { id: BlockId; data: Uint8Array } }
  getState: { args: { id: BlockId }; answer: { id: BlockId; rootHash: Uint8Array; fileHash: Uint8Array; data: Uint8Array } }
  /** mode: parts of the block that the proof includes: 1 state update, 2 value flow, 16 extra, 32 shard hashes, 64 signatures of the previous block. */
  getBlockHeader: { args: { id: BlockId; mode: number }; answer: { id: BlockId; mode: number; headerProof: Uint8Array } }
  lookupBlock: { args: LookupArgs; answer: { id: BlockId; mode: number; headerProof: Uint8Array } }
  lookupBlockWithProof: {
    args: LookupArgs & { mcBlockId: BlockId }
    answer: {
      id: BlockId
      mode: number
      mcBlockId: BlockId
      clientMcStateProof: Uint8Array
      mcBlockProof: Uint8Array
      shardLinks: readonly ShardLink[]
      header: Uint8Array
      prevHeader: Uint8Array
    }
  }
  sendMessage: { args: { body: Uint8Array }; answer: { status: number } }
  /**
   * `proof`: two roots, block -> state and state -> account; `shardProof`: two roots, empty for a masterchain account. `state`: the account cell, empty if
   * there is no account.
   */
  getAccountState: {
    args: { id: BlockId; account: AccountId }
    answer: { id: BlockId; shardBlock: BlockId; shardProof: Uint8Array; proof: Uint8Array; state: Uint8Array }
  }
  getAccountStatePrunned: LiteFunctions['getAccountState']
  /** mode: 1 shard_proof + proof, 2 state_proof, 4 result, 8 init_c7, 16 lib_extras. */
  runSmcMethod: {
    args: { mode: number; id: BlockId; account: AccountId; methodId: number; params: Uint8Array }
    answer: {
      mode: number
      id: BlockId
      shardBlock: BlockId
      shardProof?: Uint8Array
      proof?: Uint8Array
      stateProof?: Uint8Array
      initC7?: Uint8Array
      libExtras?: Uint8Array
      exitCode: number
      result?: Uint8Array
    }
  }
  getShardInfo: {
    args: { id: BlockId; workchain: number; shard: bigint; exact: boolean }
    answer: { id: BlockId; shardBlock: BlockId; shardProof: Uint8Array; shardDescr: Uint8Array }
  }
  getAllShardsInfo: { args: { id: BlockId }; answer: { id: BlockId; proof: Uint8Array; data: Uint8Array } }
  getOneTransaction: {
    args: { id: BlockId; account: AccountId; lt: bigint }
    answer: { id: BlockId; proof: Uint8Array; transaction: Uint8Array }
  }
  /** Newest first; `transactions`: one BoC with a root per transaction, in the order of `ids`. */
  getTransactions: {
    args: { count: number; account: AccountId; lt: bigint; hash: Uint8Array }
    answer: { ids: readonly BlockId[]; transactions: Uint8Array }
  }
  /** Ordered by account, then lt; at most 256 rows per answer. `wantProof` adds the Merkle proof of the list. */
  listBlockTransactions: {
    args: { id: BlockId; count: number; after?: TransactionRef; reverse?: boolean; wantProof?: boolean }
    answer: { id: BlockId; reqCount: number; incomplete: boolean; ids: readonly TransactionId[]; proof: Uint8Array }
  }
  listBlockTransactionsExt: {
    args: LiteFunctions['listBlockTransactions']['args']
    answer: { id: BlockId; reqCount: number; incomplete: boolean; transactions: Uint8Array; proof: Uint8Array }
  }
  /** mode: see FROM_LATER. */
  getBlockProof: { args: { from: BlockId; target?: BlockId; mode?: number }; answer: PartialBlockProof }
  /** mode: parts of the state that the proof includes (0x8000: from the previous key block; 1 to 64: see lite_api.tl). */
  getConfigAll: {
    args: { mode: number; id: BlockId }
    answer: { mode: number; id: BlockId; stateProof: Uint8Array; configProof: Uint8Array }
  }
  getConfigParams: {
    args: { mode: number; id: BlockId; params: readonly number[] }
    answer: LiteFunctions['getConfigAll']['answer']
  }
  getLibraries: {
    args: { hashes: readonly Uint8Array[] }
    answer: { result: readonly { hash: Uint8Array; data: Uint8Array }[] }
  }
  getLibrariesWithProof: {
    args: { id: BlockId; mode: number; hashes: readonly Uint8Array[] }
    answer: LiteFunctions['getLibraries']['answer'] & { id: BlockId; mode: number; stateProof: Uint8Array; dataProof: Uint8Array }
  }
  getShardBlockProof: { args: { id: BlockId }; answer: { masterchainId: BlockId; links: readonly ShardLink[] } }
  getOutMsgQueueSizes: {
    args: { shard?: { workchain: number; shard: bigint } }
    answer: { shards: readonly { id: BlockId; size: number }[]; extMsgQueueSizeLimit: number }
  }
  getBlockOutMsgQueueSize: {
    args: { id: BlockId; wantProof?: boolean }
    answer: { id: BlockId; size: bigint; proof: Uint8Array }
  }
  /** Accounts with deferred messages, ordered by account id, beginning after account `after`; at most 64. */
  getDispatchQueueInfo: {
    args: { id: BlockId; after?: Uint8Array; maxAccounts: number; wantProof?: boolean }
    answer: {
      id: BlockId
      queues: readonly { account: Uint8Array; size: bigint; minLt: bigint; maxLt: bigint }[]
      complete: boolean
      proof: Uint8Array
    }
  }
  /**
   * Deferred messages of an account after an lt; unless `oneAccount` is set, those of the following accounts too. At most 64 messages, or 16 with their
   * BoCs.
   */
  getDispatchQueueMessages: {
    args: {
      id: BlockId
      account: Uint8Array
      afterLt: bigint
      maxMessages: number
      oneAccount?: boolean
      withMessages?: boolean
      wantProof?: boolean
    }
    answer: {
      id: BlockId
      messages: readonly { account: Uint8Array; lt: bigint; hash: Uint8Array; metadata: TransactionMetadata }[]
      complete: boolean
      proof: Uint8Array
      /** One BoC with a root per message. */
      messagesBoc: Uint8Array
    }
  }
  /**
   * Blocks made by each validator (block_create_stats of a masterchain state) by public key, at most 1000, as a proof. mode: 1 start after `startAfter`, 2
   * include `startAfter` too, 4 filter by `modifiedAfter`.
   */
  getValidatorStats: {
    args: { mode: number; id: BlockId; limit: number; startAfter?: Uint8Array; modifiedAfter?: number }
    answer: { mode: number; id: BlockId; count: number; complete: boolean; stateProof: Uint8Array; dataProof: Uint8Array }
  }
  /** Shard blocks that no masterchain block commits yet: the newest signed block of each shard and catchain seqno, and unsigned candidates. */
  'nonfinal.getPendingShardBlocks': {
    args: LiteFunctions['getOutMsgQueueSizes']['args']
    answer: { signedBlocks: readonly BlockId[]; candidates: readonly BlockId[] }
  }
}

export type LiteFunction = keyof LiteFunctions
export type LiteArgs<F extends LiteFunction> = LiteFunctions[F]['args']
export type LiteAnswer<F extends LiteFunction> = LiteFunctions[F]['answer']

/** A masterchain head. `epoch` increases when an embedded chain is reverted, so that cached answers about removed blocks are not used again. */
export interface Head {
  readonly id: BlockId
  /** Unix seconds of the block. */
  readonly utime: number
  readonly epoch: number
}

export interface AskOptions {
  readonly history?: boolean
}

export interface LiteServer {
  /**
   * Sends a query to a server. Throws LiteServerError for a refusal; rejects with the signal's reason when aborted. A source of several servers also checks
   * blocks and lookups in answers.
   */
  query<F extends LiteFunction>(fn: F, args: LiteArgs<F>, signal: AbortSignal): Promise<LiteAnswer<F>>
  /**
   * Queries a source of several servers and checks the answer. If `check` throws a ProofError, the server is not used for a while and another server is
   * queried. Resolves with the result of `check`. `history`: servers with the complete chain are queried first.
   */
  checked?<F extends LiteFunction, T>(
    fn: F,
    args: LiteArgs<F>,
    signal: AbortSignal,
    check: (answer: LiteAnswer<F>) => T | Promise<T>,
    options?: AskOptions,
  ): Promise<T>
  /** Masterchain heads in order, beginning with the current head. A slow consumer gets only the newest head. Ends when the signal is aborted. */
  heads(signal: AbortSignal): AsyncIterable<Head>
  /**
   * The current head; absent if the source would need a query for it. Throws before the first head. The embedded chain's head includes every block that a
   * control such as `mine` has resolved with.
   */
  head?(): Head
  /** The individual servers, for queries to each of them; undefined if the source is a single server. */
  readonly servers?: readonly SingleServer[]
}

export interface SingleServer {
  readonly name: string
  isUsable(): boolean
  /** Like `query` of the source, but the latency and the failures of this query do not influence which server gets other queries. */
  readonly query: LiteServer['query']
}

/** ErrorCode of ton-blockchain/ton (common/errorcode.h). `notReady`: an unknown block or state. */
export const LITE_ERROR = { failure: 601, error: 602, protocolViolation: 621, notReady: 651, timeout: 652 } as const

/**
 * Mode bit of getBlockProof: no link goes beyond the later of the two blocks. So the last link to a later target is a forward link, which carries the
 * target's own signatures.
 */
export const FROM_LATER = 0x1000

/**
 * An error answer of a lite-server. Codes of ton-blockchain/ton (ErrorCode of common/errorcode.h and lite-server): 651 unknown block, -256 no code, 0 a
 * refusal by the TVM.
 */
export class LiteServerError extends Fault {
  override readonly name = 'LiteServerError'
  readonly answeredAs = 'CHAIN'
  override readonly isLogged = true
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}
