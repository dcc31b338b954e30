import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import { WALLET_V4R2 } from '../../../server/chain/local/faucet-codes.ts'
import type { AccountInput } from '../../../server/chain/local/model.ts'
import type { AccountId } from '../../../server/tlb/ids.ts'
import { stateInitCell } from '../../../server/tlb/state/state-init.ts'

/* v4R2 wallets without @ton/ton, for test programs that must start fast. */

const SUBWALLET = 698_983_191
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

export interface OwnWallet {
  readonly id: AccountId
  readonly account: AccountInput
  /** BoC of the external message that sends `value` nanograms to `to`. The same arguments give the same bytes. */
  transfer(seqno: number, to: AccountId, value: bigint): Uint8Array
}

const int = (to: AccountId) => beginCell().storeUint(0b100, 3).storeInt(to.workchain, 8).storeBytes(to.hash)

/** Wallet number `n`. Any number of wallets is possible. */
export const ownWallet = (n: number, balance = 1_000_000_000_000n): OwnWallet => {
  const seed = Buffer.alloc(32, 0x5a)
  seed.writeUInt32BE(n)
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  const code = parseBocRoot(Buffer.from(WALLET_V4R2, 'base64'))
  const data = beginCell().storeUint(0, 32).storeUint(SUBWALLET, 32).storeBytes(publicKey).storeBit(0).end()
  const id = { workchain: 0, hash: stateInitCell({ code, data }).hash() }
  return {
    id,
    account: { account: id, balance, code, data },
    transfer: (seqno, to, value) => {
      // int_msg_info$0 ihr_disabled:1 bounce:0 bounced:0 src:addr_none$00
      const message = beginCell()
        .storeUint(0b0100, 4)
        .storeUint(0, 2)
        .storeSlice(int(to).end().slice())
        .storeCoins(value)
        .storeUint(0, 1 + 4 + 4 + 64 + 32 + 1 + 1)
        .end()
      const order = beginCell()
        .storeUint(SUBWALLET, 32)
        .storeUint(0xffffffff, 32)
        .storeUint(seqno, 32)
        .storeUint(0, 8)
        .storeUint(3, 8)
        .storeRef(message)
      const signature = sign(null, order.end().hash(), key)
      const body = beginCell().storeBytes(signature).storeSlice(order.end().slice()).end()
      return serializeBoc(
        beginCell()
          .storeUint(0b10, 2)
          .storeUint(0, 2)
          .storeSlice(int(id).end().slice())
          .storeCoins(0n)
          .storeBit(0)
          .storeBit(1)
          .storeRef(body)
          .end(),
      )
    },
  }
}

/** The seqno in the data of a wallet. */
export const seqnoOf = (data: { slice(): { loadUint(n: number): number } }): number => data.slice().loadUint(32)
