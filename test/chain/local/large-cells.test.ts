import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { absentCell } from '../../../server/cell/absent.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { boc, bocInTurns } from '../../../server/chain/local/answers/prove.ts'
import { TREE } from '../../../server/chain/local/fork/dictionary-paths.ts'
import { createWithheldSteps } from '../../../server/chain/local/produce/withheld-steps.ts'
import { openChainStore } from '../../../server/chain/local/store/chain-store.ts'
import { openFetchedLog } from '../../../server/chain/local/store/fetched-log.ts'
import { wideTree } from '../../kit/bombs.ts'
import { handMadeGenesis, handMadeStep } from '../../kit/chain/hand-made.ts'
import { timeTurns } from '../../kit/turns.ts'

/* Accounts with as many cells as the chain allows do not hold the event loop while they are written. */

const folder = mkdtempSync(join(tmpdir(), 'tonway-large-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs something, and counts the turns that other work got meanwhile. */
const turnsDuring = async <T>(run: () => Promise<T>): Promise<{ readonly result: T; readonly turns: number }> => {
  let turns = 0
  let isOver = false
  const others = (async () => {
    while (!isOver) {
      await setImmediate()
      turns++
    }
  })()
  const result = await run()
  isOver = true
  await others
  return { result, turns }
}

it('the log of a fork writes a large account in turns, and has it again when it is opened', async () => {
  const path = join(folder, 'fork.cells')
  const at = { tree: TREE.shardAccounts, key: '\x01'.repeat(32) }
  const account = wideTree(30_000)
  const key = account.hashKey()
  const log = await openFetchedLog(path)
  const { turns } = await turnsDuring(() => log.add(new Map([[key, { cell: account, at }]]), new AbortController().signal))
  expect(turns).toBeGreaterThan(1)
  expect(log.find(key)!.hashKey()).toBe(key)
  log.close()
  const again = await openFetchedLog(path)
  expect(Buffer.from(serializeBoc(again.find(key)!)).equals(serializeBoc(account))).toBe(true)
  expect(again.dictPath(key)).toEqual(at)
  again.close()
})

it('a fetch that ends after the fork was closed rejects, and writes nothing', async () => {
  const path = join(folder, 'closed.cells')
  const log = await openFetchedLog(path)
  const account = wideTree(30_000)
  const adding = log.add(
    new Map([[account.hashKey(), { cell: account, at: { tree: TREE.shardAccounts, key: '\x02'.repeat(32) } }]]),
    new AbortController().signal,
  )
  log.close()
  await expect(adding).rejects.toThrow('the fork is closed')
  expect(statSync(path).size).toBe(0)
})

it('an absent cell below a fetched one stays absent until it is fetched itself', async () => {
  const log = await openFetchedLog(join(folder, 'absent.cells'))
  const whole = wideTree(5)
  const signal = new AbortController().signal
  const at = { tree: TREE.shardAccounts, key: '\x03'.repeat(32) }
  const child = whole.ref(0)
  await log.add(new Map([[child.hashKey(), { cell: absentCell(child.hashKey(), child.depth(), at), at }]]), signal)
  await log.add(new Map([[whole.hashKey(), { cell: whole, at }]]), signal)
  expect(log.find(whole.hashKey())!.hashHex()).toBe(whole.hashHex())
  log.close()
})

it('an answer of 100,000 cells is written with pauses', async () => {
  const tree = wideTree(100_000)
  const expected = boc(tree)
  let bytes: Uint8Array | undefined
  const { longest, all } = await timeTurns(async () => {
    bytes = await bocInTurns(tree, new AbortController().signal)
  })
  expect(Buffer.compare(bytes!, expected)).toBe(0)
  expect(longest).toBeLessThan(all / 3)
})

it('large answers are written one after another, small ones at once, and those whose callers have gone not at all', async () => {
  const ended: string[] = []
  const gone = new AbortController()
  const write = (name: string, cells: number, signal = new AbortController().signal): Promise<unknown> =>
    bocInTurns(wideTree(cells), signal).then(
      () => ended.push(name),
      () => ended.push(`${name} ended`),
    )
  const all = [write('first', 60_000), write('cut', 60_000, gone.signal), write('second', 30_000), write('small', 500)]
  gone.abort()
  await Promise.all(all)
  expect(ended.filter((name) => name !== 'cut ended')).toEqual(['small', 'first', 'second'])
  expect(ended).toContain('cut ended')
})

it('a block of 200,000 new cells is written, and its cells get their places, with pauses', async () => {
  const paths = { log: join(folder, 'many.log'), index: join(folder, 'many.idx') }
  const store = await openChainStore(paths, async () => ({ genesis: handMadeGenesis(), text: '{}' }))
  const shard = wideTree(200_000)
  const step = handMadeStep(store.tip(), { shard, master: store.tip().master.state })
  const packed = await store.packStep(step)
  const { longest, all } = await timeTurns(() => store.appendStep(step, [], packed))
  expect(longest).toBeLessThan(all * 0.7)
  store.close()
}, 120_000)

it('blocks that were held back are written with pauses', async () => {
  const paths = { log: join(folder, 'held.log'), index: join(folder, 'held.idx') }
  const store = await openChainStore(paths, async () => ({ genesis: handMadeGenesis(), text: '{}' }))
  const withheld = createWithheldSteps(store)
  const shard = wideTree(100_000)
  const states = { shard, master: store.tip().master.state }
  shard.hash()
  withheld.add(handMadeStep(store.tip(), states), [])
  const { longest, all } = await timeTurns(() => withheld.write(() => []))
  expect(longest).toBeLessThan(all / 3)
  expect(store.head().id.seqno).toBe(1)
  store.close()
})
