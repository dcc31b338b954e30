import { TonError } from '../../../shared/errors.ts'
import { createAbortController } from '../../base/abort.ts'
import type { Caller } from '../../base/call.ts'
import { createChunk } from '../../base/writer/chunk.ts'
import { textFrame } from '../../base/writer/socket-frames.ts'
import type { Writer } from '../../base/writer/writer.ts'
import type { Listening } from '../../live/begin-listening.ts'
import type { Filter } from '../../live/filter.ts'
import { chargeUndispatched } from '../charge-undispatched.ts'
import { acknowledged, errorTextOf, openListening, type StreamDeps, socketFrame } from './both-transports.ts'
import {
  addressesOf,
  checkNamed,
  hashesOf,
  idOf,
  objectOf,
  readSubscription,
  StreamError,
  type StreamId,
  type StreamRequest,
  type StreamRules,
} from './read-request.ts'

export interface SocketRequestsDeps extends Pick<StreamDeps, 'hub' | 'log'> {
  readonly network: string
  readonly caller: Caller | undefined
  readonly rules: StreamRules
  readonly writer: Writer
  readonly fail: (error: unknown) => void
  readonly isOpen: () => boolean
}

export interface SocketRequests {
  /** Answers one message. Never rejects. */
  serve(text: string): Promise<void>
  close(): void
}

interface Current {
  readonly listening: Listening
  readonly withCursor: boolean
  filter: Filter
}

const without = (filter: Filter, accounts: ReadonlySet<string>, hashes: ReadonlySet<string>): Filter => ({
  ...filter,
  accounts: new Set([...filter.accounts].filter((one) => !accounts.has(one))),
  hashes: new Set([...filter.hashes].filter((one) => !hashes.has(one))),
})

export const createSocketRequests = (deps: SocketRequestsDeps): SocketRequests => {
  const { network, caller, rules, writer, fail, isOpen } = deps
  const leaving = createAbortController()
  let current: Current | undefined
  const say = (message: object): void => writer.push(createChunk(textFrame(JSON.stringify(message)), 'events'))

  const listen = async (request: StreamRequest, id: StreamId | undefined): Promise<void> => {
    if (current && current.withCursor === request.withCursor && request.resumeFrom === undefined) {
      current.listening.change(request.filter)
      current.filter = request.filter
      return say({ ...(id !== undefined && { id }), status: 'subscribed' })
    }
    const before = current
    current = undefined
    before?.listening.close()
    const { push, room } = writer
    const { client, replays } = rules.limits
    const sink = { push, room, fail, client, replays, frame: socketFrame(request.withCursor) }
    const { listening, started } = await openListening(deps.hub(network), request, sink, leaving.signal)
    if (!isOpen()) return listening.close()
    current = { listening, withCursor: request.withCursor, filter: request.filter }
    say(acknowledged(id, request, started))
    listening.begin()
  }

  const subscribe = async (members: Readonly<Record<string, unknown>>, id: StreamId | undefined): Promise<void> => {
    const request = readSubscription(members, rules)
    checkNamed(request, rules)
    await listen(request, id)
  }

  const unsubscribe = (members: Readonly<Record<string, unknown>>, id: StreamId | undefined): void => {
    const accounts = addressesOf(members)
    const hashes = hashesOf(members)
    if (accounts.size + hashes.size === 0) throw new StreamError('addresses or trace_external_hash_norms are required')
    if (current) {
      current.filter = without(current.filter, accounts, hashes)
      current.listening.change(current.filter)
    }
    say({ ...(id !== undefined && { id }), status: 'unsubscribed' })
  }

  const serve = async (text: string): Promise<void> => {
    let id: StreamId | undefined
    let operation = ''
    try {
      const members = objectOf(text)
      id = idOf(members)
      operation = typeof members['operation'] === 'string' ? members['operation'] : ''
      if (operation === 'ping') return say({ ...(id !== undefined && { id }), status: 'pong' })
      await chargeUndispatched({ caller })
      if (operation === 'subscribe') await subscribe(members, id)
      else if (operation === 'unsubscribe') unsubscribe(members, id)
      else throw new StreamError(`unknown operation: ${operation.slice(0, 100)}`)
    } catch (error) {
      if (leaving.signal.aborted) return
      if (!(error instanceof StreamError || error instanceof TonError)) deps.log.error('stream.failed', { err: error })
      const isMalformed = error instanceof StreamError && error.isMalformed
      const what = operation === 'subscribe' || operation === 'unsubscribe' ? `${operation} request` : 'request envelope'
      say({ ...(id !== undefined && { id }), error: isMalformed ? `invalid ${what}: ${errorTextOf(error)}` : errorTextOf(error) })
    }
  }

  return {
    serve,
    close() {
      leaving.abort()
      current?.listening.close()
    },
  }
}
