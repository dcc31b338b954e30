import { describe, expect, it } from 'vitest'
import { MAX_PAGE, wholeRoot } from '../../../client/verify/boc.ts'
import { compare } from '../../../client/verify/compare.ts'
import { VerifyError } from '../../../client/verify/error.ts'
import { readTransaction } from '../../../client/verify/transaction.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { loadBlock } from '../../../server/tlb/block/block.ts'
import { loadBlockInfo } from '../../../server/tlb/block/block-info.ts'
import { loadBlockTransactions } from '../../../server/tlb/block/block-transactions.ts'
import type { MessageParts } from '../../../server/tlb/message/message.ts'
import { loadTransaction } from '../../../server/tlb/transaction/transaction.ts'
import { fc } from '../../kit/property.ts'
import { storeTransaction } from '../../kit/tlb/transaction.ts'
import { descr, transaction } from '../../tlb/arbitrary.ts'
import { allBlocks, base64, cellOf, inline, json } from '../../tlb/data.ts'
import { alter, leaveOut, leaves, withChange } from './changes.ts'
import { SOMEWHERE, wireRow } from './wire-rows.ts'

/* Rows that the server writes beside those that the verifier reads from the same cells with code of its own. */

const textOf = (root: Cell): string => Buffer.from(serializeBoc(root)).toString('base64')

/** Compares a row with its cell; returns the paths that are not covered. */
const check = (root: Cell, row: unknown, workchain = 0): readonly string[] => {
  const result = { uncovered: new Set<string>(), budget: { hashes: MAX_PAGE } }
  compare(row, readTransaction(wholeRoot(textOf(root), result.budget), workchain).row, 'transactions[0]', result)
  return [...result.uncovered]
}

const inRow = /^(trace_id|trace_external_hash|mc_block_seqno|block_ref|account_state_(before|after)\.(?!hash)\w+)$/
const inMessage = /^(in_msg|out_msgs\[\])\.(extra_flags|decoded_opcode|(message_content|init_state)\.decoded)$/
const isUncovered = (path: string): boolean => {
  const field = path.slice('transactions[].'.length)
  return inRow.test(field) || inMessage.test(field)
}

const expectSame = (root: Cell, workchain: number, version?: number): string => {
  const row = wireRow(root, { ...SOMEWHERE, workchain }, version)
  expect(check(root, row, workchain).filter((path) => !isUncovered(path))).toEqual([])
  return row.description.type
}

const internals = (root: Cell) => {
  const { inMsg, outMsgs } = loadTransaction(root)
  return [inMsg, ...outMsgs].flatMap((message) => (message?.info.type === 'internal' ? message.info : []))
}
/** Whether nodes of this global version make the messages of a transaction: since 12 the field of ihr_fee has flags, and before it is 0 with ihr_disabled. */
const isOfVersion = (root: Cell, version: number): boolean =>
  internals(root).every(({ ihrDisabled, ihrFee }) => ihrFee === 0n || ihrDisabled === version >= 12)

/** A message of a version before 12 as nodes make it. */
const ofNodes = (message: MessageParts | undefined): MessageParts | undefined =>
  message?.info.type === 'internal' && message.info.ihrDisabled ? { ...message, info: { ...message.info, ihrFee: 0n } } : message

describe('rows of transactions, read from cells', () => {
  it('rows equal what the server answers, for all transactions of recorded blocks', { timeout: 60_000 }, () => {
    const kinds = new Map<string, number>()
    for (const { root } of allBlocks().filter((_, i) => i % 4 === 0)) {
      const { workchain } = loadBlockInfo(loadBlock(root).info)
      for (const each of loadBlockTransactions(root)) {
        const kind = expectSame(each.root, workchain)
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
      }
    }
    expect([...kinds.keys()].sort()).toEqual(['ord', 'tick_tock'])
    expect(kinds.get('ord')).toBeGreaterThan(500)
  })

  it('rows equal it for edge cases: bounces, frozen accounts, anycast, failed actions, a Merkle proof as body', () => {
    const roots = inline('transaction.json.gz').map(({ root }) => root)
    for (const { transaction: row } of json<{ transaction: { boc: string } }[]>('transactions/rust-executor-triplets.json'))
      roots.push(base64(row.boc))
    roots.push(cellOf(Buffer.from(json<{ boc: string }>('toncore/tx_with_merkle_body.json').boc, 'hex')))
    expect(roots.length).toBeGreaterThan(490)
    let rows = 0
    for (const root of roots)
      for (const version of [9, 12].filter((each) => isOfVersion(root, each))) {
        expectSame(root, 0, version)
        rows += 1
      }
    expect(rows).toBeGreaterThan(1.9 * roots.length)
  })

  it('rows equal it for any transaction of a kind that validators accept, extra currencies among them; other kinds are refused', () => {
    const kinds = new Set<string>()
    const { common, merge } = descr(fc.constant(beginCell().end()))
    fc.assert(
      fc.property(transaction(fc.oneof(common, merge)), (parts) => {
        const [inMsg, ...outMsgs] = [parts.inMsg, ...parts.outMsgs].map(ofNodes)
        const root = storeTransaction({ ...parts, inMsg, outMsgs: outMsgs.map((each) => each!), outMsgCount: outMsgs.length })
        const { type } = wireRow(root).description
        kinds.add(type)
        if (type === 'ord' || type === 'tick_tock') expectSame(root, -1)
        else expect(() => expectSame(root, -1)).toThrow('a storage, split or merge transaction, which no validator accepts')
      }),
      { numRuns: 300 },
    )
    expect(kinds.size).toBe(7)
  })
})

const generalOf = (path: readonly (string | number)[]): string => `transactions[].${path.join('.').replace(/\.\d+(?=\.|$)/g, '[]')}`

describe('a changed row', () => {
  it('a changed row is refused, whichever covered field was changed or left out, with the name of the field', () => {
    const roots = inline('transaction.json.gz').map(({ root }) => root)
    let fields = 0
    for (const root of roots.filter((_, i) => i % 40 === 0)) {
      const row = wireRow(root)
      const uncovered = check(root, row)
      for (const path of leaves(row)) {
        if (uncovered.some((each) => generalOf(path) === each || generalOf(path).startsWith(`${each}.`))) continue
        fields += 1
        for (const change of [alter, leaveOut]) {
          try {
            check(root, withChange(row, path, change))
            expect.fail(`${path.join('.')} of ${row.hash} may be changed`)
          } catch (error) {
            if (!(error instanceof VerifyError)) throw error
            expect([error.kind, error.row]).toEqual(['REFUTED', 0])
            expect(error.field).toContain(String(path[0]))
          }
        }
      }
    }
    expect(fields).toBeGreaterThan(500)
  })

  it('ihr_fee and extra_flags cannot be exchanged: the message says which of both its number is, and whether null or 0 is uncovered', () => {
    const path = 'transactions[].in_msg.extra_flags'
    const { common } = descr(fc.constant(beginCell().end()))
    const parts = fc.sample(transaction(common), 200).find(({ inMsg, description }) => inMsg && description.type === 'ordinary')!
    const withFee = (ihrDisabled: boolean, ihrFee: bigint): Cell => {
      const [info] = internals(inline('transaction.json.gz').find(({ root }) => internals(root).length > 0)!.root)
      return storeTransaction({
        ...parts,
        inMsg: { ...parts.inMsg!, info: { ...info!, ihrDisabled, ihrFee } },
        outMsgs: [],
        outMsgCount: 0,
      })
    }
    for (const [ihrDisabled, field, version] of [
      [false, 7n, 9],
      [false, 0n, 9],
      [true, 0n, 11],
      [true, 0n, 12],
      [true, 3n, 12],
    ] as const) {
      const root = withFee(ihrDisabled, field)
      const row = wireRow(root, SOMEWHERE, version)
      const ofRow = (members: object) => ({ ...row, in_msg: { ...row.in_msg, ...members } })
      expect(check(root, row).includes(path)).toBe(field === 0n)
      const [fee, flags] = [
        { ihr_fee: String(field), extra_flags: null },
        { ihr_fee: '0', extra_flags: String(field) },
      ]
      for (const lie of [fee, flags, { ihr_fee: '1', extra_flags: null }, { ihr_fee: '0', extra_flags: '1' }, { extra_flags: undefined }]) {
        if (field === 0n && (lie === fee || lie === flags)) expect(check(root, ofRow(lie))).toContain(path)
        else if (JSON.stringify(ofRow(lie)) !== JSON.stringify(row))
          expect(() => check(root, ofRow(lie))).toThrow(/in_msg\.(ihr_fee|extra_flags): .* the cells say/)
      }
    }
  })

  it('a row is refused with members, messages or currencies that the cells do not have', () => {
    const root = inline('transaction.json.gz').find((each) => wireRow(each.root).out_msgs.length > 1)!.root
    const row = wireRow(root)
    const lies: readonly object[] = [
      { out_msgs: [...row.out_msgs].reverse() },
      { out_msgs: [...row.out_msgs, row.out_msgs[0]] },
      { out_msgs: {} },
      { in_msg: 7 },
      { total_fees_extra_currencies: { 100: '1' } },
      { description: { ...row.description, bounce: { type: 'negfunds' } } },
      { description: { ...row.description, installed: true } },
      { emulated: true },
    ]
    for (const lie of lies) expect(() => check(root, { ...row, ...lie }), JSON.stringify(lie)).toThrow(VerifyError)
    expect(check(root, { ...row, constructor: 1, verified: true })).toEqual(
      expect.arrayContaining(['transactions[].constructor', 'transactions[].verified']),
    )
  })
})
