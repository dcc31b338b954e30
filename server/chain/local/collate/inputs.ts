import { type Cell, EMPTY_CELL } from '../../../cell/cell.ts'
import { addCurrency, type CurrencyCollection, grams, NO_CURRENCY } from '../../../tlb/currency.ts'
import { storeMessage } from '../../../tlb/message/message.ts'
import type { InternalMessageInfo } from '../../../tlb/message/message-info.ts'
import { loadAccount } from '../../../tlb/state/account.ts'
import { loadStateInit } from '../../../tlb/state/state-init.ts'
import type { AccountInput, InternalInput } from '../model.ts'
import { applyAccountInput } from './accounts/account-input.ts'
import { type BlockAccounts, exists, replaceAccount } from './accounts/block-accounts.ts'

/** Coins that injected inputs create and destroy. */
export interface Injected {
  readonly minted: CurrencyCollection
  readonly burned: CurrencyCollection
}

const nanotons = (account: Cell): bigint => (exists(account) ? (loadAccount(account)?.balance.grams ?? 0n) : 0n)

/**
 * Replaces accounts without a transaction. The value flow holds the difference of balances as minted or burned coins, so the block balances. The
 * Merkle update holds the change. Special accounts never pay for storage.
 */
export const replaceAccounts = (
  blockAccounts: BlockAccounts,
  inputs: readonly AccountInput[],
  now: number,
  isSpecial: (hash: Uint8Array) => boolean,
): Injected => {
  let minted = 0n
  let burned = 0n
  for (const input of inputs) {
    const blockAccount = blockAccounts.get(input.account.hash)
    const before = nanotons(blockAccount.now.accountCell)
    const account = applyAccountInput(
      exists(blockAccount.now.accountCell) ? blockAccount.now.accountCell : undefined,
      input.account,
      input,
      isSpecial(input.account.hash) ? 0 : now,
    )
    replaceAccount(blockAccount, blockAccounts.keep(account))
    const after = nanotons(account)
    if (after > before) minted += after - before
    else burned += before - after
  }
  return { minted: grams(minted), burned: grams(burned) }
}

/**
 * Messages that no transaction sent. They are imported like TON's mint message: immediately, with their value in `minted`. msg_import_ihr cannot be
 * used: block-parse.cpp refuses it. created_lt increases from the block's start, so equal inputs give different messages.
 */
export const injectedMessages = (
  inputs: readonly InternalInput[],
  startLt: bigint,
  now: number,
): { readonly messages: readonly { readonly msg: Cell; readonly info: InternalMessageInfo }[]; readonly value: CurrencyCollection } => {
  let value = NO_CURRENCY
  const messages = inputs.map((input, i) => {
    const info: InternalMessageInfo = {
      type: 'internal',
      ihrDisabled: true,
      bounce: input.bounce ?? false,
      bounced: false,
      src: { type: 'std', workchain: input.from.workchain, hash: input.from.hash },
      dest: { type: 'std', workchain: input.to.workchain, hash: input.to.hash },
      value: grams(input.value),
      ihrFee: 0n,
      fwdFee: 0n,
      createdLt: startLt + BigInt(i),
      createdAt: now,
    }
    value = addCurrency(value, info.value)
    const init = input.init === undefined ? undefined : loadStateInit(input.init.slice())
    return { msg: storeMessage({ info, init, body: input.body ?? EMPTY_CELL }), info }
  })
  return { messages, value }
}
