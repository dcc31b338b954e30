import { randomBytes } from 'node:crypto'
import { TonError } from '../../shared/errors.ts'
import { withTimeout } from '../base/abort.ts'
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
import { type EmulationRun, firstOf, hasWorkchain, LIMITS } from './run.ts'
import type { EmulatedBundle, EmulatedTrace, EmulateRequest } from './trace.ts'

/*
 * Emulates the transactions that a message would cause, in the order of the chain. Messages within a shard are delivered in the block that created them.
 * Messages to other shards are delivered a few blocks later. All transactions of an emulation run one after another, so equal requests have equal traces.
 */

/** Maximum milliseconds for which all emulations together may block the event loop at a time. */
const SLICE_MS = 4

export type Emulator = ReturnType<typeof createEmulator>

export const createEmulator = ({ chain, tvm }: { readonly chain: Chain; readonly tvm: Pick<Tvm, 'runTransaction'> }) => {
  const baseOf = createBlockBases(chain)
  const pause = createPauses(SLICE_MS)

  /** Sets up an emulation and passes it to `use`. `needed`: accounts to prefetch. */
  const within = <T>(
    request: EmulateRequest,
    needed: readonly AccountId[],
    caller: AbortSignal,
    use: (run: EmulationRun, isLate: () => boolean) => Promise<T>,
  ): Promise<T> =>
    withTimeout(caller, LIMITS.time, async (signal) => {
      const isLate = (): boolean => signal.aborted && !caller.aborted
      const { at, client, randSeed = randomBytes(32) } = request
      const make: MakeTransaction = (given, stop) => tvm.runTransaction(given, stop, { client })
      const accounts = createAccounts(chain, request, signal)
      for (const id of needed) accounts.want(id)
      try {
        const base = await baseOf(at, signal)
        const libraries = createLibraries(chain, at, signal)
        return await use({ make, request, base, accounts, libraries, randSeed, signal, pause }, isLate)
      } catch (error) {
        throw isLate() ? tookTooLong(error) : error
      }
    })

  const ended = ({ request: { at }, randSeed, base }: EmulationRun) => ({ at, randSeed, version: base.config.version })

  return {
    /** Emulates the trace of the request's messages. Throws EmulationError if the first message has no transaction. A trace that exceeds `LIMITS` is incomplete. */
    async trace(request: EmulateRequest, caller: AbortSignal): Promise<EmulatedTrace> {
      const needed = firstOf(request).map(({ to }) => to)
      return await within(request, needed, caller, async (run, isOver) => {
        const [result] = await deliverEach(run, [request.starts], isOver)
        const { nodes, isIncomplete, isLate, error } = result!
        if (error) throw error
        return { ...ended(run), nodes, isIncomplete, isLate }
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
        const messages = request.starts.map((start) => [start])
        return { ...ended(run), results: await deliverEach(run, messages, isLate) }
      }),
  }
}
