import { createOnAbort } from './abort.ts'
import { type BatchOptions, createBatcher } from './batch.ts'
import { createCalls, type Pending, textOf } from './calls.ts'
import { abortedBy, type Failure, TonClientError } from './errors.ts'
import type { Methods } from './methods.ts'
import { createSendGroup, type RetryOptions } from './retry.ts'
import { type HttpOptions, http } from './transport/http.ts'
import type { Transport } from './transport/transport.ts'
import type { BatchItem, CallOptions, Client, Settled, TonClient } from './types.ts'
import { type MessageRef, type WaitOptions, waitForMessage } from './wait.ts'
import { isWrite } from './write-methods.ts'

export interface ClientOptions {
  /** `false`: sends each call alone. */
  readonly batch?: BatchOptions | false | undefined
  /** `false`: no retries. */
  readonly retry?: RetryOptions | false | undefined
}

type Options = ClientOptions & (HttpOptions | { readonly transport: Transport })

/**
 * Creates a client of one service. `createClient({ url })` uses HTTP, `createClient({ transport })` the given transport. Every method is a member
 * (`client.getAddressBalance({ address })`, `client.v3.jetton.transfers(...)`) and can also be called by name with `client.request`. Calls reject with
 * TonClientError. By default the client has tonway's methods. For methods of other services, pass their type: `createClient<MyMethods>(...)`.
 */
export function createClient<T = Methods>(options: Options): Client<T>
// The last overload, because `ReturnType<typeof createClient>` uses the last one.
export function createClient(options: Options): TonClient
export function createClient(options: Options): unknown {
  const transport = 'transport' in options ? options.transport : http(options)
  const { endpoint, subscribe } = transport
  const sendGroup = createSendGroup(transport, options.retry === false ? { times: 0 } : (options.retry ?? {}))
  const batcher = createBatcher(sendGroup, options.batch === false ? { count: 1 } : (options.batch ?? {}))
  /** Running reads by method and params. Equal reads share one call. */
  const reads = new Map<string, Pending>()
  const onAbort = createOnAbort()
  const create = createCalls(endpoint, onAbort)

  /** Queues a call with the calls of its tick. An equal read that comes later waits for the same answer. */
  const queue = (method: string, params: string, key: string): Pending => {
    const write = isWrite(method)
    const onEnd = (): void => {
      if (reads.get(key) === call) reads.delete(key)
    }
    const call = create({ method, write, params, send: batcher.add, onEnd })
    if (!write) reads.set(key, call)
    return call
  }
  /** The JSON text of params. Throws TonClientError if params are not JSON or the signal is already aborted. */
  const prepare = (method: string, params: unknown, signal: AbortSignal | undefined): string => {
    let failure: Failure | undefined
    if (signal?.aborted) failure = abortedBy(signal, endpoint)
    else
      try {
        return textOf(params)
      } catch (cause) {
        failure = { kind: 'INVALID_PARAMS', message: 'params are no JSON', endpoint, cause }
      }
    throw new TonClientError(method, failure)
  }

  /** Creates the error at the caller's `await`, so that its stack trace shows the caller and not the transport. */
  const outcomeOf = async (call: Pending, signal: AbortSignal | undefined): Promise<unknown> => {
    try {
      return await call.join(signal)
    } catch (failure) {
      throw new TonClientError(call.method, failure as Failure)
    }
  }

  const request = async (method: string, params?: unknown, { signal }: CallOptions = {}): Promise<unknown> => {
    const text = prepare(method, params, signal)
    const key = `${method} ${text}`
    return outcomeOf(reads.get(key) ?? queue(method, text, key), signal)
  }

  const batch = async (items: readonly BatchItem[], { signal }: CallOptions = {}): Promise<Settled<unknown>[]> => {
    const calls: Pending[] = []
    const answers = items.map(async ({ method, params }) => {
      try {
        const send = (call: Pending): void => void calls.push(call)
        const call = create({ method, write: isWrite(method), params: prepare(method, params, signal), send, onEnd: () => {} })
        return { ok: true, result: await outcomeOf(call, signal) } as const
      } catch (error) {
        return { ok: false, error: error as TonClientError } as const
      }
    })
    batcher.flush(calls)
    return Promise.all(answers)
  }

  const members = new Map<string, unknown>()
  /**
   * A proxy of `target`. Reading a name gives the target's own member if there is one, otherwise a function that calls the method `path + name` and is also
   * the namespace of that name.
   */
  const tree = (target: object, path: string): unknown =>
    new Proxy(target, {
      get(_, name) {
        if (typeof name === 'symbol' || name in target) return Reflect.get(target, name)
        // `await` and JSON.stringify read these names from every object. They are not methods.
        if (name === 'then' || name === 'toJSON') return
        const full = path + name
        if (!members.has(full))
          members.set(
            full,
            tree((params?: unknown, options?: CallOptions) => request(full, params, options), `${full}.`),
          )
        return members.get(full)
      },
    })
  const core = {
    request,
    batch,
    waitForMessage: (message: MessageRef | string, wait?: WaitOptions) =>
      waitForMessage({ request: request as TonClient['request'], endpoint, onAbort, subscribe }, message, wait),
    close: () => transport.close?.(),
  }
  // Not enumerable, so that a printed client stays short.
  Object.defineProperty(core, 'transport', { value: transport })
  return tree(core, '')
}
