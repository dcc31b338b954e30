import { Address, beginCell, Cell, comment, external, internal, type MessageRelaxed, SendMode, storeMessage } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import type { V3Service } from '../kit/service/service.ts'

/* A small history to ask about: transfers with and without comments, a bounce, a deploy, and an account with a page of transactions. */

export const STRANGER = new Address(0, Buffer.alloc(32, 0x11))
export const ECHO_OPCODE = 0x7362d09c

/** No account has this code: what comes with a bounce flag comes back. */
export const NOBODY = new Address(0, Buffer.alloc(32, 0x22))

export const rawOf = (address: Address): string => `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`

export const playScene = async (service: V3Service) => {
  const { keys } = await service.faucet()
  const wallet = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
  let seqno = 0
  /** BoC of an external message with the wallet's orders. */
  const order = (messages: MessageRelaxed[]): Cell =>
    beginCell()
      .store(
        storeMessage(
          external({
            to: wallet.address,
            body: wallet.createTransfer({
              seqno: seqno++,
              secretKey: keys.secretKey,
              sendMode: SendMode.PAY_GAS_SEPARATELY,
              timeout: 0xffffffff,
              messages,
            }),
          }),
        ),
      )
      .endCell()
  const send = async (messages: MessageRelaxed[]): Promise<Cell> => {
    const message = order(messages)
    await service.call('sendBoc', { boc: message.toBoc().toString('base64') })
    await service.settle()
    return message
  }
  const op = beginCell().storeUint(ECHO_OPCODE, 32).storeUint(7, 64).endCell()
  const first = await send([
    internal({ to: STRANGER, value: '1', bounce: false, body: comment('hello, stranger') }),
    internal({ to: NOBODY, value: '0.5', bounce: true, body: op }),
    internal({ to: STRANGER, value: '0.25', bounce: false }),
  ])
  const deploy = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey, walletId: 77 })
  await send([internal({ to: deploy.address, value: '2', bounce: false, init: deploy.init, body: new Cell() })])
  for (let i = 0; i < 5; i++) await send([internal({ to: STRANGER, value: '0.01', bounce: false, body: comment(`number ${i}`) })])
  return { wallet, deploy, first, order }
}
export type Scene = Awaited<ReturnType<typeof playScene>>
