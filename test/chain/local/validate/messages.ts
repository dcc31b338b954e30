import type { Cell, Message } from '@ton/core'
import type { In, ReadBlock } from './block.ts'
import { messageOf } from './block.ts'
import { check, fail, hashOf, same } from './read.ts'
import type { State } from './state.ts'

/* How messages pair with transactions, with each other, with queues. */

const internalInfo = (msg: Cell): Extract<Message['info'], { type: 'internal' }> => {
  const { info } = messageOf(msg)
  return info.type === 'internal' ? info : fail('a message that is not internal')
}
const order = (lt: bigint, hash: string): string => `${lt.toString(16).padStart(16, '0')}${hash}`

/** Checks every message of a block. Queue entries in the answer: what the block imported from its neighbour. */
export const checkMessages = (
  block: ReadBlock,
  before: State,
  neighbour: { readonly state: State; readonly endLt: bigint },
): { readonly injected: readonly In[]; readonly imported: ReadonlySet<string> } => {
  const { ins, outs, transactions, header, state } = block
  const byHash = new Map(transactions.map((h) => [hashOf(h.cell), h]))

  // Every transaction: its inbound message and its outbound ones are described, in this block's lt window, after what caused it.
  let used = 0
  for (const { transaction: t, cell, account } of transactions) {
    const name = `transaction ${account}:${t.lt}`
    check(t.lt > header.startLt && t.lt + BigInt(t.outMessagesCount) < header.endLt, `lt of ${name} lies outside the block`)
    const io = cell.refs[0]!.beginParse()
    const inMsg = io.loadMaybeRef()
    if (inMsg) {
      const record = ins.get(hashOf(inMsg)) ?? fail(`in message of ${name} is not in InMsgDescr`)
      same(hashOf(record.transaction), hashOf(cell), `transaction of the in message of ${name}`)
      if (record.type !== 'ext') check(t.lt > internalInfo(inMsg).createdLt, `${name} is not after its message`)
      used++
    } else same(t.description.type, 'tick-tock', `${name} without a message`)
    const sent = [...t.outMessages.values()]
    same(sent.length, t.outMessagesCount, `outmsg_cnt of ${name}`)
    for (const [i, { info }] of sent.entries()) {
      if (info.type === 'external-in') fail(`${name} sent an external-in message`)
      else {
        same(info.createdLt, t.lt + BigInt(i) + 1n, `created_lt of message ${i} of ${name}`)
        same(info.createdAt, t.now, `created_at of message ${i} of ${name}`)
      }
    }
  }
  same(used, ins.size, 'in messages without a transaction')

  const sentBy = new Map<string, string>()
  for (const { cell } of transactions) {
    const io = cell.refs[0]!.beginParse()
    io.loadMaybeRef()
    for (const msg of messagesIn(io.loadMaybeRef())) sentBy.set(hashOf(msg), hashOf(cell))
  }
  const described = new Set<string>()
  const injected: In[] = []
  for (const [hash, out] of outs) {
    if (out.transaction === undefined) continue
    described.add(hash)
    same(hashOf(out.transaction), sentBy.get(hash), `transaction that sent ${hash}`)
    check(byHash.has(hashOf(out.transaction)), `a transaction of another block sent ${hash}`)
    if (out.type === 'ext') same(messageOf(out.msg!).info.type, 'external-out', `message of msg_export_ext ${hash}`)
    if (out.type === 'imm') {
      const record = ins.get(hash) ?? fail(`msg_export_imm ${hash} without an import`)
      same(record.type, 'imm', `import of ${hash}`)
      same(hashOf(out.reimport!), hashOf(record.record), `reimport of ${hash}`)
      same(hashOf(record.envelope!.cell), hashOf(out.envelope!.cell), `envelope of ${hash}`)
      same(out.envelope!.fee, internalInfo(out.envelope!.msg).forwardFee, `fwd_fee_remaining of ${hash}`)
    }
  }
  same(described.size, sentBy.size, 'messages that transactions sent and OutMsgDescr does not tell of')
  for (const [hash, record] of ins) if (record.type === 'imm' && !outs.has(hash)) injected.push(record)

  // Messages for one account are processed in the order of their (lt, hash): ValidateQuery::check_message_processing_order.
  const last = new Map<string, string>()
  for (const { transaction: t, cell, account } of transactions) {
    const inMsg = cell.refs[0]!.beginParse().loadMaybeRef()
    const record = inMsg ? ins.get(hashOf(inMsg))! : undefined
    if (!inMsg || record!.type === 'ext' || injected.includes(record!)) continue
    const at = order(internalInfo(inMsg).createdLt, hashOf(inMsg))
    check((last.get(account) ?? '') < at, `transaction ${account}:${t.lt} processes a message that should have come earlier`)
    last.set(account, at)
  }

  // The queue: what was there, less what was taken out, and what was put in.
  const queue = new Map([...before.queue].map(([key, v]) => [key, v.envelope]))
  const keys = new Map([...before.queue].map(([key]) => [key.slice(24), key]))
  for (const [hash, out] of outs) {
    if (out.type === 'new') {
      const { envelope } = out
      same(envelope!.cur, 0, `cur_addr of ${hash}`)
      same(envelope!.next, 96, `next_addr of ${hash}`)
      const { dest, createdLt } = internalInfo(envelope!.msg)
      const key = `${BigInt.asUintN(32, BigInt(dest.workChain)).toString(16).padStart(8, '0')}${dest.hash.subarray(0, 8).toString('hex')}${hash}`
      check(!queue.has(key), `message ${hash} is queued twice`)
      queue.set(key, envelope!.cell)
      same(state.queue.get(key)?.lt, createdLt, `enqueued_lt of ${hash}`)
    } else if (out.type.startsWith('deq')) {
      const key = keys.get(hash) ?? fail(`message ${hash} leaves a queue in which it was not`)
      const envelope = queue.get(key)!
      same(out.envelopeHash ?? hashOf(out.envelope!.cell), hashOf(envelope), `envelope of the dequeued ${hash}`)
      if (out.type === 'deq-imm') {
        same(ins.get(hash)?.type, 'fin', `import of the dequeued ${hash}`)
        same(hashOf(out.reimport!), hashOf(ins.get(hash)!.record), `reimport of ${hash}`)
      } else {
        const { lt } = before.queue.get(key)!
        same(out.importLt, neighbour.endLt, `import_block_lt of ${hash}`)
        check(
          neighbour.state.processed.some((p) => order(p.lt, p.hash) >= order(lt, hash)),
          `message ${hash} was not processed by the neighbour`,
        )
      }
      queue.delete(key)
    }
  }
  same([...queue.keys()].sort().join(), [...state.queue.keys()].sort().join(), 'OutMsgQueue')
  for (const [key, envelope] of queue) same(hashOf(state.queue.get(key)!.envelope), hashOf(envelope), `queued envelope ${key}`)

  return { injected, imported: checkImports(block, before, neighbour.state) }
}

/* Imports from queues: the first ones in (lt, hash) order that were not processed before, none left out; then ProcessedInfo tells of them. */
const checkImports = (block: ReadBlock, before: State, neighbour: State): ReadonlySet<string> => {
  const mine = BigInt.asUintN(32, BigInt(before.workchain)).toString(16).padStart(8, '0')
  const waiting = [...neighbour.queue, ...before.queue]
    .filter(([key]) => key.startsWith(mine))
    .map(([key, v]) => ({ order: order(v.lt, key.slice(24)), hash: key.slice(24), own: before.queue.has(key) }))
    .filter((m) => m.own || !before.processed.some((p) => order(p.lt, p.hash) >= m.order))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
  const imported = new Set([...block.ins].filter(([, v]) => v.type === 'fin').map(([hash]) => hash))
  const first = waiting.slice(0, imported.size)
  same(
    [...imported].sort().join(),
    first
      .map((m) => m.hash)
      .sort()
      .join(),
    'imported messages are not the first ones of the queues',
  )
  const immediate = [...block.ins]
    .filter(([hash, v]) => v.type === 'imm' && block.outs.has(hash))
    .map(([hash, v]) => order(internalInfo(v.msg).createdLt, hash))
  if (imported.size < waiting.length) same(immediate.length, 0, 'new messages were processed before old ones')
  const last = [...first.map((m) => m.order), ...immediate].sort().at(-1)
  const told = block.state.processed
    .map((p) => order(p.lt, p.hash))
    .sort()
    .at(-1)
  if (last !== undefined) same(told, last, 'ProcessedInfo')
  // Whatever is still queued for this chain must not count as processed.
  const left = waiting.slice(imported.size)
  for (const m of left) check(told === undefined || m.order > told, `message ${m.hash} is told as processed and was not`)
  return imported
}

const messagesIn = (root: Cell | null): Cell[] => {
  if (root === null) return []
  const found: Cell[] = []
  const visit = (cell: Cell, left: number): void => {
    const s = cell.beginParse()
    let n = 0
    if (!s.loadBit()) {
      while (s.loadBit()) n++
      s.skip(n)
    } else {
      const long = !s.loadBit()
      if (!long) s.skip(1)
      n = s.loadUint(left === 0 ? 0 : Math.floor(Math.log2(left)) + 1)
      if (long) s.skip(n)
    }
    if (left === n) {
      found.push(s.loadRef())
      return
    }
    visit(s.loadRef(), left - n - 1)
    visit(s.loadRef(), left - n - 1)
  }
  visit(root, 15)
  return found
}
