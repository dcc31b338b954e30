import { TonError } from '../../shared/errors.ts'
import type { Params } from '../../shared/registry.ts'
import { addHeader, type Call } from '../base/call.ts'
import { runSteps } from '../base/yield.ts'
import { parseBocRootOr } from '../cell/boc.ts'
import { MAX_BAG_CELLS, uniqueCells } from '../cell/budget.ts'
import { type Cell, CellError, EMPTY_CELL } from '../cell/cell.ts'
import type { AccountState, Chain } from '../chain/chain-port.ts'
import { createLibraries } from '../emulate/libraries.ts'
import { loadParam, storeWhole, withConfigParam } from '../tlb/config/config-dictionary.ts'
import { gasPrices, type MsgForwardPrices } from '../tlb/config/prices.ts'
import { type AccountId, MASTERCHAIN } from '../tlb/ids.ts'
import { type Message, storeMessage } from '../tlb/message/message.ts'
import { storeAccount } from '../tlb/state/account.ts'
import type { StateInit } from '../tlb/state/state-init.ts'
import { loadTransaction } from '../tlb/transaction/transaction.ts'
import { type ExecutorConfig, unpackConfig } from '../tvm/executor/config.ts'
import { forwardFee, storageFee } from '../tvm/executor/fees.ts'
import { gasBought, gasFee } from '../tvm/executor/gas.ts'
import type { TransactionOutcome } from '../tvm/make-transaction.ts'
import type { Tvm } from '../tvm/tvm.ts'
import { versionText } from '../tvm/versions.ts'
import { outMessages } from './out-actions.ts'

/* Fees of an external message that is not sent: the algorithm of tonlib (https://github.com/ton-blockchain/ton, tonlib/tonlib/TonlibClient.cpp, commit ca7d6e4), computed from the configuration's prices. */

/** Fixed, so that equal requests have equal answers. A zero seed would mean a random one. */
const SEED = new Uint8Array(32).fill(1)

const cellOf = (name: string, boc: Uint8Array): Cell =>
  parseBocRootOr(boc, (error) => new TonError('CHAIN', `INVALID_BAG_OF_CELLS: ${name}`, { cause: error }))

const newInit = ({ init_code, init_data }: Params<'estimateFee'>): StateInit | undefined =>
  init_code?.length ? { code: cellOf('init_code', init_code), data: cellOf('init_data', init_data ?? new Uint8Array()) } : undefined

const presentInit = (state: AccountState): StateInit | undefined =>
  state.account?.state.type === 'active' ? state.account.state.init : undefined

interface Outcome {
  readonly gasUsed: bigint
  readonly sent: readonly Message[]
}

/**
 * Nanograms added to a balance that is too low to buy gas. Needed because tonway's executor, unlike tonlib, sends the messages of the code, and fails if
 * the balance cannot pay for them.
 */
const TOP_UP = 1_000_000_000n
const NOTHING_RAN: Outcome = { gasUsed: 0n, sent: [] }

/** Caches the last result, because building a configuration with free gas takes time. */
const keepingLast = (make: (config: Cell) => Cell): ((config: Cell) => Cell) => {
  let last: { readonly config: Cell; readonly made: Cell } | undefined
  return (config) => {
    if (!last?.config.equals(config)) last = { config, made: make(config) }
    return last.made
  }
}

/** Returns the configuration with free gas for one chain (parameter 20 or 21). With free gas no gas credit is needed. */
const freeGas =
  (param: 20 | 21) =>
  (config: Cell): Cell => {
    const prices = loadParam(config, param, gasPrices)
    if (prices === undefined) throw new CellError('range', `configuration parameter ${param} is missing`)
    const free = { ...prices, gasCredit: 0n, flat: { limit: prices.gasLimit, price: 0n } }
    return withConfigParam(config, param, storeWhole(gasPrices, free))
  }

const chainOf = ({ workchain }: AccountId): 'masterchain' | 'basechain' => (workchain === MASTERCHAIN ? 'masterchain' : 'basechain')

export const feeEstimator = ({ chain, tvm }: { readonly chain: Chain; readonly tvm: Tvm }) => {
  const freeConfigOf = { basechain: keepingLast(freeGas(21)), masterchain: keepingLast(freeGas(20)) }

  /** Runs the message. Returns undefined if the account does not accept the message. With `free`, gas costs nothing and the message need not be accepted. */
  const run = async (
    params: Params<'estimateFee'>,
    state: AccountState,
    init: StateInit,
    message: Cell,
    config: Cell,
    importFee: bigint,
    free: boolean,
    { signal, client }: Call,
  ): Promise<Outcome | undefined> => {
    const account = storeAccount({
      addr: { type: 'std', workchain: params.address.workchain, hash: params.address.hash },
      // The executor subtracts storage fee and import fee before it runs the code. The first is set to 0 and the second is added here, so that the VM sees
      // the account's real balance, as in tonlib.
      storageStat: { usedCells: 0n, usedBits: 0n, lastPaid: state.genUtime },
      lastTransLt: 0n,
      balance: { ...state.balance, grams: state.balance.grams + importFee + (free ? TOP_UP : 0n) },
      state: { type: 'active', init },
    })
    const libraries = createLibraries(chain, state.block, signal)
    await libraries.addFor(init.code)
    const runOnce = (): Promise<TransactionOutcome> =>
      tvm.runTransaction(
        {
          kind: 'message',
          config: free ? freeConfigOf[chainOf(params.address)](config) : config,
          account: pick(params.address),
          shardAccount: { accountCell: account, lastTransHash: new Uint8Array(32), lastTransLt: 0n },
          message,
          now: state.genUtime,
          lt: state.genLt,
          blockSeed: SEED,
          ignoreSignatures: params.ignore_chksig,
          libraries: libraries.root(),
        },
        signal,
        { inPool: true, client },
      )
    let result = await runOnce()
    while (result.missingLibrary !== undefined && (await libraries.add(result.missingLibrary))) result = await runOnce()
    if (!result.ok) return undefined
    const { description } = loadTransaction(result.transaction)
    const compute = 'compute' in description ? description.compute : undefined
    if (compute?.type !== 'vm') return undefined
    const actions = (compute.success && result.actions) || EMPTY_CELL
    return { gasUsed: compute.gasUsed, sent: outMessages(actions) }
  }

  /** Fees in nanograms. If the account does not accept the message, gas and forward fees are 0. Throws CHAIN for broken BoCs. */
  return async (params: Params<'estimateFee'>, call: Call) => {
    const { signal } = call
    const body = cellOf('body', params.body)
    const brought = newInit(params)
    const state = await chain.account(params.address, undefined, signal)
    const { root: config } = await chain.config(state.block, signal)
    const prices = unpackConfig(config)
    addHeader(call, 'X-Tvm-Version', versionText(prices.version))
    const [gas, own] = [prices.gas[chainOf(params.address)], prices.forward[chainOf(params.address)]]

    const info = { type: 'external-in', src: undefined, dest: { type: 'std', ...pick(params.address) }, importFee: 0n } as const
    const init = brought ?? presentInit(state)
    // As in tonlib, an account that cannot buy gas gets no gas credit, and its message counts as accepted and runs without a gas limit. The fee is then the
    // price of the gas used, or the flat price if the account has no code.
    const free = gas.credit === 0n || gasBought(gas, state.balance.grams, gas.limit) === 0n
    const message = storeMessage({ info, body })
    const priceOf = createPricing(signal)
    const ran = init?.code && (await run(params, state, init, message, config, await priceOf(own, message), free, call))
    const outcome = ran ?? (free ? NOTHING_RAN : undefined)
    let sent = 0n
    for (const { info, root } of outcome?.sent ?? []) sent += await priceOf(sendPrices(info, params.address, prices), root)
    return {
      in_fwd_fee: Number(await priceOf(own, storeMessage({ info, init: brought, body }))),
      storage_fee: Number(rent(state, prices)),
      gas_fee: Number(outcome ? gasFee(gas, outcome.gasUsed) : 0n),
      fwd_fee: Number(sent),
    }
  }
}

const pick = ({ workchain, hash }: { readonly workchain: number; readonly hash: Uint8Array }) => ({ workchain, hash })

const rent = ({ id, account, genUtime }: AccountState, { storagePrices }: ExecutorConfig): bigint => {
  if (!account) return 0n
  const { storageStat: used } = account
  return storageFee(storagePrices, { used, lastPaid: used.lastPaid, now: genUtime, masterchain: id.workchain === MASTERCHAIN })
}

const children = (cell: Cell): Cell[] => Array.from({ length: cell.refCount }, (_, i) => cell.ref(i))

interface Size {
  readonly cells: number
  readonly bits: number
}

/** Number of cells that are counted in one step: less than a millisecond. */
const STEP_CELLS = 1_000

function* sizeOf(roots: readonly Cell[]): Generator<void, Size> {
  let [cells, bits] = [0, 0]
  for (const cell of uniqueCells(roots, { cells: MAX_BAG_CELLS })) {
    bits += cell.bits
    if (++cells % STEP_CELLS === 0) yield
  }
  return { cells, bits }
}

/**
 * Returns a function for the forward price of a message in nanograms, with all cells below its root. A contract can send 20 messages of 65,000 cells, often
 * with equal bodies, so sizes are counted in steps and remembered.
 */
const createPricing = (signal: AbortSignal) => {
  const sizes = new Map<string, Size>()
  return async (prices: MsgForwardPrices, message: Cell): Promise<bigint> => {
    const below = children(message)
    const key = below.map((cell) => cell.hashKey()).join('')
    const size = sizes.get(key) ?? (await runSteps(sizeOf(below), signal))
    sizes.set(key, size)
    return forwardFee(prices, size.cells, size.bits)
  }
}

const sendPrices = (info: Message['info'], from: AccountId, { forward }: ExecutorConfig): MsgForwardPrices =>
  forward[info.type === 'internal' && info.dest.workchain === MASTERCHAIN ? 'masterchain' : chainOf(from)]
