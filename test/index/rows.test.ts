import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import {
  beginRow,
  endRow,
  putBig,
  putBool,
  putBytes,
  putHash,
  putKey,
  putMaybe,
  putMaybeBool,
  putMaybeBytes,
  putNull,
  putNumber,
  putText,
  RowTable,
} from '../../server/index/write/rows/row.ts'
import { bytes, keyBytes } from '../../server/index/write/rows/text.ts'
import { seed } from '../cell/seed.ts'

const rowOf = (put: () => void): string => {
  const table = new RowTable()
  beginRow(table)
  put()
  endRow()
  return table.lines().join('|')
}

describe('rows as bytes', () => {
  it.each([
    0,
    9,
    10,
    99,
    100,
    999,
    1_000,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 32 - 1,
    10 ** 10,
    10 ** 15,
    2 ** 53 - 1,
  ])('the number %d and its negative', (n) => {
    expect(rowOf(() => putNumber(n))).toBe(String(n))
    if (n > 0) expect(rowOf(() => putNumber(-n))).toBe(String(-n))
    expect(rowOf(() => putBig(BigInt(n)))).toBe(String(n))
  })

  it('numbers are those that String writes', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.bigInt({ min: -(1n << 130n), max: 1n << 130n }), (number, big) => {
        expect(
          rowOf(() => {
            putNumber(number)
            putBig(big)
          }),
        ).toBe(`${number}\t${big}`)
      }),
      { numRuns: 2_000, seed },
    )
  })

  it('bytes, keys and hashes are those of the other rows', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ maxLength: 200 }), (hash, data) => {
        const key = Buffer.from(hash).toString('latin1')
        const cell = beginCell().storeBytes(hash).end()
        const row = rowOf(() => {
          putBytes(data)
          putKey(key)
          putHash(cell)
        })
        expect(row).toBe([bytes(data), keyBytes(key), keyBytes(cell.hashKey())].join('\t'))
      }),
      { numRuns: 500, seed },
    )
  })

  it('what is not there is null', () => {
    const row = rowOf(() => {
      putNull()
      putMaybe(undefined)
      putMaybe(7)
      putMaybe(1n << 63n)
      putMaybeBytes(undefined)
      putMaybeBytes(new Uint8Array(0))
      putMaybeBool(undefined)
      putBool(true)
      putBool(false)
    })
    expect(row).toBe('\\N\t\\N\t7\t9223372036854775808\t\\N\t\\\\x\t\\N\tt\tf')
  })

  it('tables that are written in turns keep their own rows, however long they get', () => {
    const tables = [new RowTable(), new RowTable(), new RowTable()]
    const expected: string[][] = [[], [], []]
    for (let i = 0; i < 3_000; i++) {
      const at = (i * 7) % 3
      beginRow(tables[at]!)
      putNumber(i)
      putText('x'.repeat(i % 90))
      // Given up: nothing of it stays.
      if (i % 11 === 0) continue
      endRow()
      expected[at]!.push(`${i}\t${'x'.repeat(i % 90)}`)
    }
    for (const [i, table] of tables.entries()) {
      expect(table.length).toBe(expected[i]!.length)
      expect(table.lines()).toEqual(expected[i])
      expect(Buffer.from(table.bytes()).toString()).toBe(`${expected[i]!.join('\n')}\n`)
    }
  })

  it('a table without rows is empty, and no row ends that was not begun', () => {
    const table = new RowTable()
    expect([table.length, table.lines(), table.bytes().length]).toEqual([0, [], 0])
    expect(rowOf(() => putNumber(1))).toBe('1')
    expect(() => endRow()).toThrow('no row was begun')
  })
})
