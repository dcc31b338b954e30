import { setTimeout as sleep } from 'node:timers/promises'
import { byteText } from '../../base/memory/byte-text.ts'
import { createPermits } from '../../base/permits.ts'
import { createDeferred } from '../../base/promises/deferred.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import { MAX_MESSAGE_CELLS } from '../../cell/budget.ts'
import type { Cell } from '../../cell/cell.ts'
import type { Chain } from '../../chain/chain-port.ts'
import { isFinal } from '../../emulate/error.ts'
import type { EmulatedTrace } from '../../emulate/trace.ts'
import { accountIdOf } from '../../tlb/address.ts'
import { loadMessage, normalizedHash } from '../../tlb/message/message.ts'
import { emulateOn } from './emulate-on-pending.ts'
import type { EmulateRestDeps } from './emulate-rest.ts'
import { createFloodGuard } from './flood-guard.ts'
import { accountText, type Emulation, emulationOf, FOLLOW_LIMITS, type FollowedTrace, type PendingTrace } from './followed-traces.ts'
import type { PackedTrace, PublishedTrace } from './published-trace.ts'

export interface PrepareDeps extends Pick<EmulateRestDeps, 'emulator' | 'now' | 'followed'> {
  readonly chain: Pick<Chain, 'head'>
  readonly hasRoom: () => boolean
  readonly add: (entry: FollowedTrace) => void
  /** Formats the newest emulation of an entry for publishing. Afterwards the emulated trace is not needed any more. */
  readonly prepared: (entry: FollowedTrace, trace: EmulatedTrace) => Promise<Prepared>
  readonly nextOrder: () => number
  readonly closing: AbortSignal
}

export interface Prepared {
  readonly entry: FollowedTrace
  readonly emulation: Emulation
  readonly published: PublishedTrace
  /** undefined if the JSON is too long to be published. */
  readonly packed: PackedTrace | undefined
}

interface Emulated {
  readonly entry: FollowedTrace
  readonly trace: EmulatedTrace
}

export interface Preparation {
  /**
   * Resolves when the emulation has its block and its order among the pending traces. From then on, sending the message does not change the result of the
   * emulation. Never rejects.
   */
  readonly begun: Promise<void>
  /** Resolves with undefined if the message is not followed. Rejects if it cannot be parsed, emulated or formatted. */
  readonly made: Promise<Prepared | undefined>
}

/** Emulates a message that is about to be sent, and adds its trace to the followed traces. `sent`: resolves with true if the network accepted the message. */
export type Prepare = (boc: Uint8Array, sent: Promise<boolean>) => Preparation

/**
 * Maximum number of emulations of sent messages at a time, and of messages that wait. A long wait is allowed, because a message without a permit is not
 * followed.
 */
const EMULATIONS = { atOnce: 8, waiting: 1_024, patience: 10_000, text: 'too many messages are emulated at once' }
/** Pause before the second and last attempt after an error that may pass (ms), and maximum number of messages that wait for it. */
const SECOND = { ms: 1_000, messages: 256 } as const
/** Time after which a trace that is still being published releases its permit (ms). */
const PUBLISHING_MS = 1_000

interface External {
  readonly message: Cell
  readonly pending: Omit<PendingTrace, 'emulation' | 'committedAt'>
}

/** Returns undefined if the message is not external. */
const readExternal = (boc: Uint8Array): External | undefined => {
  const root = parseBocRoot(boc, { budget: { cells: MAX_MESSAGE_CELLS } })
  const message = loadMessage(root)
  const { info } = message
  const id = info.type === 'external-in' ? accountIdOf(info.dest) : undefined
  if (info.type !== 'external-in' || id === undefined) return undefined
  const hashNorm = byteText(normalizedHash(message), 'latin1')
  const to = accountText({ workchain: info.dest.workchain, hash: id })
  return { message: root, pending: { hash: root.hashKey(), hashNorm, boc: byteText(boc, 'latin1'), to } }
}

export const createPrepare = (deps: PrepareDeps): Prepare => {
  const { chain, emulator, now, followed, hasRoom, add, prepared, nextOrder, closing: signal } = deps
  const flood = createFloodGuard()
  const permits = createPermits(EMULATIONS)
  /** The last preparation for each account. The next one waits for it, because its emulation starts from that result. */
  const latest = new Map<string, Promise<unknown>>()
  /** Number of messages that wait for their second attempt. */
  let waiting = 0

  const emulate = async (
    { message, pending: fields }: External,
    sent: Promise<boolean>,
    begin: () => void,
  ): Promise<Emulated | undefined> => {
    const { hash, hashNorm, boc, to } = fields
    const order = nextOrder()
    const on = { starts: [{ message }], to, at: chain.head().id, now: now(), order }
    const emulated = emulateOn(followed, emulator, on, signal)
    begin()
    const { trace, after } = await emulated
    // If the message was found in a signed block meanwhile, its trace is followed already.
    if (followed.ofMessage(hashNorm) !== undefined) return undefined
    // The fields are listed one by one. An object made with `...` would get a hidden class of its own in V8, which takes 240 bytes.
    const pending: PendingTrace = { hash, hashNorm, boc, to, emulation: emulationOf(trace), committedAt: undefined }
    const entry: FollowedTrace = {
      pending,
      order,
      sent,
      after,
      leavesAt: performance.now() + FOLLOW_LIMITS.ms,
      // A trace that was not finished in time is emulated once more, with the next head.
      isStale: trace.isLate,
      lacksFacts: false,
      inBlocks: undefined,
      isAdopted: false,
    }
    flood.accept(to)
    add(entry)
    return { entry, trace }
  }

  /** Formats a trace for publishing, then releases its permit, so that few emulated traces are in memory at a time, however fast messages come. */
  const publish = async ({ entry, trace }: Emulated, release: () => void): Promise<Prepared> => {
    // If the database does not respond, the permit is released early, so that further messages can be emulated.
    const timer = setTimeout(release, PUBLISHING_MS)
    try {
      return await prepared(entry, trace)
    } finally {
      clearTimeout(timer)
      release()
    }
  }

  const prepare = async (bytes: Uint8Array, sent: Promise<boolean>, begin: () => void): Promise<Prepared | undefined> => {
    const external = readExternal(bytes)
    if (external === undefined) return undefined
    const { hashNorm, to: key } = external.pending
    const isSkipped = (): boolean => followed.ofMessage(hashNorm) !== undefined || followed.isFull() || !hasRoom() || flood.isFlooded(key)
    const leave = isSkipped() ? undefined : flood.enter(key)
    if (leave === undefined) return undefined
    let release = (): void => {}
    const make = async (): Promise<Emulated | undefined> => {
      release = await permits.take(signal)
      return isSkipped() ? undefined : await emulate(external, sent, begin)
    }
    const makeAgain = async (error: unknown): Promise<Emulated | undefined> => {
      release()
      // The message is sent without waiting for the second attempt.
      begin()
      if (isFinal(error) || waiting >= SECOND.messages) throw error
      waiting++
      try {
        await sleep(SECOND.ms, undefined, { signal, ref: false })
        return (await sent) ? await make() : undefined
      } finally {
        waiting--
      }
    }
    const before = latest.get(key)
    const made = (before === undefined ? make() : before.then(make)).catch(makeAgain)
    const settled = made.catch(() => {})
    latest.set(key, settled)
    let emulated: Emulated | undefined
    try {
      emulated = await made
    } finally {
      leave()
      if (latest.get(key) === settled) latest.delete(key)
      if (emulated === undefined) release()
    }
    return emulated && (await publish(emulated, release))
  }

  return (boc, sent) => {
    const { promise: begun, resolve: begin } = createDeferred()
    return { begun, made: prepare(boc, sent, begin).finally(begin) }
  }
}
