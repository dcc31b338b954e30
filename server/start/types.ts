import type { Methods, SocketConstructor, TonClient } from '../../client/index.ts'

/*
 * The types of `import { startTonway } from 'tonway'`. The declarations of the package are made from this file alone, so it imports types of the client and
 * nothing else.
 */

/** A wallet of the user in the first block of a chain. */
export interface OwnWallet {
  /** Its words, as a text or one by one. */
  readonly mnemonic: string | readonly string[]
  /** By default v4R2. */
  readonly version?: 'v4R2' | 'v5R1'
  /** Nanograms; by default a million coins. */
  readonly balance?: bigint | string
}

/** An account of the user in the first block of a chain. */
export interface OwnAccount {
  readonly address: string
  /** Nanograms. */
  readonly balance: bigint | string
  /** BoCs as base64. An account with code or data is active. */
  readonly code?: string
  readonly data?: string
}

/**
 * Settings of `startTonway`, by their names in tonway.config.json (`blockTime` is `TONWAY_BLOCK_TIME`). The environment and the file are not read. A name
 * or an unknown value is an error that says what is accepted.
 */
export interface TonwayOptions {
  /** Port of HTTP and WebSocket. By default a free one (0). `off`: no port; `client`, `fetch`, `httpAdapter` and `WebSocket` work all the same. */
  readonly port?: number | 'off'
  /** Address to listen on; by default 127.0.0.1. */
  readonly host?: string
  /** `true`: an index in PostgreSQL, so that v3, actions and `watch` work; by default there is none. */
  readonly index?: boolean
  /** Seconds, or a text such as `500ms`, between idle blocks. By default 0: a block is made only when there is a message for it. */
  readonly blockTime?: number | string
  /** Directory of the chain; by default nothing is stored. */
  readonly dataDir?: string
  /** Networks, separated by commas; by default `local`, an embedded chain. */
  readonly network?: string | readonly string[]
  /** Global id of the chain; by default -3, as testnet has it. */
  readonly globalId?: number
  /** Accounts that the chain begins with, or a state as `local.exportState` answers it, or the path of a JSON file with one of them. */
  readonly genesis?: string | { readonly accounts: readonly (OwnWallet | OwnAccount)[] } | Methods['local.exportState']['result']
  /** The chain begins with the accounts of another network: `mainnet`, `testnet`, or the path or URL of a TON global config. Not together with `genesis`. */
  readonly fork?: string
  /** Masterchain block of that network after which the fork begins; by default its newest. */
  readonly forkSeqno?: number
  /** Addresses that are fetched at the start; others are fetched when they are first used. */
  readonly forkKeep?: string | readonly string[]
  /** Port of the lite-server protocol; by default `off`. */
  readonly liteserverPort?: number | 'auto' | 'off'
  /**
   * `true`: the tonway runs in a thread of its own, so that it does not wait while the program computes, nor the program while it makes blocks. It starts a little
   * later. By default it runs in the thread of the caller.
   */
  readonly thread?: boolean
  /**
   * By default a message that this program sends by `client`, `httpAdapter`, `fetch` or `WebSocket` is answered when its transaction is in a block and the messages
   * that followed are delivered, so that what is read next has them. `false`: it is answered once it is accepted, as on other networks and for those who
   * call by the port. While automine is off it is always so.
   */
  readonly waitForBlock?: boolean
  /** Log level; by default `silent`. The log goes to standard error. */
  readonly log?: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Every other setting. */
  readonly [setting: string]: unknown
}

/** A wallet that has coins when the chain begins. The first two have a million each, and everybody knows their mnemonics; the others are those of `genesis`. */
export interface FundedWallet {
  readonly version: 'v4R2' | 'v5R1'
  /** User-friendly, not bounceable. */
  readonly address: string
  readonly mnemonic: readonly string[]
  /** 64 hex digits. */
  readonly publicKey: string
}

/** The request that an HTTP adapter of axios gets; a part of axios' own type. */
export interface AdapterRequest {
  readonly url?: string | undefined
  readonly method?: string | undefined
  readonly baseURL?: string | undefined
}

/** The answer of an HTTP adapter of axios; a part of axios' own type. */
export interface AdapterAnswer<Request> {
  readonly data: unknown
  readonly status: number
  readonly statusText: string
  readonly headers: Record<string, string>
  readonly config: Request
}

/** The transactions that something led to, as `local.trace` answers them. */
export type Trace = Methods['local.trace']['result']
export type TraceTransaction = Trace['transactions'][number]

/** An argument of a get-method, as `runGetMethod` takes it: `['num', '5']`, `['tvm.Cell', boc]`, `['tvm.Slice', boc]` ... */
export type StackItem = Methods['runGetMethod']['params']['stack'][number]

/** A successful run of a get-method. */
export interface GetMethodRun {
  /** Values, the top one last, as `runGetMethod` answers them: `['num', '0x5']`, `['cell', { bytes, ... }]` ... */
  readonly stack: Methods['runGetMethod']['result']['stack']
  readonly gasUsed: number
  readonly exitCode: number
  /** What its debug instructions printed. */
  readonly debug: readonly string[]
}

/** A tonway in this process, in this thread or in one of its own. */
export interface Tonway {
  /** `http://127.0.0.1:<port>`. With `port: 'off'` it is a name that only `fetch`, `httpAdapter` and `WebSocket` of this object know. */
  readonly url: string
  /** URL of the WebSocket of JSON-RPC, with its path. */
  readonly wsUrl: string
  /** The client of `tonway-client`, with every method. Its calls stay in this process. */
  readonly client: TonClient
  /** The funded wallets of the chain; empty for another network. */
  readonly wallets: readonly FundedWallet[]
  /** `fetch` that reaches this tonway, and nothing else, without a port. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** For `new TonClient({ endpoint: tonway.endpoint, httpAdapter: tonway.httpAdapter })` of `@ton/ton`: calls stay in this process. */
  readonly httpAdapter: <Request extends AdapterRequest>(config: Request) => Promise<AdapterAnswer<Request>>
  /** URL of TON Center's dialect of JSON-RPC, as TonClient and tonweb take it. */
  readonly endpoint: string
  /** A WebSocket without a port, for `webSocket({ url: tonway.url, WebSocket: tonway.WebSocket })`. */
  readonly WebSocket: SocketConstructor
  /**
   * Does `work`, waits until all messages are delivered, and resolves with the result of `work` and with every transaction since it began. Before that it waits for
   * messages that are on their way; while automine is off it does not, and their transactions are included if `work` mines them. Rejects if `work` reverts the chain
   * to an earlier block. Works without an index. For `expectTrace` of `tonway/expect`. Two calls at the same time both have the transactions of both.
   */
  record<T>(work: () => Promise<T>): Promise<Trace & { readonly result: T }>
  /** Runs a get-method. If it fails, rejects with an error that has `exitCode` and `debug`, and a text with its meaning, what it printed, and the last steps. */
  get(address: AddressLike, method: string | number, stack?: readonly StackItem[]): Promise<GetMethodRun>
  /** Resolves when the index shows the newest block. Rejects if there is no index. */
  indexed(): Promise<void>
  /** Ends everything that this tonway has: the chain, its threads, its port, its PostgreSQL and its temporary files. Further calls do nothing. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** An address: friendly or raw, or an object with `toRawString`, as `Address` of `@ton/core`. */
export type AddressLike = string | { toRawString(): string }
/** A cell: a BoC as base64, or an object with `toBoc`, as `Cell` of `@ton/core`. */
export type CellLike = string | { toBoc(): Uint8Array }
/** An expected value, or a function that says whether a value matches. */
export type Expected<T, Seen = T> = T | ((value: Seen) => boolean)

/**
 * The values that a transaction is to have. Names are those of `@ton/test-utils`. What is not given may be anything; a value that is undefined, or that no transaction
 * can have, is a TypeError. Amounts are nanograms.
 */
export interface TransactionFilter {
  /** Sender of its message; null for an external message. */
  readonly from?: Expected<AddressLike | null, string | null>
  /** The account; `on` is another name. Functions get raw addresses in lower case. */
  readonly to?: Expected<AddressLike, string>
  readonly on?: Expected<AddressLike, string>
  /** Coins of its message; null for an external message. */
  readonly value?: Expected<bigint | string | null, bigint | null>
  /** First 32 bits of the body; null if it is shorter. */
  readonly op?: Expected<number | null>
  /** Functions get a BoC as base64. */
  readonly body?: Expected<CellLike, string>
  /** Whether the TVM ran, and it and the actions succeeded. */
  readonly success?: Expected<boolean>
  readonly aborted?: Expected<boolean>
  readonly destroyed?: Expected<boolean>
  /** Whether it made the account active. */
  readonly deploy?: Expected<boolean>
  /** Null if the TVM did not run. */
  readonly exitCode?: Expected<number | null>
  /** Null if there was no action phase. */
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

/** Assertions about a trace. They throw node's AssertionError with the whole tree. */
export interface TraceExpectation {
  /** Throws if no transaction has all of these values. */
  toHaveTransaction(filter: TransactionFilter): void
  /** Throws if a transaction has them, or if the trace is not whole: messages wait for a block, or there are more transactions than it has. */
  readonly not: Pick<TraceExpectation, 'toHaveTransaction'>
}

/** Hooks of a test runner: those of vitest, jest or mocha. */
export interface TestHooks {
  readonly beforeAll: (run: () => Promise<void>, timeout?: number) => unknown
  readonly afterAll: (run: () => Promise<void>, timeout?: number) => unknown
  readonly beforeEach: (run: () => Promise<void>, timeout?: number) => unknown
  readonly afterEach: (run: () => Promise<void>, timeout?: number) => unknown
}

/** A tonway for the tests of a file. Its members can be used in tests and hooks, not before. */
export type TonwayOfFile = Omit<Tonway, 'close' | typeof Symbol.asyncDispose>

/** Starts a tonway for the tests of a file or of a `describe`. Each test begins on the chain as the hooks before it left it. */
export type UseTonway = (options?: TonwayOptions) => TonwayOfFile
