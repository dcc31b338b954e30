import { builtWorker } from '../base/threads/built-worker.ts'
import { ownBytes } from '../base/threads/packed.ts'
import { yieldToEventLoop } from '../base/yield.ts'
import { toHex } from '../tlb/bytes.ts'
import { packMethod, unpackResult } from './get-method-wire.ts'
import { createInline } from './inline.ts'
import { createPool } from './pool.ts'
import type { BatchRequest, Job } from './protocol.ts'
import type { MakeMessage } from './threads.ts'
import type { GetMethodRequest, GetMethodResult, Tvm, TvmConfig } from './tvm.ts'
import { TvmError } from './tvm.ts'

/* The implementation of the port in tvm.ts. */

export interface TvmOptions {
  /** Largest number of worker threads; 2 by default. Each starts when it is needed. */
  readonly workers?: number
  /** Wall-clock limit of a get-method or of one transaction of a batch, ms. Default 5,000, several times what 4,000,000 gas takes. */
  readonly deadlineMs?: number
  /** Largest number of waiting requests; further ones are refused with `overloaded`. Default 500. */
  readonly maxQueue?: number
  /** Whether get-methods are tried in the calling thread first; true by default. */
  readonly inline?: boolean
  /** The built worker; by default it is found near the program. */
  readonly workerUrl?: URL
}

/** Largest number of configurations that a worker keeps. The embedded chain uses one, a get-method at an old block another. */
const CONFIGS_PER_WORKER = 8

/** Bytes of a result whose cells take milliseconds to be read. Several can arrive in one turn. */
const LARGE_RESULT = 64 << 10

const checkCommon = (request: { readonly now: number; readonly randomSeed: Uint8Array }): void => {
  if (!(request.now > 0)) throw new TvmError('rejected', 'now must be a positive unix time')
  if (request.randomSeed.length !== 32) throw new TvmError('rejected', 'randomSeed must be 32 bytes')
}

const ownMembers = <T extends object>(request: T): T =>
  Object.fromEntries(
    Object.entries(request).map(([name, value]) => [name, value instanceof Uint8Array ? ownBytes(value) : (value as unknown)]),
  ) as T

/** Implements `Tvm` with the machine in this thread and in worker threads. */
export const createTvm = (options: TvmOptions = {}): Tvm => {
  const pool = createPool({
    workers: options.workers ?? 2,
    maxQueue: options.maxQueue ?? 500,
    deadlineMs: options.deadlineMs ?? 5000,
    workerUrl: options.workerUrl ?? builtWorker('tvm'),
  })

  const inline = options.inline === false ? undefined : createInline()
  let closed = false

  // Ids of the configurations that each worker holds, least recently used first.
  const held = new WeakMap<object, Set<string>>()
  const makeMessage =
    (job: Job, configs: ReadonlyMap<string, TvmConfig>): MakeMessage =>
    (id, worker) => {
      const ids = held.get(worker) ?? new Set<string>()
      held.set(worker, ids)
      const missing = [...configs.values()].filter((config) => !ids.has(config.id))
      for (const key of configs.keys()) {
        ids.delete(key)
        ids.add(key)
      }
      const forget = [...ids].slice(0, Math.max(0, ids.size - Math.max(CONFIGS_PER_WORKER, configs.size)))
      for (const key of forget) ids.delete(key)
      return { id, job, configs: missing.map((config) => ({ id: config.id, bytes: ownBytes(config.boc()) })), forget }
    }

  const inPool = async (request: GetMethodRequest, signal: AbortSignal): Promise<GetMethodResult> => {
    const { config, address, client = '' } = request
    // Calls at the same time have waited for the same account and go on in the same turn. Its cells, up to 65,536, are written for each of them.
    await yieldToEventLoop()
    signal.throwIfAborted()
    const answer = await pool.run(
      makeMessage({ type: 'get-method', request: packMethod(request) }, new Map([[config.id, config]])),
      'normal',
      { client, contract: `${address.workchain}:${toHex(address.hash)}` },
      signal,
    )
    if (answer.type !== 'get-method') throw new TvmError('crashed', 'a worker sent an answer of another kind')
    if (answer.result.stack.length > LARGE_RESULT) await yieldToEventLoop()
    return unpackResult(answer.result)
  }

  const check = (request: GetMethodRequest, signal: AbortSignal): void => {
    if (closed) throw new TvmError('closed', 'the TVM is closed')
    signal.throwIfAborted()
    checkCommon(request)
    if (request.gasLimit <= 0n) throw new TvmError('rejected', 'gasLimit must be positive')
  }

  return {
    runHere: (request, signal) => {
      check(request, signal)
      return inline?.runHere(request)
    },
    runGetMethod: async (request: GetMethodRequest, signal) => {
      check(request, signal)
      return (await inline?.run(request, signal)) ?? (await inPool(request, signal))
    },
    runTransactions: async (requests: readonly BatchRequest[], signal, { urgent = false, client = '' } = {}) => {
      const configs = new Map<string, TvmConfig>()
      const own = requests.map(({ config, ...rest }) => {
        checkCommon(rest)
        configs.set(config.id, config)
        return { ...ownMembers(rest), configId: config.id }
      })
      const owner = { client, contract: requests[0]?.account ?? '' }
      const answer = await pool.run(
        makeMessage({ type: 'transactions', requests: own }, configs),
        urgent ? 'urgent' : 'normal',
        owner,
        signal,
      )
      if (answer.type !== 'transactions') throw new TvmError('crashed', 'a worker sent an answer of another kind')
      return [...answer.results]
    },
    ready: pool.ready,
    stats: () => ({ ...pool.stats(), inline: inline?.count() ?? 0 }),
    close: () => {
      closed = true
      return pool.close()
    },
  }
}
