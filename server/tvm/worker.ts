import { parentPort, workerData } from 'node:worker_threads'
import { sameResult } from './compare.ts'
import { runGetMethod } from './get-method.ts'
import { createHandles } from './handles.ts'
import { type AccountNow, createOwnEngine } from './own-engine.ts'
import type { FromWorker, ToWorker, WorkerData, WorkerTransaction } from './protocol.ts'
import { runTransaction } from './transaction.ts'
import { type TransactionResult, TvmError } from './tvm.ts'

/* Entry of a worker thread: one emulator, one job at a time, in the order of arrival. */

const { module, progress, transactions: engine } = workerData as WorkerData
const counter = new Int32Array(progress)
const handles = createHandles(module)
const own = createOwnEngine()

/** Results that the two engines of `compared` mode did not agree on. */
let differences = 0

/** One transaction on the engine that was asked for. Comparing, the emulator's result counts. */
const runOne = async (request: WorkerTransaction, before: AccountNow): Promise<{ result: TransactionResult; after: AccountNow }> => {
  if (engine === 'own') return own.run(request, before)
  const bytes = before as Uint8Array
  const result = await runTransaction(handles, request, bytes)
  handles.tidy()
  if (engine === 'compared' && !sameResult(result, own.run(request, bytes).result)) differences++
  return { result, after: result.ok ? result.shardAccount : bytes }
}

const runBatch = async (requests: readonly WorkerTransaction[]): Promise<TransactionResult[]> => {
  const results: TransactionResult[] = []
  const accounts = new Map<string, AccountNow>()
  for (const request of requests) {
    const before = request.shardAccount === 'previous' ? accounts.get(request.account) : request.shardAccount
    if (!before) throw new TvmError('rejected', `no earlier request for account ${request.account}`)
    const { result, after } = await runOne(request, before)
    accounts.set(request.account, after)
    results.push(result)
    Atomics.add(counter, 0, 1)
  }
  return results
}

const run = async ({ id, job }: ToWorker): Promise<FromWorker> => {
  try {
    if (job.type === 'transactions') {
      const results = await runBatch(job.requests)
      const found = differences
      differences = 0
      return { type: 'transactions', id, results, differences: found }
    }
    const result = await runGetMethod(handles, job.request)
    handles.tidy()
    return { type: 'get-method', id, result }
  } catch (error) {
    if (error instanceof TvmError) return { type: 'failed', id, kind: error.kind, message: error.message }
    handles.reset()
    return { type: 'failed', id, kind: 'crashed', message: `the emulator failed: ${String(error)}` }
  }
}

const buffers = (message: FromWorker): ArrayBuffer[] => {
  if (message.type !== 'transactions') return []
  return message.results.flatMap((result) =>
    result.ok
      ? [result.transaction, result.shardAccount, result.actions].flatMap((bytes) => (bytes ? [bytes.buffer as ArrayBuffer] : []))
      : [],
  )
}

const port = parentPort
if (!port) throw new Error('the TVM worker runs in a worker thread')
let last: Promise<void> = handles.emulator().then(() => port.postMessage({ type: 'ready' } satisfies FromWorker))
port.on('message', (message: ToWorker) => {
  last = last.then(async () => {
    for (const id of message.forget) {
      handles.forget(id)
      own.forget(id)
    }
    for (const config of message.configs) {
      handles.add(config)
      own.add(config)
    }
    const answer = await run(message)
    port.postMessage(answer, buffers(answer))
  })
})
