import { Address, beginCell, Cell, internal, type Message, SendMode, type StateInit, storeMessage, storeShardAccount } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'

/* Contracts and messages for tests, made with @ton/core: an implementation independent of the code under test. */

export const keys = keyPairFromSeed(Buffer.alloc(32, 7))
export const walletV3 = WalletContractV3R2.create({ workchain: 0, publicKey: keys.publicKey })
export const walletV4 = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
export const walletV5 = WalletContractV5R1.create({ walletId: { networkGlobalId: -3 }, workchain: 0, publicKey: keys.publicKey })

export const raw = (address: Address): string => `${address.workChain}:${address.hash.toString('hex')}`

/** ShardAccount BoC of an active account. */
export const shardAccount = (address: Address, init: StateInit, coins: bigint, lastTransLt = 0n): Uint8Array =>
  beginCell()
    .store(
      storeShardAccount({
        account: {
          addr: address,
          storage: { lastTransLt, balance: { coins }, state: { type: 'active', state: init } },
          storageStats: { used: { cells: 0n, bits: 0n }, lastPaid: 0, duePayment: null, storageExtra: null },
        },
        lastTransactionHash: 0n,
        lastTransactionLt: lastTransLt,
      }),
    )
    .endCell()
    .toBoc()

/** ShardAccount BoC of an account that does not exist. */
export const emptyAccount = (): Uint8Array =>
  beginCell()
    .store(storeShardAccount({ account: null, lastTransactionHash: 0n, lastTransactionLt: 0n }))
    .endCell()
    .toBoc()

export const messageBoc = (message: Message): Uint8Array => beginCell().store(storeMessage(message)).endCell().toBoc()

export const externalMessage = (dest: Address, body: Cell, init?: StateInit): Message => ({
  info: { type: 'external-in', dest, importFee: 0n },
  body,
  ...(init ? { init } : {}),
})

export const internalMessage = (src: Address, dest: Address, coins: bigint, body: Cell = Cell.EMPTY): Message => ({
  info: {
    type: 'internal',
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    src,
    dest,
    value: { coins },
    ihrFee: 0n,
    forwardFee: 0n,
    createdLt: 0n,
    createdAt: 0,
  },
  body,
})

/** A signed transfer of 0.001 GRAM to an address without an owner. */
export const transferV4 = (seqno: number, secretKey = keys.secretKey): Cell =>
  walletV4.createTransfer({
    seqno,
    secretKey,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    timeout: 4294967295,
    messages: [internal({ to: new Address(0, Buffer.alloc(32, 9)), value: 1_000_000n, bounce: false, body: 'hello' })],
  })
