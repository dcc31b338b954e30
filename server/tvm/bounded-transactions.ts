import { type MakeTransaction, makeTransaction, type TransactionOutcome } from './make-transaction.ts'
import { packTransaction, unpackTransaction } from './transaction-wire.ts'
import { type Tvm, TvmError } from './tvm.ts'

/*
 * Most transactions take a fraction of a millisecond, so they are made where they are asked for, of cells. One that takes longer than a few
 * milliseconds, or needs an operation that alone does (BLS, say), is dropped and made in a thread of the pool: a block in the making never holds up
 * the event loop, and a run without end is ended by the pool's deadline.
 */

/** Milliseconds of one transaction in the calling thread. */
const HERE_MS = 5

/** Ends a run in the calling thread: at its time, or before an operation that takes milliseconds by itself. */
const patience = (): ((slow: boolean, long?: boolean) => boolean) => {
  const end = performance.now() + HERE_MS
  return (_slow, long = false) => long || performance.now() > end
}

/** Whether the pool fell over the transaction, as opposed to being busy, closed or told to stop. */
const fellOver = (error: unknown): error is TvmError => error instanceof TvmError && (error.kind === 'timeout' || error.kind === 'crashed')

/** Makes transactions in the calling thread, and those that take long in the pool of `tvm`, before its other work. */
export const boundedTransactions =
  (tvm: Tvm): MakeTransaction =>
  async (request, signal): Promise<TransactionOutcome> => {
    const here = makeTransaction({ ...request, interrupt: patience() })
    if (here.ok || here.interrupted !== true) return here
    try {
      const [result] = await tvm.runTransactions([packTransaction(request)], signal, { urgent: true })
      return unpackTransaction(result!)
    } catch (error) {
      if (!fellOver(error)) throw error
      return { ok: false, error: `the TVM failed: ${error.message}` }
    }
  }
