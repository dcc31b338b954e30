import { randomUUID } from 'node:crypto'
import { TonError } from '../../../shared/errors.ts'
import { createAbortController, joinAbort, untilAborted } from '../../base/abort.ts'
import type { Call } from '../../base/call.ts'
import { withFields } from '../../base/log.ts'
import { toTonError } from '../../dispatch/failure.ts'
import type { RequestSource } from '../../net/request-source.ts'
import { errorReply } from '../answer-forms.ts'
import { LIMITS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { requestNameOf } from './endpoints.ts'
import { parseCharged, parseRequests } from './request-text.ts'

/*
 * JSON-RPC for the program that embeds this service, from text to text. Over HTTP or a socket, even in memory, each call would cost over a millisecond of
 * processor time.
 */

type InProcessDeps = Pick<Parts, 'rpc' | 'gate' | 'log' | 'accessLog' | 'meter' | 'networks'>

/** Sender of in-process calls, as access/gate.ts sees it: a local address without a key. */
const CALLER: RequestSource = { headers: {}, socket: { remoteAddress: '127.0.0.1' } }

export const createInProcessCalls = ({ rpc, gate, log, accessLog, meter, networks }: InProcessDeps) => {
  const network = networks[0]!.name
  const closing = createAbortController()
  const requestMeter = meter.endpoint('jsonRPC')

  const receive = async (text: string, call: Call, seen: { asked?: string }): Promise<string | undefined> => {
    if (Buffer.byteLength(text) > LIMITS.body) throw new TonError('TOO_LARGE', `request body is over ${LIMITS.body} bytes`)
    const caller = await gate?.admit(CALLER, network)
    const admitted: Call = { ...call, caller, client: caller?.bucket ?? CALLER.socket.remoteAddress }
    const requests = await parseCharged(text, admitted, parseRequests)
    seen.asked = requestNameOf(requests)
    return rpc.receive(requests, admitted)
  }

  return {
    /**
     * Answers the text of a request or a batch; undefined for notifications. Rejects once the signal is aborted or the service is closed. `waitsForBlock`:
     * true if a sent message is answered only when it is in a block.
     */
    async ask(text: string, signal: AbortSignal, waitsForBlock = false): Promise<string | undefined> {
      closing.signal.throwIfAborted()
      const began = performance.now()
      const requestId = randomUUID()
      using own = joinAbort(closing.signal)
      const call: Call = { signal: own.signal, requestId, network, log: withFields(log, { requestId }), localAllowed: true, waitsForBlock }
      const seen: { asked?: string } = {}
      try {
        const answer = receive(text, call, seen).catch((error: unknown) => errorReply(toTonError(error, call)))
        return await untilAborted(untilAborted(answer, own.signal), signal, () => own.abort(signal.reason))
      } finally {
        const ms = performance.now() - began
        requestMeter.done(200, ms)
        accessLog?.info('http.request', { requestId, client: 'this process', ...seen, network, ms: Math.round(ms * 10) / 10 })
      }
    },
    close: (): void => closing.abort(new Error('this service is closed')),
  }
}
