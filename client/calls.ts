import { JSONRPCClient } from 'json-rpc-2.0/dist/client.js'
import type { OnAbort } from './abort.ts'
import { abortedBy } from './errors.ts'
import type { Answered, Call } from './transport/transport.ts'

export interface Pending extends Call {
  done: boolean
  /** Called once, when the last caller has stopped waiting. */
  onGone: () => void
  /** Adds a caller; rejects with a Failure. The signal ends only this caller's wait. The call is abandoned when no caller is left. */
  join(signal?: AbortSignal): Promise<unknown>
  settle(outcome: Answered): void
}

const encoder = new TextEncoder()

/** JSON text of params. A bigint becomes a decimal string, as on the wire. */
export const textOf = (params: unknown): string =>
  JSON.stringify(params ?? {}, (_, value) => (typeof value === 'bigint' ? `${value}` : value))

interface NewCall {
  readonly method: string
  readonly write: boolean
  /** JSON text. */
  readonly params: string
  readonly send: (call: Pending) => void
  /** Called when the call is settled or abandoned. */
  readonly onEnd: () => void
}

/** The calls of one client. JSONRPCClient matches answers to calls by id, and drops the id of a call that has ended. */
export const createCalls = (endpoint: string, onAbort: OnAbort): ((call: NewCall) => Pending) => {
  const rpc = new JSONRPCClient<() => void>((_request, send) => send())
  let ids = 0
  return ({ method, write, params, send, onEnd }) => {
    const id = ++ids
    const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`
    let waiting = 0
    const end = (outcome: Answered): boolean => {
      if (call.done) return false
      call.done = true
      onEnd()
      const { failure } = outcome
      rpc.receive({ jsonrpc: '2.0', id, ...(failure ? { error: { code: 0, message: '', data: failure } } : { result: outcome.result }) })
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
          const onLeave = (): void => {
            const failure = abortedBy(signal, endpoint)
            no(failure)
            if (--waiting === 0 && end({ failure })) call.onGone()
          }
          answer.then(yes, no).finally(onAbort(signal, onLeave))
        })
      },
      settle: end,
    }
    const answer = Promise.resolve(rpc.requestAdvanced({ jsonrpc: '2.0', id, method }, () => send(call))).then(({ error, result }) => {
      if (error) throw error.data
      return result
    })
    return call
  }
}
