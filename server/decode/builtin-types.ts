import type { Slice } from '../cell/slice.ts'
import type { Compiler } from './compile.ts'
import { bitsHex } from './primitives.ts'
import { type Budget, enter, type Json, type Shape, type Value } from './shape.ts'

/*
 * Types whose form depends on the number of references or bytes. The notation of the catalogue cannot express them.
 *
 * out_list_empty$_ = OutList 0;
 * out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
 */

/** Returns the cells of an OutList, the last action first. Their first references are already read. The empty cell at the end is left out. */
const listCells = (end: Slice, run: Budget): Slice[] => {
  const cells: Slice[] = []
  for (let cell = end; cell.remainingRefs > 0; ) {
    const previous = cell.loadRef()
    cells.push(cell)
    if (previous.exotic) break
    cell = enter(previous, run)
  }
  return cells
}

/** OutList n: the actions of a contract in order. The first reference of each cell leads to the previous action, so n is the length of this chain. */
const outList = (action: Shape): Shape => ({
  load: (s, run) => {
    const read = (cell: Slice): Value => action.load(cell, run)
    return listCells(s, run).map(read).reverse()
  },
  print: (s, run) => {
    let shown: Json = { '@type': 'out_list_empty' }
    for (const cell of listCells(s, run).reverse()) {
      shown = { '@type': 'out_list', prev: shown, action: action.print(cell, run) }
    }
    return shown
  },
})

/** A cell and the cells after it, each the first reference that is left of the cell before. The caller reads each cell before it takes the next. */
function* chainFrom(first: Slice, run: Budget): Generator<Slice> {
  yield first
  for (let cell = first; cell.remainingRefs > 0; yield cell) cell = enter(cell.loadRef(), run)
}

/** Actions by which a wallet v5 changes itself. Each cell holds one action, and each but the last has a reference to the next cell. */
const extendedList = (action: Shape): Shape => ({
  load: (s, run) => Array.from(chainFrom(s, run), (cell) => action.load(cell, run)),
  print: (s, run) => {
    const actions = Array.from(chainFrom(s, run), (cell) => action.print(cell, run))
    let shown: Json = { '@type': 'extended_list_last', action: actions.pop()! }
    while (actions.length > 0) shown = { '@type': 'extended_list_action', action: actions.pop()!, prev: shown }
    return shown
  },
})

/** Messages in a request to wallets v1 to v4. Each remaining reference is a message, and each has a mode of 8 bits. */
const walletMessages = (message: Shape): Shape => ({
  load: (s, run) => Array.from({ length: s.remainingRefs }, () => message.load(s, run)),
  print: (s, run) => {
    const count = s.remainingRefs
    const shown: Record<string, Json> = { '@type': `msgs_${count}` }
    for (let i = 1; i <= count; i++) shown[`msg_${i}`] = message.print(s, run)
    return shown
  },
})

/** telemint_text$_ len:(## 8) text:(bits (len * 8)) = TelemintText; */
const telemintText: Shape = {
  load: (s) => {
    const len = s.loadUint(8)
    return { bits: len * 8, data: s.loadBytes(len) }
  },
  print: (s) => {
    const len = s.loadUint(8)
    return { '@type': 'telemint_text', len: `${len}`, text: bitsHex({ bits: len * 8, data: s.loadBytes(len) }) }
  },
}

/*
 * text$_ chunks:(## 8) rest:(TextChunks chunks) = Text;
 * text_chunk$_ {n:#} len:(## 8) data:(bits (len * 8)) next:(TextChunkRef n) = TextChunks (n + 1);
 * text_chunk_empty$_ = TextChunks 0;
 * chunk_ref$_ {n:#} ref:^(TextChunks (n + 1)) = TextChunkRef (n + 1);
 * chunk_ref_empty$_ = TextChunkRef 0;
 */
/** Reads the chunks of a text. Each chunk is in a cell to which the previous chunk's cell refers. */
const chunksOf = (s: Slice, run: Budget): { readonly count: number; readonly chunks: Uint8Array[] } => {
  const count = s.loadUint(8)
  const chunks: Uint8Array[] = []
  for (let cell = s; chunks.length < count; ) {
    chunks.push(cell.loadBytes(cell.loadUint(8)))
    if (chunks.length < count) cell = enter(cell.loadRef(), run)
  }
  return { count, chunks }
}

/** The text of a DNS record. It is loaded as bytes, because it need not be UTF-8. */
const dnsText: Shape = {
  load: (s, run) => {
    const data = Buffer.concat(chunksOf(s, run).chunks)
    return { bits: data.length * 8, data }
  },
  print: (s, run) => {
    const { count, chunks } = chunksOf(s, run)
    let rest: Json = { '@type': 'text_chunk_empty' }
    let next: Json = { '@type': 'chunk_ref_empty' }
    for (const data of chunks.reverse()) {
      rest = { '@type': 'text_chunk', len: `${data.length}`, data: bitsHex({ bits: data.length * 8, data }), next }
      next = { '@type': 'chunk_ref', ref: rest }
    }
    return { '@type': 'text', chunks: `${count}`, rest }
  },
}

export const listTypes = (compiler: Compiler): ReadonlyMap<string, Shape> => {
  /** Returns a type that is looked up at the first read, because it can contain a list itself. */
  const later = (name: string): Shape => ({
    load: (s, run) => compiler.named(name).load(s, run),
    print: (s, run) => compiler.named(name).print(s, run),
  })
  return new Map([
    ['OutActions', outList(later('OutAction'))],
    ['WalletV5Actions', extendedList(later('WalletV5Action'))],
    ['WalletMessages', walletMessages(later('WalletMessage'))],
    ['TelemintText', telemintText],
    ['DnsText', dnsText],
  ])
}
