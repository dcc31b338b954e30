import * as z from 'zod'
import { TonError } from '../../../shared/errors.ts'
import { runSteps, yieldToEventLoop } from '../../base/yield.ts'
import { augEntries, loadAugE } from '../../cell/aug.ts'
import { bocSteps, parseBocRootSteps } from '../../cell/boc.ts'
import { WHOLE_STATE } from '../../cell/budget.ts'
import { beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { configParams } from '../../tlb/config/config-dictionary.ts'
import { type AccountId, MASTERCHAIN, sameAccount } from '../../tlb/ids.ts'
import { loadAccount, storeAccount } from '../../tlb/state/account.ts'
import { loadMcStateExtra } from '../../tlb/state/mc-state-extra.ts'
import { loadShardAccount, shardAccountsAug } from '../../tlb/state/shard-account.ts'
import { loadShardState } from '../../tlb/state/shard-state.ts'
import { hashOf } from './hash-keys.ts'
import type { AccountInput, ChainTip } from './model.ts'

/*
 * The state of an embedded chain as JSON: a genesis for another chain. Accounts, configuration, public libraries and time continue. Blocks, transactions
 * and logical times start again.
 * state$_ shard:(HashmapAugE 256 ShardAccount) master:(the same) config:^(Hashmap 32 ^Cell) libraries:(HashmapE 256 LibDescr), as a BoC with CRC32C.
 */

const FORMAT = 'tonway state'
const VERSION = 1
const MAX_BYTES = 32 << 20

/** Maximum number of cells of an exported state. Each cell takes about 300 bytes during serialization. */
const MAX_CELLS = 1 << 20

export interface StateJson {
  readonly format: typeof FORMAT
  readonly version: number
  readonly global_id: number
  readonly utime: number
  /** Offset of the chain's time from the machine's time, seconds. */
  readonly offset: number
  readonly boc: string
}

export interface BeginState {
  readonly utime: number
  readonly offset: number
  readonly config: Cell
  readonly libraries?: Cell
}

/** True if the JSON has a field of a state. The state may still be invalid. */
export const isState = (value: unknown): boolean => typeof value === 'object' && value !== null && ('format' in value || 'boc' in value)

const accountsOf = (state: Cell): Cell | undefined => loadAugE(loadShardState(state).accounts.slice(), shardAccountsAug)

/** Serializes a tree in several event-loop turns. Before anything is written, throws TOO_LARGE if the tree has more than `maxBytes` bytes or MAX_CELLS cells. */
const writtenInTurns = async (root: Cell, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> => {
  try {
    return await runSteps(bocSteps([root], { maxCells: MAX_CELLS, maxBytes }), signal)
  } catch (error) {
    if (!(error instanceof CellError) || error.kind !== 'budget') throw error
    throw new TonError('TOO_LARGE', `the state has ${error.message}; larger ones are not exported`)
  }
}

/** Exports the state after the last blocks. No messages may wait for a block, because the export does not include them. Throws TOO_LARGE. */
export const exportState = async (
  tip: ChainTip,
  { globalId, offset, most = MAX_BYTES }: { readonly globalId: number; readonly offset: number; readonly most?: number },
  signal: AbortSignal,
): Promise<StateJson> => {
  const master = loadShardState(tip.master.state)
  const { config } = loadMcStateExtra(master.custom!)
  const cell = beginCell()
    .storeMaybeRef(accountsOf(tip.shard.state))
    .storeMaybeRef(accountsOf(tip.master.state))
    .storeRef(config.config)
    .storeMaybeRef(master.libraries)
    .end()
  const boc = await writtenInTurns(cell, most, signal)
  // Encoding base64 takes a while too.
  await yieldToEventLoop()
  const { utime } = tip.master
  return {
    format: FORMAT,
    version: VERSION,
    global_id: globalId,
    utime,
    offset,
    boc: Buffer.from(boc.buffer, boc.byteOffset, boc.length).toString('base64'),
  }
}

/** The account without its last lt, because a new chain has none of its transactions. */
const inputOf = (workchain: number, key: bigint, accountCell: Cell): AccountInput => {
  const account: AccountId = { workchain, hash: hashOf(key) }
  const loaded = loadAccount(accountCell)
  if (loaded === undefined) throw new CellError('range', 'an account that does not exist')
  const { addr } = loaded
  if (addr.type !== 'std' || !sameAccount(addr, account)) throw new CellError('range', 'an account at the place of another')
  return { account, balance: loaded.balance.grams, cell: storeAccount({ ...loaded, lastTransLt: 0n }) }
}

/** Reads the accounts of a chain. Each account is a step. */
function* accountsIn(workchain: number, root: Cell | undefined): Generator<void, AccountInput[]> {
  const accounts: AccountInput[] = []
  for (const [key, , value] of augEntries(shardAccountsAug, root, { cells: WHOLE_STATE })) {
    accounts.push(inputOf(workchain, key, loadShardAccount(value).accountCell))
    yield
  }
  return accounts
}

const schema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.int(),
  global_id: z.int(),
  utime: z.int().min(0).max(0xffff_ffff),
  offset: z.int(),
  boc: z.string(),
})

/** Rejects with an Error for the user whose message begins with `from`. */
export const readState = async (
  value: unknown,
  from: string,
  globalId: number,
): Promise<{ readonly accounts: readonly AccountInput[]; readonly state: BeginState }> => {
  const version = (value as { readonly version?: unknown }).version
  if ((value as { readonly format?: unknown }).format === FORMAT && version !== VERSION)
    throw new Error(`${from} is a state of version ${String(version)}; this tonway reads version ${VERSION}`)
  const parsed = schema.safeParse(value)
  if (!parsed.success)
    throw new Error(`${from} is not a state of tonway: ${parsed.error.issues[0]?.path.join('.')}: ${parsed.error.issues[0]?.message}`)
  const { global_id, utime, offset, boc } = parsed.data
  if (global_id !== globalId)
    throw new Error(`${from} is the state of a chain with global id ${global_id}, not ${globalId}; start with that global id`)
  try {
    const slice = (await runSteps(parseBocRootSteps(Buffer.from(boc, 'base64')))).slice()
    const [shard, master, config, libraries] = [slice.loadMaybeRef(), slice.loadMaybeRef(), slice.loadRef(), slice.loadMaybeRef()]
    slice.end()
    if (![...configParams(config)].some(([id]) => id === 34)) throw new CellError('range', 'a configuration without validators')
    const accounts = [...(await runSteps(accountsIn(0, shard))), ...(await runSteps(accountsIn(MASTERCHAIN, master)))]
    return { accounts, state: { utime, offset, config, ...(libraries && { libraries }) } }
  } catch (error) {
    if (!(error instanceof CellError)) throw error
    throw new Error(`${from} is damaged: ${error.message}`, { cause: error })
  }
}
