import type { ProvenAccount } from '../../chain/proofs/account.ts'
import { accountOfKey } from '../../store/row-keys.ts'
import type { AccountId, BlockId } from '../../tlb/ids.ts'
import { CorruptBlockError } from '../follow/corrupt-block.ts'
import { type AccountFacts, accountFacts } from './account-facts.ts'
import type { AccountChange } from './group-rows.ts'

type Answer = Pick<ProvenAccount, 'account' | 'lastTransLt' | 'genUtime'> & Partial<Pick<ProvenAccount, 'lastTransHash'>>

export interface AccountSource {
  account(block: BlockId, id: AccountId, signal: AbortSignal): Promise<Answer | undefined>
}

/** Requests the state of an account at a masterchain block. Undefined if the account does not exist, or if the source no longer has the state. */
export const requestState = async (
  source: AccountSource,
  master: BlockId,
  key: Buffer,
  signal: AbortSignal,
): Promise<AccountChange | undefined> => {
  const answer = await source.account(master, accountOfKey(key), signal)
  if (answer?.account === undefined) return undefined
  const { genUtime: utime, lastTransHash, lastTransLt } = answer
  const facts = accountFacts(answer.account)
  if (facts === undefined) throw new CorruptBlockError('an account state with pruned parts')
  return { key, facts, mcSeqno: master.seqno, master, utime, lastTransHash, lastTransLt, firstLt: lastTransLt, cells: [] }
}

/** Requests a state of which blocks and tables have only a part. Undefined if the source no longer has the state. */
export const requestFacts = async (
  source: AccountSource,
  { master, key, facts }: AccountChange,
  signal: AbortSignal,
): Promise<AccountFacts | undefined> => {
  const answer = await source.account(master, accountOfKey(key), signal)
  if (answer === undefined) return undefined
  const found = accountFacts(answer.account)
  if (found === undefined || Buffer.compare(found.stateHash, facts.stateHash) !== 0) {
    throw new CorruptBlockError(`the source's state of account ${key.toString('hex')} is not that of its block`)
  }
  return found
}
