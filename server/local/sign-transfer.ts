import { TonError } from '../../shared/errors.ts'
import type { Handler } from '../base/call.ts'
import { byteText } from '../base/memory/byte-text.ts'
import { parseBocRootOr, serializeBoc } from '../cell/boc.ts'
import { type Cell, EMPTY_CELL } from '../cell/cell.ts'
import { signerOfMnemonic } from '../chain/local/mnemonic.ts'
import { readWallet } from '../tlb/contracts/wallets.ts'
import { type AccountId, sameAccount } from '../tlb/ids.ts'
import { loadMessage, normalizedHash } from '../tlb/message/message.ts'
import { messageToWallet, orderedMessage, walletOrderBody } from '../tlb/message/wallet-order.ts'
import type { LocalDeps } from './in-block.ts'
import { snake } from './token-content.ts'

/** Signed messages never expire, because the chain's time can be moved past any expiry time. They still cannot be replayed: the wallet checks the seqno. */
const NO_END = 0xffff_ffff
const COMMENT = 0

/** text_comment#00000000 text:Text; an empty cell if there is no comment. */
const commentBody = (text: string | undefined): Cell =>
  text === undefined ? EMPTY_CELL : snake(Buffer.concat([Buffer.alloc(4, COMMENT), Buffer.from(text, 'utf8')]))

const bodyOf = (boc: Uint8Array): Cell =>
  parseBocRootOr(boc, (error) => new TonError('INVALID_PARAMS', `failed to parse body: ${error.message}`, { cause: error }))

export const createSignTransfer = ({ control, chain }: LocalDeps): Handler<'local.signTransfer'> => {
  /** Throws INVALID_PARAMS for an account that is not a funded wallet. */
  const mnemonicOf = (from: AccountId): readonly string[] => {
    const wallet = control.wallets().find(({ address }) => sameAccount(address, from))
    if (wallet === undefined) throw new TonError('INVALID_PARAMS', 'from is not a funded wallet of this chain')
    return wallet.mnemonic
  }
  /** Throws CHAIN if the account's contract is no longer a wallet. */
  const stateOf = async (from: AccountId, signal: AbortSignal) => {
    const { account } = await chain.account(from, undefined, signal)
    const init = account?.state.type === 'active' ? account.state.init : undefined
    const wallet = init?.code && readWallet(init.code, init.data)
    if (!wallet) throw new TonError('CHAIN', 'the account has no longer the contract of a wallet')
    return wallet
  }
  return async ({ from, to, amount, comment, body: given, bounce }, { signal }) => {
    const mnemonic = mnemonicOf(from)
    const [wallet, sign] = await Promise.all([stateOf(from, signal), signerOfMnemonic(mnemonic)])
    const body = given === undefined ? commentBody(comment) : bodyOf(given)
    const { wallet_type, wallet_id = 0, seqno } = wallet
    const order = {
      walletId: wallet_id,
      seqno,
      validUntil: NO_END,
      messages: [orderedMessage({ to, amount, bounce: bounce ?? to.bounceable, body })],
    }
    const signed = walletOrderBody(wallet_type, order, sign)
    if (signed === undefined) throw new TonError('CHAIN', `a ${wallet_type} is not signed for here`)
    const root = messageToWallet(from, signed)
    return {
      boc: byteText(serializeBoc(root), 'base64'),
      hash: byteText(root.hash(), 'base64'),
      hash_norm: byteText(normalizedHash(loadMessage(root)), 'base64'),
    }
  }
}
