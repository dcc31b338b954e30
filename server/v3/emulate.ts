import { createHash } from 'node:crypto'
import type { emulate as methods } from '../../shared/emulate/emulate.ts'
import { TonError } from '../../shared/errors.ts'
import type { Params, Result } from '../../shared/registry.ts'
import { beforeDeadline, createAbortController } from '../base/abort.ts'
import type { Call, Handlers } from '../base/call.ts'
import { takeOneOf } from '../base/limits/take-emulation-or-send.ts'
import { canonical } from '../base/memory/canonical-text.ts'
import { Lru } from '../base/memory/lru.ts'
import { createPermits } from '../base/permits.ts'
import { parseAccountBocOr, parseBocRootOr } from '../cell/boc.ts'
import { type Budget, MAX_ACCOUNT_CELLS } from '../cell/budget.ts'
import type { Cell } from '../cell/cell.ts'
import type { AccountState, Chain } from '../chain/chain-port.ts'
import type { Emulator } from '../emulate/emulator.ts'
import { EmulationError, isFinal } from '../emulate/error.ts'
import { readOverrides } from '../emulate/overrides.ts'
import { composeRequest, senderOf } from '../emulate/ton-connect.ts'
import type { EmulatedBundle, Start } from '../emulate/trace.ts'
import { toHex } from '../tlb/bytes.ts'
import { type AccountId, type BlockId, MASTERCHAIN } from '../tlb/ids.ts'
import type { V3Index } from './answer/answer.ts'
import { answerOfBundle } from './answer/emulated-bundle.ts'
import type { TraceRecognizer } from './answer/recognize-trace.ts'
import { actionTypesOf } from './shapes/supported-action-types.ts'

/* Emulates messages without sending them, by the methods of TON Center's /api/emulate/v1. */

export interface EmulateDeps {
  readonly chain: Chain
  readonly emulator: Emulator
  readonly recognizer: TraceRecognizer
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
/** Wallets repeat a failed request many times, so answers and refusals are cached for a second. */
const CACHE = { max: 128, ttl: 1_000, ttlAutopurge: true }
/** Milliseconds for an emulation and its wait in the queue. Normally both end earlier. */
const LONGEST = 8_000

/** Seconds for which a TON Connect request is valid by default. */
const VALID = 300

/** Shortens cache keys: a request can contain a BoC of a megabyte. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')

const readMessage = (boc: Uint8Array): Cell =>
  parseBocRootOr(boc, (error) => new EmulationError('message', `Can't deserialize message boc: ${error.message}`, { cause: error }))

const readBundled = (boc: Uint8Array, i: number, budget: Budget): Promise<Cell> =>
  parseAccountBocOr(
    boc,
    (error) => new TonError('INVALID_PARAMS', `invalid request: messages[${i}].boc is not a BoC: ${error.message}`, { cause: error }),
    budget,
  )

/** Whether the error means that the chain lacks the requested data. */
const isMissing = (error: unknown): error is TonError => error instanceof TonError && (error.kind === 'CHAIN' || error.kind === 'NOT_FOUND')

const notFetched = (seqno: number, cause: TonError): EmulationError =>
  new EmulationError('message', `failed to fetch mc block  ${seqno}: ${cause.message}`, { cause })

/** Returns a function that runs an emulation on the requested block. Equal requests share one run. */
const createSharedRuns = (deps: EmulateDeps) => {
  const { chain, index } = deps
  const permits = createPermits(AT_ONCE)
  const cache = new Lru<string, Promise<unknown>>(CACHE)

  const blockAt = async (seqno: number | undefined, signal: AbortSignal): Promise<BlockId> => {
    const { id } = chain.head()
    if (seqno === undefined || seqno === id.seqno) return id
    if (seqno > id.seqno) throw new EmulationError('message', 'mc block seqno is too new')
    return await chain.pin(seqno, signal)
  }

  /** Gives an error the configured HTTP status. If the chain lacks data of an old block, the error has TON Center's message. */
  const asSet = (thrown: unknown, { mc_block_seqno: seqno }: Options): unknown => {
    const error = seqno !== undefined && isMissing(thrown) ? notFetched(seqno, thrown) : thrown
    return deps.errorStatus === 500 && isFinal(error) ? new TonError('CHAIN', error.message, { cause: error }) : error
  }

  /** Runs one request. Equal requests within a second share an answer. The run continues when its first caller disconnects, because others may wait for it. */
  return async <T>(
    name: string,
    params: Options,
    call: Call,
    emulate: (beginning: Beginning, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    if ((params.include_address_book || params.include_metadata) && index === undefined) {
      throw new TonError('INVALID_PARAMS', 'invalid request: address book and metadata are not available')
    }
    const head = chain.head().id
    const key = hashOf(`${name} ${call.caller?.servers ?? ''} ${toHex(head.rootHash)} ${canonical(params)}`)
    // A cached answer does not count against the limit. Of concurrent equal calls only the first counts, unless another process counts them: then each call
    // counts.
    const checking = cache.has(key) ? undefined : takeOneOf(call.caller, 'emulations')
    if (checking instanceof Promise) await checking
    // The cast is safe, because the name of the method is part of the key.
    const cached = cache.get(key) as Promise<T> | undefined
    if (cached !== undefined) return cached
    const run = async (signal: AbortSignal): Promise<T> => {
      using _permit = await permits.take(signal, call.client)
      const at = await blockAt(params.mc_block_seqno, signal)
      // On an old block the emulation starts at the time of that block (0), because the requests of that time have expired by now.
      const now = params.now ?? (at.seqno === head.seqno ? deps.now() : 0)
      return await emulate({ at, now }, signal)
    }
    const own = createAbortController()
    const answer = beforeDeadline(LONGEST, 'the emulation did not end in time', own, () => run(own.signal)).catch((error: unknown) => {
      throw asSet(error, params)
    })
    cache.set(key, answer)
    answer.catch((error: unknown) => {
      // Only refusals of the message stay cached. A failure of the service may be gone at the next call.
      if (!(error instanceof EmulationError) && !(error instanceof TonError && error.kind === 'CHAIN')) cache.delete(key)
    })
    return answer
  }
}

export const emulateHandlers = (deps: EmulateDeps): Pick<Handlers, keyof typeof methods> => {
  const { chain, emulator, recognizer, index } = deps
  const shared = createSharedRuns(deps)

  const show = (bundle: EmulatedBundle, starts: readonly Start[], params: Options, call: Call, wallets: boolean, signal: AbortSignal) => {
    const hashes = starts.map(({ message }) => Buffer.from(message.hash()).toString('base64'))
    const wants = { actions: params.with_actions, book: params.include_address_book, metadata: params.include_metadata, wallets }
    const types = new Set(actionTypesOf(params))
    const options = { index, recognizer, wants, types, network: call.network, client: call.client }
    return answerOfBundle(options, bundle, hashes, signal)
  }

  const emulated = (
    name: string,
    params: Options,
    call: Call,
    startOf: (beginning: Beginning, signal: AbortSignal) => Promise<Start>,
  ): Promise<Answer> =>
    shared(name, params, call, async (beginning, signal) => {
      const starts = [await startOf(beginning, signal)]
      const request = { starts, ...beginning, randSeed: params.rand_seed, client: call.client }
      const { nodes, isIncomplete, isLate, ...of } = await emulator.trace(request, signal)
      const bundle = { ...of, results: [{ nodes, isIncomplete, isLate, error: undefined }] }
      const { results, ...answer } = await show(bundle, starts, params, call, false, signal)
      const { trace, transactions, actions, is_incomplete } = results[0]!
      return { ...answer, trace: trace!, transactions, actions, is_incomplete }
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
      emulated('trace', params, call, async () => ({ message: readMessage(params.boc), ignoreSignatures: params.ignore_chksig })),

    'emulate.tonConnect': (params, call) =>
      emulated('tonConnect', params, call, async ({ at, now }, signal) => {
        const wallet = await walletAt(senderOf(params.from), at, signal)
        const time = Math.max(now, wallet.genUtime)
        const request = { messages: params.messages, validUntil: params.valid_until ?? time + VALID, now: time }
        return { message: await composeRequest(wallet, request), ignoreSignatures: true }
      }),

    'emulate.bundle': (params, call) =>
      shared('bundle', params, call, async (beginning, signal) => {
        const budget = { cells: MAX_ACCOUNT_CELLS }
        const starts: Start[] = []
        for (const [i, { boc, ignore_chksig }] of params.messages.entries()) {
          starts.push({ message: await readBundled(boc, i, budget), ignoreSignatures: ignore_chksig })
        }
        const { accounts, stateOf } = await readOverrides(params.overrides, beginning.now, budget)
        const request = { starts, ...beginning, stateOf, randSeed: params.rand_seed, client: call.client }
        const bundle = await emulator.bundle(request, accounts, signal)
        return await show(bundle, starts, params, call, true, signal)
      }),
  }
}
