import { describe, expect, it } from 'vitest'
import { MAX_PAGE, wholeRoot } from '../../../client/verify/boc.ts'
import { compare } from '../../../client/verify/compare.ts'
import { VerifyError } from '../../../client/verify/error.ts'
import type { TokenList } from '../../../client/verify/request.ts'
import { tokenRow } from '../../../client/verify/tokens.ts'
import { readTransaction } from '../../../client/verify/transaction.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { type Builder, beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { accountKey } from '../../../server/store/row-keys.ts'
import { type MsgAddressInt, storeAddressExt, storeAddressInt } from '../../../server/tlb/address.ts'
import { loadBlockTransactions } from '../../../server/tlb/block/block-transactions.ts'
import type { MessageParts } from '../../../server/tlb/message/message.ts'
import { type Arbitrary, fc } from '../../kit/property.ts'
import { storeTransaction } from '../../kit/tlb/transaction.ts'
import { address, cell, coins, descr, extern, transaction } from '../../tlb/arbitrary.ts'
import { allBlocks, inline } from '../../tlb/data.ts'
import { alter, leaveOut, leaves, withChange } from './changes.ts'
import { type Token, wireRequest } from './wire-rows.ts'

/* Rows of requests that jetton wallets and NFT items received, as the server writes them, beside those that the verifier reads from the same transactions. */

/** Compares a row with its transaction; returns the members that are not covered. */
const check = (list: TokenList, root: Cell, row: object): readonly string[] => {
  const result = { uncovered: new Set<string>(), budget: { hashes: MAX_PAGE } }
  const boc = Buffer.from(serializeBoc(root)).toString('base64')
  compare(row, tokenRow(list, readTransaction(wholeRoot(boc, result.budget), 0)), 'rows[0]', result)
  return [...result.uncovered].map((path) => path.slice('rows[].'.length))
}

type Piece = (b: Builder) => Builder
const uint =
  (value: bigint | number, bits: number): Piece =>
  (b) =>
    b.storeUint(value, bits)
const someCoins: Arbitrary<Piece> = coins.map((value) => (b) => b.storeCoins(value))
const queryId: Arbitrary<Piece> = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map((value) => uint(value, 64))
const party: Arbitrary<Piece> = fc.oneof(
  {
    weight: 4,
    arbitrary: address.map(
      (of): Piece =>
        (b) =>
          storeAddressInt(b, of),
    ),
  },
  { weight: 2, arbitrary: fc.constant(uint(0, 2)) },
  {
    weight: 1,
    arbitrary: extern
      .filter(({ bits }) => bits < 64)
      .map(
        (of): Piece =>
          (b) =>
            storeAddressExt(b, of),
      ),
  },
)
const custom: Arbitrary<Piece> = fc.oneof(
  fc.constant(uint(0, 1)),
  cell(64).map(
    (of): Piece =>
      (b) =>
        b.storeBit(1).storeRef(of),
  ),
)
const payload: Arbitrary<Piece> = fc.oneof(
  fc.constant(uint(0, 1)),
  fc.constant(uint(1, 1)),
  cell(64).map(
    (of): Piece =>
      (b) =>
        b.storeBit(1).storeRef(of),
  ),
  cell(16).map(
    (of): Piece =>
      (b) =>
        b.storeBit(0).storeSlice(of.slice()),
  ),
  fc.constant((b: Builder) => b.storeBit(1).storeRef(beginCell().end())),
)

const OPCODES = { jetton_transfers: 0x0f8a7ea5, jetton_burns: 0x595f07bc, nft_transfers: 0x5fcc3d14 } as const
const FIELDS: Readonly<Record<TokenList, readonly Arbitrary<Piece>[]>> = {
  jetton_transfers: [queryId, someCoins, party, party, custom, someCoins, payload],
  jetton_burns: [queryId, someCoins, party, custom],
  nft_transfers: [queryId, party, party, custom, someCoins, payload],
}
/** A body with all its fields, or some of the first, or with something behind them. */
const bodyOf = (list: TokenList): Arbitrary<Cell> =>
  fc
    .tuple(fc.tuple(...FIELDS[list]), fc.oneof({ weight: 3, arbitrary: fc.constant(9) }, fc.integer({ min: 2, max: 7 })), fc.nat(5))
    .map(([pieces, count, behind]) => {
      const kept = pieces.slice(0, count)
      return [uint(OPCODES[list], 32), ...kept, uint(0, count < 9 ? behind : 0)].reduce((b, piece) => piece(b), beginCell()).end()
    })

const internal = (src: MsgAddressInt, body: Cell): MessageParts => ({
  info: {
    type: 'internal',
    ihrDisabled: true,
    bounce: true,
    bounced: false,
    src,
    dest: src as never,
    value: { grams: 1n, other: undefined },
    ihrFee: 0n,
    fwdFee: 1n,
    createdLt: 1n,
    createdAt: 1,
  },
  body,
})

const ordinary = descr(fc.constant(beginCell().end())).common.filter(({ type }) => type === 'ordinary')

interface Case {
  readonly root: Cell
  readonly token: Token
  readonly isAborted: boolean
}
/** A transaction that received a request. The wallet's message names the owner, or somebody else, or there is none. */
const caseOf = (list: TokenList): Arbitrary<Case> =>
  fc
    .record({
      parts: transaction(ordinary),
      body: bodyOf(list),
      sender: address,
      owner: address,
      named: fc.constantFrom('owner', 'sender', 'none', 'cut'),
    })
    .map(({ parts, body, sender, owner, named }) => {
      const opcode = list === 'jetton_burns' ? 0x7bdd97de : 0x178d4519
      const said = beginCell().storeUint(opcode, 32).storeUint(7, 64).storeCoins(5n)
      const sent = storeAddressInt(said, named === 'owner' ? owner : sender).end()
      const outMsgs = named === 'none' ? [] : [internal(owner, named === 'cut' ? beginCell().storeUint(opcode, 32).end() : sent)]
      const root = storeTransaction({ ...parts, inMsg: internal(sender, body), outMsgs, outMsgCount: outMsgs.length })
      const key = (of: typeof owner): Buffer => accountKey(of.workchain, of.hash)
      const token = { owner: key(owner), jetton: Buffer.alloc(36, 7), collection: Buffer.alloc(named === 'none' ? 0 : 36, 8) }
      return { root, token, isAborted: 'aborted' in parts.description && parts.description.aborted }
    })

const LISTS = ['jetton_transfers', 'jetton_burns', 'nft_transfers'] as const
const NEVER = /^(jetton_master|nft_collection|trace_id|decoded_(custom|forward)_payload)$/
/** The owner, whom not every transaction names. */
const OWNERS: Readonly<Record<TokenList, string>> = { jetton_transfers: 'source', jetton_burns: 'owner', nft_transfers: 'old_owner' }

describe.each(LISTS)('rows of %s', (list) => {
  it('any row is accepted, and each member is refused that was changed or left out, unless it is said to be uncovered', async () => {
    const seen = { rows: 0, changes: 0, aborted: 0, uncoveredOwners: 0, empty: 0 }
    await fc.assert(
      fc.asyncProperty(caseOf(list), async ({ root, token, isAborted }) => {
        const row = await wireRequest(list, root, token)
        if (row === undefined) return
        const uncovered = check(list, root, row)
        expect(uncovered.filter((name) => !NEVER.test(name) && name !== OWNERS[list])).toEqual([])
        seen.rows += 1
        seen.aborted += Number(isAborted)
        seen.uncoveredOwners += Number(uncovered.includes(OWNERS[list]))
        seen.empty += Object.values(row).filter((value) => value === null).length
        for (const path of leaves(row))
          for (const change of [alter, leaveOut]) {
            const lie = withChange(row, path, change)
            const name = String(path[0])
            if (uncovered.includes(name)) expect(check(list, root, lie)).toEqual(name in lie ? uncovered : expect.any(Array))
            else if (name === OWNERS[list] && list !== 'nft_transfers') expect(check(list, root, lie)).toContain(name)
            else expect(() => check(list, root, lie), `${name} of ${JSON.stringify(lie)}`).toThrow(VerifyError)
            seen.changes += 1
          }
      }),
      { numRuns: 60 },
    )
    expect(seen.rows).toBeGreaterThan(20)
    expect(seen.changes).toBeGreaterThan(400)
    expect(Math.min(seen.uncoveredOwners, seen.empty)).toBeGreaterThan(4)
    if (list !== 'jetton_transfers') expect(seen.aborted).toBeGreaterThan(4)
    else expect(seen.aborted).toBe(0)
  })
})

describe('requests on mainnet', () => {
  it('rows of recorded transactions are accepted, whatever wallets and items these are', { timeout: 60_000 }, async () => {
    const token: Token = { owner: Buffer.alloc(36, 1), jetton: Buffer.alloc(36, 2), collection: Buffer.alloc(36, 3) }
    const recorded = [
      ...inline('transaction.json.gz').map(({ root }) => root),
      ...allBlocks().flatMap(({ root }) => [...loadBlockTransactions(root)].map((each) => each.root)),
    ]
    const counts = { jetton_transfers: 0, jetton_burns: 0, nft_transfers: 0 }
    for (const root of recorded)
      for (const list of LISTS) {
        const row = await wireRequest(list, root, token)
        if (row === undefined) continue
        counts[list] += 1
        expect(check(list, root, row).filter((name) => !NEVER.test(name.split('.')[0]!) && name !== OWNERS[list])).toEqual([])
      }
    expect(counts.jetton_transfers).toBeGreaterThan(10)
    expect(Math.min(counts.jetton_burns, counts.nft_transfers)).toBeGreaterThan(0)
  })
})

describe('a transaction that received no such request', () => {
  const sender: MsgAddressInt = { type: 'std', workchain: 0, hash: new Uint8Array(32).fill(5) }
  const body = (opcode: number): Cell =>
    beginCell().storeUint(opcode, 32).storeUint(1, 64).storeCoins(5n).storeUint(0, 2).storeUint(0, 2).storeUint(0, 1).end()
  const [ordinaryParts] = fc.sample(transaction(ordinary), 1)
  const rootOf = (inMsg: MessageParts | undefined, aborted = false): Cell =>
    storeTransaction({
      ...ordinaryParts!,
      description: { ...ordinaryParts!.description, aborted } as never,
      inMsg,
      outMsgs: [],
      outMsgCount: 0,
    })
  const request = internal(sender, body(OPCODES.jetton_transfers))

  it.each<[string, TokenList, Cell, RegExp]>([
    ['a failed transfer', 'jetton_transfers', rootOf(request, true), /the transaction failed/],
    ['a transfer as a burn', 'jetton_burns', rootOf(request), /no request of this list/],
    ['no message', 'jetton_transfers', rootOf(undefined), /received no request/],
    ['a bounced one', 'jetton_transfers', rootOf({ ...request, info: { ...request.info, bounced: true } as never }), /received no request/],
    [
      'one from outside',
      'jetton_transfers',
      rootOf({ ...request, info: { type: 'external-in', src: undefined, dest: sender, importFee: 0n } as never }),
      /received no request/,
    ],
    ['a short body', 'jetton_transfers', rootOf(internal(sender, beginCell().storeUint(OPCODES.jetton_transfers, 32).end())), /too short/],
    ['an empty body', 'nft_transfers', rootOf(internal(sender, beginCell().end())), /too short/],
  ])('%s has no row', async (_, list, root, why) => {
    expect(() => check(list, root, {})).toThrow(why)
    const token = { owner: Buffer.alloc(36), jetton: Buffer.alloc(36), collection: Buffer.alloc(0) }
    expect(await wireRequest(list, root, token)).toBeUndefined()
  })
})
