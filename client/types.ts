import type { TonClientError } from './errors.ts'
import type { Members, Methods } from './methods.ts'
import type { Transport } from './transport/transport.ts'
import type { MessageRef, WaitOptions } from './wait.ts'

export interface MethodShape {
  readonly params: unknown
  readonly result: unknown
  readonly effect: 'read' | 'write'
}

export interface CallOptions {
  /** Aborts this call. Other calls of the batch, and other callers of the same read, are not affected. */
  readonly signal?: AbortSignal | undefined
}

// biome-ignore lint/complexity/noBannedTypes: what extends it has no required member
type Nothing = {}

/** `params` is optional if all its members are. */
export type Args<P> = Nothing extends P ? [params?: P, options?: CallOptions] : [params: P, options?: CallOptions]

export type Fn<M extends MethodShape> = (...args: Args<M['params']>) => Promise<M['result']>

type Leaves<T> = { readonly [M in keyof T as M extends `${string}.${string}` ? never : M]: T[M] extends MethodShape ? Fn<T[M]> : never }
type Head<K> = K extends `${infer H}.${string}` ? H : never
type Under<T, H extends string> = { readonly [M in keyof T as M extends `${H}.${infer Rest}` ? Rest : never]: T[M] }

/** Method names as nested members: `v3.jetton.transfers` is `.v3.jetton.transfers(...)`. */
export type Tree<T> = Leaves<T> & { readonly [H in Head<keyof T>]: Tree<Under<T, H>> }

/** Aliases that existing clients use, with the methods they stand for. */
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

export type Settled<R> = { readonly ok: true; readonly result: R } | { readonly ok: false; readonly error: TonClientError }

/** The outcomes of `client.batch`, in the order of its calls. */
export type BatchResults<T, Items extends readonly BatchItem<T>[]> = {
  -readonly [I in keyof Items]: Settled<Items[I]['method'] extends keyof T ? ResultOf<T, Items[I]['method']> : never>
}

export interface ClientCore<T> {
  /** Calls a method by name. Rejects with TonClientError. */
  request<M extends keyof T & string>(method: M, ...args: Args<ParamsOf<T, M>>): Promise<ResultOf<T, M>>
  /** Sends these calls immediately, as one message. Never rejects: each call has its own outcome. */
  batch<const Items extends readonly BatchItem<T>[]>(items: Items, options?: CallOptions): Promise<BatchResults<T, Items>>
  /**
   * Waits until an external message has its transaction. Use it after a send with an unknown outcome, instead of sending again. A hash alone (normalized,
   * or the message's own) needs a server with an index; otherwise it fails with NOT_SERVED. `messageId(boc)`, or address and hash, works with every server.
   * Rejects with TIMEOUT if no transaction was found in time. The transaction can still appear until the message itself expires.
   */
  waitForMessage(hash: string, options?: WaitOptions): Promise<ResultOf<Methods, 'v3.transactionsByMessage'>['transactions'][number]>
  waitForMessage(message: MessageRef, options?: WaitOptions): Promise<ResultOf<Methods, 'getTransactions'>[number]>
  readonly transport: Transport
  /** Closes the connections of the transport. */
  close(): void
}

/** The built package declares tonway's methods one by one, because editors show no documentation for mapped members. */
type MembersOf<T> = [T, Methods] extends [Methods, T] ? Members : Tree<T> & AliasTree<T>

/** A client with the methods `T`, by name. */
export type Client<T = Methods> = ClientCore<T> & MembersOf<T>

export type TonClient = Client<Methods>
