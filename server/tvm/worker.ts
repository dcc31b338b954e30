import { parentPort, workerData } from 'node:worker_threads'
import { runGetMethod } from './get-method.ts'
import { createHandles } from './handles.ts'
import type { FromWorker, ToWorker, WorkerData, WorkerTransaction } from './protocol.ts'
import { runTransaction } from './transaction.ts'
import { type TransactionResult, TvmError } from './tvm.ts'

/* Entry of a worker thread: one emulator, one job at a time, in the order of arrival. */

const { module, progress } = workerData as WorkerData
const counter = new Int32Array(progress)
const handles = createHandles(module)

const runBatch = async (requests: readonly WorkerTransaction[]): Promise<TransactionResult[]> => {
  const results: TransactionResult[] = []
  const accounts = new Map<string, Uint8Array>()
  for (const request of requests) {
    const before = request.shardAccount === 'previous' ? accounts.get(request.account) : request.shardAccount
    if (!before) throw new TvmError('rejected', `no earlier request for account ${request.account}`)
    const result = await runTransaction(handles, request, before)
    accounts.set(request.account, result.ok ? result.shardAccount : before)
    results.push(result)
    Atomics.add(counter, 0, 1)
    handles.tidy()
  }
  return results
}

const run = async ({ id, job }: ToWorker): Promise<FromWorker> => {
  try {
    if (job.type === 'transactions') return { type: 'transactions', id, results: await runBatch(job.requests) }
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
    for (const id of message.forget) handles.forget(id)
    for (const config of message.configs) handles.add(config)
    const answer = await run(message)
    port.postMessage(answer, buffers(answer))
  })
})
