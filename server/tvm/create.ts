import { builtWorker } from '../base/threads/built-worker.ts'
import { isTracing } from '../base/tracing/tracer.ts'
import { yieldToEventLoop } from '../base/yield.ts'
import type { Cell } from '../cell/cell.ts'
import { toHex } from '../tlb/bytes.ts'
import type { AccountId } from '../tlb/ids.ts'
import type { TransactionRequest } from './executor/execute.ts'
import { createInline } from './inline.ts'
import { makeBriefTransaction, type TransactionOutcome } from './make-transaction.ts'
import { createPool } from './pool.ts'
import type { Job } from './protocol.ts'
import type { Answer, MakeMessage } from './threads.ts'
import { tracedTvm } from './traced.ts'
import type { GetMethodRequest, GetMethodResult, TransactionOptions, Tvm } from './tvm.ts'
import { TvmError } from './tvm.ts'
import {
  bocsIn,
  configBoc,
  type PackedOutcome,
  type PackedResult,
  packMethod,
  packTransaction,
  unpackOutcome,
  unpackResult,
} from './wire.ts'

/* The implementation of the port in tvm.ts. */

export interface TvmOptions {
  /** Largest number of worker threads; 2 by default. Each starts when it is needed. */
  readonly workers?: number
  /** Time limit of a job of the pool, ms. Default 5,000, several times what 4,000,000 gas takes. */
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

const check = (now: number, seed: Uint8Array): void => {
  if (!(now > 0)) throw new TvmError('rejected', 'now must be a positive unix time')
  if (seed.length !== 32) throw new TvmError('rejected', 'the random seed must be 32 bytes')
}

/** Whether the transaction itself timed out or crashed in the pool. The pool may also be busy, closed or aborted. */
const fellOver = (error: unknown): error is TvmError => error instanceof TvmError && (error.kind === 'timeout' || error.kind === 'crashed')

/** A job of the pool for one account. */
interface PoolJob<R> {
  readonly config: Cell
  readonly contract: AccountId
  readonly pack: () => Job
  readonly unpack: (result: Answer['result']) => R
}
const methodJob = (request: GetMethodRequest): PoolJob<GetMethodResult> => ({
  config: request.config,
  contract: request.address,
  pack: () => ({ type: 'get-method', request: packMethod(request) }),
  unpack: (result) => unpackResult(result as PackedResult),
})
const transactionJob = (request: TransactionRequest): PoolJob<TransactionOutcome> => ({
  config: request.config,
  contract: request.account,
  pack: () => ({ type: 'transaction', request: packTransaction(request) }),
  unpack: (result) => unpackOutcome(result as PackedOutcome),
})

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
  /** Transactions that were made in this thread. */
  let madeHere = 0

  // Ids of the configurations that each worker holds, least recently used first.
  const idsInWorker = new WeakMap<object, Set<string>>()
  const makeMessage =
    (job: Job, root: Cell): MakeMessage =>
    (id, worker) => {
      const ids = idsInWorker.get(worker) ?? new Set<string>()
      idsInWorker.set(worker, ids)
      const configId = root.hashHex()
      const isNew = !ids.delete(configId)
      ids.add(configId)
      const [forget] = ids.size > CONFIGS_PER_WORKER ? ids : []
      if (forget !== undefined) ids.delete(forget)
      return { id, job, configId, configBoc: isNew ? configBoc(root) : undefined, forget }
    }

  /** Runs a job in the pool and gives what `unpack` makes of the answer. */
  const inPool = async <R>(
    { config, contract, pack, unpack }: PoolJob<R>,
    { urgent = false, client = '' }: TransactionOptions,
    signal: AbortSignal,
  ): Promise<R> => {
    // Calls at the same time have waited for the same account and continue in the same turn. Its cells, up to 65,536, are written for each of them.
    if (!urgent) await yieldToEventLoop()
    signal.throwIfAborted()
    const owner = { client, contract: `${contract.workchain}:${toHex(contract.hash)}` }
    const { result } = await pool.run(makeMessage(pack(), config), urgent ? 'urgent' : 'normal', owner, signal)
    if (!urgent && bocsIn(result).some(({ length }) => length > LARGE_RESULT)) await yieldToEventLoop()
    return unpack(result)
  }

  const checkMethod = (request: GetMethodRequest, signal: AbortSignal): void => {
    if (closed) throw new TvmError('closed', 'the TVM is closed')
    signal.throwIfAborted()
    check(request.now, request.randomSeed)
    if (request.gasLimit <= 0n) throw new TvmError('rejected', 'gasLimit must be positive')
  }

  const tvm: Required<Tvm> = {
    runHere: (request, signal) => {
      checkMethod(request, signal)
      return inline?.runHere(request)
    },
    runGetMethod: async (request, signal) => {
      checkMethod(request, signal)
      return (await inline?.run(request, signal)) ?? (await inPool(methodJob(request), request, signal))
    },
    runTransaction: async (request, signal, options = {}) => {
      check(request.now, request.blockSeed)
      if (options.inPool === true) return await inPool(transactionJob(request), options, signal)
      const here = makeBriefTransaction(request)
      if (here !== undefined) {
        madeHere++
        return here
      }
      try {
        return await inPool(transactionJob(request), options, signal)
      } catch (error) {
        if (!fellOver(error)) throw error
        return { ok: false, error: `the TVM failed: ${error.message}` }
      }
    },
    ready: pool.ready,
    stats: () => ({ ...pool.stats(), inline: (inline?.count() ?? 0) + madeHere }),
    close: () => {
      closed = true
      return pool.close()
    },
  }
  return isTracing() ? tracedTvm(tvm) : tvm
}
