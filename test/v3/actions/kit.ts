import { type Address, beginCell, Cell, external, internal, type MessageRelaxed, SendMode, storeMessage } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV3R1, WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import type { ParamsIn, Result } from '../../../shared/registry.ts'
import { startV3 } from '../../kit/service/service.ts'

/* Traces of every common kind, made on the embedded chain by wallets as people use them, and what the service says that they mean. */

export type Action = Result<'v3.actions'>['actions'][number]

export const rawOf = (address: Address): string => `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`

/** A wallet whose orders go out as external messages. */
export interface Wallet {
  readonly address: Address
  readonly raw: string
  /** Sends an order, waits until all that follows is indexed, and resolves with the external message. */
  send(...messages: MessageRelaxed[]): Promise<Cell>
  /** Notes that somebody else has sent an order of this wallet. */
  sent(): void
}

export const startActions = async () => {
  const service = await startV3()
  const { wallets } = await service.call('local.wallets', {})

  const sender = (address: Address, order: (seqno: number, messages: MessageRelaxed[]) => Cell): Wallet => {
    let seqno = 0
    return {
      address,
      raw: rawOf(address),
      async send(...messages) {
        const message = beginCell()
          .store(storeMessage(external({ to: address, body: order(seqno++, messages) })))
          .endCell()
        await service.call('sendBoc', { boc: message.toBoc().toString('base64') })
        await service.settle()
        return message
      },
      sent() {
        seqno++
      },
    }
  }

  const keysOf = async (version: string) => mnemonicToPrivateKey(wallets.find((wallet) => wallet.version === version)!.mnemonic)
  const sendMode = SendMode.PAY_GAS_SEPARATELY
  const timeout = 0xffffffff
  let first: Wallet | undefined
  let second: Wallet | undefined
  const v4 = async (): Promise<Wallet> => {
    if (first !== undefined) return first
    const { publicKey, secretKey } = await keysOf('v4R2')
    const wallet = WalletContractV4.create({ workchain: 0, publicKey })
    first = sender(wallet.address, (seqno, messages) => wallet.createTransfer({ seqno, secretKey, sendMode, timeout, messages }))
    return first
  }
  /** Deployed by the one of version 4. */
  const v5 = async (): Promise<Wallet> => {
    if (second !== undefined) return second
    const { publicKey, secretKey } = await keysOf('v4R2')
    const wallet = WalletContractV5R1.create({ workchain: 0, publicKey })
    second = sender(wallet.address, (seqno, messages) => wallet.createTransfer({ seqno, secretKey, sendMode, timeout, messages }))
    await (await v4()).send(internal({ to: wallet.address, value: '100', bounce: false, init: wallet.init, body: new Cell() }))
    return second
  }
  /** One of version 3, deployed by the one of version 4. */
  const v3 = async (revision: 1 | 2): Promise<Wallet> => {
    const { publicKey, secretKey } = await keysOf('v4R2')
    const wallet = (revision === 1 ? WalletContractV3R1 : WalletContractV3R2).create({ workchain: 0, publicKey })
    const { address, init } = wallet
    await (await v4()).send(internal({ to: address, value: '10', bounce: false, init, body: new Cell() }))
    return sender(address, (seqno, messages) => wallet.createTransfer({ seqno, secretKey, sendMode, timeout, messages }))
  }
  /** The actions of an order, as GET /api/v3/actions tells them. */
  const actionsOf = async (message: Cell, params = ''): Promise<readonly Action[]> => {
    const query = `actions?msg_hash=${message.hash().toString('hex')}&sort=asc&limit=100${params}`
    const { trace_id } = (await service.get<{ actions: Action[] }>(query)).body.actions[0] ?? {}
    if (trace_id === undefined || trace_id === null) return []
    const ofTrace = `actions?trace_id=${encodeURIComponent(trace_id)}&sort=asc&limit=100${params}`
    return (await service.get<{ actions: Action[] }>(ofTrace)).body.actions
  }

  return {
    ...service,
    keys: () => keysOf('v4R2'),
    v3,
    v4,
    v5,
    actionsOf,
    actions: (params: ParamsIn<'v3.actions'>) => service.call('v3.actions', params),
  }
}
export type ActionsService = Awaited<ReturnType<typeof startActions>>
