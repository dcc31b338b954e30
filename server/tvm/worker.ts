import { parentPort, workerData } from 'node:worker_threads'
import { threadId } from '../base/threads/thread-time.ts'
import { parseBocRoot } from '../cell/boc.ts'
import { CellError } from '../cell/cell.ts'
import { makeTvmConfig } from './config.ts'
import { loadCurves } from './crypto/curves.ts'
import { runGetMethodRequest } from './get-method-request.ts'
import { packResult, unpackMethod } from './get-method-wire.ts'
import { VmInterrupted } from './machine/exceptions.ts'
import type { FromWorker, ToWorker, WorkerConfig, WorkerData, WorkerTransaction } from './protocol.ts'
import { type TransactionResult, type TvmConfig, TvmError } from './tvm.ts'
import { type AccountNow, createWorkerExecutor } from './worker-executor.ts'

/* Entry of a worker thread. It runs one job at a time, in order of arrival. */

const { progress } = workerData as WorkerData
const counter = new Int32Array(progress)

/** Configurations by id; bytes until their first use. */
const configs = new Map<string, TvmConfig | Uint8Array>()
const configOf = (id: string): TvmConfig => {
  const known = configs.get(id)
  if (known === undefined) throw new TvmError('rejected', `no configuration ${id}`)
  if (!(known instanceof Uint8Array)) return known
  try {
    const config = makeTvmConfig(parseBocRoot(known))
    configs.set(id, config)
    return config
  } catch (error) {
    throw new TvmError('rejected', 'the configuration is not a BoC', { cause: error })
  }
}
const engine = createWorkerExecutor(configOf)

const runBatch = (requests: readonly WorkerTransaction[]): TransactionResult[] => {
  const results: TransactionResult[] = []
  const accounts = new Map<string, AccountNow>()
  for (const request of requests) {
    const before = request.shardAccount === 'previous' ? accounts.get(request.account) : request.shardAccount
    if (!before) throw new TvmError('rejected', `no earlier request for account ${request.account}`)
    const { result, after } = engine.run(request, before)
    accounts.set(request.account, after)
    results.push(result)
    Atomics.add(counter, 0, 1)
  }
  return results
}

/** Throws VmInterrupted if the job needs curves that are not loaded. */
const run = ({ id, job }: ToWorker): FromWorker => {
  try {
    if (job.type === 'transactions') return { type: 'transactions', id, results: runBatch(job.requests) }
    const result = runGetMethodRequest(unpackMethod(job.request, configOf(job.request.configId)))
    return { type: 'get-method', id, result: packResult(result) }
  } catch (error) {
    if (error instanceof VmInterrupted) throw error
    if (error instanceof TvmError) return { type: 'failed', id, kind: error.kind, message: error.message }
    if (error instanceof CellError) return { type: 'failed', id, kind: 'rejected', message: error.message }
    return { type: 'failed', id, kind: 'crashed', message: `the TVM failed: ${String(error)}` }
  }
}

const buffers = (message: FromWorker): ArrayBuffer[] => {
  if (message.type === 'get-method') return [message.result.stack.buffer as ArrayBuffer]
  if (message.type !== 'transactions') return []
  return message.results.flatMap((result) =>
    result.ok
      ? [result.transaction, result.shardAccount, result.actions].flatMap((bytes) => (bytes ? [bytes.buffer as ArrayBuffer] : []))
      : [],
  )
}

const hold = (given: readonly WorkerConfig[], forget: readonly string[]): void => {
  for (const id of forget) configs.delete(id)
  for (const { id, bytes } of given) configs.set(id, bytes)
}

const port = parentPort
if (!port) throw new Error('this file must run in a worker thread')
const answer = (message: ToWorker): void => {
  const answered = run(message)
  port.postMessage(answered, buffers(answered))
}
port.on('message', (message: ToWorker) => {
  hold(message.configs, message.forget)
  try {
    answer(message)
  } catch (error) {
    if (!(error instanceof VmInterrupted)) throw error
    // The first job that needs curves is run again once they are there. No other job comes before it is answered. A failure ends the thread.
    void loadCurves().then(() => answer(message))
  }
})
port.postMessage({ type: 'ready', thread: threadId() } satisfies FromWorker)
