import { beginCell } from '../../cell/builder.ts'
import type { Cell } from '../../cell/cell.ts'
import { find } from '../../cell/hashmap.ts'
import { accountPrefix, shardHasAccount, shardOfPrefix } from '../../tlb/block/shard-ident.ts'
import { sameBytes, toHex } from '../../tlb/bytes.ts'
import { type CurrencyCollection, NO_CURRENCY, storeExtraCurrencies } from '../../tlb/currency.ts'
import { type AccountId, type BlockId, blockFullText, blockText, MASTERCHAIN, sameBlock } from '../../tlb/ids.ts'
import { loadDepthBalance } from '../../tlb/state/account.ts'
import { loadShardAccount } from '../../tlb/state/shard-account.ts'
import type { LiteAnswer } from '../liteserver.ts'
import { must, provingSteps } from './error.ts'
import { checkBlockRoot } from './header.ts'
import { answerSteps } from './roots.ts'
import { checkShardInfo, mustBeShard } from './shards.ts'
import { augRootOf, readCurrency } from './skip-pruned.ts'
import { checkTwoRootState } from './state.ts'

const WHAT = 'account state'
const NO_HASH = new Uint8Array(32)

export interface ProvenAccount {
  /** The shard block in whose state the account was read; the reference block itself if no shard contains the account. */
  readonly shardBlock: BlockId
  /** Unix seconds and lt of that shard block's state. */
  readonly genUtime: number
  readonly genLt: bigint
  /** The complete account cell. Undefined means that the account provably does not exist. */
  readonly account: Cell | undefined
  readonly lastTransLt: bigint
  readonly lastTransHash: Uint8Array
}

/** The checks whose results all accounts of a shard share. The caller may replace them by checks with a cache. */
export interface AccountChecks {
  readonly shardInfo: typeof checkShardInfo
  readonly blockRoot: typeof checkBlockRoot
}
const EACH_TIME: AccountChecks = { shardInfo: checkShardInfo, blockRoot: checkBlockRoot }

/** Checks an answer of getAccountState for the requested reference block and account. `checks`: may cache the results that all accounts of a shard share. */
export const checkAccount = (
  answer: LiteAnswer<'getAccountState'>,
  reference: BlockId,
  id: AccountId,
  checks: AccountChecks = EACH_TIME,
): Generator<void, ProvenAccount> => provingSteps(WHAT, checkSteps(answer, reference, id, checks))

function* checkSteps(
  answer: LiteAnswer<'getAccountState'>,
  reference: BlockId,
  id: AccountId,
  checks: AccountChecks,
): Generator<void, ProvenAccount> {
  must(sameBlock(answer.id, reference), WHAT, () => `an answer for ${blockFullText(answer.id)} instead of ${blockFullText(reference)}`)
  if (!sameBlock(answer.shardBlock, reference)) {
    must(reference.workchain === MASTERCHAIN && id.workchain !== MASTERCHAIN, WHAT, 'read in another block than the one asked for')
    const leaf = shardOfPrefix(accountPrefix(id.hash), 60)
    const { shard, master } = checks.shardInfo(answer.shardProof, reference, id.workchain, leaf, false)
    if (shard === undefined) {
      must(answer.proof.length === 0 && answer.state.length === 0, WHAT, 'a state for an account that no shard holds')
      const { genUtime, genLt } = master.state
      return { shardBlock: reference, genUtime, genLt, account: undefined, lastTransLt: 0n, lastTransHash: NO_HASH }
    }
    mustBeShard(shard, answer.shardBlock)
  }
  const shardBlock = answer.shardBlock
  must(
    shardBlock.workchain === id.workchain && shardHasAccount(shardBlock.shard, id.hash),
    WHAT,
    () => `${blockText(shardBlock)} cannot hold ${id.workchain}:${toHex(id.hash)}`,
  )
  return { shardBlock, ...(yield* checkInShard(answer, shardBlock, id, checks)) }
}

function* checkInShard(
  { proof, state: data }: LiteAnswer<'getAccountState'>,
  shardBlock: BlockId,
  id: AccountId,
  { blockRoot }: AccountChecks,
): Generator<void, Omit<ProvenAccount, 'shardBlock'>> {
  const { state } = checkTwoRootState(proof, shardBlock, WHAT, blockRoot)
  const times = { genUtime: state.genUtime, genLt: state.genLt }
  const found = find(augRootOf(state.accounts), 256, id.hash, false)
  if (found === undefined) {
    must(data.length === 0, WHAT, 'the proof shows no account, but one was sent')
    return { ...times, account: undefined, lastTransLt: 0n, lastTransHash: NO_HASH }
  }
  must(data.length > 0, WHAT, 'the proof shows an account, but none was sent')
  // depth_balance$_ split_depth:(#<= 30) balance:CurrencyCollection = DepthBalanceInfo;
  const listed = { splitDepth: found.loadUint(5), balance: readCurrency(found) }
  const { accountCell, lastTransHash, lastTransLt } = loadShardAccount(found)
  const account = yield* answerSteps(data)
  const [expected, sent] = [accountCell.hash(0), account.hash()]
  must(sameBytes(expected, sent), WHAT, () => `account hash ${toHex(sent)}, but the proof expects ${toHex(expected)}`)
  // The dictionary stores a copy of each account's balance, which must equal the balance in the account.
  const { splitDepth, balance } = loadDepthBalance(account) ?? { splitDepth: 0, balance: NO_CURRENCY }
  must(
    listed.splitDepth === splitDepth && listed.balance.grams === balance.grams && sameCell(listed.balance.other, extraCurrencies(balance)),
    WHAT,
    'the balance in the dictionary is not that of the account',
  )
  return { ...times, account, lastTransLt, lastTransHash }
}

const extraCurrencies = ({ other }: CurrencyCollection): Cell | undefined =>
  other === undefined ? undefined : storeExtraCurrencies(beginCell(), other).end().ref(0)

const sameCell = (a: Cell | undefined, b: Cell | undefined): boolean =>
  a === undefined || b === undefined ? a === b : sameBytes(a.hash(0), b.hash(0))
