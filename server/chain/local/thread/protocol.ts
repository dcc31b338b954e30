import type { PackedMethod } from '../../../tvm/get-method-wire.ts'
import type { WorkerTransaction } from '../../../tvm/protocol.ts'
import type { Head, LiteArgs, LiteFunction } from '../../liteserver.ts'
import type { FaucetWallet, LocalControl } from '../local-chain.ts'

/*
 * Messages between the serving thread and the thread of the embedded chain. The chain's thread has the files, the states and the TVM that makes blocks. Cells
 * are sent as BoCs. States are never sent, only answers of the lite-server protocol.
 */

/** `open`: opens the chain. The serving thread holds the directory. */
export interface OpenRequest {
  readonly path: string
  /** Whether the files stay after the end. */
  readonly kept: boolean
  readonly blockTimeMs: number
  readonly globalId: number
  /** Accounts of the genesis; their cells are `{ boc }`. */
  readonly accounts: unknown
  readonly wallets: readonly FaucetWallet[] | undefined
  /** What a new chain takes over besides accounts; its cells are `{ boc }`. */
  readonly state: unknown
}
export interface Opened {
  readonly news: ChainNews
  readonly wallets: readonly FaucetWallet[]
  readonly notes: readonly string[]
  readonly fork: string | undefined
}

/** `query`: a call of the lite-server protocol. */
export interface QueryRequest {
  readonly fn: LiteFunction
  readonly args: LiteArgs<LiteFunction>
  /** Whose call it is, for the queue of the TVM. */
  readonly client: string | undefined
}

/** `control`: a control by name; cells in `args` are `{ boc }`. */
export interface ControlRequest {
  readonly name: Exclude<keyof LocalControl, 'wallets' | 'setAutomine'>
  readonly args: readonly unknown[]
}

/** `news`: sent to the serving thread before every answer that can depend on it. */
export interface ChainNews {
  readonly head: Head
  /** Why blocks cannot be written; empty if they can. */
  readonly trouble: string
}

/** `log`: sent to the serving thread. */
export interface LogLine {
  readonly level: 'debug' | 'warn' | 'error'
  readonly event: string
  readonly fields: object | undefined
}

/** `get-method`: a request of the chain's thread, because the serving thread has the pool of the TVM. */
export interface MethodRequest {
  readonly request: PackedMethod
  /** BoC of the configuration. */
  readonly config: Uint8Array
  /** Whose call it is, for the queue of the TVM. */
  readonly client: string | undefined
}

/** `transactions`: a request of the chain's thread for transactions that take too long for it. */
export interface TransactionsRequest {
  readonly requests: readonly WorkerTransaction[]
  /** BoCs of the configurations by id. */
  readonly configs: ReadonlyMap<string, Uint8Array>
  readonly urgent: boolean
  readonly client: string | undefined
}
