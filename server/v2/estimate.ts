import { TonError } from '../../shared/errors.ts'
import type { Params } from '../../shared/registry.ts'
import { parseBocRoot, serializeBoc } from '../cell/boc.ts'
import { type Cell, CellError, EMPTY_CELL } from '../cell/cell.ts'
import type { AccountState, Chain } from '../chain/types.ts'
import type { MsgForwardPrices } from '../tlb/config/prices.ts'
import { MASTERCHAIN } from '../tlb/ids.ts'
import { type Message, storeMessage } from '../tlb/message/message.ts'
import { storeAccount } from '../tlb/state/account.ts'
import { shardAccountCell } from '../tlb/state/shard-account.ts'
import type { StateInit } from '../tlb/state/state-init.ts'
import { loadTransaction } from '../tlb/transaction/transaction.ts'
import { makeTvmConfig } from '../tvm/config.ts'
import type { Tvm, TvmConfig } from '../tvm/tvm.ts'
import { forwardFee, gasFee, type Prices, readPrices, storageFee, type Used, usedBelow } from './fees.ts'
import { librariesFor } from './libraries.ts'
import { outMessages } from './out-actions.ts'

/* Fees of an external message that is not sent (v2.md 3.24): tonlib's algorithm, computed from the configuration's prices. */

/** Any fixed seed but zero, which would be a random one: the same question is to have the same answer. */
const SEED = new Uint8Array(32).fill(1)

const cellOf = (name: string, boc: Uint8Array): Cell => {
  try {
    return parseBocRoot(boc)
  } catch (error) {
    if (error instanceof CellError) throw new TonError('CHAIN', `INVALID_BAG_OF_CELLS: ${name}`, { cause: error })
    throw error
  }
}

/** StateInit that the message brings, undefined where `init_code` is empty. */
const newInit = ({ init_code, init_data }: Params<'estimateFee'>): StateInit | undefined =>
  init_code?.length ? { code: cellOf('init_code', init_code), data: cellOf('init_data', init_data ?? new Uint8Array()) } : undefined

const presentInit = (state: AccountState): StateInit | undefined =>
  state.account?.state.type === 'active' ? state.account.state.init : undefined

interface Outcome {
  readonly gasUsed: bigint
  readonly sent: readonly Message[]
}

export const feeEstimator = ({ chain, tvm }: { readonly chain: Chain; readonly tvm: Tvm }) => {
  // The emulator's form of a configuration takes milliseconds to make; the present one is kept.
  let kept: { readonly config: Cell; readonly tvmConfig: TvmConfig } | undefined
  const tvmConfigOf = (config: Cell): TvmConfig => {
    if (!kept?.config.equals(config)) kept = { config, tvmConfig: makeTvmConfig(config) }
    return kept.tvmConfig
  }

  /** Runs the message; undefined where the account does not accept it. */
  const run = async (
    params: Params<'estimateFee'>,
    state: AccountState,
    init: StateInit,
    message: Cell,
    config: Cell,
    prices: MsgForwardPrices,
    signal: AbortSignal,
  ): Promise<Outcome | undefined> => {
    const account = storeAccount({
      addr: { type: 'std', workchain: params.address.workchain, hash: params.address.hash },
      // Rent paid up to now and the import fee on top: the VM then sees the balance itself, as in tonlib.
      storageStat: { usedCells: 0n, usedBits: 0n, lastPaid: state.genUtime },
      lastTransLt: 0n,
      balance: { ...state.balance, grams: state.balance.grams + forwardFee(usedBelow(message), prices) },
      state: { type: 'active', init },
    })
    const libraries = init.code && (await librariesFor(chain, init.code, signal))
    const [result] = await tvm.runTransactions(
      [
        {
          kind: 'message',
          account: 'estimate',
          shardAccount: serializeBoc(shardAccountCell({ accountCell: account, lastTransHash: new Uint8Array(32), lastTransLt: 0n })),
          message: serializeBoc(message),
          config: tvmConfigOf(config),
          now: state.genUtime,
          lt: state.genLt,
          randomSeed: SEED,
          ignoreSignature: params.ignore_chksig,
          ...(libraries && { libraries }),
        },
      ],
      signal,
    )
    if (!result?.ok) return undefined
    const { description } = loadTransaction(parseBocRoot(result.transaction))
    const compute = 'compute' in description ? description.compute : undefined
    if (compute?.type !== 'vm') return undefined
    const actions = compute.success && result.actions ? parseBocRoot(result.actions) : EMPTY_CELL
    return { gasUsed: compute.gasUsed, sent: outMessages(actions) }
  }

  /** Fees in nanotons. A message that is not accepted costs no gas and forwards nothing. Throws CHAIN for broken BoCs. */
  return async (params: Params<'estimateFee'>, signal: AbortSignal) => {
    const body = cellOf('body', params.body)
    const brought = newInit(params)
    const state = await chain.account(params.address, undefined, signal)
    const config = await chain.config(state.block, signal)
    const masterchain = params.address.workchain === MASTERCHAIN
    const prices = readPrices(config, masterchain)
    const own = masterchain ? prices.forward.master : prices.forward.base

    const info = { type: 'external-in', src: undefined, dest: { type: 'std', ...pick(params.address) }, importFee: 0n } as const
    const init = brought ?? presentInit(state)
    const outcome = init?.code && (await run(params, state, init, storeMessage({ info, body }), config, own, signal))
    const sent = outcome ? outcome.sent.reduce((sum, message) => sum + sendFee(message, masterchain, prices), 0n) : 0n
    return {
      in_fwd_fee: Number(forwardFee(usedBelow(storeMessage({ info, init: brought, body })), own)),
      storage_fee: Number(rent(state, masterchain, prices)),
      gas_fee: Number(outcome ? gasFee(outcome.gasUsed, prices.gas) : 0n),
      fwd_fee: Number(sent),
    }
  }
}

const pick = ({ workchain, hash }: { readonly workchain: number; readonly hash: Uint8Array }) => ({ workchain, hash })

const rent = ({ account, genUtime }: AccountState, masterchain: boolean, prices: Prices): bigint => {
  if (!account) return 0n
  const { usedCells, usedBits, lastPaid } = account.storageStat
  const used: Used = { cells: usedCells, bits: usedBits }
  return storageFee(used, lastPaid, genUtime, masterchain, prices.storage)
}

/** Full forward price of a message: every cell but its root. */
const sendFee = ({ info, root }: Message, masterchain: boolean, prices: Prices): bigint => {
  const toMaster = masterchain || (info.type === 'internal' && info.dest.workchain === MASTERCHAIN)
  return forwardFee(usedBelow(root), toMaster ? prices.forward.master : prices.forward.base)
}
