import { beginCell as coreBeginCell, loadTransaction as coreLoadTransaction } from '@ton/core'
import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { loadBlockTransactions } from '../../server/tlb/block/block-transactions.ts'
import { loadTotalFees, loadTransaction } from '../../server/tlb/transaction/transaction.ts'
import type { TransactionDescr } from '../../server/tlb/transaction/transaction-descr.ts'
import { loadTransactionDescr, storeTransactionDescr } from '../../server/tlb/transaction/transaction-descr.ts'
import { hasAllData } from '../kit/data.ts'
import { fc } from '../kit/property.ts'
import { storeTransaction } from '../kit/tlb/transaction.ts'
import { descr, transaction } from './arbitrary.ts'
import { expectAsCore } from './as-core.ts'
import { coreTransaction, ownTransaction } from './compare.ts'
import { allBlocks, base64, cellOf, inline, json, list, plain, toCore } from './data.ts'

const checkAlone = (root: Cell, title: string): string => {
  const tx = loadTransaction(root)
  expect(ownTransaction(tx), title).toEqual(coreTransaction(coreLoadTransaction(toCore(root).beginParse())))
  expect(storeTransaction(tx).hashHex(), title).toBe(root.hashHex())
  expect(plain(loadTotalFees(root)), title).toEqual(plain(tx.totalFees))
  return tx.description.type
}

describe('transactions of real data', () => {
  it(
    'every transaction of every block is written back to its hash, and those of each eighth block equal those of @ton/core',
    { timeout: 60_000 },
    () => {
      const kinds = new Map<string, number>()
      for (const [i, block] of allBlocks().entries()) {
        // @ton/core takes 8 s for all of them: transaction.slow.test.ts.
        if (i % 8 === 0) expectAsCore(block)
        const { name, root } = block
        for (const tx of loadBlockTransactions(root)) {
          if (!storeTransaction(tx).equals(tx.root)) expect.fail(`${name}: ${tx.root.hashHex()} is written differently`)
          kinds.set(tx.description.type, (kinds.get(tx.description.type) ?? 0) + 1)
        }
      }
      expect(kinds.get('ordinary')).toBeGreaterThan(hasAllData ? 4300 : 2900)
      expect(kinds.get('tick-tock')).toBeGreaterThan(hasAllData ? 1100 : 900)
    },
  )

  it('every transaction of the inline, replay and edge-case files does the same', () => {
    const rows = inline('transaction.json.gz')
    expect(rows.length).toBeGreaterThan(440)
    for (const row of rows) checkAlone(row.root, row.root_hash)
    const triplets = json<{ name: string; transaction: { boc: string } }[]>('transactions/rust-executor-triplets.json')
    for (const { name, transaction: row } of triplets) checkAlone(base64(row.boc), name)
    const { boc, hash } = json<{ boc: string; hash: string }>('toncore/tx_with_merkle_body.json')
    const merkle = cellOf(Buffer.from(boc, 'hex'))
    expect(merkle.hashHex()).toBe(hash)
    checkAlone(merkle, 'a Merkle proof as body')
  })

  it('bodies of transactions have the hashes that the indexer recorded in the traces', () => {
    // The traces hold no cells: their messages' bodies are what can be read.
    const bodies = list('traces', '.json').flatMap((name) =>
      json<{ transactions: { in_msg: { body?: string; body_hash: string } | null }[] }>(`traces/${name}`).transactions.map(
        (tx) => tx.in_msg,
      ),
    )
    const withBody = bodies.filter((message) => message?.body)
    expect(withBody.length).toBeGreaterThan(500)
    for (const message of withBody) {
      expect(Buffer.from(base64(message!.body!).hash()).toString('base64')).toBe(message!.body_hash)
    }
  })
})

describe('transaction descriptions', () => {
  const { common } = descr(fc.constant(beginCell().storeUint(1, 4).end()))
  const inner = transaction(common).filter((tx) => tx.description.type !== 'split-install')
  const nested = descr(inner.map(storeTransaction))

  it('transaction descriptions of five kinds are read as @ton/core reads them', () => {
    fc.assert(
      fc.property(transaction(nested.common), (parts) => {
        checkAlone(storeTransaction(parts), parts.description.type)
      }),
      { numRuns: 100 },
    )
  })

  it('transaction descriptions of all seven kinds survive a round trip', () => {
    fc.assert(
      fc.property(fc.oneof(nested.common, nested.merge), (description) => {
        const cell = storeTransactionDescr(description)
        const back = loadTransactionDescr(cell)
        expect(plain(back)).toEqual(plain(description))
        expect(storeTransactionDescr(back).equals(cell)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  /* The two that @ton/core does not know, written bit by bit after block.tlb. */
  const split = () => coreBeginCell().storeUint(3, 6).storeUint(4, 6).storeUint(0xaan, 256).storeUint(0xbbn, 256)
  const splitInfo = { curShardPfxLen: 3, accSplitDepth: 4, thisAddr: bytes(0xaa), siblingAddr: bytes(0xbb) }
  const read = (s: { endCell(): { toBoc(): Buffer } }): TransactionDescr => loadTransactionDescr(cellOf(s.endCell().toBoc()))

  it('a merge-prepare has tag 0110, split info, storage phase and aborted', () => {
    const b = coreBeginCell().storeUint(0b0110, 4).storeBuilder(split())
    b.storeCoins(77).storeBit(true).storeCoins(5).storeUint(0b10, 2).storeBit(true)
    expect(read(b)).toEqual({
      type: 'merge-prepare',
      split: splitInfo,
      storage: { feesCollected: 77n, feesDue: 5n, statusChange: 'frozen' },
      aborted: true,
    })
  })

  it('a merge-install has tag 0111, split info, transaction and optional phases', () => {
    const prepared = coreBeginCell().storeUint(9, 8).endCell()
    const b = coreBeginCell().storeUint(0b0111, 4).storeBuilder(split()).storeRef(prepared)
    b.storeBit(false).storeBit(true).storeBit(false).storeCoins(8).storeBit(false)
    b.storeBit(false).storeUint(0b110, 3).storeBit(false).storeBit(false).storeBit(true)
    expect(plain(read(b))).toEqual({
      type: 'merge-install',
      split: plain(splitInfo),
      prepareTransaction: prepared.hash().toString('hex'),
      credit: { credit: { grams: 8n } },
      compute: { type: 'skipped', reason: 'suspended' },
      aborted: false,
      destroyed: true,
    })
  })

  it('descriptions with unknown tags or trailing bits are refused', () => {
    expect(() => loadTransactionDescr(beginCell().storeUint(8, 4).end())).toThrow(/TransactionDescr: no constructor with tag 8/)
    const whole = storeTransactionDescr({ type: 'storage', storage: { feesCollected: 1n, statusChange: 'unchanged' } })
    expect(() => loadTransactionDescr(beginCell().storeCell(whole).storeBit(0).end())).toThrow(/1 bits and 0 references left unread/)
    expect(() => loadTransaction(beginCell().storeUint(6, 4).end())).toThrow(/Transaction: no constructor with tag 0x6/)
  })
})

function bytes(last: number): Uint8Array {
  const all = new Uint8Array(32)
  all[31] = last
  return all
}
