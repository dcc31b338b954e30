import { type AnyHandler, answering } from '../base/answer.ts'
import type { Handlers } from '../base/call.ts'
import type { Chain } from '../chain/chain-port.ts'
import { COMMON } from '../chain/lite/groups.ts'
import { outwardNetwork } from '../config/global-config-text.ts'
import { byGroup, inThreads } from '../dispatch/choose-handler.ts'
import { createEmulator, type Emulator } from '../emulate/emulator.ts'
import type { Hub } from '../live/hub.ts'
import { pictureHandlers } from '../metadata/pictures.ts'
import type { Fetch } from '../net/fetch.ts'
import type { Reader } from '../store/postgres/pool.ts'
import type { ReadableDatabase } from '../store/replicas/floor.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { createV2Handlers } from '../v2/index.ts'
import { decodeHandlers } from '../v3/decode.ts'
import { emulateHandlers } from '../v3/emulate.ts'
import { createV3Handlers } from '../v3/index.ts'
import type { PageThreads } from '../v3/large-pages/thread.ts'
import { subscriptionHandlers } from '../v3/subscriptions.ts'
import type { Pending } from './pending.ts'

/* The handlers of a network: the same whether it is opened in this process or read from the primary. */

export interface HandlerDeps {
  readonly chain: Chain
  /** A chain for each group of lite-servers besides the common one. */
  readonly groups: ReadonlyMap<string, Chain>
  readonly tvm: Tvm
  /** The emulator over `chain`. */
  readonly emulator: Emulator
  /** Unix seconds. */
  readonly now: () => number
  /** Reads the index; undefined if it is off. */
  readonly reader: Reader | undefined
  /** Where large pages of the index are made, and the database that they are read from; undefined while there is nothing to read. */
  readonly pages: PageThreads | undefined
  readonly readable: () => ReadableDatabase | undefined
  /** Called for a token whose off-chain data is not fetched yet; undefined if nothing is fetched. */
  readonly want: ((token: Buffer) => void) | undefined
  /** Loads pictures of tokens; undefined if nothing is fetched. */
  readonly pictures: Fetch | undefined
  /** Events of the index; undefined where it is off. */
  readonly live: Hub | undefined
  /** Pending traces; undefined without an index, where nobody asks for them. */
  readonly pending: Pending | undefined
  /** Handlers of `local.*`; undefined without an embedded chain. */
  readonly local: Partial<Handlers> | undefined
  /** HTTP status of a message that cannot be emulated. */
  readonly emulateErrors: 422 | 500
  /** The setting `fork` of an embedded chain. */
  readonly fork: string | undefined
}

/** Handlers of a fork's index. A header tells callers that the index begins at the fork, and which network is forked. */
const tellingFork = <H extends Readonly<Record<string, AnyHandler>>>(handlers: H, fork: string | undefined): H => {
  if (fork === undefined) return handlers
  const value = outwardNetwork(fork)
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handler]): readonly [string, AnyHandler] => [
      name,
      async (params, call) => {
        const answer = await handler(params, call)
        return { ...answer, headers: { ...answer.headers, 'X-Fork': value } }
      },
    ]),
  ) as H
}

/** The handlers of all methods that a network serves, by wire name. */
export const createHandlers = (deps: HandlerDeps): Readonly<Record<string, AnyHandler>> => {
  const { chain, groups, tvm, emulator, now, reader, want, pictures, live, pending, local, pages, readable, emulateErrors, fork } = deps
  const ofGroups = <H extends object>(make: (of: Chain, group: string) => H): H =>
    byGroup(make(chain, COMMON), new Map([...groups].map(([group, of]) => [group, make(of, group)])))
  const index = reader && { reader, want }
  const emulate = ofGroups((of) => {
    const own = of === chain ? emulator : createEmulator({ chain: of, tvm })
    return emulateHandlers({ chain: of, emulator: own, now, index, errorStatus: emulateErrors })
  })
  const following = (of: Chain, group: string): Chain =>
    pending ? { ...of, sendMessage: (boc, signal) => pending.send(boc, group, signal) } : of
  const v2 = ofGroups((of, group) => createV2Handlers({ chain: following(of, group), tvm, now }))
  return {
    ...answering({ ...v2, ...emulate, ...decodeHandlers(), ...local }),
    ...(reader && tellingFork(inThreads(createV3Handlers({ reader, want, v2, pending: pending?.board }), pages, readable), fork)),
    ...(reader && answering(pictureHandlers({ reader, want, fetch: pictures }))),
    ...(live && subscriptionHandlers(live)),
  }
}
