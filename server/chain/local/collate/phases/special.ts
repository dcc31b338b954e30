import type { Cell } from '../../../../cell/cell.ts'
import type { InternalMessageInfo } from '../../../../tlb/message/message-info.ts'
import { laterLt } from '../../hash-keys.ts'
import type { BlockAccount } from '../accounts/block-accounts.ts'
import type { Making } from '../open-work.ts'
import { std } from '../queue.ts'
import { importNow } from './internal.ts'

/** Makes the tick or tock transactions of `accounts`. If a transaction is not possible, the account is skipped. */
export const tickTock = async (
  { startLt, journal, transactions }: Making,
  accounts: readonly BlockAccount[],
  kind: 'tick' | 'tock',
): Promise<void> => {
  const lt = kind === 'tick' ? startLt + 1n : laterLt(journal.endLt, startLt + 1n)
  for (const blockAccount of accounts) {
    const outcome = await transactions.tickTock(blockAccount, kind, lt)
    if (outcome.ok) journal.commit(blockAccount, outcome)
  }
}

/**
 * Delivers messages without a sender: recovered fees and minted currencies, as in TON, and injected messages. All are imported immediately, without a
 * record in OutMsgDescr, as TON does for fees and minted currencies. Returns their InMsgDescr records in the same order.
 */
export const special = async (
  { blockAccounts, journal, transactions }: Making,
  messages: readonly { readonly msg: Cell; readonly info: InternalMessageInfo }[],
): Promise<Cell[]> => {
  const records: Cell[] = []
  for (const { msg, info } of messages) {
    const blockAccount = blockAccounts.get(std(info.dest).hash)
    const made = await transactions.injected(blockAccount, msg, info.createdLt)
    journal.commit(blockAccount, made)
    records.push(importNow(journal, msg, info, made.transaction).record)
  }
  return records
}
