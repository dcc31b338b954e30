import type { Cell } from '../../../cell/cell.ts'
import type { DIRECTION_IN, DIRECTION_OUT } from '../../../store/codes.ts'
import { accountKey } from '../../../store/row-keys.ts'
import type { messages } from '../../../store/schema/messages.ts'
import type { WriteRow } from '../../../store/schema/table.ts'
import { accountIdOf, type MsgAddressInt } from '../../../tlb/address.ts'
import { readableExtra } from '../../../tlb/currency.ts'
import { distinctNormalizedHash, type Message } from '../../../tlb/message/message.ts'

/** Since this global version the field ihr_fee contains extra_flags (block.tlb: CommonMsgInfo). */
const EXTRA_FLAGS_SINCE = 12

/** Account key of an address; undefined if there is no address, or if no account can have it. */
const keyOf = (of: MsgAddressInt | undefined): Buffer | undefined => {
  const id = of && accountIdOf(of)
  return of === undefined || id === undefined ? undefined : accountKey(of.workchain, id)
}

const opcodeOf = (body: Cell): number | undefined => (body.exotic || body.bits < 32 ? undefined : body.slice().preloadUint(32) | 0)

export interface MessagePosition {
  readonly account: Buffer
  readonly lt: bigint
  readonly direction: typeof DIRECTION_IN | typeof DIRECTION_OUT
  readonly index: number
  readonly mcSeqno: number
  readonly listed: boolean
  readonly version: number
}

/**
 * Creates a row of messages: one object literal for all kinds of message, so that V8 gives all rows the same shape. `leaveOut` is called for each part that
 * is too large and is not in the row.
 */
export const messageRow = (message: Message, place: MessagePosition, leaveOut?: () => void): WriteRow<typeof messages> => {
  const { info, body } = message
  const internal = info.type === 'internal' ? info : undefined
  const fromOutside = info.type === 'external-in' ? info : undefined
  const created = info.type === 'external-in' ? undefined : info
  const hasFlags = place.version >= EXTRA_FLAGS_SINCE
  return {
    tx_account: place.account,
    tx_lt: place.lt,
    direction: place.direction,
    msg_index: place.index,
    msg_hash: message.root,
    msg_hash_norm: distinctNormalizedHash(message),
    mc_seqno: place.mcSeqno,
    listed: place.listed,
    source: keyOf(created?.src),
    destination: keyOf((internal ?? fromOutside)?.dest),
    value: internal?.value.grams,
    value_extra: internal && readableExtra(internal.value, leaveOut),
    fwd_fee: internal?.fwdFee,
    ihr_fee: internal && (hasFlags ? 0 : internal.ihrFee),
    extra_flags: internal && hasFlags ? internal.ihrFee : undefined,
    import_fee: fromOutside?.importFee,
    created_lt: created?.createdLt,
    created_at: created?.createdAt,
    opcode: opcodeOf(body),
    ihr_disabled: internal?.ihrDisabled,
    bounce: internal?.bounce,
    bounced: internal?.bounced,
    body_hash: body,
    init_hash: message.initCell,
  }
}
