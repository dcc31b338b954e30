// `Symbol.asyncDispose` is younger than the `lib` of most users.
/// <reference lib="esnext.disposable" preserve="true" />
import type { Methods, SocketConstructor, TonClient } from '../../client/index.ts'

/*
 * The types of `import { startTonway } from 'tonway'`. The package's declarations are generated from this file alone, so it may import only types of the
 * client.
 */

/** A wallet that a genesis creates in the first block of the chain. */
export interface OwnWallet {
  /** The mnemonic, as one string or as an array of words. */
  readonly mnemonic: string | readonly string[]
  /** The default is v4R2. */
  readonly version?: 'v4R2' | 'v5R1'
  /** Nanograms. The default is a million coins. */
  readonly balance?: bigint | string
}

/** An account that a genesis creates in the first block of the chain. */
export interface OwnAccount {
  readonly address: string
  /** Nanograms. */
  readonly balance: bigint | string
  /** BoC as base64. An account with code or data is active. */
  readonly code?: string
  readonly data?: string
}

/**
 * Options of `startTonway`: settings, with the names of tonway.config.json (`blockTime` is `TONWAY_BLOCK_TIME`). Environment variables and the file are not
 * read. An unknown name or an invalid value is an error whose message says what is accepted.
 */
export interface TonwayOptions {
  /**
   * Port of HTTP and WebSocket. The default is a free port (0). With `off` there is no port, and `client`, `fetch`, `httpAdapter` and `WebSocket` still work.
   */
  readonly port?: number | 'off'
  /** Address to listen on; the default is 127.0.0.1. */
  readonly host?: string
  /** `true`: creates an index in PostgreSQL, which v3, actions and `watch` need. By default there is no index. */
  readonly index?: boolean
  /** Interval between idle blocks, in seconds or as a text such as `500ms`. The default is 0: a block is produced only when there is a message for it. */
  readonly blockTime?: number | string
  /** Directory of the chain; by default nothing is stored. */
  readonly dataDir?: string
  /** Networks, separated by commas; by default `local`, an embedded chain. */
  readonly network?: string | readonly string[]
  /** Global id of the chain. The default is -3, the id of testnet. */
  readonly globalId?: number
  /** Initial accounts of the chain: a list of accounts, a state from `local.exportState`, or the path of a JSON file with either of these. */
  readonly genesis?: string | { readonly accounts: readonly (OwnWallet | OwnAccount)[] } | Methods['local.exportState']['result']
  /** Creates the chain as a fork of another network: `mainnet`, `testnet`, or the path or URL of a TON global config. Cannot be combined with `genesis`. */
  readonly fork?: string
  /** Masterchain block of the forked network after which the fork begins. The default is the newest block. */
  readonly forkSeqno?: number
  /** Addresses whose accounts are fetched at the start. Other accounts are fetched on first use. */
  readonly forkKeep?: string | readonly string[]
  /** Port of the lite-server protocol; the default is `off`. */
  readonly liteserverPort?: number | 'auto' | 'off'
  /**
   * `true`: runs the tonway in its own thread, so that neither the tonway nor the program blocks the other. It then takes a little longer to start,
   * and a call takes 2 to 2.5 times as long. By default it runs in the thread of the caller.
   */
  readonly thread?: boolean
  /**
   * True by default: a message that this program sends by `client`, `httpAdapter`, `fetch` or `WebSocket` is answered when its transaction is in a block
   * and all following messages are delivered, so that later reads see the result. `false`: the message is answered once it is accepted, as on other
   * networks. Messages over the port, and all messages while automine is off, are always answered once they are accepted.
   */
  readonly waitForBlock?: boolean
  /** Log level; the default is `silent`. The log is written to standard error. */
  readonly log?: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Any other setting. */
  readonly [setting: string]: unknown
}

/**
 * A wallet that has coins when the chain begins. The first two wallets have a million coins each and public mnemonics. The others are the wallets of `genesis`.
 */
export interface FundedWallet {
  readonly version: 'v4R2' | 'v5R1'
  /** User-friendly address, not bounceable. */
  readonly address: string
  readonly mnemonic: readonly string[]
  /** 64 hex digits. */
  readonly publicKey: string
}

/** The request that axios passes to an adapter; a subset of axios' type. */
export interface AdapterRequest {
  readonly url?: string | undefined
  readonly method?: string | undefined
  readonly baseURL?: string | undefined
}

/** The response that an adapter returns to axios; a subset of axios' type. */
export interface AdapterAnswer<Request> {
  readonly data: unknown
  readonly status: number
  readonly statusText: string
  readonly headers: Record<string, string>
  readonly config: Request
}

/** Transactions of some work, with all transactions that followed from them, in the form of `local.trace`. */
export type Trace = Methods['local.trace']['result']
export type TraceTransaction = Trace['transactions'][number]

/** An argument of a get-method, in the form of `runGetMethod`: `['num', '5']`, `['tvm.Cell', boc]`, `['tvm.Slice', boc]` ... */
export type StackItem = Methods['runGetMethod']['params']['stack'][number]

/** An argument of a get-method as a `TupleItem` of `@ton/core`. A builder and NaN are refused, because no server takes them. */
export type TupleArgument =
  | { readonly type: 'int'; readonly value: bigint }
  | { readonly type: 'cell' | 'slice' | 'builder'; readonly cell: { toBoc(): Uint8Array } }
  | { readonly type: 'tuple'; readonly items: readonly TupleArgument[] }
  | { readonly type: 'null' | 'nan' }

/** The result of a successful get-method. */
export interface GetMethodRun {
  /** The stack, with the top value last, in the form of `runGetMethod`: `['num', '0x5']`, `['cell', { bytes, ... }]` ... */
  readonly stack: Methods['runGetMethod']['result']['stack']
  readonly gasUsed: number
  readonly exitCode: number
  /** Texts that debug instructions printed. */
  readonly debug: readonly string[]
}

/** A tonway in this process, in this thread or in its own thread. */
export interface Tonway {
  /** `http://127.0.0.1:<port>`. With `port: 'off'` it is a URL that only `fetch`, `httpAdapter` and `WebSocket` of this object can use. */
  readonly url: string
  /** URL for JSON-RPC over WebSocket, including its path. */
  readonly wsUrl: string
  /** A client of `tonway-client`, with every method. Its calls stay in this process. */
  readonly client: TonClient
  /** The funded wallets of the embedded chain; empty for other networks. */
  readonly wallets: readonly FundedWallet[]
  /** A `fetch` for this tonway, which needs no port. It refuses all other URLs. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Adapter for `new TonClient({ endpoint: tonway.endpoint, httpAdapter: tonway.httpAdapter })` of `@ton/ton`. Calls stay in this process. */
  readonly httpAdapter: <Request extends AdapterRequest>(config: Request) => Promise<AdapterAnswer<Request>>
  /** URL of JSON-RPC in TON Center's dialect, for TonClient and tonweb. */
  readonly endpoint: string
  /** A WebSocket class that needs no port, for `webSocket({ url: tonway.url, WebSocket: tonway.WebSocket })`. */
  readonly WebSocket: SocketConstructor
  /**
   * Runs `work`, and waits until all messages are delivered. Resolves with the result of `work` and all transactions since its start, for `expectTrace` of
   * `tonway/expect`. Messages that are pending at the start are delivered before `work` runs. If a contract sends messages to itself without an end, resolves
   * with the first 1,000 transactions (`truncated`), or with those of eight seconds (`complete` is false); later calls do not wait for that contract, but
   * have its transactions too, until a revert ends it. While automine is off nothing waits, and transactions of
   * earlier messages are included if `work` mines them. Rejects if `work` reverts the chain to an earlier block. Needs no index. Two concurrent calls both
   * return the transactions of both.
   */
  record<T>(work: () => Promise<T>): Promise<Trace & { readonly result: T }>
  /**
   * Runs a get-method. Its arguments are those of `runGetMethod`, or a `TupleItem[]` of `@ton/core`. If the run fails, rejects with an error that has
   * `exitCode` and `debug`. The error's message explains the exit code, and has the debug output and the last steps.
   */
  get(address: AddressLike, method: string | number, stack?: readonly (StackItem | TupleArgument)[]): Promise<GetMethodRun>
  /** Resolves when the index contains the newest block. Rejects if there is no index. */
  indexed(): Promise<void>
  /** Closes the tonway: the chain, its threads, its port, its PostgreSQL and its temporary files. Further calls of `close` do nothing. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** An address: a friendly or raw string, or an object with `toRawString`, such as `Address` of `@ton/core`. */
export type AddressLike = string | { toRawString(): string }
/** A cell: a BoC as base64, or an object with `toBoc`, such as `Cell` of `@ton/core`. */
export type CellLike = string | { toBoc(): Uint8Array }
/** An expected value, or a function that returns whether a value matches. */
export type Expected<T, Seen = T> = T | ((value: Seen) => boolean)

/**
 * Expected values of a transaction. The names are those of `@ton/test-utils`. Members that are absent match any value. A member that is undefined, or whose
 * value no transaction can have, is a TypeError. Amounts are in nanograms.
 */
export interface TransactionFilter {
  /** Sender of the incoming message; null for an external message. */
  readonly from?: Expected<AddressLike | null, string | null>
  /** The account; `on` is a synonym. Functions receive raw addresses in lower case. */
  readonly to?: Expected<AddressLike, string>
  readonly on?: Expected<AddressLike, string>
  /** Coins of the incoming message; null for an external message. */
  readonly value?: Expected<bigint | string | null, bigint | null>
  /** First 32 bits of the message body; null if the body is shorter. */
  readonly op?: Expected<number | null>
  /** Functions receive a BoC as base64. */
  readonly body?: Expected<CellLike, string>
  /** True if the TVM ran and both the TVM and the action phase succeeded. */
  readonly success?: Expected<boolean>
  readonly aborted?: Expected<boolean>
  readonly destroyed?: Expected<boolean>
  /** True if the transaction made the account active. */
  readonly deploy?: Expected<boolean>
  /** null if the TVM did not run. */
  readonly exitCode?: Expected<number | null>
  /** null if there was no action phase. */
  readonly actionResultCode?: Expected<number | null>
  readonly inMessageBounced?: Expected<boolean>
  readonly inMessageBounceable?: Expected<boolean>
  readonly outMessagesCount?: Expected<number>
  readonly oldStatus?: Expected<TraceTransaction['old_status']>
  readonly endStatus?: Expected<TraceTransaction['end_status']>
  readonly totalFees?: Expected<bigint | string, bigint>
  readonly lt?: Expected<bigint | string, bigint>
  /** Unix seconds. */
  readonly now?: Expected<number>
}

/** Assertions about a trace. They throw node's AssertionError with the tree of the trace. */
export interface TraceExpectation {
  /** Throws if no transaction matches all values. */
  toHaveTransaction(filter: TransactionFilter): void
  /** Throws if a transaction matches all values, or if the trace is incomplete because messages wait for a block or transactions were omitted. */
  readonly not: Pick<TraceExpectation, 'toHaveTransaction'>
}

/** Hooks of a test runner such as vitest, jest or mocha. */
export type TestHooks = Readonly<
  Record<'beforeAll' | 'afterAll' | 'beforeEach' | 'afterEach', (run: () => Promise<void>, timeout?: number) => unknown>
>

/** A tonway for the tests of a file. Its members can be used only inside tests and hooks. */
export type TonwayOfFile = Omit<Tonway, 'close' | typeof Symbol.asyncDispose>

/** Starts a tonway for the tests of a file or of a `describe`. Each test begins with the state of the chain after the `beforeAll` hooks. */
export type UseTonway = (options?: TonwayOptions) => TonwayOfFile
