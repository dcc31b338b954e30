import { TonError } from '../../shared/errors.ts'
import { untilAborted } from '../base/abort.ts'
import { byteText } from '../base/memory/byte-text.ts'
import { Lru } from '../base/memory/lru.ts'
import { yieldToEventLoop } from '../base/yield.ts'
import { parsedSizeOf } from '../cell/boc.ts'
import { type Cell, EMPTY_CELL } from '../cell/cell.ts'
import { NO_CURRENCY } from '../tlb/currency.ts'
import { type AccountId, type BlockId, MASTERCHAIN, sameBlock } from '../tlb/ids.ts'
import { ACCOUNT_NONE, type Account, loadAccount } from '../tlb/state/account.ts'
import { createShareCode } from '../tlb/state/share-account-code.ts'
import type { Blocks } from './blocks.ts'
import type { AccountState } from './chain-port.ts'
import type { ProvenAccount } from './proofs/account.ts'
import { mustBeWhole } from './proofs/roots.ts'

const MAX_ACCOUNTS = 4_096
const MAX_BYTES = 24 * 1024 * 1024
/** Number of bytes of an account above which reading its cells takes some milliseconds. */
const LARGE_BYTES = 256 << 10

/** `library`: root of the account's own libraries. */
export const runnableOf = (account: Account | undefined) => {
  if (account?.state.type !== 'active') return undefined
  const { code, data, library } = account.state.init
  if (code === undefined) return undefined
  return { code, data: data ?? EMPTY_CELL, library }
}

/** An active account without code counts as uninitialized, as in TON Center's v2. */
const statusOf = (account: Account | undefined): AccountState['status'] => {
  if (account?.state.type === 'frozen') return 'frozen'
  return runnableOf(account) === undefined ? 'uninitialized' : 'active'
}

/** `accountCell`: the account cell of `proven`, after equal code cells were replaced by one shared cell. */
const toState = (id: AccountId, block: BlockId, proven: ProvenAccount, accountCell: Cell): AccountState => {
  const { shardBlock, genUtime, genLt, lastTransLt, lastTransHash } = proven
  const account = loadAccount(accountCell)
  return {
    id,
    block,
    shardBlock,
    genUtime,
    genLt,
    account,
    lastTransLt,
    lastTransHash,
    balance: account?.balance ?? NO_CURRENCY,
    status: statusOf(account),
    accountCell,
  }
}

/** tonlib refuses even a valid proof that the chain has no such workchain, with VALIDATE_ACCOUNT_STATE. So this code refuses it too. */
const noWorkchain = ({ workchain }: AccountId): TonError =>
  new TonError('CHAIN', `VALIDATE_ACCOUNT_STATE: the chain has no workchain ${workchain}`)

const ignore = (): void => {}

export type AccountStates = (id: AccountId, block: BlockId, signal: AbortSignal) => Promise<AccountState>

interface CacheEntry {
  readonly state: AccountState
  readonly bytes: number
}

/** Cache keys include the block's root hash, because after a revert another block can have the same seqno. */
export const createAccountStates = ({ account: accountOf }: Pick<Blocks, 'account'>): AccountStates => {
  const cache = new Lru<string, CacheEntry>({ max: MAX_ACCOUNTS, maxSize: MAX_BYTES, sizeCalculation: ({ bytes }) => bytes })
  const shareCode = createShareCode()
  /** Reads in progress, which callers share. After a new block many callers request the same few accounts. */
  const reading = new Map<string, Promise<AccountState>>()

  const read = async (key: string, id: AccountId, block: BlockId, signal: AbortSignal): Promise<AccountState> => {
    const entry = await accountOf(block, id, signal, (proven, { state: boc }): CacheEntry | undefined => {
      // Outside the masterchain, a shard block that equals the reference block means that no shard contains the account.
      if (id.workchain !== MASTERCHAIN && sameBlock(proven.shardBlock, block)) return undefined
      if (proven.account !== undefined) mustBeWhole(proven.account, 'account state')
      const bytes = proven.account === undefined ? 0 : parsedSizeOf(boc)
      const state = toState(id, block, proven, proven.account === undefined ? ACCOUNT_NONE : shareCode(proven.account, bytes))
      return { state, bytes: 512 + bytes }
    })
    if (entry === undefined) throw noWorkchain(id)
    cache.set(key, entry)
    // Reading the cells used up this event-loop turn, so the caller continues in the next turn.
    if (entry.bytes > LARGE_BYTES) await yieldToEventLoop()
    return entry.state
  }

  return async (id, block, signal) => {
    const key = `${byteText(block.rootHash, 'latin1')}${id.workchain}:${byteText(id.hash, 'latin1')}`
    for (;;) {
      const cached = cache.get(key)
      if (cached !== undefined) return cached.state
      const shared = reading.get(key)
      if (shared === undefined) break
      // The caller that started the read handles its error.
      await untilAborted(shared.then(ignore, ignore), signal)
    }
    const own = read(key, id, block, signal)
    reading.set(key, own)
    try {
      return await own
    } finally {
      reading.delete(key)
    }
  }
}
