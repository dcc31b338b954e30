import type { Cell } from '../../../cell/cell.ts'
import type { accountSets, accounts } from '../../../store/schema/accounts.ts'
import type { cells } from '../../../store/schema/messages.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import type { AccountFacts } from '../account-facts.ts'
import type { AccountChange } from '../group-rows.ts'

/** A row of accounts. `data`: BoC of the account's data. If `data` is undefined but there is a data hash, the stored data stays. */
export const accountRow = (
  change: Pick<AccountChange, 'key' | 'mcSeqno' | 'utime' | 'lastTransHash' | 'lastTransLt' | 'firstLt'>,
  facts: AccountFacts,
  data: Uint8Array | undefined,
): WriteRow<typeof accounts> => ({
  account: change.key,
  mc_seqno: change.mcSeqno,
  state_hash: facts.stateHash,
  status: facts.status,
  balance: facts.balance,
  balance_extra: facts.extra,
  utime: change.utime,
  last_trans_hash: change.lastTransLt === 0n ? undefined : change.lastTransHash,
  last_trans_lt: change.lastTransLt,
  first_lt: change.firstLt,
  code_hash: facts.codeHash,
  data_hash: facts.dataHash,
  frozen_hash: facts.frozenHash,
  data_boc: data,
})

export const accountSetRow = ({ key, mcSeqno, utime }: Pick<AccountChange, 'key' | 'mcSeqno' | 'utime'>): WriteRow<typeof accountSets> => ({
  account: key,
  mc_seqno: mcSeqno,
  utime,
})

export const cellRow = (cell: Cell, boc: Uint8Array, mcSeqno: number): WriteRow<typeof cells> => ({
  hash: cell.hashKey(),
  mc_seqno: mcSeqno,
  boc,
})
