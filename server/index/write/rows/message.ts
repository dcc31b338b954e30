import type { Cell } from '../../../cell/cell.ts'
import type { DIRECTION_IN, DIRECTION_OUT } from '../../../store/codes.ts'
import { accountKey } from '../../../store/keys.ts'
import { accountIdOf, type MsgAddressInt } from '../../../tlb/address.ts'
import { distinctNormalizedHash, type Message } from '../../../tlb/message/message.ts'
import { beginRow, endRow, putBig, putBool, putBytes, putHash, putMaybeBytes, putNull, putNumber, putText, type RowTable } from './row.ts'
import { extra, NULL } from './text.ts'

/** From this global version on the place of ihr_fee holds extra_flags. */
const EXTRA_FLAGS_SINCE = 12

/** 36 bytes as a column; null for no address, and for one that no account can have. */
const putAddress = (of: MsgAddressInt | undefined): void => {
  const id = of && accountIdOf(of)
  if (of === undefined || id === undefined) putNull()
  else putBytes(accountKey(of.workchain, id))
}

/** First 32 bits of a body as a signed number. */
const putOpcode = (body: Cell): void => {
  if (body.exotic || body.bits < 32) putNull()
  else putNumber(body.slice().preloadUint(32) | 0)
}

const nulls = (count: number): string => Array.from({ length: count }, () => NULL).join('\t')
const NO_VALUE = nulls(5)
const NO_DESTINATION_NOR_VALUE = nulls(7)
const NO_FLAGS = nulls(3)

const putInfo = ({ info: of, body }: Message, version: number): void => {
  switch (of.type) {
    case 'internal': {
      const flags = version >= EXTRA_FLAGS_SINCE
      putAddress(of.src)
      putAddress(of.dest)
      putBig(of.value.grams)
      putText(extra(of.value.other))
      putBig(of.fwdFee)
      if (flags) putNumber(0)
      putBig(of.ihrFee)
      if (!flags) putNull()
      putNull()
      putBig(of.createdLt)
      putNumber(of.createdAt)
      putOpcode(body)
      putBool(of.ihrDisabled)
      putBool(of.bounce)
      putBool(of.bounced)
      return
    }
    case 'external-in':
      putNull()
      putAddress(of.dest)
      putText(NO_VALUE)
      putBig(of.importFee)
      putNull()
      putNull()
      putOpcode(body)
      putText(NO_FLAGS)
      return
    case 'external-out':
      putAddress(of.src)
      putText(NO_DESTINATION_NOR_VALUE)
      putBig(of.createdLt)
      putNumber(of.createdAt)
      putOpcode(body)
      putText(NO_FLAGS)
  }
}

export interface MessagePlace {
  readonly account: string
  readonly lt: bigint
  readonly direction: typeof DIRECTION_IN | typeof DIRECTION_OUT
  readonly index: number
  readonly mcSeqno: number
  readonly listed: boolean
  /** The network's global version at the masterchain block. */
  readonly version: number
}

/** Writes a row of messages. */
export const putMessage = (table: RowTable, message: Message, place: MessagePlace): void => {
  beginRow(table)
  putText(place.account)
  putBig(place.lt)
  putNumber(place.direction)
  putNumber(place.index)
  putHash(message.root)
  putMaybeBytes(distinctNormalizedHash(message))
  putNumber(place.mcSeqno)
  putBool(place.listed)
  putInfo(message, place.version)
  putHash(message.body)
  if (message.initCell === undefined) putNull()
  else putHash(message.initCell)
  endRow()
}
