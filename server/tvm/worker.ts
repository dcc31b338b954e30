import { parentPort } from 'node:worker_threads'
import { threadId } from '../base/threads/thread-time.ts'
import { endSteps } from '../base/yield.ts'
import { parseBocRoot } from '../cell/boc.ts'
import { type Cell, CellError } from '../cell/cell.ts'
import { loadCurves } from './crypto/load-curves.ts'
import { runGetMethodRequest } from './get-method-request.ts'
import { VmInterrupted } from './machine/exceptions.ts'
import { makeTransaction } from './make-transaction.ts'
import { bocsIn, packOutcome, packResult, unpackMethod, unpackTransaction } from './pack-requests.ts'
import type { FromWorker, ToWorker } from './protocol.ts'
import { TvmError } from './tvm.ts'

/* Entry of a worker thread. It runs one job at a time, in order of arrival. */

/** Configurations by id. A configuration is parsed at its first use. */
const configs = new Map<string, Cell | Uint8Array>()
const configOf = (id: string): Cell => {
  const entry = configs.get(id)
  if (entry === undefined) throw new TvmError('rejected', `no configuration ${id}`)
  if (!(entry instanceof Uint8Array)) return entry
  const config = parseBocRoot(entry)
  configs.set(id, config)
  return config
}

/** Throws VmInterrupted if the job needs curves that are not loaded. */
const run = ({ id, job, configId }: ToWorker): FromWorker => {
  try {
    const config = configOf(configId)
    if (job.type === 'get-method')
      return { type: 'get-method', id, result: endSteps(packResult(runGetMethodRequest(endSteps(unpackMethod(job.request, config))))) }
    const outcome = makeTransaction(endSteps(unpackTransaction(job.request, config)))
    // Only missing curves can interrupt a run here, because the request has no `interrupt`.
    if (!outcome.ok && outcome.interrupted === true) throw new VmInterrupted('the transaction needs curves')
    return { type: 'transaction', id, result: endSteps(packOutcome(outcome)) }
  } catch (error) {
    if (error instanceof VmInterrupted) throw error
    if (error instanceof TvmError) return { type: 'failed', id, kind: error.kind, message: error.message }
    if (error instanceof CellError) return { type: 'failed', id, kind: 'rejected', message: error.message }
    return { type: 'failed', id, kind: 'crashed', message: `the TVM failed: ${String(error)}` }
  }
}

const port = parentPort
if (!port) throw new Error('this file must run in a worker thread')
const answer = (message: ToWorker): void => {
  const answered = run(message)
  port.postMessage(answered, 'result' in answered ? bocsIn(answered.result).map(({ buffer }) => buffer as ArrayBuffer) : [])
}
port.on('message', (message: ToWorker) => {
  const { configId, configBoc, forget } = message
  if (configBoc !== undefined) configs.set(configId, configBoc)
  if (forget !== undefined) configs.delete(forget)
  try {
    answer(message)
  } catch (error) {
    if (!(error instanceof VmInterrupted)) throw error
    // The first job that needs curves is run again after they are loaded. The pool sends no other job before it has the answer. If loading fails, the thread
    // ends.
    void loadCurves().then(() => answer(message))
  }
})
port.postMessage({ type: 'ready', thread: threadId() } satisfies FromWorker)
