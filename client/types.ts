import type { TonClientError } from './errors.ts'
import type { Members, Methods } from './methods.ts'
import type { Transport } from './transport/transport.ts'
import type { MessageRef, WaitOptions } from './wait.ts'

/** The type of one method. */
export interface MethodShape {
  readonly params: unknown
  readonly result: unknown
  readonly effect: 'read' | 'write'
}

/** Options of one call. */
export interface CallOptions {
  /** Gives up this call. Other calls of its batch, and others that wait for the same answer, are not affected. */
  readonly signal?: AbortSignal | undefined
}

// biome-ignore lint/complexity/noBannedTypes: what extends it has no required member
type Nothing = {}

/** Params are optional if all their members are. */
export type Args<P> = Nothing extends P ? [params?: P, options?: CallOptions] : [params: P, options?: CallOptions]

/** A method as a function. */
export type Fn<M extends MethodShape> = (...args: Args<M['params']>) => Promise<M['result']>

type Leaves<T> = { readonly [M in keyof T as M extends `${string}.${string}` ? never : M]: T[M] extends MethodShape ? Fn<T[M]> : never }
type Head<K> = K extends `${infer H}.${string}` ? H : never
type Under<T, H extends string> = { readonly [M in keyof T as M extends `${H}.${infer Rest}` ? Rest : never]: T[M] }

/** Wire names as members: `v3.jetton.transfers` is `.v3.jetton.transfers(...)`. */
export type Tree<T> = Leaves<T> & { readonly [H in Head<keyof T>]: Tree<Under<T, H>> }

/** Aliases that existing clients use, and the methods they stand for. */
export interface Aliases {
  readonly shards: 'getShards'
  readonly 'v3.account': 'v3.addressInformation'
  readonly 'v3.wallet': 'v3.walletInformation'
}
export type AliasTree<T> = Tree<{ readonly [A in keyof Aliases as Aliases[A] extends keyof T ? A : never]: T[Aliases[A] & keyof T] }>

/** One call of `client.batch`. */
export type BatchItem<T = Methods> = {
  readonly [M in keyof T & string]: Nothing extends ParamsOf<T, M>
    ? { readonly method: M; readonly params?: ParamsOf<T, M> }
    : { readonly method: M; readonly params: ParamsOf<T, M> }
}[keyof T & string]

export type ParamsOf<T, M extends keyof T> = T[M] extends MethodShape ? T[M]['params'] : never
export type ResultOf<T, M extends keyof T> = T[M] extends MethodShape ? T[M]['result'] : never

/** How one call of `client.batch` ended. */
export type Settled<R> = { readonly ok: true; readonly result: R } | { readonly ok: false; readonly error: TonClientError }

/** The results of `client.batch`, in the order of its calls. */
export type BatchResults<T, Items extends readonly BatchItem<T>[]> = {
  -readonly [I in keyof Items]: Settled<Items[I]['method'] extends keyof T ? ResultOf<T, Items[I]['method']> : never>
}

/** Members of every client besides the methods of the service. */
export interface ClientCore<T> {
  /** Calls a method by its wire name. Rejects with TonClientError. */
  request<M extends keyof T & string>(method: M, ...args: Args<ParamsOf<T, M>>): Promise<ResultOf<T, M>>
  /** Sends these calls now, as one message. Never rejects: each call has its own outcome. */
  batch<const Items extends readonly BatchItem<T>[]>(items: Items, options?: CallOptions): Promise<BatchResults<T, Items>>
  /**
   * Waits until an external message has its transaction. Use it after a send with an unknown outcome, instead of sending again. A hash alone
   * (normalized or the message's own) needs a server with an index, else NOT_SERVED. `messageId(boc)`, or address and hash, works everywhere.
   * Rejects with TIMEOUT if no transaction was found in time. That proves nothing until the message itself has expired.
   */
  waitForMessage(hash: string, options?: WaitOptions): Promise<ResultOf<Methods, 'v3.transactionsByMessage'>['transactions'][number]>
  waitForMessage(message: MessageRef, options?: WaitOptions): Promise<ResultOf<Methods, 'getTransactions'>[number]>
  /** What the client sends its calls with. */
  readonly transport: Transport
  /** Closes the connections of the transport. */
  close(): void
}

/** In the package, this service's methods are written out, because editors show no documentation of mapped members. */
type MembersOf<T> = [T, Methods] extends [Methods, T] ? Members : Tree<T> & AliasTree<T>

/** A client of the methods `T`, by wire name. */
export type Client<T = Methods> = ClientCore<T> & MembersOf<T>

/** A client of this service. */
export type TonClient = Client<Methods>
