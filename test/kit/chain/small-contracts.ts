import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { stdAddress } from '../../../server/tlb/address.ts'
import type { AccountId } from '../../../server/tlb/ids.ts'
import { storeMessage } from '../../../server/tlb/message/message.ts'

/* Contracts of a few instructions, and messages for them. */

/** ACCEPT and one ECRECOVER, which the serving thread leaves to the pool. */
export const SLOW: Cell = beginCell().storeBytes(Buffer.from('f80071707171f912', 'hex')).end()

/** c4 PUSH; CTOS; LDREF; 8 PLDU; SENDRAWMSG: on any message sends the message in its data with the mode in its data. */
export const RELAY: Cell = beginCell().storeBytes(Buffer.from('ed44d0d4d70b07fb00', 'hex')).end()

/** A message without a body to an address; value zero. */
export const messageTo = ({ workchain, hash }: AccountId): Cell =>
  beginCell()
    .storeUint(0b0100, 4)
    .storeUint(0, 2)
    .storeUint(0b100, 3)
    .storeInt(workchain, 8)
    .storeBytes(hash)
    .storeCoins(0n)
    .storeUint(0, 1 + 4 + 4 + 64 + 32 + 1 + 1)
    .end()

/** An external message with a number in its body, as a BoC. */
export const external = (to: AccountId, n: number): Uint8Array =>
  serializeBoc(
    storeMessage({
      info: { type: 'external-in', src: undefined, dest: stdAddress(to.workchain, to.hash), importFee: 0n },
      body: beginCell().storeUint(n, 32).end(),
    }),
  )
