import { clientOf } from '../base/client.ts'
import { fromBase64, ownBytes, toBase64 } from './bytes.ts'
import { paramsText } from './get-method.ts'
import { createPool, type MakeMessage } from './pool.ts'
import type { BatchRequest, Job, TransactionEngine } from './protocol.ts'
import type { GetMethodRequest, Tvm, TvmConfig } from './tvm.ts'
import { TvmError } from './tvm.ts'
import { compileEmulator } from './wasm.ts'
import { workerUrl } from './worker-url.ts'

export interface TvmOptions {
  /** Worker threads; each costs about 30 MB. */
  readonly workers?: number
  /** Wall-clock milliseconds for a get-method or for one transaction of a batch; 5,000 unless told, several times what 4,000,000 gas takes. */
  readonly deadlineMs?: number
  /** Waiting requests beyond which a new one is refused (`overloaded`), 1,000 unless told. */
  readonly maxQueue?: number
  /** What makes transactions; `own` unless told. */
  readonly transactions?: TransactionEngine
  /** The built worker, where it does not stand beside the program. */
  readonly workerUrl?: URL
}

/** Configurations a worker keeps; the embedded chain uses one, a get-method at an old block another. */
const CONFIGS_PER_WORKER = 8

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)
const checkCommon = (request: { readonly now: number; readonly randomSeed: Uint8Array }): void => {
  // The emulator would take its own clock and its own random numbers, without a word.
  if (!(request.now > 0)) throw new TvmError('rejected', 'now must be a positive unix time')
  if (request.randomSeed.length !== 32 || isZero(request.randomSeed))
    throw new TvmError('rejected', 'randomSeed must be 32 bytes, not all zero')
}

const ownMembers = <T extends object>(request: T): T =>
  Object.fromEntries(
    Object.entries(request).map(([name, value]) => [name, value instanceof Uint8Array ? ownBytes(value) : (value as unknown)]),
  ) as T

/** The emulator in worker threads, behind the port `Tvm`. */
export const createTvm = (options: TvmOptions = {}): Tvm => {
  const pool = createPool({
    workers: options.workers ?? 2,
    maxQueue: options.maxQueue ?? 1000,
    deadlineMs: options.deadlineMs ?? 5000,
    module: compileEmulator(),
    transactions: options.transactions ?? 'own',
    workerUrl: options.workerUrl ?? workerUrl(),
  })

  let differences = 0

  // Which configurations each worker holds, oldest first.
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
      return { id, job, configs: missing.map(ownMembers), forget }
    }

  return {
    runGetMethod: async (request: GetMethodRequest, signal) => {
      checkCommon(request)
      if (request.gasLimit <= 0n) throw new TvmError('rejected', 'gasLimit must be positive')
      const { config, configForm = 'slim' } = request
      const params = paramsText(request)
      const job: Job = { type: 'get-method', request: { configId: config.id, configForm, params, stack: toBase64(request.stack) } }
      const answer = await pool.run(
        makeMessage(job, new Map([[config.id, config]])),
        'normal',
        { client: clientOf(signal) ?? '', contract: request.address },
        signal,
      )
      if (answer.type !== 'get-method') throw new TvmError('crashed', 'a worker answered something else')
      const { exitCode, gasUsed, stack, missingLibrary } = answer.result
      const result = { exitCode, gasUsed: BigInt(gasUsed), stack: fromBase64(stack) }
      return missingLibrary === undefined ? result : { ...result, missingLibrary }
    },
    runTransactions: async (requests: readonly BatchRequest[], signal, { urgent = false } = {}) => {
      const configs = new Map<string, TvmConfig>()
      const own = requests.map(({ config, ...rest }) => {
        checkCommon(rest)
        configs.set(config.id, config)
        return { ...ownMembers(rest), configId: config.id }
      })
      const owner = { client: clientOf(signal) ?? '', contract: requests[0]?.account ?? '' }
      const answer = await pool.run(
        makeMessage({ type: 'transactions', requests: own }, configs),
        urgent ? 'urgent' : 'normal',
        owner,
        signal,
      )
      if (answer.type !== 'transactions') throw new TvmError('crashed', 'a worker answered something else')
      differences += answer.differences
      return [...answer.results]
    },
    ready: pool.ready,
    stats: () => (options.transactions === 'compared' ? { ...pool.stats(), differences } : pool.stats()),
    close: pool.close,
  }
}
