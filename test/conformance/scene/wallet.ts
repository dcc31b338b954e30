import { Address, beginCell, Cell, comment, external, internal, type MessageRelaxed, SendMode, storeMessage } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import type { Clock } from './clock.ts'

/* Transfers of the first funded wallet: with and without comments, one that comes back, a wallet that is deployed, one transfer that is refused. */

export const TON = 1_000_000_000n
export const account = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))
/** Receives transfers. */
export const FRIEND = account(0x77)
/** No account has this address: what comes with a bounce flag comes back. */
const NOBODY = account(0x22)

export const boc = (cell: Cell): string => cell.toBoc().toString('base64')

/** The owner of most things of the scene. Answers how it sends. */
export const openWallet = async ({ call, settle }: Clock) => {
  const { wallets } = await call('local.wallets', {})
  const { publicKey, secretKey } = await mnemonicToPrivateKey(wallets[0]!.mnemonic)
  const wallet = WalletContractV4.create({ workchain: 0, publicKey })
  let seqno = 0
  /** The external message that lets the wallet send these, with its next seqno. */
  const order = (messages: MessageRelaxed[]): Cell => {
    const body = wallet.createTransfer({
      seqno: seqno++,
      secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      timeout: 0xffffffff,
      messages,
    })
    return beginCell()
      .store(storeMessage(external({ to: wallet.address, body })))
      .endCell()
  }
  const send = async (messages: MessageRelaxed[]): Promise<void> => {
    await call('sendBoc', { boc: boc(order(messages)) })
    await settle()
  }
  const deployed = WalletContractV4.create({ workchain: 0, publicKey, walletId: 77 })
  return {
    address: wallet.address,
    send,
    async play(): Promise<void> {
      await send([
        internal({ to: FRIEND, value: '1', bounce: false, body: comment('hello, friend') }),
        internal({ to: NOBODY, value: '0.5', bounce: true, body: beginCell().storeUint(0x7362d09c, 32).storeUint(7, 64).endCell() }),
        internal({ to: FRIEND, value: '0.25', bounce: false }),
      ])
      await send([internal({ to: deployed.address, value: '2', bounce: false, init: deployed.init, body: new Cell() })])
      for (let i = 0; i < 3; i++) await send([internal({ to: FRIEND, value: '0.01', bounce: false, body: comment(`number ${i}`) })])
    },
  }
}
export type Wallet = Awaited<ReturnType<typeof openWallet>>
