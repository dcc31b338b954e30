import { randomBytes } from 'node:crypto'
import { joinAbort } from '../base/abort.ts'
import { createPauses } from '../base/yield.ts'
import type { Chain } from '../chain/chain-port.ts'
import { MASTERCHAIN } from '../tlb/ids.ts'
import type { MakeTransaction } from '../tvm/make-transaction.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { createAccounts } from './accounts.ts'
import { type BlockBase, createBlockBases } from './block-base.ts'
import { EmulationError } from './error.ts'
import { createLibraries } from './libraries.ts'
import type { Waiting } from './queue.ts'
import { deliverAll, firstOf, LIMITS } from './run.ts'
import type { EmulatedNode, EmulatedTrace, EmulateRequest } from './trace.ts'

/*
 * Makes the transactions that would follow from a message, in the order of the chain. Messages inside a shard are delivered in the block that made
 * them; those to other shards come a few blocks later. All transactions of an emulation are made one after another, so the same request gives the
 * same trace.
 */

/** Milliseconds for which all emulations together may hold the event loop at a time. */
const SLICE_MS = 4

export interface Emulator {
  /** The trace that follows from messages. Throws EmulationError if the first message has no transaction. After `LIMITS` the trace is incomplete. */
  trace(request: EmulateRequest, signal: AbortSignal): Promise<EmulatedTrace>
}

/** A signal that is aborted with the caller's, or after `LIMITS.time`. `end` has to be called. */
const limited = (caller: AbortSignal) => {
  const { signal, abort, leave } = joinAbort(caller)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    abort(new DOMException('the emulation took too long', 'TimeoutError'))
  }, LIMITS.time).unref()
  return {
    signal,
    /** Whether the time has passed while the caller still waits. */
    isLate: (): boolean => isLate && !caller.aborted,
    end(): void {
      clearTimeout(timer)
      leave()
    },
  }
}

export const createEmulator = ({ chain, tvm }: { readonly chain: Chain; readonly tvm: Pick<Tvm, 'runTransaction'> }): Emulator => {
  const baseOf = createBlockBases(chain)
  const pause = createPauses(SLICE_MS)

  return {
    async trace(request, caller) {
      const limit = limited(caller)
      const { signal } = limit
      const { client } = request
      const make: MakeTransaction = (given, stop) => tvm.runTransaction(given, stop, { client })
      const nodes: EmulatedNode[] = []
      const randSeed = request.randSeed ?? randomBytes(32)
      const { at } = request
      const accounts = createAccounts(chain, request, signal)
      const first = firstOf(request)
      for (const { to } of first) accounts.want(to)
      let version = 0
      const done = (isIncomplete: boolean): EmulatedTrace => ({ at, nodes, isIncomplete, randSeed, version })
      try {
        const base = await baseOf(at, signal)
        version = base.config.version
        checkWorkchains(first, base)
        const libraries = createLibraries(chain, at, signal)
        return done(await deliverAll({ make, request, base, accounts, libraries, randSeed, signal, pause }, first, nodes))
      } catch (error) {
        if (!limit.isLate()) throw error
        if (nodes.length > 0) return done(true)
        const text = 'failed to receive result from emulator channel: the emulation took longer than 3 seconds'
        throw new EmulationError('time', text, { cause: error })
      } finally {
        limit.end()
      }
    },
  }
}

/** No shard takes a message to a workchain that the configuration does not have. */
const checkWorkchains = (first: readonly Waiting[], { config }: BlockBase): void => {
  for (const { to } of first) {
    if (to.workchain !== MASTERCHAIN && !config.workchains.has(to.workchain)) {
      throw new EmulationError('message', 'no shard found for message')
    }
  }
}
