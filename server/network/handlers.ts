import { emulate as emulateMethods } from '../../shared/emulate/emulate.ts'
import type { MethodName } from '../../shared/registry.ts'
import { type Answer, type AnyHandler, answering } from '../base/answer.ts'
import type { Call, Handlers } from '../base/call.ts'
import { jsonParts, piecesOf } from '../base/json/parts.ts'
import type { Chain } from '../chain/chain-port.ts'
import { COMMON } from '../chain/lite/choose-servers.ts'
import type { LocalControl } from '../chain/local/local-chain.ts'
import { byGroup } from '../dispatch/choose-handler.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { createV2Handlers } from '../v2/index.ts'
import { createV4Handlers } from '../v2/v4/index.ts'
import { proofHandlers } from '../v3/proofs.ts'
import type { Indexed } from './open-index.ts'

export interface HandlerDeps {
  readonly chain: Chain
  /** Chains by the name of their lite-server group, without the common group. */
  readonly groups: ReadonlyMap<string, Chain>
  readonly tvm: Tvm
  readonly now: () => number
  readonly indexed: Indexed | undefined
  readonly local: Partial<Handlers> | undefined
  readonly control?: LocalControl | undefined
  readonly reverts: boolean
  /** HTTP status of the response to a message that cannot be emulated. */
  readonly emulateErrors: 422 | 500
}

/** Handlers whose code is loaded when one of them is first called. */
const lazily = <M extends MethodName>(names: readonly M[], load: () => Promise<Pick<Handlers, M>>): Pick<Handlers, M> => {
  let loaded: Promise<Pick<Handlers, M>> | undefined
  const late =
    (name: M) =>
    async (params: never, call: Call): Promise<unknown> => {
      // If it fails, for example for want of file descriptors, the next call loads it again.
      loaded ??= load().catch((error: unknown) => {
        loaded = undefined
        throw error
      })
      return ((await loaded)[name] as (params: never, call: Call) => unknown)(params, call)
    }
  return Object.fromEntries(names.map((name) => [name, late(name)])) as unknown as Pick<Handlers, M>
}

/** `results`, its members, `transactions`, its members; or `transactions`, its members, `out_msgs`, its members. */
const LEVELS = 4
/** Answers may have thousands of messages, their bodies, codes and data: too much for one text. */
const inParts = (result: unknown): Answer => ({ pieces: piecesOf(jsonParts(result, LEVELS)) })

/** Methods that show transactions or bodies. Each message of a transaction, and each body, may have megabytes of JSON. */
const IN_PARTS = [
  'v3.decode',
  'getTransactions',
  'getTransactionsStd',
  'getBlockTransactionsExt',
  'tryLocateTx',
  'tryLocateResultTx',
  'tryLocateSourceTx',
  'local.trace',
] as const

export const createHandlers = (deps: HandlerDeps): Readonly<Record<string, AnyHandler>> => {
  const { chain, groups, tvm, now, indexed, local, control, reverts, emulateErrors } = deps
  const pending = indexed?.pending
  const ofGroups = <H extends object>(make: (of: Chain, group: string) => H): H =>
    byGroup(make(chain, COMMON), new Map([...groups].map(([group, of]) => [group, make(of, group)])))
  const emulate = ofGroups((of) =>
    lazily(Object.keys(emulateMethods) as (keyof typeof emulateMethods)[], async () => {
      const [{ emulateHandlers }, { createEmulator }, { createTraceRecognizer }] = await Promise.all([
        import('../v3/emulate.ts'),
        import('../emulate/emulator.ts'),
        import('../v3/answer/recognize-trace.ts'),
      ])
      const recognizer = createTraceRecognizer({ chain: of, tvm })
      const emulator = (of === chain ? indexed?.emulator : undefined) ?? createEmulator({ chain: of, tvm })
      return emulateHandlers({ chain: of, emulator, recognizer, now, index: indexed, errorStatus: emulateErrors })
    }),
  )
  const decode = lazily(['v3.decode', 'inspectBody'], async () => (await import('../v3/decode.ts')).decodeHandlers())
  const following = (of: Chain, group: string): Chain =>
    pending ? { ...of, sendMessage: (boc, signal) => pending.send(boc, group, signal) } : of
  const v2 = ofGroups((of, group) => createV2Handlers({ chain: following(of, group), tvm, now, control, isEmbedded: local !== undefined }))
  const proofs = ofGroups((of) => proofHandlers({ chain: of }))
  const chainOf = (call: Call): Chain => groups.get(call.caller?.servers ?? '') ?? chain
  const v4 = ofGroups((of) => createV4Handlers({ chain: of, sendBoc: v2.sendBoc, reverts }))
  const direct: Partial<Handlers> = { ...v2, ...decode, ...proofs, ...local }
  const listed = Object.fromEntries(IN_PARTS.flatMap((name) => (direct[name] ? [[name, direct[name]]] : [])))
  return { ...answering(direct), ...answering(listed, inParts), ...answering(emulate, inParts), ...v4, ...indexed?.handlers(v2, chainOf) }
}
