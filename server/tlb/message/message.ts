import { type Builder, beginCell } from '../../cell/builder.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { loadStateInit, type StateInit, stateInitCell } from '../state/state-init.ts'
import { loadMessageInfo, type MessageInfo, storeMessageInfo } from './message-info.ts'

/*
 * message$_ {X:Type} info:CommonMsgInfo init:(Maybe (Either StateInit ^StateInit)) body:(Either X ^X) = Message X;
 */

export interface Message {
  readonly info: MessageInfo
  readonly init?: StateInit | undefined
  /** StateInit as a cell of its own, if there is one. */
  readonly initCell?: Cell | undefined
  /** The body as its own cell, whether it was inline or in a ref. */
  readonly body: Cell
  /** Which parts of the message were in refs. */
  readonly layout: MessageLayout
  readonly root: Cell
}

/** Which parts of a message are in refs. `initRef` has a meaning only with an init. */
export interface MessageLayout {
  readonly initRef: boolean
  readonly bodyRef: boolean
}

/** The parts of a message. Without `layout`, parts are inline if they fit, as in TON's own serializer. */
export interface MessageParts {
  readonly info: MessageInfo
  readonly init?: StateInit | undefined
  readonly body: Cell
  readonly layout?: MessageLayout | undefined
}

/** Message Any, relaxed ones (addr_none as source) included. */
export const loadMessage = (root: Cell): Message => {
  const s = root.slice()
  const info = loadMessageInfo(s)
  let init: StateInit | undefined
  let initCell: Cell | undefined
  let initRef = false
  if (s.loadBit()) {
    initRef = s.loadBit()
    if (initRef) {
      initCell = s.loadRef()
      const inner = initCell.slice()
      init = loadStateInit(inner)
      inner.end()
    } else {
      init = loadStateInit(s)
      initCell = stateInitCell(init)
    }
  }
  const bodyRef = s.loadBit()
  const body = bodyRef ? s.loadRef() : s.asCell()
  if (bodyRef) s.end()
  return { info, init, initCell, body, layout: { initRef, bodyRef }, root }
}

const MAX_BITS = 1023
const MAX_REFS = 4

/* As in Transaction::try_action_send_msg: an init or a body goes to a ref if it does not fit together with what must follow. */
const canonicalLayout = (head: Builder, init: Cell | undefined, body: Cell): MessageLayout => {
  const initRef = init !== undefined && (head.bits + 2 + init.bits + 1 > MAX_BITS || head.refs + init.refCount + 1 > MAX_REFS)
  const initBits = init === undefined ? 1 : initRef ? 2 : 2 + init.bits
  const initRefs = init === undefined ? 0 : initRef ? 1 : init.refCount
  const bodyRef = head.bits + initBits + 1 + body.bits > MAX_BITS || head.refs + initRefs + body.refCount > MAX_REFS || body.exotic
  return { initRef, bodyRef }
}

/** Message Any as a cell. A `layout` that does not fit throws CellError 'overflow'. */
export const storeMessage = (message: MessageParts): Cell => {
  const b = storeMessageInfo(beginCell(), message.info)
  const init = message.init === undefined ? undefined : stateInitCell(message.init)
  const { initRef, bodyRef } = message.layout ?? canonicalLayout(b, init, message.body)
  if (init === undefined) b.storeBit(0)
  else if (initRef) b.storeUint(3, 2).storeRef(init)
  else b.storeUint(2, 2).storeCell(init)
  return bodyRef ? b.storeBit(1).storeRef(message.body).end() : b.storeBit(0).storeCell(message.body).end()
}

/**
 * TEP-467: the hash (32 bytes) of an external-in message with src addr_none, import fee 0, no init and the body in a ref. With it a sender finds
 * its message even if a relay rewrote other parts. Throws CellError 'range' for other kinds of message.
 */
export const normalizedHash = (message: Pick<Message, 'info' | 'body'>): Uint8Array => {
  const { info } = message
  if (info.type !== 'external-in') throw new CellError('range', `only external-in messages have a normalized hash, not ${info.type} ones`)
  return storeMessage({
    info: { type: 'external-in', src: undefined, dest: info.dest, importFee: 0n },
    body: message.body,
    layout: { initRef: false, bodyRef: true },
  }).hash()
}

/** The normalized hash of an external-in message if it differs from its own hash. Only then it is stored and returned, as in TON Center. */
export const distinctNormalizedHash = (message: Message): Uint8Array | undefined => {
  if (message.info.type !== 'external-in') return undefined
  const norm = normalizedHash(message)
  return Buffer.from(norm).toString('latin1') === message.root.hashKey() ? undefined : norm
}
