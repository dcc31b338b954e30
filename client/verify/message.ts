import { base64Hash, readCurrency, readRaw, readStateInit } from './account.ts'
import { type Cell, cellOf, ORDINARY } from './cell.ts'
import { boc, type Expected, type ExpectedMembers, record } from './compare.ts'
import { must } from './error.ts'
import { Reader, readWhole } from './reader.ts'

/** The members of a message that depend on its kind; null where the kind does not have them. */
interface Info {
  readonly source?: string | null
  readonly destination?: string | null
  readonly value?: ReturnType<typeof readCurrency>
  readonly flags?: { readonly ihrDisabled: boolean; readonly bounce: boolean; readonly bounced: boolean }
  /** ihr_fee; since global version 12 the same field is extra_flags. */
  readonly ihrFee?: bigint
  readonly fwdFee?: bigint
  readonly importFee?: bigint
  readonly createdLt?: bigint
  readonly createdAt?: number
  /** Bits of the destination address; only for an external inbound message. */
  readonly target?: string
}

/*
 * int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool src:MsgAddressInt dest:MsgAddressInt
 *   value:CurrencyCollection extra_flags:(VarUInteger 16) fwd_fee:Grams created_lt:uint64 created_at:uint32 = CommonMsgInfo;
 * ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
 * ext_out_msg_info$11 src:MsgAddressInt dest:MsgAddressExt created_lt:uint64 created_at:uint32 = CommonMsgInfo;
 */
const readInfo = (r: Reader): Info => {
  if (!r.flag())
    return {
      flags: { ihrDisabled: r.flag(), bounce: r.flag(), bounced: r.flag() },
      source: readRaw(r),
      destination: readRaw(r),
      value: readCurrency(r),
      ihrFee: r.coins(),
      fwdFee: r.coins(),
      createdLt: r.big(64),
      createdAt: r.uint(32),
    }
  const isOut = r.flag()
  const source = readRaw(r)
  const begin = r.bit
  const destination = readRaw(r)
  if (isOut) return { source, createdLt: r.big(64), createdAt: r.uint(32) }
  const again = new Reader(r.cell)
  again.bit = begin
  return { destination, target: again.text(r.bit - begin), importFee: r.coins() }
}

/** The StateInit of a message as a cell: init:(Maybe (Either StateInit ^StateInit)) */
const readInit = (r: Reader): Cell | undefined =>
  r.maybe(() => {
    if (r.flag()) {
      const cell = r.next()
      readWhole(cell, readStateInit)
      return cell
    }
    const { bit, ref } = r
    readStateInit(r)
    return r.since(bit, ref)
  })

/**
 * Normalized hash (TEP-467) of an external message: src addr_none, import fee 0, no init, the body in a reference. Undefined if it is the message's own
 * hash.
 */
export const normalizedHash = (cell: Cell, target: string | undefined, body: Cell): string | undefined => {
  if (target === undefined) return undefined
  const hash = base64Hash(cellOf(`1000${target}000001`, [body]))
  return hash === base64Hash(cell) ? undefined : hash
}

const text = (value: bigint | number | undefined): string | null => (value === undefined ? null : String(value))

/** Accepts extra_flags of a message whose field is 0: null before global version 12, `0` since then. The message does not show its version. */
const noFlags = (value: unknown): boolean => {
  must(value === null || value === '0', () => `${String(value)}, the cells say 0`)
  return false
}

/**
 * The same field is ihr_fee before global version 12, and extra_flags since then. `ihr_disabled` shows which: before version 12, messages with it had no
 * fee, and since version 11 all messages have it.
 */
const feeOrFlags = ({ flags, ihrFee }: Info): ExpectedMembers => {
  const isFee = ihrFee === undefined || !flags?.ihrDisabled
  return { ihr_fee: isFee ? text(ihrFee) : '0', extra_flags: ihrFee === 0n ? noFlags : isFee ? null : String(ihrFee) }
}

const content = (cell: Cell): Expected => ({ hash: base64Hash(cell), body: boc(cell) })

/** message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X; */
export const openMessage = (cell: Cell): { readonly info: Info; readonly init: Cell | undefined; readonly body: Cell } => {
  const r = new Reader(cell)
  const info = readInfo(r)
  const init = readInit(r)
  const body = r.flag() ? r.next() : r.rest()
  r.end()
  return { info, init, body }
}

/** A message of a transaction, as rows have it, and its hash. */
export const readMessage = (cell: Cell) => {
  const { info, init, body } = openMessage(cell)
  const hash = base64Hash(cell)
  const hasOpcode = body.type === ORDINARY && body.bits >= 32
  const row: ExpectedMembers = {
    hash,
    hash_norm: normalizedHash(cell, info.target, body),
    source: info.source ?? null,
    destination: info.destination ?? null,
    value: text(info.value?.grams),
    value_extra_currencies: info.value === undefined ? null : record(info.value.other),
    fwd_fee: text(info.fwdFee),
    ...feeOrFlags(info),
    created_lt: text(info.createdLt),
    created_at: text(info.createdAt),
    opcode: hasOpcode ? `0x${new Reader(body).uint(32).toString(16).padStart(8, '0')}` : null,
    ihr_disabled: info.flags?.ihrDisabled ?? null,
    bounce: info.flags?.bounce ?? null,
    bounced: info.flags?.bounced ?? null,
    import_fee: text(info.importFee),
    message_content: content(body),
    init_state: init === undefined ? null : content(init),
  }
  return { hash, body, row }
}

export type ReadMessage = ReturnType<typeof readMessage>
