import type { Pending } from './calls.ts'
import type { Failure } from './errors.ts'
import { broken } from './reply.ts'
import type { Deliver, Transport } from './transport/transport.ts'

/** Retries of reads after network errors and the statuses 408, 429 and 5xx. Writes are never retried. */
export interface RetryOptions {
  /** Number of retries; default 3. An attempt does not count if some calls of the group were answered and only a rate limit stopped the rest. */
  readonly times?: number | undefined
  /** Each pause is random between 0 and `base * 2^n` milliseconds (full jitter), at most `cap`. Defaults: 200 and 10,000. */
  readonly base?: number | undefined
  /** Maximum pause in milliseconds. If the server asks for a longer pause, the call fails immediately. */
  readonly cap?: number | undefined
}

/** True if the message may be too large because it contains several calls. Each read is then sent again alone. */
const isCrowded = ({ kind }: Failure): boolean => kind === 'ANSWER_TOO_LARGE' || kind === 'TOO_LARGE'

const whenGone = (calls: readonly Pending[], gone: () => void): void => {
  for (const call of calls)
    call.onGone = () => {
      if (calls.every((other) => other.done)) gone()
    }
}

/** Sends a group of calls until each call is settled. Calls that need a retry are sent again as one group. */
export type SendGroup = (calls: readonly Pending[]) => Promise<void>

export const createSendGroup = (transport: Transport, { times = 3, base = 200, cap = 10_000 }: RetryOptions): SendGroup => {
  const pause = (call: Pending, attempt: number, { retry, retryAfterMs = 0 }: Failure): number | undefined =>
    retry && !call.write && attempt < times && retryAfterMs <= cap
      ? retryAfterMs + Math.random() * Math.min(cap, base * 2 ** attempt)
      : undefined

  const run = async (calls: readonly Pending[], attempt: number): Promise<void> => {
    const controller = new AbortController()
    whenGone(calls, () => controller.abort())
    const settled = new Set<Pending>()
    const again: Pending[] = []
    let wait = 0
    /** The attempt does not count if some calls were answered and only a rate limit stopped the rest. */
    let answered = false
    let limited = true
    const leftOut = (call: Pending, cause?: unknown): void =>
      call.settle(broken(transport.endpoint, 'the transport left this call out', cause))
    const deliver: Deliver<Pending> = (call, outcome) => {
      if (settled.has(call) || call.done) return
      settled.add(call)
      answered ||= 'result' in outcome
      const after = outcome.failure && pause(call, attempt, outcome.failure)
      if (after !== undefined) {
        again.push(call)
        wait = Math.max(wait, after)
        limited &&= outcome.failure?.kind === 'RATE_LIMITED'
      } else if (calls.length > 1 && (outcome.split || (outcome.failure && !call.write && isCrowded(outcome.failure)))) run([call], attempt)
      else if (outcome.split) leftOut(call)
      else call.settle(outcome)
    }
    let cause: unknown
    try {
      await transport.send(calls, controller.signal, deliver)
    } catch (thrown) {
      cause = thrown
    }
    for (const call of calls) if (!settled.has(call)) leftOut(call, cause)
    const open = () => again.filter((call) => !call.done)
    if (open().length === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, wait)
      whenGone(again, () => {
        clearTimeout(timer)
        resolve()
      })
    })
    if (open().length > 0) await run(open(), answered && limited ? attempt : attempt + 1)
  }
  return (calls) => run(calls, 0)
}
