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
  readonly initCell?: Cell | undefined
  /** The body as a cell of its own. In the message it may be inline or in a reference. */
  readonly body: Cell
  readonly layout: MessageLayout
  readonly root: Cell
}

/** The parts of a message that are in references. `initRef` has a meaning only if the message has an init. */
export interface MessageLayout {
  readonly initRef: boolean
  readonly bodyRef: boolean
}

/** The parts of a message. Without `layout`, each part is inline if it fits, as in TON's own serializer. */
export interface MessageParts extends Pick<Message, 'info' | 'init' | 'body'> {
  readonly layout?: MessageLayout | undefined
}

/** Reads a Message Any. Relaxed messages (addr_none as source) are also valid. */
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

/* As in Transaction::try_action_send_msg, an init or a body goes into a reference if it does not fit inline together with the parts that follow. */
const canonicalLayout = (head: Builder, init: Cell | undefined, body: Cell): MessageLayout => {
  const initRef = init !== undefined && (head.bits + 2 + init.bits + 1 > MAX_BITS || head.refs + init.refCount + 1 > MAX_REFS)
  const initBits = init === undefined ? 1 : initRef ? 2 : 2 + init.bits
  const initRefs = init === undefined ? 0 : initRef ? 1 : init.refCount
  const bodyRef = head.bits + initBits + 1 + body.bits > MAX_BITS || head.refs + initRefs + body.refCount > MAX_REFS || body.exotic
  return { initRef, bodyRef }
}

/** Stores a Message Any in a cell. Throws CellError 'overflow' for a `layout` that does not fit. */
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
 * The normalized hash of TEP-467 (32 bytes): the hash of the message with src addr_none, import fee 0, no init and the body in a reference. A relay may
 * change these parts of a message. The sender still finds the message by this hash. Throws CellError 'range' unless the message is external-in.
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

/** The normalized hash of an external-in message; undefined if it equals the hash of the message. TON Center neither stores nor returns it then. */
export const distinctNormalizedHash = (message: Message): Uint8Array | undefined => {
  if (message.info.type !== 'external-in') return undefined
  const norm = normalizedHash(message)
  return Buffer.from(norm).toString('latin1') === message.root.hashKey() ? undefined : norm
}
