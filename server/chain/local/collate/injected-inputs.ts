import { runSteps } from '../../../base/yield.ts'
import { type Cell, EMPTY_CELL } from '../../../cell/cell.ts'
import { stdAddress } from '../../../tlb/address.ts'
import { addCurrency, type CurrencyCollection, grams, NO_CURRENCY } from '../../../tlb/currency.ts'
import { storeMessage } from '../../../tlb/message/message.ts'
import type { InternalMessageInfo } from '../../../tlb/message/message-info.ts'
import { loadAccount } from '../../../tlb/state/account.ts'
import { loadStateInit } from '../../../tlb/state/state-init.ts'
import type { AccountInput, InternalInput } from '../model.ts'
import { applyAccountSteps } from './accounts/account-input.ts'
import { type BlockAccounts, exists, replaceAccount } from './accounts/block-accounts.ts'

const nanotons = (account: Cell): bigint => loadAccount(account)?.balance.grams ?? 0n

/**
 * Replaces accounts without a transaction. The value flow records the difference of balances as minted or burned coins, so that the block balances. The
 * Merkle update records the change. Special accounts never pay for storage.
 */
export const replaceAccounts = async (
  blockAccounts: BlockAccounts,
  inputs: readonly AccountInput[],
  now: number,
  isSpecial: (hash: Uint8Array) => boolean,
) => {
  let minted = 0n
  let burned = 0n
  for (const input of inputs) {
    const blockAccount = blockAccounts.get(input.account.hash)
    const before = nanotons(blockAccount.now.accountCell)
    const present = exists(blockAccount.now.accountCell) ? blockAccount.now.accountCell : undefined
    const account = await runSteps(applyAccountSteps(present, input.account, input, isSpecial(input.account.hash) ? 0 : now))
    replaceAccount(blockAccount, await blockAccounts.keep(account))
    const after = nanotons(account)
    if (after > before) minted += after - before
    else burned += before - after
  }
  return { minted: grams(minted), burned: grams(burned) }
}

export const messageOf = (
  { to, value, bounce = false, init, body = EMPTY_CELL }: Omit<InternalInput, 'from'>,
  fields: Pick<InternalMessageInfo, 'src' | 'createdLt' | 'createdAt'> & Partial<Pick<InternalMessageInfo, 'value'>>,
): { readonly msg: Cell; readonly info: InternalMessageInfo } => {
  const info: InternalMessageInfo = {
    type: 'internal',
    ihrDisabled: true,
    bounce,
    bounced: false,
    dest: stdAddress(to.workchain, to.hash),
    value: grams(value),
    ihrFee: 0n,
    fwdFee: 0n,
    ...fields,
  }
  return { msg: storeMessage({ info, init: init && loadStateInit(init.slice()), body }), info }
}

/**
 * Messages that no transaction sent. They are imported like TON's mint message: immediately, with their value in `minted`. msg_import_ihr cannot be used,
 * because block-parse.cpp refuses such records. created_lt increases from the block's start, so equal inputs give different messages.
 */
export const injectedMessages = (
  inputs: readonly InternalInput[],
  startLt: bigint,
  now: number,
): { readonly messages: readonly { readonly msg: Cell; readonly info: InternalMessageInfo }[]; readonly value: CurrencyCollection } => {
  const messages = inputs.map((input, i) =>
    messageOf(input, { src: stdAddress(input.from.workchain, input.from.hash), createdLt: startLt + BigInt(i), createdAt: now }),
  )
  return { messages, value: messages.reduce((sum, { info }) => addCurrency(sum, info.value), NO_CURRENCY) }
}
