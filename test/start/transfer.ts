import { type Address, beginCell, external, internal, SendMode, storeMessage } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import type { Tonway } from '../../server/start/types.ts'

/** Keys of the first funded wallet. */
export const keysOf = ({ wallets }: Tonway) => mnemonicToPrivateKey([...wallets[0]!.mnemonic])

/** A signed transfer of the first funded wallet as the BoC of its external message. */
export const transfer = async (tonway: Tonway, seqno: number, to: Address | string, value: string): Promise<string> => {
  const { publicKey, secretKey } = await keysOf(tonway)
  const wallet = WalletContractV4.create({ workchain: 0, publicKey })
  const messages = [internal({ to, value, bounce: false })]
  const body = wallet.createTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY, timeout: 0xffff_ffff })
  const message = external({ to: wallet.address, body })
  return beginCell().store(storeMessage(message)).endCell().toBoc().toString('base64')
}
