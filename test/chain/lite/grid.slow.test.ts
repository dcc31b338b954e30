import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { BEHAVIOURS, createGrid, type Grid, SILENT } from './grid.ts'

/* Every behaviour once alone and once beside an honest server, in pools of two to five; `npm run fuzz -- lites` runs the whole grid. */

let tvm: Tvm
let local: LocalChain
let grid: Grid
beforeAll(async () => {
  tvm = createTestTvm({ workers: 1 })
  local = await createTestChain(tvm, {}, { clock: { now: () => Math.floor(Date.now() / 1000) } })
  const { signal } = new AbortController()
  for (let i = 0; i < 4; i += 1) await local.control.fund(local.control.wallets()[0]!.address, 1_000_000_000n, signal)
  await local.control.mine(2, signal)
  grid = await createGrid(local)
})
afterAll(async () => {
  await local.close()
  await tvm.close()
})

describe('a lite-server that', () => {
  it.concurrent.each(BEHAVIOURS)('answers stay right beside a lite-server that %s', async (behaviour) => {
    expect(await grid.run(behaviour, 1, 4)).toEqual([])
    expect(await grid.run(behaviour, 2 + (BEHAVIOURS.indexOf(behaviour) % 4))).toEqual([])
  })

  it.concurrent.each(SILENT)('answers stay right beside a lite-server that %s', async (behaviour) => {
    expect(await grid.run(behaviour, 1, 2)).toEqual([])
    expect(await grid.run(behaviour, 2, 2)).toEqual([])
  })
})
