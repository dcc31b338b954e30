import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { WalletContractV4 } from '@ton/ton'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import { type Cell, EMPTY_CELL } from '../../../server/cell/cell.ts'
import type { AccountInput, ExternalInput } from '../../../server/chain/local/model.ts'
import { storeMessage } from '../../../server/tlb/message/message.ts'

/* Wallets, and transfers between them, as blocks of the benches hold them. */

/** Transfers of one block. */
export const TRANSFERS = 400

/** 32 bytes that follow from a text. */
export const seed32 = (text: string): Uint8Array => new Uint8Array(createHash('sha256').update(text).digest())
const keyOf = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]), format: 'der', type: 'pkcs8' })
const publicKeyOf = (key: KeyObject): Uint8Array => Buffer.from(key.export({ format: 'jwk' }).x as string, 'base64url')

const walletCode = (): Cell => parseBocRoot(WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32) }).init.code.toBoc())

/** `count` wallets v4R2 of which the first TRANSFERS have keys; spread evenly over the address space. */
export const wallets = (count: number): { accounts: AccountInput[]; keys: KeyObject[] } => {
  const code = walletCode()
  const keys: KeyObject[] = []
  const accounts = Array.from({ length: count }, (_, n): AccountInput => {
    const seed = seed32(`wallet ${n}`)
    let publicKey = seed
    if (n < TRANSFERS) {
      const key = keyOf(seed)
      keys.push(key)
      publicKey = publicKeyOf(key)
    }
    const data = beginCell().storeUint(0, 32).storeUint(698983191, 32).storeBytes(publicKey).storeBit(0).end()
    return { account: { workchain: 0, hash: seed32(`address ${n}`) }, balance: 1_000_000_000_000n, code, data }
  })
  return { accounts, keys }
}

/** The external message of wallet `n`, its message number `seqno`, that sends a coin to the next one. */
export const transfer = (accounts: readonly AccountInput[], keys: readonly KeyObject[], n: number, seqno = 0): ExternalInput => {
  const to = accounts[(n * 7919 + 13) % accounts.length]!.account
  const out = storeMessage({
    info: {
      type: 'internal',
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      src: undefined,
      dest: { type: 'std', workchain: 0, hash: to.hash },
      value: { grams: 1_000_000_000n },
      ihrFee: 0n,
      fwdFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    },
    body: EMPTY_CELL,
  })
  const request = beginCell()
    .storeUint(698983191, 32)
    .storeUint(0xfffffff0, 32)
    .storeUint(seqno, 32)
    .storeUint(0, 8)
    .storeUint(3, 8)
    .storeRef(out)
    .end()
  const signature = sign(null, request.hash(), keys[n]!)
  const dest = accounts[n]!.account
  const message = storeMessage({
    info: { type: 'external-in', src: undefined, dest: { type: 'std', workchain: 0, hash: dest.hash }, importFee: 0n },
    body: beginCell().storeBytes(signature).storeCell(request).end(),
    layout: { initRef: false, bodyRef: true },
  })
  return { message, dest }
}
