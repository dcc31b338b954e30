import type { emulate as methods } from '../../shared/emulate/emulate.ts'
import { TonError } from '../../shared/errors.ts'
import type { Params, Result } from '../../shared/registry.ts'
import { joinAbort } from '../base/abort.ts'
import type { Call, Handlers } from '../base/call.ts'
import { beforeDeadline } from '../base/limits/deadline.ts'
import { takeOneOf } from '../base/limits/take-emulation-or-send.ts'
import { createPermits } from '../base/permits.ts'
import { parseBocRootOr } from '../cell/boc.ts'
import type { Cell } from '../cell/cell.ts'
import type { AccountState, Chain } from '../chain/chain-port.ts'
import type { Emulator } from '../emulate/emulator.ts'
import { EmulationError } from '../emulate/error.ts'
import { readOverrides } from '../emulate/overrides.ts'
import { composeRequest, senderOf } from '../emulate/ton-connect.ts'
import type { EmulatedTrace, Start } from '../emulate/trace.ts'
import { type AccountId, type BlockId, MASTERCHAIN } from '../tlb/ids.ts'
import type { V3Index } from './answer/answer.ts'
import { completeEmulated } from './answer/emulated.ts'
import { answerOfBundle } from './answer/emulated-bundle.ts'
import type { TraceRecognizer } from './answer/recognize-trace.ts'
import { showEmulated } from './shapes/emulated.ts'
import { actionTypesOf } from './shapes/supported-action-types.ts'
import { treeOf } from './shapes/trace.ts'

/* Emulates messages without sending them, by the methods of TON Center's /api/emulate/v1. */

export interface EmulateDeps {
  readonly chain: Chain
  readonly emulator: Emulator
  readonly recognizer: TraceRecognizer
  /** Unix seconds. */
  readonly now: () => number
  /** Undefined if the index is off. Actions then lack facts of accounts outside the trace, and address book and metadata are unavailable. */
  readonly index: V3Index | undefined
  /** HTTP status for a message that cannot be emulated. TON Center uses 500. */
  readonly errorStatus: 422 | 500
}

type Answer = Result<'emulate.trace'>
type Options = Omit<Params<'emulate.trace'>, 'boc' | 'ignore_chksig'>

/** The masterchain block on which an emulation starts, and the time of the first emulated block in unix seconds. */
interface Beginning {
  readonly at: BlockId
  readonly now: number
}

/** Maximum number of concurrent emulations of all callers, and limits of their queue. */
const AT_ONCE = { atOnce: 16, waiting: 256, patience: 2_000, text: 'too many emulations are asked for at once; try again' }
/** Milliseconds for an emulation and its wait in the queue. Normally both end earlier. */
const LONGEST = 8_000

/** Seconds for which a TON Connect request is valid by default. */
const VALID = 300

const readMessage = (boc: Uint8Array): Cell =>
  parseBocRootOr(boc, (error) => new EmulationError('message', `Can't deserialize message boc: ${error.message}`, { cause: error }))

const readBundled = (boc: Uint8Array, i: number): Cell =>
  parseBocRootOr(boc, (error) => {
    const text = `invalid request: messages[${i}].boc is not a BoC: ${error.message}`
    return new TonError('INVALID_PARAMS', text, { cause: error })
  })

/** Whether the error means that the chain lacks the requested data. */
const isMissing = (error: unknown): error is TonError => error instanceof TonError && (error.kind === 'CHAIN' || error.kind === 'NOT_FOUND')

const notFetched = (seqno: number, cause: TonError): EmulationError =>
  new EmulationError('message', `failed to fetch mc block  ${seqno}: ${cause.message}`, { cause })

/** Runs an emulation on the requested block. */
type Run = <T>(params: Options, call: Call, emulate: (beginning: Beginning, signal: AbortSignal) => Promise<T>) => Promise<T>

const createRun = ({ chain, index, now, errorStatus }: EmulateDeps): Run => {
  const permits = createPermits(AT_ONCE)

  const blockAt = async (seqno: number | undefined, signal: AbortSignal): Promise<BlockId> => {
    const { id } = chain.head()
    if (seqno === undefined || seqno === id.seqno) return id
    if (seqno > id.seqno) throw new EmulationError('message', 'mc block seqno is too new')
    return await chain.pin(seqno, signal)
  }

  /** Gives an error the configured HTTP status. If the chain lacks data of an old block, the error has TON Center's message. */
  const asSet = (thrown: unknown, { mc_block_seqno: seqno }: Options): unknown => {
    const error = seqno !== undefined && isMissing(thrown) ? notFetched(seqno, thrown) : thrown
    return errorStatus === 500 && error instanceof EmulationError && error.kind !== 'time'
      ? new TonError('CHAIN', error.message, { cause: error })
      : error
  }

  return async (params, call, emulate) => {
    if ((params.include_address_book || params.include_metadata) && index === undefined) {
      throw new TonError('INVALID_PARAMS', 'invalid request: address book and metadata are not available')
    }
    const head = chain.head().id
    await takeOneOf(call.caller, 'emulations')
    const own = joinAbort(call.signal)
    const { signal } = own
    const run = async () => {
      const release = await permits.take(signal, call.client)
      try {
        const at = await blockAt(params.mc_block_seqno, signal)
        // On an old block the emulation starts at the time of that block (0), because the requests of that time have expired by now.
        return await emulate({ at, now: params.now ?? (at.seqno === head.seqno ? now() : 0) }, signal)
      } finally {
        release()
      }
    }
    try {
      return await beforeDeadline(LONGEST, 'the emulation did not end in time', own, run)
    } catch (error) {
      throw asSet(error, params)
    } finally {
      own.release()
    }
  }
}

export const emulateHandlers = (deps: EmulateDeps): Pick<Handlers, keyof typeof methods> => {
  const { chain, emulator, recognizer, index } = deps
  const run = createRun(deps)

  const answerOf = async (trace: EmulatedTrace, start: Start, options: Options, call: Call, signal: AbortSignal): Promise<Answer> => {
    const externalHash = Buffer.from(start.message.hash()).toString('base64')
    const { transactions, codeCells, dataCells } = await showEmulated(trace, { externalHash }, signal)
    const tree = treeOf(transactions[0]!.hash, transactions)
    if (typeof tree === 'string') throw new Error(`an emulated trace has no tree: ${tree}`)
    const { with_actions, include_address_book, include_metadata } = options
    const types = new Set(actionTypesOf(options))
    const place = { externalHash, types, network: call.network, client: call.client }
    const wants = { actions: with_actions, book: include_address_book, metadata: include_metadata }
    const { actions, address_book, metadata } = await completeEmulated({ index, recognizer }, trace, place, wants, signal)
    return {
      mc_block_seqno: trace.at.seqno,
      trace: tree,
      transactions: Object.fromEntries(transactions.map((transaction) => [transaction.hash, transaction])),
      actions,
      code_cells: await codeCells(),
      data_cells: await dataCells(),
      ...(address_book && { address_book }),
      ...(metadata && { metadata }),
      rand_seed: Buffer.from(trace.randSeed).toString('base64'),
      is_incomplete: trace.isIncomplete,
    }
  }

  const emulated = (params: Options, call: Call, startOf: (beginning: Beginning, signal: AbortSignal) => Promise<Start>): Promise<Answer> =>
    run(params, call, async (beginning, signal) => {
      const start = await startOf(beginning, signal)
      const trace = await emulator.trace({ starts: [start], ...beginning, randSeed: params.rand_seed, client: call.client }, signal)
      return await answerOf(trace, start, params, call, signal)
    })

  /** The account of a TON Connect sender. If its workchain has no blocks, the error is TON Center's. */
  const walletAt = async (id: AccountId, at: BlockId, signal: AbortSignal): Promise<AccountState> => {
    try {
      return await chain.account(id, at, signal)
    } catch (error) {
      if (!isMissing(error) || id.workchain === MASTERCHAIN || id.workchain === 0) throw error
      throw new EmulationError('message', 'no shard found for message', { cause: error })
    }
  }

  return {
    'emulate.trace': (params, call) =>
      emulated(params, call, async () => ({ message: readMessage(params.boc), ignoreSignatures: params.ignore_chksig })),

    'emulate.tonConnect': (params, call) =>
      emulated(params, call, async ({ at, now }, signal) => {
        const wallet = await walletAt(senderOf(params.from), at, signal)
        const time = Math.max(now, wallet.genUtime)
        const request = { messages: params.messages, validUntil: params.valid_until ?? time + VALID, now: time }
        return { message: composeRequest(wallet, request), ignoreSignatures: true }
      }),

    'emulate.bundle': (params, call) =>
      run(params, call, async (beginning, signal) => {
        const starts = params.messages.map(({ boc, ignore_chksig }, i) => ({
          message: readBundled(boc, i),
          ignoreSignatures: ignore_chksig,
        }))
        const { accounts, stateOf } = readOverrides(params.overrides, beginning.now)
        const request = { starts, ...beginning, stateOf, randSeed: params.rand_seed, client: call.client }
        const bundle = await emulator.bundle(request, accounts, signal)
        const hashes = starts.map(({ message }) => Buffer.from(message.hash()).toString('base64'))
        const place = { types: new Set(actionTypesOf(params)), network: call.network, client: call.client }
        const wants = { actions: params.with_actions, book: params.include_address_book, metadata: params.include_metadata }
        return await answerOfBundle({ index, recognizer }, bundle, hashes, place, wants, signal)
      }),
  }
}
