import { randomUUID } from 'node:crypto'
import { TonError } from '../../../shared/errors.ts'
import type { Call, EventSocket } from '../../base/call.ts'
import { withFields } from '../../base/log.ts'
import { createChunk } from '../../base/writer/chunk.ts'
import { inOwnTurn, yieldToEventLoop } from '../../base/yield.ts'
import { toTonError } from '../../dispatch/failure.ts'
import { errorReply } from '../answer-forms.ts'
import { LIMITS } from '../limits.ts'
import type { Parts } from '../parts.ts'
import { parseCharged, parseRequests } from '../rpc/request-text.ts'
import { countConnection, limitsOf } from '../stream/limits.ts'
import { type Line, type Peer, type Protocol, SLOW_GOODBYE, TRY_LATER } from './session.ts'

/* JSON-RPC over a WebSocket: calls and batches, and subscriptions to events. */

export interface RpcPeer extends Peer, Pick<Call, 'localAllowed' | 'waitsForBlock'> {}

export const openJsonRpc =
  (deps: Parts, peer: RpcPeer) =>
  ({ writer, signal, end }: Line): Protocol => {
    const { localAllowed, caller } = peer
    const id = randomUUID()
    const log = withFields(deps.log, { socket: id })
    const subscriptions: EventSocket['subscriptions'] = new Map()
    let entered: Promise<void> | undefined
    let subscriptionIds = 0
    let calls = 0
    let answers = 0

    const endEvents = (reason: string): void => {
      log.info('socket.events_ended', { reason })
      end(TRY_LATER, reason.slice(0, MAX_REASON), SLOW_GOODBYE)
    }
    signal.addEventListener('abort', () => {
      for (const subscription of subscriptions.values()) subscription.close()
      subscriptions.clear()
    })
    const enter = async (): Promise<void> => {
      const refusal = await countConnection(deps.eventSlots, limitsOf(peer), signal)
      if (refusal !== undefined) throw new TonError('RATE_LIMITED', refusal, { retryAfter: 5 })
    }
    /** The subscription API for one call. `onAnswered` registers a function that runs after the call's answer is written. */
    const eventsFor = (onAnswered: EventSocket['onAnswered']): EventSocket => ({
      writer,
      subscriptions,
      get limits() {
        return limitsOf(peer)
      },
      async enter() {
        if (signal.aborted) throw new TonError('UNAVAILABLE', 'the socket is closed')
        entered ??= enter().catch((error: unknown) => {
          // The next call of `enter` tries to acquire a slot again.
          entered = undefined
          throw error
        })
        await entered
      },
      nextId: () => String(++subscriptionIds),
      onAnswered,
      fail: (error) => endEvents(error instanceof TonError ? error.message : 'events cannot be read'),
    })

    const reply = async (text: string, onAnswered: EventSocket['onAnswered']): Promise<string | undefined> => {
      try {
        const value = await parseCharged(text, { caller }, parseRequests)
        const requestId = `${id}.${(calls++).toString(36)}`
        return await deps.rpc.receive(value, { ...peer, signal, requestId, log, events: eventsFor(onAnswered) })
      } catch (error) {
        return errorReply(toTonError(error, { requestId: id, log, localAllowed }))
      }
    }

    return {
      atOnce: LIMITS.socketCalls,
      async serve(text) {
        const begins: (() => void)[] = []
        const answer = await reply(text, (begin) => begins.push(begin))
        if (answer !== undefined) {
          if (++answers % LIMITS.socketCalls === 0) await yieldToEventLoop()
          const bytes = answer.length < LIMITS.long ? Buffer.from(answer) : await inOwnTurn(() => Buffer.from(answer))
          await new Promise<void>((resolve) => writer.push(createChunk([bytes], 'websocket'), resolve))
        }
        for (const begin of begins) begin()
      },
      slow() {
        if (subscriptions.size > 0) return endEvents(`slow consumer; last cursor ${writer.last()}`)
        log.info('socket.stalled')
        end(TRY_LATER, 'answers are read too slowly')
      },
    }
  }

/** Maximum bytes of a close reason (RFC 6455, 5.5). */
const MAX_REASON = 123
