import { type TransactionResult, type Tvm, TvmError } from '../../../../tvm/tvm.ts'

type Requests = Parameters<Tvm['runTransactions']>[0]

/** Whether the emulator fell over something in a batch, as opposed to being busy, closed or told to stop. */
const fellOver = (error: unknown): error is TvmError => error instanceof TvmError && (error.kind === 'timeout' || error.kind === 'crashed')

/**
 * Runs a batch; where the emulator falls over it, one transaction after another, so that only those it falls over fail (without an exit code) and nobody
 * can stop the chain with a message that the emulator does not survive.
 */
export const runIsolated = async (tvm: Tvm, requests: Requests, signal: AbortSignal): Promise<TransactionResult[]> => {
  try {
    return await tvm.runTransactions(requests, signal)
  } catch (error) {
    if (!fellOver(error)) throw error
  }
  const states = new Map<string, Uint8Array>()
  const results: TransactionResult[] = []
  for (const request of requests) {
    const shardAccount = request.shardAccount === 'previous' ? states.get(request.account)! : request.shardAccount
    states.set(request.account, shardAccount)
    try {
      const [result] = await tvm.runTransactions([{ ...request, shardAccount }], signal)
      if (result!.ok) states.set(request.account, result!.shardAccount)
      results.push(result!)
    } catch (error) {
      if (!fellOver(error)) throw error
      results.push({ ok: false, error: `the emulator failed: ${error.message}` })
    }
  }
  return results
}
