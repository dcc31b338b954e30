import { setTimeout as sleep } from 'node:timers/promises'
import { registry } from '../../shared/registry.ts'
import { createAbortController, settledWithin } from '../base/abort.ts'
import type { Log } from '../base/log.ts'
import type { Permits } from '../base/permits.ts'
import { traced } from '../base/tracing/tracer.ts'
import { inOwnTurn } from '../base/yield.ts'
import type { Listening } from '../live/begin-listening.ts'
import { type Cursor, formatCursor, isAt, parseCursor, START } from '../live/cursor.ts'
import type { Filter } from '../live/filter.ts'
import type { Hub } from '../live/hub.ts'
import type { Sink } from '../live/listener.ts'
import type { Post } from '../net/post.ts'
import { filterOf } from '../v3/event-subscriptions.ts'
import { deliver, type Outcome } from './delivery.ts'
import { createEventQueue, HOOK_FRAME, type QueueBudget, type QueuedEvent } from './event-queue.ts'
import type { Hook } from './store.ts'

export type Runner = ReturnType<typeof startRunner>

export interface RunnerDeps {
  readonly hub: Hub
  readonly post: Post
  readonly budget: QueueBudget
  /** Limits the concurrent deliveries: `healthy` for hooks whose last delivery succeeded, `failing` for the rest. */
  readonly permits: { readonly healthy: Permits; readonly failing: Permits }
  readonly onMove: (hook: Hook) => void
  /** Called after each delivery. `isChanged`: true if the state of the hook has changed. */
  readonly onOutcome: (hook: Hook, outcome: Outcome, isChanged: boolean) => void
  /** Unix milliseconds. */
  readonly now: () => number
  /** For tests: milliseconds before the first retry. */
  readonly firstPause?: number | undefined
  readonly log: Log
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 4 * 3_600_000
/** Milliseconds of failures after which a hook is paused. */
const GIVE_UP_MS = 24 * 3_600_000
/** Milliseconds before a hook listens again after the hub refused it. */
const LISTEN_AGAIN_MS = 1_000
const GRACE_MS = 1_000
/** Made once, because an error records where it was made, which takes long. */
const STOPPED = new Error('the hook is stopped')

/** Throws if this release does not understand a stored filter, which a later release may have stored. */
const readFilter = ({ url, filter }: Hook): Filter => filterOf(registry['hooks.create'].params.parse({ url, ...filter }))

const fail = (hook: Hook, { reason, isGone }: Outcome, now: number, firstPause = FIRST_PAUSE_MS): void => {
  hook.failures++
  hook.failingSince ??= now
  hook.reason = reason
  hook.nextTry = now + Math.min(LONGEST_PAUSE_MS, firstPause * 3 ** (hook.failures - 1))
  hook.paused = isGone || now - hook.failingSince >= GIVE_UP_MS
}

const recover = (hook: Hook): void => {
  hook.failures = 0
  hook.failingSince = undefined
  hook.reason = undefined
  hook.nextTry = 0
}

/**
 * Moves the hook's cursor to the start of the event's block before the first delivery from that block. The receiver may store the event although its delivery
 * fails. So if the block is reverted, the hook has to send that, as for a block that was delivered.
 */
const enterBlock = (hook: Hook, { isPlaced, cursor }: QueuedEvent, onMove: RunnerDeps['onMove']): void => {
  const [from, to] = [parseCursor(hook.cursor), parseCursor(cursor)]
  if (!isPlaced || to === undefined || (from?.seqno === to.seqno && isAt(from, to.hash))) return
  hook.cursor = formatCursor({ ...to, place: START })
  onMove(hook)
}

const spanOf = ({ id }: Hook) => ({ name: 'hooks.deliver', kind: 'task', attributes: { 'tonway.hook': id } }) as const

export const startRunner = (hook: Hook, deps: RunnerDeps) => {
  const { hub, permits, now, onMove, onOutcome, log } = deps
  const stopping = createAbortController()
  const { signal } = stopping
  /** Ends whatever the hook waits for, except a delivery. */
  const leaving = createAbortController()
  const queue = createEventQueue(hook, deps.budget)
  let listening: Listening | undefined
  let listenAt = 0
  let isStopped = false
  let isDelivering = false

  const stopListening = (): void => {
    listening?.close()
    listening = undefined
    queue.wake()
  }
  const refuse = (error: unknown): void => {
    log.debug('hook.cannot_listen', { hook: hook.id, text: (error as Error).message })
    stopListening()
    // Ends the turn, too, which others may have.
    if (queue.first() === undefined) queue.clear(hook.cursor)
    listenAt = now() + LISTEN_AGAIN_MS
  }
  const listen = (filter: Filter): void => {
    const isCurrent = (): boolean => listening === own
    const sink: Sink = {
      frame: HOOK_FRAME,
      client: `hooks ${hook.owner}`,
      replays: -1,
      isHook: true,
      push(chunk) {
        // The queue is full, or all queues together are. The hook listens again from its cursor once there is room.
        if (isCurrent() && !queue.push(chunk, own.isLive())) stopListening()
      },
      room: queue.room,
      fail: (error) => isCurrent() && refuse(error),
      takesResets: true,
    }
    const own: Listening = hub.listen(filter, sink, parseCursor(hook.cursor))
    listening = own
    own.started.then(own.begin, sink.fail)
  }

  const sendFirst = async (): Promise<void> => {
    const event = queue.first()!
    const release = await (hook.failures > 0 ? permits.failing : permits.healthy).take(leaving.signal, hook.owner)
    if (isStopped) return release()
    isDelivering = true
    enterBlock(hook, event, onMove)
    const outcome = await traced(spanOf(hook), () => deliver(deps, hook, event, signal)).finally(() => {
      isDelivering = false
      release()
    })
    const isChanged = outcome.reason !== undefined || hook.failures > 0
    if (outcome.reason === undefined) {
      queue.shift()
      recover(hook)
      if (event.cursor !== '') {
        hook.cursor = event.cursor
        onMove(hook)
      }
    } else {
      fail(hook, outcome, now(), deps.firstPause)
      stopListening()
      queue.clear(hook.cursor)
    }
    onOutcome(hook, outcome, isChanged)
  }

  const run = async (): Promise<void> => {
    const filter = readFilter(hook)
    while (!isStopped && !hook.paused) {
      if (queue.first() !== undefined) {
        await sendFirst()
        continue
      }
      if (listening === undefined) {
        const pause = Math.max(hook.nextTry, listenAt) - now()
        if (pause > 0) await sleep(pause, undefined, { signal: leaving.signal, ref: false })
        await queue.turn(leaving.signal)
        if (isStopped) return
        listen(filter)
      }
      await queue.arrival()
    }
  }
  const running = run()
    .catch((error: unknown) => {
      if (isStopped) return
      log.error('hook.ended', { hook: hook.id, err: error })
      Object.assign(hook, { paused: true, reason: 'the service cannot read this hook: create another one' })
      onOutcome(hook, { reason: hook.reason, isGone: false }, true)
    })
    .finally(() => {
      stopListening()
      queue.clear(hook.cursor)
    })

  return {
    hook,
    /** If all events of the hook are delivered, moves the hook's cursor to the hub's position `at`. */
    skipTo(at: Cursor): void {
      if (listening?.isLive() !== true || queue.first() !== undefined) return
      hook.cursor = formatCursor(at)
      queue.clear(hook.cursor)
      onMove(hook)
    },
    /** Gives a running delivery GRACE_MS to finish, then aborts it. */
    async stop(): Promise<void> {
      isStopped = true
      stopListening()
      leaving.abort(STOPPED)
      if (isDelivering) {
        await settledWithin(running, GRACE_MS)
        // The deliveries of hundreds of hooks may end together.
        await inOwnTurn(() => stopping.abort(STOPPED))
      }
      await running
    },
  }
}
