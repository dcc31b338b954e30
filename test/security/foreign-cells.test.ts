import { describe, expect, it } from 'vitest'
import { messageOf } from '../../server/actions/from-transactions.ts'
import { requestedMessages } from '../../server/actions/unsent-messages.ts'
import { endSteps } from '../../server/base/yield.ts'
import { parseBocRoot, serializeBoc } from '../../server/cell/boc.ts'
import { uniqueCells } from '../../server/cell/budget.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { dictFromEntries, dictSet } from '../../server/cell/dict.ts'
import { makeProof, openProof } from '../../server/cell/merkle.ts'
import { TREE } from '../../server/chain/local/fork/dictionary-paths.ts'
import { graft } from '../../server/chain/local/fork/graft-proof.ts'
import { changedAccounts } from '../../server/index/derive/changed-accounts.ts'
import { completeCells } from '../../server/index/derive/complete-cells.ts'
import { createGroupRows, type Placed } from '../../server/index/derive/group-rows.ts'
import { showInList } from '../../server/protocols/index.ts'
import { stdAddress } from '../../server/tlb/address.ts'
import type { Block } from '../../server/tlb/block/block.ts'
import { readRecords } from '../../server/tlb/contracts/dns-records.ts'
import { readContent } from '../../server/tlb/contracts/token-content.ts'
import { loadCurrency } from '../../server/tlb/currency.ts'
import { WHOLE_SHARD } from '../../server/tlb/ids.ts'
import { loadMessage, storeMessage } from '../../server/tlb/message/message.ts'
import { nameKey } from '../../server/tlb/name-key.ts'
import type { Transaction } from '../../server/tlb/transaction/transaction.ts'
import { addExtra, clampMoney, NO_MONEY, subExtra, withinCurrencyLimit, withoutZeros } from '../../server/tvm/executor/currency.ts'
import { orderActions } from '../../server/v3/shapes/multisig-order-actions.ts'
import { kindOf } from '../cell/kind.ts'
import { currencies, forks } from '../kit/bombs.ts'

/* Readers of cells that anybody can make. Before each was bounded, its cells here took seconds, or for ever. */

/** `count` cells above a leaf, each with two references to the one below; `salt` makes other cells. */
const shared = (leaf: Cell, count: number, salt = 0): Cell => {
  let cell = leaf
  for (let i = 0; i < count; i++)
    cell = beginCell()
      .storeUint(i + salt, 32)
      .storeRef(cell)
      .storeRef(cell)
      .end()
  return cell
}

/** A tree of distinct cells: 4^levels leaves. */
const wide = (levels: number, name = 1): Cell => {
  const b = beginCell().storeUint(name, 32)
  if (levels > 0) for (let i = 0; i < 4; i++) b.storeRef(wide(levels - 1, name * 4 + i))
  return b.end()
}

describe('readers of foreign cells', () => {
  it('extra currencies of 2^32 entries are refused when they are read, and are passed on unread', () => {
    const value = loadCurrency(beginCell().storeCoins(5n).storeMaybeRef(currencies()).end().slice())
    expect(value.grams).toBe(5n)
    expect(kindOf(() => value.other)).toBe('budget')
  })

  const ALL = 2 ** 32
  it.each<[string, (root: Cell) => unknown]>([
    ['read', (root) => loadCurrency(beginCell().storeCoins(5n).storeMaybeRef(root).end().slice()).other],
    ['added', (root) => addExtra(root, root)],
    ['subtracted', (root) => subExtra(root, root)],
    ['clamped', (root) => clampMoney({ grams: 0n, extra: root }, NO_MONEY)],
    ['freed of zeros', (root) => withoutZeros(root, ALL)],
    ['counted', (root) => withinCurrencyLimit(root, ALL)],
  ])('as many extra currencies as a node accepts are %s; one more, and 2^32 in a few cells, are refused', (_, walk) => {
    const amounts = (count: number): Cell =>
      dictFromEntries(
        32,
        Array.from({ length: count }, (__, i) => [BigInt(i), beginCell().storeVarUint(1n, 5)] as const),
      )!
    expect(kindOf(() => walk(amounts(512)))).toBe('none')
    expect(kindOf(() => walk(amounts(513)))).toBe('budget')
    expect(kindOf(() => walk(currencies()))).toBe('budget')
  })

  it('a transaction with 2^32 extra currencies is indexed without them, and they are counted', async () => {
    const key = Buffer.alloc(36)
    const value = () => loadCurrency(beginCell().storeCoins(5n).storeMaybeRef(currencies()).end().slice())
    const dest = stdAddress(0, new Uint8Array(32))
    const flags = { ihrDisabled: true, bounce: false, bounced: false, ihrFee: 0n, fwdFee: 0n, createdLt: 1n, createdAt: 1 }
    const message = loadMessage(
      storeMessage({ info: { type: 'internal', src: dest, dest, value: value(), ...flags }, body: beginCell().end() }),
    )
    const description = {
      type: 'ordinary',
      credit: { dueFeesCollected: undefined, credit: value() },
    } as unknown as Transaction['description']
    const stateUpdate = { oldHash: new Uint8Array(32), newHash: new Uint8Array(32) }
    const tx = {
      ...{ account: new Uint8Array(32), lt: 2n, prevTransHash: new Uint8Array(32), prevTransLt: 0n, now: 1, outMsgCount: 0 },
      ...{ origStatus: 'active' as const, endStatus: 'active' as const, inMsg: message, outMsgs: [], totalFees: value(), stateUpdate },
      ...{ description, root: beginCell().end() },
    }
    const { rows, leftOut, putTransaction } = createGroupRows()
    const block = { id: { workchain: 0, shard: WHOLE_SHARD, seqno: 1 } } as Placed['block']
    const placed = { tx, hash: 'h'.repeat(32), traceId: 't'.repeat(32), block, key, after: undefined, isCutOff: false }
    await putTransaction(placed, { mcSeqno: 1, hasSender: false, version: 12, pause: () => undefined })
    expect([rows.transactions.length, rows.messages.length]).toEqual([1, 1])
    // Of the message, of the credit phase, and of the fees.
    expect(leftOut()).toBe(3)
    const { extraCurrencies } = messageOf(message)
    expect(extraCurrencies).toBeUndefined()
  })

  it('of messages that a wallet was requested to send the extra currencies are not read', () => {
    const message = beginCell()
      .storeUint(0b0111 << 2, 6)
      .storeUint(0b100, 3)
      .storeUint(0, 8 + 256 + 4)
      .storeBit(1)
      .storeRef(forks(beginCell().storeUint(0b110, 3).storeUint(23, 5).storeUint(1, 5).storeUint(1, 8).end(), 9))
      .storeUint(0, 8 + 64 + 32 + 2)
    const list = beginCell().storeRef(beginCell().end()).storeUint(0x0ec3c86d, 32).storeUint(3, 8).storeRef(message.end()).end()
    const body = beginCell().storeUint(0x7369676e, 32).storeUint(0, 96).storeBit(1).storeRef(list).end()
    expect(requestedMessages(body).map(({ extraCurrencies }) => extraCurrencies)).toEqual([undefined])
  })

  it('attributes of a token in 2^32 chunks of one bit are left out, and others are read', () => {
    const chunk = beginCell().storeUint(0, 2).storeRef(beginCell().storeBit(1).end())
    const endless = beginCell().storeUint(1, 8).storeMaybeRef(forks(chunk.end(), 32)).end()
    const snake = beginCell().storeUint(0, 8).storeBytes(Buffer.from('Coin')).end()
    const chunks = dictFromEntries(
      32,
      ['Si', 'lv', 'er'].map((text, i) => [BigInt(i), beginCell().storeRef(beginCell().storeBytes(Buffer.from(text)).end())] as const),
    )
    const values = {
      name: snake,
      symbol: beginCell().storeUint(1, 8).storeMaybeRef(chunks).end(),
      image_data: endless,
      description: endless,
    }
    let root: Cell | undefined
    for (const [name, value] of Object.entries(values)) root = dictSet(root, 256, nameKey(name), beginCell().storeRef(value))
    expect(readContent(beginCell().storeUint(0, 8).storeMaybeRef(root).end())).toEqual({ type: 'onchain', data: { name: 'Coin' } })
    root = undefined
    for (const name of ['name', 'symbol'] as const) root = dictSet(root, 256, nameKey(name), beginCell().storeRef(values[name]))
    expect(readContent(beginCell().storeUint(0, 8).storeMaybeRef(root).end())).toEqual({
      type: 'onchain',
      data: { name: 'Coin', symbol: 'Silver' },
    })
  })

  it('DNS records that share one long text are read up to a number of cells', () => {
    // 255 chunks of one byte, and 200 records with the same text.
    let text = beginCell().storeUint(1, 8).storeUint(0x61, 8)
    for (let i = 1; i < 255; i++) text = beginCell().storeUint(1, 8).storeUint(0x61, 8).storeRef(text.end())
    const record = beginCell().storeUint(0x1eda, 16).storeUint(255, 8).storeBuilder(text).end()
    const root = dictFromEntries(
      256,
      Array.from({ length: 200 }, (_, i) => [BigInt(i), beginCell().storeRef(record)] as const),
    )!
    const records = readRecords(root)
    expect(records.length).toBeGreaterThan(10)
    expect(records.length).toBeLessThan(20)
  })

  it('undecoded cells of a body that overlap are counted each time, and the largest message is shown', () => {
    const large = wide(6)
    const setCode = (i: number, code: Cell) =>
      beginCell().storeUint(0xad4de08e, 32).storeRef(beginCell().storeUint(i, 16).storeRef(code).end())
    const bodyOf = (codes: readonly Cell[]): Cell => {
      let list = beginCell().end()
      codes.forEach((code, i) => {
        list = beginCell().storeRef(list).storeBuilder(setCode(i, code)).end()
      })
      return beginCell()
        .storeUint(0x7369676e, 32)
        .storeUint(0, 96)
        .storeBit(1)
        .storeRef(list)
        .storeBit(0)
        .storeBytes(new Uint8Array(64))
        .end()
    }
    expect([...uniqueCells([large], { cells: 8192 })]).toHaveLength(5461)
    expect(showInList(bodyOf([large]))).not.toBeNull()
    expect(showInList(bodyOf(Array.from({ length: 12 }, () => large)))).toBeNull()
  })

  it('actions of an order that share one large message are shown up to a number of cells', () => {
    const info = {
      type: 'internal' as const,
      ...{ ihrDisabled: true, bounce: false, bounced: false, src: undefined, dest: stdAddress(0, new Uint8Array(32)) },
      ...{ value: { grams: 1n }, ihrFee: 0n, fwdFee: 0n, createdLt: 0n, createdAt: 0 },
    }
    const message = storeMessage({ info, body: wide(6) })
    const action = beginCell().storeUint(0xf1381e5b, 32).storeUint(1, 8).storeRef(message).end()
    const order = dictFromEntries(
      8,
      Array.from({ length: 256 }, (_, i) => [BigInt(i), beginCell().storeRef(action)] as const),
    )!
    const shown = orderActions(Buffer.from(serializeBoc(order)))!
    expect(shown).toHaveLength(256)
    expect(shown[0]).toMatchObject({ parsed: true, error: null })
    // The message has 5,461 cells, and all messages together 8,192.
    expect(shown[1]).toMatchObject({ parsed: false, error: expect.stringMatching(/too many cells/) })
  })

  it('pruned cells below 200 shared levels are completed', () => {
    const leaf = beginCell().storeUint(7, 8).storeRef(beginCell().storeUint(9, 16).end()).end()
    const whole = shared(leaf, 200)
    // Read from bytes, two references to one cell are two objects.
    const proof = makeProof(whole, (cell) => cell.hashKey() !== leaf.hashKey())
    const pruned = openProof(parseBocRoot(serializeBoc(proof)))
    expect(endSteps(completeCells([leaf], [], pruned))?.hashHex()).toBe(whole.hashHex())
  })

  it('a proof whose value has 200 shared levels above a pruned cell is grafted', () => {
    const leaf = beginCell().storeUint(7, 8).storeRef(beginCell().storeUint(9, 16).end()).end()
    const library = shared(leaf, 200)
    const root = dictFromEntries(256, [[5n, beginCell().storeUint(0, 2).storeRef(library).storeRef(leaf)]])!
    const proof = openProof(makeProof(root, (cell) => cell.hashKey() !== leaf.hashKey()))
    expect(graft(proof, TREE.libraries, new Map()).root.hashHex()).toBe(root.hashHex())
  })

  it('a state that is split again is refused, at 64 levels too', () => {
    // A pruned branch: its kind, its level, a hash and a depth.
    let state = beginCell().storeUint(0x0101, 16).storeUint(7, 256).storeUint(0, 16).endExotic()
    for (let i = 0; i < 64; i++) state = beginCell().storeUint(0x5f327da5, 32).storeRef(state).storeRef(state).end()
    const update = beginCell().storeUint(4, 8).storeBytes(state.hash(0)).storeBytes(state.hash(0))
    const stateUpdate = update.storeUint(64, 16).storeUint(64, 16).storeRef(state).storeRef(state).endExotic()
    expect(() => endSteps(changedAccounts({ parts: { stateUpdate } as Block, size: 300 }))).toThrow('ShardStateUnsplit')
  })
})
