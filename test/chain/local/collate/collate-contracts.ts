import { beginCell, Cell, type Cell as CoreCell, external, type MessageRelaxed, storeMessage, storeMessageRelaxed } from '@ton/core'
import type { AccountInput, ExternalInput } from '../../../../server/chain/local/model.ts'
import type { AccountId } from '../../../../server/tlb/ids.ts'
import { fromCore } from './kit.ts'

/* Contracts of a few instructions, written as the bytes of their code. */

const code = (hex: string): CoreCell => beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell()

/** ACCEPT; c4 PUSH; CTOS; LDREF; 8 PLDU; SENDRAWMSG: sends the message in its data with the mode in its data, whoever calls. */
export const RELAY = code('f800ed44d0d4d70b07fb00')
/** 42 THROW */
export const THROWER = code('f22a')
/** c4 PUSH; CTOS; 32 LDU; DROP; INC; NEWC; 32 STU; ENDC; c4 POP: counts its runs. */
export const COUNTER = code('ed44d0d31f30a4c8cb1fc9ed54')
/** The same for an external message: ACCEPT first. */
export const ACCEPTER = code('f800ed44d0d31f30a4c8cb1fc9ed54')
/** ACCEPT; 1, 0, 1, 1; ECRECOVER: an operation on a curve that takes more than a millisecond by itself. */
export const RECOVERER = code('f80071707171f912')
/** DROP; LDREF; DROP; NEWC; STREF; ENDC; c4 POP: keeps the first reference of the last message's body as the first of its data. */
export const KEEPER = code('30d430c8ccc9ed54')
/** DROP; LDREF; 8 PLDU; SETLIBCODE: does with the first reference of a message's body as the body's first byte says: 2 publishes it, 0 takes it back. */
export const PUBLISHER = code('30d4d70b07fb06')

export const accountId = (n: number, workchain = 0): AccountId => {
  const hash = new Uint8Array(32).fill(0xa0)
  new DataView(hash.buffer).setUint32(0, n * 0x9e3779b1)
  new DataView(hash.buffer).setUint32(28, n)
  return { workchain, hash }
}
const raw = (id: AccountId): string => `${id.workchain}:${Buffer.from(id.hash).toString('hex')}`

export const contract = (
  id: AccountId,
  program: CoreCell,
  options: { data?: CoreCell; balance?: bigint; tickTock?: AccountInput['tickTock'] } = {},
): AccountInput => ({
  account: id,
  balance: options.balance ?? 10_000_000_000n,
  code: fromCore(program),
  data: fromCore(options.data ?? Cell.EMPTY),
  ...(options.tickTock ? { tickTock: options.tickTock } : {}),
})

/** What a relay keeps: the mode and the message it sends. */
export const relayData = (next: MessageRelaxed, mode = 0): CoreCell =>
  beginCell()
    .storeUint(mode, 8)
    .storeRef(beginCell().store(storeMessageRelaxed(next)))
    .endCell()

/** A relay whose data holds `next`. Mode 64 passes the value of the message on, 1 pays from its own. */
export const relay = (id: AccountId, next: MessageRelaxed, mode = 64, balance?: bigint): AccountInput =>
  contract(id, RELAY, {
    data: relayData(next, mode),
    ...(balance === undefined ? {} : { balance }),
  })

/** An external message with any body. */
export const poke = (to: AccountId, body: CoreCell = Cell.EMPTY): ExternalInput => ({
  message: fromCore(
    beginCell()
      .store(storeMessage(external({ to: raw(to), body })))
      .endCell(),
  ),
  dest: to,
})
