import { beginCell } from '../../../cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../../cell/cell.ts'
import { storeInMsg } from '../../../tlb/block/in-msg.ts'
import { storeMessage } from '../../../tlb/message/message.ts'
import { loadAccount, storeAccount } from '../../../tlb/state/account.ts'
import { loadTransaction } from '../../../tlb/transaction/transaction.ts'
import { actionCodeText } from '../../../tvm/exit-codes.ts'
import type { SendInput, SentTransaction } from '../model.ts'
import { nameOf, replaceAccount } from './accounts/block-accounts.ts'
import { messageOf } from './injected-inputs.ts'
import type { Making } from './open-work.ts'

/*
 * Messages that an account sends without its private key. For one transaction the account gets code that accepts an external message, sends the message,
 * and restores the account's own code and data. So the account pays gas and forward fees as usual, and its contract does not change.
 */

/** ACCEPT; PUSHREF own code, SETCODE; PUSHREF own data, POP c4; then the code in the last reference. */
const RESTORE = Uint8Array.of(0xf8, 0x00, 0x88, 0xfb, 0x04, 0x88, 0xed, 0x54)

/** PUSHREF message, PUSHINT mode, SENDRAWMSG. */
const sendingCode = (message: Cell, mode: number): Cell =>
  beginCell().storeUint(0x88, 8).storeUint(0x81, 8).storeInt(mode, 16).storeUint(0xfb00, 16).storeRef(message).end()

/** The message as an argument of SENDRAWMSG, which sets its source and its time. */
const unsent = (input: SendInput): Cell => messageOf(input, { src: undefined, createdLt: 0n, createdAt: 0 }).msg

/** The external message that the account accepts. Its body is the block's start lt, so that each block's message is different. */
const externalTo = ({ from }: SendInput, startLt: bigint): Cell =>
  storeMessage({
    info: { type: 'external-in', src: undefined, dest: { type: 'std', ...from }, importFee: 0n },
    body: beginCell().storeUint(startLt, 64).end(),
  })

/** Throws RangeError if the run or its actions failed, because the account would not get its own code back. */
const checkSent = (name: string, transaction: Cell): void => {
  const { description } = loadTransaction(transaction)
  if (description.type !== 'ordinary') throw new RangeError(`${name} cannot send the message`)
  const { compute, action } = description
  if (compute.type !== 'vm') throw new RangeError(`${name} cannot send the message: its balance does not pay for gas`)
  if (!compute.success) throw new RangeError(`${name} cannot send the message: exit code ${compute.exitCode}`)
  if (action?.success === true) return
  const code = action?.resultCode ?? 0
  throw new RangeError(`${name} cannot send the message: result code ${code}, ${actionCodeText(code) ?? 'of the actions'}`)
}

/**
 * Sends the messages and returns the accounts' transactions. Must run before all other messages of the block. If one account cannot send, throws RangeError
 * and sends nothing.
 */
export const sendAs = async (
  { blockAccounts, transactions, journal, startLt }: Making,
  inputs: readonly SendInput[],
): Promise<readonly SentTransaction[]> => {
  const sent: SentTransaction[] = []
  for (const input of inputs) {
    const blockAccount = blockAccounts.get(input.from.hash)
    const name = nameOf(blockAccount)
    const account = loadAccount(blockAccount.now.accountCell)
    const own = account?.state.type === 'active' ? account.state.init : undefined
    if (account === undefined || own?.code === undefined)
      throw new RangeError(`${name} has no contract; local.sendInternal sends as such an address`)
    if (blockAccount.transactions.length > 0) throw new RangeError(`${name} has a transaction in this block already`)
    const code = beginCell()
      .storeBytes(RESTORE)
      .storeRef(own.code)
      .storeRef(own.data ?? EMPTY_CELL)
      .storeRef(sendingCode(unsent(input), input.mode))
      .end()
    // The storage fee is computed for the account's own code and data. The dictionary hash is removed, so that the used storage is counted again after the
    // code changed.
    const storageStat = { ...account.storageStat, dictHash: undefined }
    const sender = storeAccount({ ...account, storageStat, state: { type: 'active', init: { ...own, code } } })
    replaceAccount(blockAccount, await blockAccounts.keep(sender))
    const message = externalTo(input, startLt)
    const made = await transactions.ofMessage(blockAccount, message, 0n)
    if (!made.ok) throw new RangeError(`${name} cannot send the message: ${made.error}`)
    checkSent(name, made.transaction)
    journal.commit(blockAccount, made)
    journal.addIn(message, storeInMsg(beginCell(), { type: 'import-ext', msg: message, transaction: made.transaction }).end())
    sent.push({ account: input.from, lt: made.lt, hash: made.transaction.hash() })
  }
  return sent
}
