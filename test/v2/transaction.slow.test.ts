import { Address, beginCell, Cell, loadTransaction, type Message, type Transaction } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { loadMessage } from '../../server/tlb/message/message.ts'
import { createAnswerTexts } from '../../server/v2/answer-texts.ts'
import { extMessage, rawMessage } from '../../server/v2/message.ts'
import { extTransaction, rawTransaction, rawTransactionExt, showAll } from '../../server/v2/transaction.ts'
import { registry } from '../../shared/registry.ts'
import { listData } from '../kit/data.ts'
import { timeTurns } from '../kit/turns.ts'
import { asCore, b64, own } from './cells.ts'
import { transactionsOf } from './data.ts'

/* The mapping of v2.md 2.4 written a second time over @ton/core, compared on every transaction of the recorded blocks. */

const { signal } = new AbortController()
const textsOf = () => createAnswerTexts({ signal })

const friendly = (address: unknown): string => (address instanceof Address ? address.toString() : '')

/** The bits after the op of all cells down the first references, as bytes. */
const textOf = (body: Cell): Buffer | undefined => {
  let bits = ''
  for (let cell: Cell | undefined = body; cell; cell = cell.refs[0]) {
    if (cell.isExotic) return undefined
    for (let i = 0; i < cell.bits.length; i++) bits += cell.bits.at(i) ? '1' : '0'
  }
  bits = bits.slice(32)
  if (bits.length % 8 !== 0) return undefined
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}

const expectedMessage = (message: Message, cell: Cell) => {
  const { info, body, init } = message
  const op = !body.isExotic && body.bits.length >= 32 ? body.beginParse().loadUint(32) : undefined
  const text = op === 0 || op === 0x2167da4b ? textOf(body) : undefined
  const initOffset = init ? b64(initCell(cell)) : ''
  const root = body.bits.length === 0 ? '' : `${rootBytes(body).toString('base64')}\n`
  return {
    '@type': 'ext.message',
    hash: cell.hash().toString('base64'),
    source: info.type === 'external-in' ? '' : friendly(info.src),
    destination: info.type === 'external-out' ? '' : friendly(info.dest),
    value: info.type === 'internal' ? info.value.coins.toString() : '0',
    extra_currencies:
      info.type === 'internal' && info.value.other
        ? info.value.other.keys().map((id) => ({
            '@type': 'extraCurrency',
            id,
            amount: (info.value as { other: { get(id: number): bigint } }).other.get(id).toString(),
          }))
        : [],
    fwd_fee: info.type === 'internal' ? info.forwardFee.toString() : '0',
    ihr_fee: '0',
    created_lt: info.type === 'external-in' ? '0' : info.createdLt.toString(),
    body_hash: body.hash().toString('base64'),
    msg_data: text
      ? { '@type': op === 0 ? 'msg.dataText' : 'msg.dataEncryptedText', text: text.toString('base64') }
      : { '@type': 'msg.dataRaw', body: b64(body), init_state: initOffset },
    ...(text && op === 0 ? { message: text.toString('utf8') } : text ? {} : { message: root }),
  }
}

const rootBytes = (cell: Cell): Buffer => {
  const bytes = Buffer.alloc(Math.ceil(cell.bits.length / 8))
  for (let i = 0; i < cell.bits.length; i++) if (cell.bits.at(i)) bytes[i >> 3]! |= 0x80 >> (i & 7)
  return bytes
}

/** StateInit as its own cell: by reference as it stands, inline written anew. */
const initCell = (message: Cell): Cell => {
  const parsed = loadMessage(own(message))
  return Cell.fromBoc(Buffer.from(serializeBoc(parsed.initCell!)))[0]!
}

const messagesOf = (transaction: Transaction): { inMsg?: Cell; outMsgs: Cell[] } => {
  const s = transaction.raw.refs[0]!.beginParse()
  const inMsg = s.loadBit() ? s.loadRef() : undefined
  const outMsgs: Cell[] = []
  if (s.loadBit()) collect(s.loadRef(), 15, outMsgs)
  return { ...(inMsg && { inMsg }), outMsgs }
}
/** Leaves of a Hashmap in order of their keys, without reading the keys. */
const collect = (node: Cell, left: number, into: Cell[]): void => {
  const s = node.beginParse()
  let length = 0
  const width = Math.ceil(Math.log2(left + 1))
  if (!s.loadBit()) {
    while (s.loadBit()) length++
    s.skip(length)
  } else if (s.loadUint(1) === 0) {
    length = s.loadUint(width)
    s.skip(length)
  } else {
    s.skip(1)
    length = s.loadUint(width)
  }
  if (length === left) into.push(s.loadRef())
  else for (let side = 0; side < 2; side++) collect(s.loadRef(), left - length - 1, into)
}

const storageFees = ({ description }: Transaction): bigint =>
  'storagePhase' in description && description.storagePhase ? description.storagePhase.storageFeesCollected : 0n

const asRaw = (message: ReturnType<typeof expectedMessage>) => {
  const { message: _, ...rest } = message as ReturnType<typeof expectedMessage> & { message?: string }
  return {
    ...rest,
    '@type': 'raw.message',
    source: { '@type': 'accountAddress', account_address: message.source },
    destination: { '@type': 'accountAddress', account_address: message.destination },
  }
}

const FILES = listData('blocks', /\.boc$/)
  .map((path) => path.slice('blocks/'.length))
  .filter((name) => !/block-1\.|raw-13516764|71398501/.test(name))
const LARGE = ['tonutils-block_0_8000000000000000_71398501.boc', 'tongo-raw-13516764.boc']

describe('transactions of real blocks', () => {
  it.each([...FILES, ...LARGE])('transactions of real blocks are shown as TON Center shows them: %s', { timeout: 60_000 }, async (name) => {
    const found = transactionsOf(`blocks/${name}`)
    for (const item of found) {
      const cell = Cell.fromBoc(Buffer.from(serializeBoc(item.transaction.root)))[0]!
      const core = loadTransaction(cell.beginParse())
      const cells = messagesOf(core)
      const inMsg = core.inMessage ? expectedMessage(core.inMessage, cells.inMsg!) : undefined
      const outMsgs = core.outMessages.values().map((message, i) => expectedMessage(message, cells.outMsgs[i]!))
      const id = new Address(item.workchain, Buffer.from(item.transaction.account))
      const fee = core.outMessages
        .values()
        .reduce((sum, { info }) => sum + (info.type === 'internal' ? info.forwardFee : 0n), core.totalFees.coins)
      const head = {
        address: { '@type': 'accountAddress', account_address: id.toString() },
        utime: core.now,
        data: b64(cell),
        transaction_id: { '@type': 'internal.transactionId', lt: core.lt.toString(), hash: core.hash().toString('base64') },
        fee: fee.toString(),
        storage_fee: storageFees(core).toString(),
        other_fee: (fee - storageFees(core)).toString(),
      }
      const account = `${item.workchain}:${id.hash.toString('hex').toUpperCase()}`
      expect(asCore(await extTransaction(item, textsOf()))).toEqual({
        '@type': 'ext.transaction',
        account,
        ...head,
        ...(inMsg && { in_msg: inMsg }),
        out_msgs: outMsgs,
      })
      const raw = { ...head, ...(inMsg && { in_msg: asRaw(inMsg) }), out_msgs: outMsgs.map(asRaw) }
      expect(asCore(await rawTransaction(item, textsOf()))).toEqual({ '@type': 'raw.transaction', ...raw })
      expect(asCore(await rawTransactionExt(item, textsOf()))).toEqual({ '@type': 'raw.transactionExt', account, ...raw })
    }
    const checked = found.slice(0, 20)
    for (const item of checked) {
      expect(registry.tryLocateTx.result.safeParse(await extTransaction(item, textsOf())).error).toBeUndefined()
      expect(
        registry.getTransactionsStd.result.shape.transactions.element.safeParse(await rawTransaction(item, textsOf())).error,
      ).toBeUndefined()
      expect(
        registry.getBlockTransactionsExt.result.shape.transactions.element.safeParse(await rawTransactionExt(item, textsOf())).error,
      ).toBeUndefined()
    }
  })
})

describe('messages', () => {
  const internal = (body: Cell) =>
    loadMessage(
      own(
        beginCell()
          .storeUint(6, 4)
          .storeAddress(new Address(0, Buffer.alloc(32, 1)))
          .storeAddress(new Address(-1, Buffer.alloc(32, 2)))
          .storeCoins(5n)
          .storeUint(0, 1 + 4 + 4)
          .storeUint(77n, 64)
          .storeUint(1, 32)
          .storeUint(1, 2)
          .storeRef(body)
          .endCell(),
      ),
    )
  const dataOf = async (body: Cell) => {
    const { msg_data, message } = (await extMessage(internal(body), textsOf())) as { msg_data: object; message?: string }
    return { msg_data, message }
  }
  const base64 = (text: string | Buffer): string => Buffer.from(text as string).toString('base64')

  it('a plain comment over several cells is shown', async () => {
    const body = beginCell().storeUint(0, 32).storeStringTail('x'.repeat(300)).endCell()
    expect(await dataOf(body)).toEqual({ msg_data: { '@type': 'msg.dataText', text: base64('x'.repeat(300)) }, message: 'x'.repeat(300) })
  })

  it('the bytes of a comment that is not UTF-8 are kept, and what can be shown is shown', async () => {
    const body = beginCell()
      .storeUint(0, 32)
      .storeBuffer(Buffer.from([0x61, 0xff, 0x62]))
      .endCell()
    expect(await dataOf(body)).toEqual({ msg_data: { '@type': 'msg.dataText', text: 'Yf9i' }, message: 'a\ufffdb' })
  })

  it('an empty comment is shown as such', async () => {
    expect(await dataOf(beginCell().storeUint(0, 32).endCell())).toEqual({ msg_data: { '@type': 'msg.dataText', text: '' }, message: '' })
  })

  it('an encrypted comment is marked and not shown', async () => {
    const body = beginCell()
      .storeUint(0x2167da4b, 32)
      .storeBuffer(Buffer.from([1, 2, 3]))
      .endCell()
    expect(await extMessage(internal(body), textsOf())).not.toHaveProperty('message')
    expect((await dataOf(body)).msg_data).toEqual({ '@type': 'msg.dataEncryptedText', text: 'AQID' })
  })

  it('other bodies are raw: the root cell alone in `message`, its padding zero', async () => {
    const body = beginCell().storeUint(0xabcdef01, 32).storeUint(7, 3).storeRef(Cell.EMPTY).endCell()
    expect(await dataOf(body)).toEqual({
      msg_data: { '@type': 'msg.dataRaw', body: b64(body), init_state: '' },
      message: `${Buffer.from('abcdef01e0', 'hex').toString('base64')}\n`,
    })
    expect(await dataOf(Cell.EMPTY)).toEqual({ msg_data: { '@type': 'msg.dataRaw', body: b64(Cell.EMPTY), init_state: '' }, message: '' })
    // An op of zero whose text has broken bytes is no comment.
    const bits = beginCell().storeUint(0, 32).storeUint(1, 5).endCell()
    expect((await dataOf(bits)).msg_data).toEqual({ '@type': 'msg.dataRaw', body: b64(bits), init_state: '' })
    const short = beginCell().storeUint(0, 31).endCell()
    expect((await dataOf(short)).msg_data).toEqual({ '@type': 'msg.dataRaw', body: b64(short), init_state: '' })
  })

  it('messages address other workchains and write objects in the raw family', async () => {
    const message = await rawMessage(internal(Cell.EMPTY), textsOf())
    expect(message.source).toEqual({ '@type': 'accountAddress', account_address: new Address(0, Buffer.alloc(32, 1)).toString() })
    expect(message.destination.account_address).toMatch(/^Ef/)
    expect(message.created_lt).toBe('77')
    expect(message).not.toHaveProperty('message')
  })

  /** A tree of cells in which each differs, as a contract can send it. */
  const treeOf = (depth: number, name: number): Cell => {
    const cell = beginCell().storeUint(0xabcdef01, 32).storeUint(name, 32)
    for (let i = 0; i < 2 && depth > 0; i++) cell.storeRef(treeOf(depth - 1, name * 2 + i))
    return cell.endCell()
  }
  const sending = (outMsgs: readonly ReturnType<typeof internal>[]) => {
    const [item] = transactionsOf(`blocks/${FILES[0]}`)
    return { ...item!, transaction: { ...item!.transaction, outMsgs } }
  }

  it('a transaction of many messages with thousands of cells each is written in turns, and equal bodies once', async () => {
    const tree = treeOf(11, 1)
    const one = sending(
      Array.from({ length: 20 }, (_, i) => internal(beginCell().storeUint(0xabcdef01, 32).storeUint(i, 8).storeRef(tree).endCell())),
    )
    const same = sending(Array(20).fill(one.transaction.outMsgs[0]))
    for (const show of [extTransaction, rawTransaction, rawTransactionExt]) {
      const timed = (item: typeof one) => timeTurns(() => showAll([item], show as typeof extTransaction, { signal, acceptsPieces: true }))
      const { longest, all } = await timed(one)
      expect(longest).toBeLessThan(all / 2)
      expect((await timed(same)).all).toBeLessThan(all / 3)
    }
  })

  it('an answer that is too long to be sent is refused before its texts are in memory', async () => {
    const tree = treeOf(11, 1)
    const text = b64(tree)
    const message = internal(tree)
    const calls = { signal, acceptsPieces: false }
    const count = Math.floor((16 << 20) / text.length)
    const [shown] = await showAll([sending(Array(count - 1).fill(message))], rawTransaction, calls)
    expect(shown!.out_msgs).toHaveLength(count - 1)
    const tooMany = sending(Array(count + 1).fill(message))
    await expect(showAll([tooMany], rawTransaction, calls)).rejects.toMatchObject({ kind: 'TOO_LARGE' })
    const [whole] = await showAll([tooMany], rawTransaction, { signal, acceptsPieces: true })
    expect(whole!.out_msgs).toHaveLength(count + 1)
  })
})
