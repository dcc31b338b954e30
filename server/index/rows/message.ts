import type { Cell } from '../../cell/cell.ts'
import type { DIRECTION_IN, DIRECTION_OUT } from '../../store/codes.ts'
import { accountKey } from '../../store/keys.ts'
import { accountIdOf, type MsgAddressInt } from '../../tlb/address.ts'
import { type Message, normalizedHash } from '../../tlb/message.ts'
import { bool, bytes, extra, keyBytes, line, NULL } from './text.ts'

/** From this global version on the place of ihr_fee holds extra_flags. */
const EXTRA_FLAGS_SINCE = 12

/** 36 bytes as a column; null for no address, and for one that no account can have. */
const address = (of: MsgAddressInt | undefined): string => {
  const id = of && accountIdOf(of)
  return of === undefined || id === undefined ? NULL : bytes(accountKey(of.workchain, id))
}

/** First 32 bits of a body as a signed number. */
const opcode = (body: Cell): string => {
  if (body.exotic || body.bits < 32) return NULL
  return String(body.slice().preloadUint(32) | 0)
}

const info = ({ info: of, body }: Message, version: number): readonly string[] => {
  switch (of.type) {
    case 'internal': {
      const flags = version >= EXTRA_FLAGS_SINCE
      return [
        address(of.src),
        address(of.dest),
        String(of.value.grams),
        extra(of.value.other),
        String(of.fwdFee),
        flags ? '0' : String(of.ihrFee),
        flags ? String(of.ihrFee) : NULL,
        NULL,
        String(of.createdLt),
        String(of.createdAt),
        opcode(body),
        bool(of.ihrDisabled),
        bool(of.bounce),
        bool(of.bounced),
      ]
    }
    case 'external-in':
      return [NULL, address(of.dest), NULL, NULL, NULL, NULL, NULL, String(of.importFee), NULL, NULL, opcode(body), NULL, NULL, NULL]
    case 'external-out':
      return [
        address(of.src),
        ...[NULL, NULL, NULL, NULL, NULL, NULL, NULL],
        String(of.createdLt),
        String(of.createdAt),
        opcode(body),
        NULL,
        NULL,
        NULL,
      ]
  }
}

export interface MessagePlace {
  readonly account: string
  readonly lt: bigint
  readonly direction: typeof DIRECTION_IN | typeof DIRECTION_OUT
  readonly index: number
  readonly mcSeqno: number
  readonly listed: boolean
  /** The block's gen_software version. */
  readonly version: number
}

/** A row of messages. */
export const messageRow = (message: Message, place: MessagePlace): string =>
  line([
    place.account,
    String(place.lt),
    String(place.direction),
    String(place.index),
    keyBytes(message.root.hashKey()),
    message.info.type === 'external-in' ? bytes(normalizedHash(message)) : NULL,
    String(place.mcSeqno),
    bool(place.listed),
    ...info(message, place.version),
    keyBytes(message.body.hashKey()),
    message.initCell === undefined ? NULL : keyBytes(message.initCell.hashKey()),
  ])
