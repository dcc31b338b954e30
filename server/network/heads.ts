import type { Log } from '../base/log.ts'
import type { Chain } from '../chain/chain-port.ts'
import type { HeadTimes } from '../metrics/head-times.ts'

/** Follows the heads until the signal is aborted. If they end before, resolves with the reason. */
export const followHeads = async (chain: Chain, times: HeadTimes, log: Log, signal: AbortSignal): Promise<string> => {
  let reason = 'the chain has ended'
  try {
    for await (const { id } of chain.heads(signal)) times.seen(id.seqno)
  } catch (err) {
    if (!signal.aborted) log.error('heads.lost', { err })
    reason = (err as Error).message
  }
  return signal.aborted ? new Promise<never>(() => {}) : reason
}
