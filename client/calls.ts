import type { OnAbort } from './abort.ts'
import { abortedBy, type Failure } from './errors.ts'
import type { Answered, Call } from './transport/transport.ts'

/** A call and its waiters. */
export interface Pending extends Call {
  done: boolean
  /** Called once, when the last waiter has given up. */
  onGone: () => void
  /** Adds a waiter; rejects with a Failure. The signal ends only this waiter. When no waiter is left, the call is given up. */
  join(signal?: AbortSignal): Promise<unknown>
  /** Ends the call. A second outcome is ignored. */
  settle(outcome: Answered): void
}

const encoder = new TextEncoder()

/** JSON text of params. A bigint becomes a decimal string, as on the wire. */
export const textOf = (params: unknown): string =>
  JSON.stringify(params ?? {}, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

/** `params` is JSON text. `onEnd` is called when the call is settled or given up. */
export const createCall = (
  { id, method, write, params }: { id: number; method: string; write: boolean; params: string },
  { endpoint, onAbort }: { endpoint: string; onAbort: OnAbort },
  onEnd: () => void,
): Pending => {
  let resolve: (value: unknown) => void
  let reject: (failure: Failure) => void
  const answer = new Promise<unknown>((yes, no) => {
    resolve = yes
    reject = no
  })
  const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`
  let waiting = 0
  const end = (): boolean => {
    if (call.done) return false
    call.done = true
    onEnd()
    return true
  }
  const call: Pending = {
    id,
    method,
    write,
    text,
    bytes: encoder.encode(text).length,
    done: false,
    onGone: () => {},
    join(signal) {
      waiting++
      if (!signal) return answer
      return new Promise((yes, no) => {
        const leave = (): void => {
          no(abortedBy(signal, endpoint))
          if (--waiting === 0 && end()) call.onGone()
        }
        answer.then(yes, no).finally(onAbort(signal, leave))
      })
    },
    settle(outcome) {
      if (!end()) return
      if (outcome.failure) reject(outcome.failure)
      else resolve(outcome.result)
    },
  }
  return call
}
