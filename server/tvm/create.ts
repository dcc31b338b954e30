import { builtWorker } from '../base/threads/built-worker.ts'
import type { Span } from '../base/tracing/span.ts'
import { isTracing, traced } from '../base/tracing/tracer.ts'
import { runSteps } from '../base/yield.ts'
import type { Cell } from '../cell/cell.ts'
import { toHex } from '../tlb/bytes.ts'
import type { AccountId } from '../tlb/ids.ts'
import type { TransactionRequest } from './executor/execute.ts'
import { createInline } from './inline.ts'
import { makeBriefTransaction, type TransactionOutcome } from './make-transaction.ts'
import {
  configBoc,
  type PackedOutcome,
  type PackedResult,
  packMethod,
  packTransaction,
  unpackOutcome,
  unpackResult,
} from './pack-requests.ts'
import { createPool } from './pool.ts'
import type { Job } from './protocol.ts'
import type { Answer, MakeMessage } from './threads.ts'
import type { GetMethodRequest, GetMethodResult, TransactionOptions, Tvm } from './tvm.ts'
import { TvmError } from './tvm.ts'

export interface TvmOptions {
  /** Maximum number of worker threads; 2 by default. A thread starts when it is needed. */
  readonly workers?: number
  /** Time limit of a job of the pool, ms. The default of 5,000 is several times the time that 4,000,000 gas takes. */
  readonly deadlineMs?: number
  /** Maximum number of waiting requests; a further request is refused with `overloaded`. Default 500. */
  readonly maxQueue?: number
  /** True to try get-methods in the calling thread first; true by default. */
  readonly inline?: boolean
  /** URL of the built worker. Default: the worker in the build of this program. */
  readonly workerUrl?: URL
}

/** Maximum number of configurations that a worker caches. The embedded chain uses one configuration, a get-method at an old block another. */
const CONFIGS_PER_WORKER = 8

const check = (now: number, seed: Uint8Array): void => {
  if (!(now > 0)) throw new TvmError('rejected', 'now must be a positive unix time')
  if (seed.length !== 32) throw new TvmError('rejected', 'the random seed must be 32 bytes')
}

/** Returns whether the transaction itself timed out or crashed in the pool. Returns false if the pool was busy or closed, or the call was aborted. */
const fellOver = (error: unknown): error is TvmError => error instanceof TvmError && (error.kind === 'timeout' || error.kind === 'crashed')

interface PoolJob<R> {
  readonly config: Cell
  readonly contract: AccountId
  readonly type: Job['type']
  readonly pack: () => Generator<void, Job['request']>
  readonly unpack: (result: Answer['result']) => Generator<void, R>
}
const methodJob = (request: GetMethodRequest): PoolJob<GetMethodResult> => ({
  config: request.config,
  contract: request.address,
  type: 'get-method',
  pack: () => packMethod(request),
  unpack: (result) => unpackResult(result as PackedResult),
})
const transactionJob = (request: TransactionRequest): PoolJob<TransactionOutcome> => ({
  config: request.config,
  contract: request.account,
  type: 'transaction',
  pack: () => packTransaction(request),
  unpack: (result) => unpackOutcome(result as PackedOutcome),
})

export const createTvm = (options: TvmOptions = {}): Tvm => {
  const pool = createPool({
    workers: options.workers ?? 2,
    maxQueue: options.maxQueue ?? 500,
    deadlineMs: options.deadlineMs ?? 5000,
    workerUrl: options.workerUrl ?? builtWorker('tvm'),
  })

  const inline = options.inline === false ? undefined : createInline()
  let closed = false
  let madeHere = 0

  // Ids of the configurations that each worker has cached, least recently used first.
  const idsInWorker = new WeakMap<object, Set<string>>()
  const makeMessage =
    (pack: () => Promise<Job>, root: Cell): MakeMessage =>
    async (id, worker) => {
      const job = await pack()
      const ids = idsInWorker.get(worker) ?? new Set<string>()
      idsInWorker.set(worker, ids)
      const configId = root.hashHex()
      const isNew = !ids.delete(configId)
      ids.add(configId)
      const [forget] = ids.size > CONFIGS_PER_WORKER ? ids : []
      if (forget !== undefined) ids.delete(forget)
      return { id, job, configId, configBoc: isNew ? configBoc(root) : undefined, forget }
    }

  const inPool = async <R>(
    { config, contract, type, pack, unpack }: PoolJob<R>,
    { urgent = false, client = '' }: TransactionOptions,
    signal: AbortSignal,
  ): Promise<R> => {
    const owner = { client, contract: `${contract.workchain}:${toHex(contract.hash)}` }
    const packJob = async (): Promise<Job> => ({ type, request: await runSteps(pack(), signal) }) as Job
    const { result } = await pool.run(makeMessage(packJob, config), urgent ? 'urgent' : 'normal', owner, signal)
    return await runSteps(unpack(result), signal)
  }

  const tvm: Tvm = {
    runGetMethod: async (request, signal) => {
      if (closed) throw new TvmError('closed', 'the TVM is closed')
      signal.throwIfAborted()
      check(request.now, request.randomSeed)
      if (request.gasLimit <= 0n) throw new TvmError('rejected', 'gasLimit must be positive')
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
    stats: () => ({ ...pool.stats(), inline: (inline?.count() ?? 0) + madeHere }),
    close: () => {
      closed = true
      return pool.close()
    },
  }
  return isTracing() ? tracedTvm(tvm) : tvm
}

const traceRun = <T>(name: string, { workchain, hash }: AccountId, run: (span: Span) => T): T =>
  traced({ name, kind: 'step', attributes: { 'tonway.account': `${workchain}:${toHex(hash)}` } }, run)

const tracedTvm = (tvm: Tvm): Tvm => ({
  ...tvm,
  runGetMethod: (request, signal) =>
    traceRun('tvm.get_method', request.address, async (span) => {
      const result = await tvm.runGetMethod(request, signal)
      const { exitCode, gasUsed } = result
      span.set({ 'tonway.tvm.method_id': request.methodId, 'tonway.tvm.exit_code': exitCode, 'tonway.tvm.gas': Number(gasUsed) })
      return result
    }),
  runTransaction: (request, signal, options) =>
    traceRun('tvm.transaction', request.account, () => tvm.runTransaction(request, signal, options)),
})
