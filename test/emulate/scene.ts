import { type Address, beginCell, Cell, external, internal, type MessageRelaxed, SendMode, type StateInit, storeMessage } from '@ton/core'
import { type KeyPair, mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import type { Result } from '../../shared/registry.ts'
import { post } from '../kit/service/client.ts'
import { startV3 } from '../kit/service/service.ts'
import type { TonwayOptions } from '../kit/service/tonway.ts'

/* Wallets of every version over an indexed embedded chain, and the emulation of what they sign. */

export type Emulated = Result<'emulate.trace'>

/** A wallet that signs orders. */
export interface Signer {
  readonly address: Address
  readonly raw: string
  readonly init: StateInit
  /** The external message of an order, as a BoC in base64. */
  order(seqno: number, messages: readonly MessageRelaxed[], options?: { readonly timeout?: number; readonly key?: Buffer }): string
}

export const rawOf = (address: Address): string => `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`

export type Contract = { readonly address: Address; readonly init: StateInit; createTransfer(args: object): Cell }

/** Signs orders of a wallet. */
export const signerOf = (contract: Contract, { secretKey }: KeyPair): Signer => ({
  address: contract.address,
  raw: rawOf(contract.address),
  init: contract.init,
  order(seqno, messages, { timeout = 0xffffffff, key = secretKey } = {}) {
    const sendMode = SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS
    const body = contract.createTransfer({ seqno, secretKey: key, sendMode, timeout, messages: [...messages] })
    return beginCell()
      .store(storeMessage(external({ to: contract.address, body })))
      .endCell()
      .toBoc()
      .toString('base64')
  },
})

/** An answer of the REST routes. */
export interface Reply {
  readonly status: number
  readonly body: Emulated & { readonly error?: string; readonly code?: number }
}

export const startEmulation = async (options: TonwayOptions = {}) => {
  const service = await startV3(options)
  const { wallets } = await service.call('local.wallets', {})
  const keys = await mnemonicToPrivateKey(wallets.find(({ version }) => version === 'v4R2')!.mnemonic)
  const { publicKey } = keys
  const v3 = signerOf(WalletContractV3R2.create({ workchain: 0, publicKey }) as unknown as Contract, keys)
  const v4 = signerOf(WalletContractV4.create({ workchain: 0, publicKey }) as unknown as Contract, keys)
  const v5 = signerOf(WalletContractV5R1.create({ workchain: 0, publicKey }) as unknown as Contract, keys)
  let seqno = 0
  const rest =
    (path: string) =>
    async (body: object, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
      post<Reply['body']>(`${service.url}/api/emulate/v1/${path}`, body, headers)
  /** Sends an order of the funded v4 wallet and waits until all that follows is indexed. */
  const sendV4 = async (...messages: MessageRelaxed[]): Promise<string> => {
    const boc = v4.order(seqno++, messages)
    await service.call('sendBoc', { boc })
    await service.settle()
    return boc
  }
  return {
    ...service,
    v3,
    v4,
    v5,
    trace: rest('emulateTrace'),
    tonConnect: rest('emulateTonConnect'),
    sendV4,
    nextSeqno: () => seqno,
    /** Deploys the wallets of versions 3 and 5. */
    deployAll: () =>
      sendV4(...[v3, v5].map(({ address, init }) => internal({ to: address, value: '100', bounce: false, init, body: new Cell() }))),
  }
}
export type Emulation = Awaited<ReturnType<typeof startEmulation>>

/** The same over a chain that makes no blocks by itself, so that messages stay pending until `mine`. */
export const startManualMining = async (options: TonwayOptions = {}) => {
  const service = await startEmulation(options)
  await service.settle()
  await service.call('local.setAutomine', { automine: false })
  return {
    ...service,
    /** Makes a block and waits until it is indexed. */
    async mine(): Promise<void> {
      await service.call('local.mine', { count: 1 })
      await service.indexed()
    },
  }
}
export type ManualMining = Awaited<ReturnType<typeof startManualMining>>

/** Transactions of an answer in the order of their lt. */
export const inOrder = ({ transactions }: Emulated) => Object.values(transactions).sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
