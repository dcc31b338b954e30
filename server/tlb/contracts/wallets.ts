import type { Cell } from '../../cell/cell.ts'
import type { Slice } from '../../cell/slice.ts'

/* The wallets that getWalletInformation recognizes by the hash of their code. */

export interface WalletFields {
  readonly seqno: number
  readonly wallet_id?: number
  readonly is_signature_allowed?: boolean
}
type Layout = (data: Slice) => WalletFields

/** v1, v2: seqno:uint32 public_key:bits256 */
const seqnoOnly: Layout = (s) => ({ seqno: s.loadUint(32) })
/** v3, v4: seqno:uint32 wallet_id:int32 public_key:bits256 ... */
const seqnoAndId: Layout = (s) => ({ seqno: s.loadUint(32), wallet_id: s.loadInt(32) })
/** v5: is_signature_allowed:Bool seqno:uint32 wallet_id:int32 ... The beta has wider fields, but TON Center reads the beta like v5 too. */
const v5: Layout = (s) => ({ is_signature_allowed: s.loadBit(), seqno: s.loadUint(32), wallet_id: s.loadInt(32) })

const WALLETS = {
  a0cfc2c48aee16a271f2cfc0b7382d81756cecb1017d077faaab3bb602f6868c: ['wallet v1 r1', seqnoOnly],
  d4902fcc9fad74698fa8e353220a68da0dcf72e32bcb2eb9ee04217c17d3062c: ['wallet v1 r2', seqnoOnly],
  '587cc789eff1c84f46ec3797e45fc809a14ff5ae24f1e0c7a6a99cc9dc9061ff': ['wallet v1 r3', seqnoOnly],
  '5c9a5e68c108e18721a07c42f9956bfb39ad77ec6d624b60c576ec88eee65329': ['wallet v2 r1', seqnoOnly],
  fe9530d3243853083ef2ef0b4c2908c0abf6fa1c31ea243aacaa5bf8c7d753f1: ['wallet v2 r2', seqnoOnly],
  b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581: ['wallet v3 r1', seqnoAndId],
  '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599': ['wallet v3 r2', seqnoAndId],
  '64dd54805522c5be8a9db59cea0105ccf0d08786ca79beb8cb79e880a8d7322d': ['wallet v4 r1', seqnoAndId],
  feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0: ['wallet v4 r2', seqnoAndId],
  f3d7ca53493deedac28b381986a849403cbac3d2c584779af081065af0ac4b93: ['wallet v5 beta', v5],
  '20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f': ['wallet v5 r1', v5],
} as const satisfies Record<string, readonly [string, Layout]>

export type WalletType = (typeof WALLETS)[keyof typeof WALLETS][0]

export type Wallet = { readonly wallet_type: WalletType } & WalletFields

export const isWalletCode = (hash: string): boolean => Object.hasOwn(WALLETS, hash)

/** Name and fields of a wallet in WALLETS. Undefined for another contract, and for data that does not fit the wallet's layout. */
export const readWallet = (code: Cell, data: Cell | undefined): Wallet | undefined => readWalletData(code.hashHex(), data)

/** Name and fields of a wallet by the hash of its code (lower-case hex), as `readWallet` returns them. */
export const readWalletData = (hash: string, data: Cell | undefined): Wallet | undefined => {
  if (!data || data.exotic || !isWalletCode(hash)) return undefined
  const [wallet_type, layout] = WALLETS[hash as keyof typeof WALLETS]
  // Data without room for seqno, wallet id and flag belongs to another contract.
  if (data.bits < (layout === seqnoOnly ? 32 : layout === seqnoAndId ? 64 : 65)) return undefined
  return { wallet_type, ...layout(data.slice()) }
}
