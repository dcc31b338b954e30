import { TonError } from '../../../shared/errors.ts'
import { createChunk } from '../../base/writer/chunk.ts'
import { chargeUndispatched } from '../../dispatch/charge.ts'
import type { Listening } from '../../live/begin-listening.ts'
import type { Filter } from '../../live/filter.ts'
import { type Line, type Peer, type Protocol, SLOW_GOODBYE, TRY_LATER } from '../ws/session.ts'
import { acknowledged, errorTextOf, openListening, type StreamDeps, socketFrame } from './both-transports.ts'
import { countConnection } from './limits.ts'
import {
  addressesOf,
  checkNamed,
  hashesOf,
  idOf,
  type Members,
  objectOf,
  readSubscription,
  StreamError,
  type StreamId,
  type StreamRules,
} from './read-request.ts'

/* Streaming v2 over a WebSocket. The socket has one subscription, which each `subscribe` replaces. An error in a request does not close the socket. */

const without = (filter: Filter, accounts: ReadonlySet<string>, hashes: ReadonlySet<string>): Filter => ({
  ...filter,
  accounts: new Set([...filter.accounts].filter((one) => !accounts.has(one))),
  hashes: new Set([...filter.hashes].filter((one) => !hashes.has(one))),
})

/** Characters of a ping that costs nothing. A longer message is charged before it is read, whatever it is, because to read it takes as long as a call. */
const MAX_FREE_PING = 1_000

export const openStream =
  (deps: StreamDeps, { network, caller, client }: Peer, rules: StreamRules) =>
  ({ writer, signal, end }: Line): Protocol => {
    const { limits } = rules
    let current: { readonly listening: Listening; readonly withCursor: boolean; filter: Filter } | undefined
    signal.addEventListener('abort', () => current?.listening.close())

    /** Resolves when the system has accepted the message. The next request waits for that, so a client that does not read gets no further answers. */
    const say = (message: object): Promise<void> =>
      new Promise((done) => writer.push(createChunk([Buffer.from(JSON.stringify(message))], 'events'), done))
    const fail = (error: unknown): void => end(TRY_LATER, errorTextOf(error).slice(0, 100), SLOW_GOODBYE)
    /** Requests wait until the connection is counted. */
    const counted = countConnection(deps.eventSlots, limits, signal).then((refusal) => {
      if (refusal === undefined) return
      void say({ error: refusal })
      end(TRY_LATER, 'connection limit reached', SLOW_GOODBYE)
    }, fail)

    const subscribe = async (members: Members, id: StreamId | undefined): Promise<void> => {
      const request = readSubscription(members, rules)
      checkNamed(request, rules)
      const { filter, withCursor } = request
      const before = current
      if (before && before.withCursor === withCursor && request.resumeFrom === undefined) {
        before.listening.change(filter)
        before.filter = filter
        return say({ id, status: 'subscribed' })
      }
      current = undefined
      before?.listening.close()
      const sink = { push: writer.push, room: writer.room, fail, ...limits, frame: socketFrame(withCursor) }
      const { listening, started } = await openListening(deps.hub(network), request, sink, signal)
      if (signal.aborted) return listening.close()
      current = { listening, withCursor, filter }
      const said = say(acknowledged(id, request, started))
      listening.begin()
      await said
    }

    const unsubscribe = (members: Members, id: StreamId | undefined): Promise<void> => {
      const accounts = addressesOf(members)
      const hashes = hashesOf(members)
      if (accounts.size + hashes.size === 0) throw new StreamError('addresses or trace_external_hash_norms are required')
      if (current) {
        current.filter = without(current.filter, accounts, hashes)
        current.listening.change(current.filter)
      }
      return say({ id, status: 'unsubscribed' })
    }

    return {
      atOnce: 1,
      async serve(text) {
        await counted
        if (signal.aborted) return
        let id: StreamId | undefined
        let operation = ''
        const isLong = text.length > MAX_FREE_PING
        try {
          if (isLong) await chargeUndispatched({ caller })
          const members = objectOf(text)
          id = idOf(members)
          operation = typeof members['operation'] === 'string' ? members['operation'] : ''
          if (operation === 'ping') return await say({ id, status: 'pong' })
          if (!isLong) await chargeUndispatched({ caller })
          if (operation === 'subscribe') await subscribe(members, id)
          else if (operation === 'unsubscribe') await unsubscribe(members, id)
          else throw new StreamError(`unknown operation: ${operation.slice(0, 100)}`)
        } catch (error) {
          if (signal.aborted) return
          if (!(error instanceof StreamError || error instanceof TonError)) deps.log.error('stream.failed', { err: error })
          const isMalformed = error instanceof StreamError && error.isMalformed
          const what = operation === 'subscribe' || operation === 'unsubscribe' ? `${operation} request` : 'request envelope'
          await say({ id, error: isMalformed ? `invalid ${what}: ${errorTextOf(error)}` : errorTextOf(error) })
        }
      },
      slow() {
        deps.log.info('stream.slow', { client })
        end(TRY_LATER, 'slow consumer', SLOW_GOODBYE)
      },
    }
  }
