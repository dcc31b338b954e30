import { type MakeTransaction, makeTransaction, type TransactionOutcome } from './make-transaction.ts'
import { packTransaction, unpackTransaction } from './transaction-wire.ts'
import { type Tvm, TvmError } from './tvm.ts'

/*
 * Most transactions take a fraction of a millisecond, so they run in the calling thread, directly on cells. One that takes longer than a few
 * milliseconds, or needs an operation that alone takes so long (such as BLS), is dropped and repeated in a thread of the pool. So making a block
 * never blocks the event loop, and the pool's deadline ends endless runs.
 */

/** Largest number of milliseconds of one transaction in the calling thread. */
const HERE_MS = 5

/** Interrupts a run in the calling thread after HERE_MS, or before an operation that takes milliseconds by itself. */
const patience = (): ((slow: boolean, long?: boolean) => boolean) => {
  const end = performance.now() + HERE_MS
  return (_slow, long = false) => long || performance.now() > end
}

/** Whether the transaction itself timed out or crashed in the pool. The pool may also be busy, closed or aborted. */
const fellOver = (error: unknown): error is TvmError => error instanceof TvmError && (error.kind === 'timeout' || error.kind === 'crashed')

/** Makes transactions in the calling thread, and long ones in the pool of `tvm`. `urgent`: they go before reads, as the making of blocks does. `client`: who waits. */
export const boundedTransactions =
  (
    tvm: Pick<Tvm, 'runTransactions'>,
    { urgent = true, client }: { readonly urgent?: boolean; readonly client?: string | undefined } = {},
  ): MakeTransaction =>
  async (request, signal): Promise<TransactionOutcome> => {
    const here = makeTransaction({ ...request, interrupt: patience() })
    if (here.ok || here.interrupted !== true) return here
    try {
      const [result] = await tvm.runTransactions([packTransaction(request)], signal, { urgent, client })
      return unpackTransaction(result!)
    } catch (error) {
      if (!fellOver(error)) throw error
      return { ok: false, error: `the TVM failed: ${error.message}` }
    }
  }
