import { expect, it } from 'vitest'
import { beginCell } from '../../../server/cell/builder.ts'
import { electorRows } from '../../../server/index/topics/validators/elections.ts'
import { viewElector } from '../../../server/index/topics/validators/elector-view.ts'
import { fullDict } from '../../kit/hostile-cells.ts'

/* A few dozen cells can say that an elector has millions of stakes. */

/** Data of an elector with 2^elections past elections of 2^stakes stakes each. */
const electorData = (elections: number, stakes: number) => {
  const frozen = beginCell().storeUint(5, 256).storeUint(1, 64).storeUint(0, 4).storeBit(0).end()
  const past = beginCell()
    .storeUint(1, 32)
    .storeUint(1, 32)
    .storeUint(7, 256)
    .storeBit(1)
    .storeRef(fullDict(256, { value: frozen }, stakes))
    .storeUint(0, 4)
    .storeUint(0, 4)
    .storeBit(0)
    .end()
  const pasts = fullDict(32, { value: past }, elections)
  return beginCell().storeUint(0b001, 3).storeRef(pasts).storeUint(0, 4).storeUint(0, 32).storeUint(0, 256).end()
}
const rowsOfData = async (data: ReturnType<typeof electorData>): Promise<number> => {
  const view = viewElector(data)
  const snapshot = { elector: Buffer.alloc(36), mcSeqno: 1, view, whole: async () => view }
  const tables = await electorRows(snapshot, { rows: async () => [] })
  return tables.reduce((sum, { rows }) => sum + rows.length, 0)
}

it('the stakes of all past elections of an elector share one budget', async () => {
  expect(await rowsOfData(electorData(3, 10))).toBe(8 + 8 * 1_024)
  await expect(rowsOfData(electorData(8, 10))).rejects.toThrow('too many cells')
})
