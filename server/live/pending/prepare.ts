import { createPermits } from '../../base/permits.ts'
import { parseBocRoot } from '../../cell/boc.ts'
import type { Chain } from '../../chain/chain-port.ts'
import type { Emulator } from '../../emulate/emulator.ts'
import { accountIdOf } from '../../tlb/address.ts'
import { loadMessage, normalizedHash } from '../../tlb/message/message.ts'
import { emulateOn } from './emulate-on.ts'
import { createFloodGuard } from './flood-guard.ts'
import { accountText, type Kept, type KeptTraces, MOST } from './kept-traces.ts'

export interface PrepareDeps {
  readonly chain: Pick<Chain, 'head'>
  readonly emulator: Emulator
  /** Unix seconds. */
  readonly now: () => number
  readonly kept: KeptTraces
  /** Whether there is room for another trace's JSON. */
  readonly hasRoom: () => boolean
  readonly add: (entry: Kept) => void
}

/** The emulation of a message. */
export interface Preparation {
  /** Resolves when the emulation has its block and its place among the other traces, so that what the network does with the message does not change it. Never rejects. */
  readonly begun: Promise<void>
  /** Resolves with undefined if the message is not followed; rejects if it cannot be read or emulated. */
  readonly made: Promise<Kept | undefined>
}

/** Emulates a message that is about to be sent, and adds its trace to the kept ones. `sent`: whether the network took it. */
export type Prepare = (boc: Uint8Array, sent: Promise<boolean>) => Preparation

/** Emulations of sent messages at a time, and those that wait. */
const EMULATIONS = { atOnce: 8, waiting: 256, patience: 1_000, text: 'too many messages are emulated at once' }

/** What an external message itself says; undefined for other messages. */
const readExternal = (boc: Uint8Array) => {
  const root = parseBocRoot(boc)
  const message = loadMessage(root)
  const { info } = message
  const id = info.type === 'external-in' ? accountIdOf(info.dest) : undefined
  if (info.type !== 'external-in' || id === undefined) return undefined
  const hashNorm = Buffer.from(normalizedHash(message)).toString('latin1')
  return { message: root, hash: root.hashKey(), hashNorm, to: { workchain: info.dest.workchain, hash: id } }
}

export const createPrepare = ({ chain, emulator, now, kept, hasRoom, add }: PrepareDeps): Prepare => {
  const flood = createFloodGuard()
  const permits = createPermits(EMULATIONS)
  /** The last preparation of each account: the next one has to see its result. */
  const latest = new Map<string, Promise<unknown>>()
  let orders = 0

  const prepare = async (boc: Uint8Array, sent: Promise<boolean>, begin: () => void): Promise<Kept | undefined> => {
    const known = readExternal(boc)
    if (known === undefined) return undefined
    const { message, to } = known
    const key = accountText(to)
    const signal = AbortSignal.timeout(MOST.ms)
    const isUnwanted = (): boolean => kept.ofMessage(known.hashNorm) !== undefined || kept.isFull() || !hasRoom()
    if (isUnwanted() || !flood.enter(key)) return undefined
    const make = async (): Promise<Kept | undefined> => {
      const release = await permits.take(signal)
      try {
        if (isUnwanted()) return undefined
        const order = orders++
        const emulated = emulateOn(kept, emulator, { starts: [{ message }], to, at: chain.head().id, now: now(), order }, signal)
        begin()
        const { trace, after } = await emulated
        const pending = { ...known, trace, committedAt: undefined }
        const entry: Kept = { pending, order, sent, after, leavesAt: performance.now() + MOST.ms, isStale: false, inBlocks: undefined }
        add(entry)
        return entry
      } finally {
        release()
      }
    }
    const before = latest.get(key)
    const made = before === undefined ? make() : before.then(make)
    const settled = made.catch(() => {})
    latest.set(key, settled)
    try {
      return await made
    } catch (error) {
      flood.refuse(key)
      throw error
    } finally {
      if (latest.get(key) === settled) latest.delete(key)
    }
  }

  return (boc, sent) => {
    let begin = (): void => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    return { begun, made: prepare(boc, sent, begin).finally(begin) }
  }
}
