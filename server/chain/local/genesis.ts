import { createHash } from 'node:crypto'
import { augRootExtra, augSetManySteps, storeAugE } from '../../cell/aug.ts'
import { bocSteps, parseBocRoot } from '../../cell/boc.ts'
import { type Builder, beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { pruneAbsent } from '../../cell/merkle.ts'
import { configParam, loadParam, withConfigParam } from '../../tlb/config/config-dictionary.ts'
import { workchains, workchainsCell } from '../../tlb/config/workchains.ts'
import { addCurrency, NO_CURRENCY } from '../../tlb/currency.ts'
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../tlb/ids.ts'
import { ACCOUNT_NONE, loadAccount, storeAccount } from '../../tlb/state/account.ts'
import { storeMcStateExtra } from '../../tlb/state/mc-state-extra.ts'
import { storeOutMsgQueueInfo } from '../../tlb/state/out-msg-queue.ts'
import { shardAccountsAug, storeShardAccount } from '../../tlb/state/shard-account.ts'
import { storeShardState } from '../../tlb/state/shard-state.ts'
import { applyAccountSteps } from './collate/accounts/account-input.ts'
import { createKeep } from './collate/accounts/block-accounts.ts'
import { dataOf, withConfig } from './collate/master/config-change.ts'
import { CONFIG_ADDRESS, configRoot, defaultConfig, ELECTOR_ADDRESS } from './config/defaults.ts'
import { code as configurationCode } from './contracts/configuration.tolk'
import { code as electorCode } from './contracts/elector.tolk'
import type { ForkState } from './fork/reads.ts'
import { keyOf, NO_HASH } from './hash-keys.ts'
import type { AccountInput, ChainTip, Genesis, GenesisOptions, MadeBlock } from './model.ts'
import { createValidator, type Validator } from './validator.ts'

/** Balance of the configuration contract, nanograms. The contract pays no storage fees. */
const CONFIG_BALANCE = 1_000_000_000n
/**
 * Balance of the elector, nanograms: a billion coins, the same order of magnitude as on mainnet. @ton/core can only parse the state with such a balance:
 * its loadMasterchainStateExtra reads the first bit of global_balance as the Maybe bit of the configuration, and that bit is set from 2^56 nanograms on.
 */
const ELECTOR_BALANCE = 1_000_000_000n * 1_000_000_000n

export type ZeroState = Pick<MadeBlock, 'root' | 'boc' | 'id'>

/* A state can have 100,000 accounts, and an account 65,536 cells. So zerostates are made in steps. */

function* accountsRoot(inputs: readonly AccountInput[], paidUntil: (input: AccountInput) => number): Generator<void, Cell | undefined> {
  const keep = createKeep()
  const rows: [bigint, Builder][] = []
  for (const input of inputs) {
    const cell = input.cell ?? (yield* applyAccountSteps(undefined, input.account, input, paidUntil(input)))
    const accountCell = yield* keep(cell, ACCOUNT_NONE)
    rows.push([keyOf(input.account.hash), storeShardAccount(beginCell(), { accountCell, lastTransHash: NO_HASH, lastTransLt: 0n })])
    yield
  }
  return yield* augSetManySteps(
    shardAccountsAug,
    undefined,
    rows.sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/**
 * The zerostate of a workchain. `endLt`: the lt before the first block. In a fork, cells that were not fetched become pruned branches of the zerostate's
 * BoC.
 */
export function* zeroState(
  p: Pick<ZeroContents, 'globalId' | 'utime' | 'endLt' | 'accounts' | 'libraries' | 'isFork'> & {
    readonly workchain: number
    readonly extra?: Cell
  },
): Generator<void, ZeroState> {
  const accounts = beginCell()
  storeAugE(accounts, shardAccountsAug, p.accounts)
  const root = storeShardState({
    globalId: p.globalId,
    workchain: p.workchain,
    shard: WHOLE_SHARD,
    seqno: 0,
    vertSeqno: 0,
    genUtime: p.utime,
    genLt: p.endLt,
    minRefMcSeqno: 0xffffffff,
    outMsgQueueInfo: storeOutMsgQueueInfo({ outQueue: undefined, procInfo: undefined }),
    beforeSplit: false,
    accounts: accounts.end(),
    overloadHistory: 0n,
    underloadHistory: 0n,
    totalBalance: augRootExtra(shardAccountsAug, p.accounts).balance,
    totalValidatorFees: NO_CURRENCY,
    libraries: p.libraries,
    custom: p.extra,
  })
  const boc = yield* bocSteps([p.isFork ? pruneAbsent(root) : root])
  const fileHash = new Uint8Array(createHash('sha256').update(boc).digest())
  return { root, boc, id: { workchain: p.workchain, shard: WHOLE_SHARD, seqno: 0, rootHash: root.hash(), fileHash } }
}

/** ElectorData (tlb/contracts/elector.ts) with all fields empty: no elections, credits, past elections, own coins or active set. */
const electorData = (): Cell => beginCell().storeUint(0, 3).storeCoins(0n).storeUint(0, 32).storeUint(0, 256).end()

/** cfg_data: config dictionary, seqno:uint32, public_key:uint256, proposals:(HashmapE 256 ...): the layout of TON's configuration contract. */
const configurationData = (config: Cell): Cell => beginCell().storeRef(config).storeUint(0, 32).storeUint(0, 256).storeBit(0).end()

/** The configuration contract with a configuration, and the elector. */
export const systemContracts = (configAddr: Uint8Array, electorAddr: Uint8Array, config: Cell): [AccountInput, AccountInput] => {
  const contract = (hash: Uint8Array, code: string, data: Cell): AccountInput => ({
    account: { workchain: MASTERCHAIN, hash },
    code: parseBocRoot(Buffer.from(code, 'base64')),
    data,
  })
  return [contract(configAddr, configurationCode, configurationData(config)), contract(electorAddr, electorCode, electorData())]
}

const withZeroState = (config: Cell, { rootHash, fileHash }: BlockId): Cell => {
  const descriptions = loadParam(config, 12, workchains)
  const basic = descriptions?.get(0)
  if (descriptions === undefined || basic === undefined) return config
  const own = { ...basic, zerostateRootHash: rootHash, zerostateFileHash: fileHash }
  return withConfigParam(config, 12, workchainsCell(new Map([...descriptions, [0, own]])))
}

const withConfigOf = (input: AccountInput, config: Cell): AccountInput => {
  const account = input.cell && loadAccount(input.cell)
  if (account?.state.type !== 'active') return input
  const { storageStat, state } = account
  const init = { ...state.init, data: withConfig(state.init.data, config) }
  const cell = storeAccount({ ...account, storageStat: { ...storageStat, dictHash: undefined }, state: { ...state, init } })
  return { ...input, cell }
}

type MasterContents = Pick<ZeroContents, 'config' | 'configAddr' | 'accounts'>

function* newMaster(given: readonly AccountInput[], context: Parameters<typeof defaultConfig>[0]): Generator<void, MasterContents> {
  const config = configRoot(defaultConfig(context))
  const [configuration, elector] = systemContracts(CONFIG_ADDRESS, ELECTOR_ADDRESS, config)
  const specials: AccountInput[] = [
    { ...configuration, balance: CONFIG_BALANCE },
    { ...elector, balance: ELECTOR_BALANCE },
  ]
  const accounts = yield* accountsRoot([...given, ...specials], (input) => (specials.includes(input) ? 0 : context.utime))
  return { config, configAddr: CONFIG_ADDRESS, accounts }
}

/**
 * Contents from an exported state: its configuration with the new zerostate of workchain 0, and its accounts. The configuration contract is the account
 * that parameter 0 names, or else the account at the default address, provided that its data contain the configuration.
 */
function* takenOver(
  given: Cell,
  masterAccounts: readonly AccountInput[],
  utime: number,
  shardZero: BlockId,
): Generator<void, MasterContents> {
  const config = withZeroState(given, shardZero)
  const holds = ({ cell }: AccountInput): boolean => {
    const data = dataOf(cell)
    return data !== undefined && data.refCount > 0 && data.ref(0).equals(given)
  }
  const named = configParam(given, 0)?.data() ?? CONFIG_ADDRESS
  const holder = [named, CONFIG_ADDRESS]
    .map((hash) => masterAccounts.find(({ account }) => Buffer.compare(account.hash, hash) === 0))
    .find((input) => input !== undefined && holds(input))
  const accounts = masterAccounts.map((input) => (input === holder ? withConfigOf(input, config) : input))
  return { config, configAddr: holder?.account.hash ?? CONFIG_ADDRESS, accounts: yield* accountsRoot(accounts, () => utime) }
}

/**
 * Makes the zerostates of both chains. The configuration contract and the elector run small contracts of this repository (contracts/*.tolk).
 * They have the get-methods of TON's contracts, accept coins (the elector receives collected fees, as in TON) and refuse external messages. Unlike TON's
 * contracts they have no tick-tock, so idle blocks have no transactions. There are no elections, because there is only one validator. To develop against
 * the real contracts, set their code with `local.setAccount`: changes in the configuration contract's data take effect as in TON.
 */
export function* genesisSteps(options: GenesisOptions): Generator<void, Genesis> {
  const { globalId, utime } = options
  const validator = createValidator(options.validatorSeed)
  const own = (workchain: number): readonly AccountInput[] => options.accounts.filter((a) => a.account.workchain === workchain)
  const shardAccounts = yield* accountsRoot(own(0), () => utime)
  const shard = yield* zeroState({ globalId, workchain: 0, utime, endLt: 0n, accounts: shardAccounts })
  const master =
    options.state === undefined
      ? yield* newMaster(own(MASTERCHAIN), { globalId, utime, validator, shardZero: shard.id })
      : yield* takenOver(options.state.config, own(MASTERCHAIN), utime, shard.id)
  return yield* genesisOf({ globalId, utime, endLt: 0n, validator, shard, shardAccounts, ...master, libraries: options.state?.libraries })
}

export interface ZeroContents extends ForkState {
  readonly validator: Validator
  readonly shard: ZeroState
  /** Roots of ShardAccounts, of workchain 0 and of the masterchain. */
  readonly shardAccounts: Cell | undefined
  readonly accounts: Cell | undefined
  readonly libraries?: Cell | undefined
  readonly isFork?: boolean
}

export function* genesisOf({
  shard,
  shardAccounts,
  accounts,
  config,
  configAddr,
  validator,
  ...rest
}: ZeroContents): Generator<void, Genesis> {
  const { utime, endLt } = rest
  const master = yield* zeroState({
    ...rest,
    workchain: MASTERCHAIN,
    accounts,
    extra: storeMcStateExtra({
      shardHashes: undefined,
      config: { configAddr, config },
      validatorInfo: { validatorListHashShort: validator.setHash(0), catchainSeqno: 0, nxCcUpdated: true },
      prevBlocks: undefined,
      afterKeyBlock: true,
      globalBalance: addCurrency(augRootExtra(shardAccountsAug, accounts).balance, augRootExtra(shardAccountsAug, shardAccounts).balance),
    }),
  })
  const end = (zero: ZeroState) => ({ id: zero.id, state: zero.root, endLt, utime })
  const tip: ChainTip = { master: end(master), shard: end(shard), keyBlockSeqno: 0 }
  return {
    zeroState: { workchain: MASTERCHAIN, rootHash: master.id.rootHash, fileHash: master.id.fileHash },
    masterState: master,
    shardState: shard,
    tip,
  }
}
