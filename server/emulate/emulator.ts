import { randomBytes } from 'node:crypto'
import { TonError } from '../../shared/errors.ts'
import { joinAbort } from '../base/abort.ts'
import { createPauses } from '../base/yield.ts'
import type { Chain } from '../chain/chain-port.ts'
import type { AccountId } from '../tlb/ids.ts'
import type { MakeTransaction } from '../tvm/make-transaction.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { createAccounts } from './accounts.ts'
import { createBlockBases } from './block-base.ts'
import { deliverEach } from './bundle.ts'
import { tookTooLong } from './error.ts'
import { createLibraries } from './libraries.ts'
import { checkWorkchain, deliverAll, type EmulationRun, firstOf, hasWorkchain, LIMITS } from './run.ts'
import type { EmulatedBundle, EmulatedNode, EmulatedTrace, EmulateRequest } from './trace.ts'

/*
 * Emulates the transactions that a message would cause, in the order of the chain. Messages within a shard are delivered in the block that created them.
 * Messages to other shards are delivered a few blocks later. All transactions of an emulation run one after another, so equal requests have equal traces.
 */

/** Maximum milliseconds for which all emulations together may block the event loop at a time. */
const SLICE_MS = 4

/** Returns a signal that is aborted with the caller's signal or after `LIMITS.time`. The caller must call `end`. */
const limited = (caller: AbortSignal) => {
  const { signal, abort, release: leave } = joinAbort(caller)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    abort(new DOMException('the emulation took too long', 'TimeoutError'))
  }, LIMITS.time).unref()
  return {
    signal,
    isLate: (): boolean => isLate && !caller.aborted,
    end(): void {
      clearTimeout(timer)
      leave()
    },
  }
}

export type Emulator = ReturnType<typeof createEmulator>

export const createEmulator = ({ chain, tvm }: { readonly chain: Chain; readonly tvm: Pick<Tvm, 'runTransaction'> }) => {
  const baseOf = createBlockBases(chain)
  const pause = createPauses(SLICE_MS)

  /** Sets up an emulation and passes it to `use`. `needed`: accounts to prefetch. */
  const within = async <T>(
    request: EmulateRequest,
    needed: readonly AccountId[],
    caller: AbortSignal,
    use: (run: EmulationRun, isLate: () => boolean) => Promise<T>,
  ): Promise<T> => {
    const limit = limited(caller)
    const { signal } = limit
    const { at, client, randSeed = randomBytes(32) } = request
    const make: MakeTransaction = (given, stop) => tvm.runTransaction(given, stop, { client })
    const accounts = createAccounts(chain, request, signal)
    for (const id of needed) accounts.want(id)
    try {
      const base = await baseOf(at, signal)
      const libraries = createLibraries(chain, at, signal)
      return await use({ make, request, base, accounts, libraries, randSeed, signal, pause }, limit.isLate)
    } catch (error) {
      throw limit.isLate() ? tookTooLong(error) : error
    } finally {
      limit.end()
    }
  }

  const ended = ({ request: { at }, randSeed, base }: EmulationRun) => ({ at, randSeed, version: base.config.version })

  return {
    /** Emulates the trace of the request's messages. Throws EmulationError if the first message has no transaction. A trace that exceeds `LIMITS` is incomplete. */
    async trace(request: EmulateRequest, caller: AbortSignal): Promise<EmulatedTrace> {
      const first = firstOf(request)
      const needed = first.map(({ to }) => to)
      return await within(request, needed, caller, async (run, isLate) => {
        const nodes: EmulatedNode[] = []
        for (const { to } of first) checkWorkchain(to, run.base)
        try {
          const { isIncomplete } = await deliverAll(run, first, nodes)
          return { ...ended(run), nodes, isIncomplete }
        } catch (error) {
          if (nodes.length === 0 || !isLate()) throw error
          return { ...ended(run), nodes, isIncomplete: true }
        }
      })
    },

    /**
     * Emulates messages one after another. Each starts from the accounts and the block with which the trace of the previous message ended. `LIMITS` apply to
     * all traces together. The accounts `overridden` are read first, so that `request.stateOf` is called for each of them.
     */
    bundle: (request: EmulateRequest, overridden: readonly AccountId[], caller: AbortSignal): Promise<EmulatedBundle> =>
      within(request, overridden, caller, async (run, isLate) => {
        for (const [i, id] of overridden.entries()) {
          if (!hasWorkchain(id, run.base)) {
            throw new TonError('INVALID_PARAMS', `invalid request: overrides[${i}].address: workchain ${id.workchain} does not exist`)
          }
          await run.accounts.get(id)
        }
        return { ...ended(run), results: await deliverEach(run, isLate) }
      }),
  }
}
