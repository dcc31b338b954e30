import { copyFileSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { endSteps } from '../../../server/base/yield.ts'
import { parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { dictEntries } from '../../../server/cell/dict.ts'
import type { Head } from '../../../server/chain/liteserver.ts'
import { createCellLog } from '../../../server/chain/local/store/cell-log.ts'
import { type ChainStore, openChainStore } from '../../../server/chain/local/store/chain-store.ts'
import { HEADER_BYTES, openLogFile } from '../../../server/chain/local/store/log-file.ts'
import { landed, landedBytes } from '../../../server/chain/local/store/packed-cells.ts'
import type { BlockId } from '../../../server/tlb/ids.ts'
import { appendStep, handMadeGenesis, handMadeStep, putState } from '../../kit/chain/hand-made.ts'
import { createRandom } from '../../kit/random.ts'

const root = mkdtempSync(join(tmpdir(), 'tonway-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let directories = 0
const newPaths = () => {
  const name = join(root, `${directories++}`)
  return { log: `${name}.log`, index: `${name}.idx` }
}
const genesis = async () => ({ genesis: handMadeGenesis(), text: '{"hello":1}' })
const mustNotMake = async () => {
  throw new Error('there is a genesis already')
}

const value = (n: number): Cell =>
  beginCell()
    .storeUint(n, 32)
    .storeRef(
      beginCell()
        .storeUint(n % 7, 8)
        .storeRef(
          beginCell()
            .storeUint(n % 7, 8)
            .end(),
        )
        .end(),
    )
    .end()

/** Adds steps of a few random changes each; tells every id with the hash of its state. */
const grow = async (store: ChainStore, count: number, seed = 1, salt = '') => {
  const random = createRandom(seed)
  const made: { id: BlockId; state: string }[] = []
  for (let i = 0; i < count; i++) {
    const tip = store.tip()
    const entries = Array.from({ length: random.below(4) }, () => [BigInt(random.below(500)), value(random.below(2 ** 32))] as const)
    // What comes out of a parser is no cell of the store, though most of it is in the store already.
    const shard = parseBocRoot(serializeBoc(putState(tip.shard.state, entries)))
    const master = putState(tip.master.state, [[BigInt(tip.master.id.seqno), value(random.below(2 ** 32))]])
    const step = handMadeStep(tip, { shard, master }, salt)
    await appendStep(store, step)
    made.push({ id: step.shard.id, state: shard.hashHex() }, { id: step.master.id, state: master.hashHex() })
  }
  return made
}
/** Reads all of a tree and hashes it anew. */
const rehashed = (cell: Cell): string => parseBocRoot(serializeBoc(cell)).hashHex()

describe('the store of the embedded chain', () => {
  it('the store gives back every block and state, before and after it is opened again', async () => {
    const paths = newPaths()
    const store = await openChainStore(paths, genesis)
    const made = await grow(store, 90)
    const check = async (opened: ChainStore) => {
      expect(opened.head().id.seqno).toBe(90)
      for (const { id, state } of made) {
        const found = await opened.state(id)
        expect([id.seqno, found?.hashHex(), rehashed(found!)]).toEqual([id.seqno, state, state])
        const block = await opened.block(id)
        expect(block?.root.hash()).toEqual(id.rootHash)
        expect(block?.signatures?.catchainSeqno).toBe(id.workchain === -1 ? id.seqno : undefined)
        expect(await opened.idBySeqno(id.workchain, id.seqno)).toEqual(id)
      }
      for (const [i, id] of opened.zeroIds.entries()) {
        expect((await opened.state(id))?.hash()).toEqual(id.rootHash)
        expect(parseBocRoot(opened.zeroStateBoc(id.workchain)).hash()).toEqual(id.rootHash)
        expect(id.workchain).toBe([-1, 0][i])
        expect(await opened.block(id)).toBeUndefined()
      }
      expect(opened.genesisText).toBe('{"hello":1}')
    }
    await check(store)
    store.close()
    const again = await openChainStore(paths, mustNotMake)
    await check(again)
    again.close()
  })

  it('the store writes a cell once: a parsed state costs only what changed', async () => {
    const paths = newPaths()
    const store = await openChainStore(paths, genesis)
    let { shard } = store.tip()
    const all = putState(
      shard.state,
      Array.from({ length: 400 }, (_, i) => [BigInt(i * 7919), value(i)] as const),
    )
    await appendStep(store, handMadeStep(store.tip(), { shard: all, master: store.tip().master.state }))
    const before = statSync(paths.log).size
    shard = store.tip().shard
    const changed = parseBocRoot(serializeBoc(putState(shard.state, [[7919n, value(99)]])))
    await appendStep(store, handMadeStep(store.tip(), { shard: changed, master: store.tip().master.state }))
    expect(statSync(paths.log).size - before).toBeLessThan(4000)
    expect(rehashed(store.tip().shard.state)).toBe(changed.hashHex())
    store.close()
  })

  it('the store finds blocks by lt and time as a search through all of them does', async () => {
    const store = await openChainStore(newPaths(), genesis)
    expect(await store.idByLt(-1, 0n)).toBeUndefined()
    const first = store.tip().master
    await grow(store, 60)
    const ids = await Promise.all(Array.from({ length: 60 }, (_, i) => store.idBySeqno(-1, i + 1)))
    const endLt = (seqno: number) => first.endLt + 2_000_000n * BigInt(seqno)
    const utime = (seqno: number) => first.utime + 2 * Math.floor(seqno / 3)
    for (let lt = 0n; lt < endLt(61); lt += 500_000n) {
      expect(await store.idByLt(-1, lt)).toEqual(ids.find((_, i) => endLt(i + 1) >= lt))
    }
    for (let time = first.utime - 1; time < utime(62); time++) {
      expect(await store.idByUtime(0, time)).toEqual(await store.idBySeqno(0, ids.findIndex((_, i) => utime(i + 1) >= time) + 1 || -1))
    }
    expect([await store.keyBlockBefore(9), await store.keyBlockBefore(10), await store.keyBlockBefore(29)]).toEqual([0, 10, 20])
    store.close()
  })

  it('the store knows only its own blocks by their full id', async () => {
    const store = await openChainStore(newPaths(), genesis)
    const [shard, master] = await grow(store, 1)
    for (const { id } of [shard!, master!]) {
      for (const wrong of [
        { rootHash: new Uint8Array(32) },
        { fileHash: new Uint8Array(32) },
        { seqno: 2 },
        { workchain: 1 },
        { shard: 1n << 62n },
      ]) {
        expect(await store.block({ ...id, ...wrong })).toBeUndefined()
        expect(await store.state({ ...id, ...wrong })).toBeUndefined()
      }
    }
    expect(await store.masterOf(shard!.id)).toEqual(master!.id)
    expect(await store.idBySeqno(0, 2)).toBeUndefined()
    expect(await store.idBySeqno(5, 1)).toBeUndefined()
    store.close()
  })

  it('a torn end is cut, wherever it was torn, and the store goes on', async () => {
    const paths = newPaths()
    const store = await openChainStore(paths, genesis)
    await grow(store, 5)
    const whole = statSync(paths.log).size
    await grow(store, 1, 9)
    store.close()
    const end = statSync(paths.log).size
    for (let cut = whole; cut < end; cut += 37) {
      const torn = newPaths()
      copyFileSync(paths.log, torn.log)
      copyFileSync(paths.index, torn.index)
      truncateSync(torn.log, cut)
      const opened = await openChainStore(torn, mustNotMake)
      expect(opened.head().id.seqno).toBe(5)
      await grow(opened, 2, 10)
      expect(rehashed(opened.tip().shard.state)).toBe(opened.tip().shard.state.hashHex())
      opened.close()
      const again = await openChainStore(torn, mustNotMake)
      expect(again.head().id.seqno).toBe(7)
      again.close()
    }
  })

  it('the store works without its index, and does not believe a wrong one', async () => {
    const paths = newPaths()
    const store = await openChainStore(paths, genesis)
    const made = await grow(store, 30)
    store.close()
    for (const index of [Buffer.alloc(0), Buffer.alloc(31 * 4, 1), Buffer.alloc(400 * 4, 7), Buffer.from('abc')]) {
      writeFileSync(paths.index, index)
      const opened = await openChainStore(paths, mustNotMake)
      expect(opened.head().id).toEqual(made.at(-1)!.id)
      expect((await opened.state(made[0]!.id))?.hashHex()).toBe(made[0]!.state)
      opened.close()
    }
  })

  it('the store goes back, tells it, and stays there over a restart', async () => {
    const paths = newPaths()
    const store = await openChainStore(paths, genesis)
    const made = await grow(store, 20)
    const seen: Head[] = []
    const stop = new AbortController()
    const reading = (async () => {
      for await (const head of store.heads(stop.signal)) seen.push(head)
    })()
    await new Promise((resolve) => setImmediate(resolve))
    store.appendMessage(5, Buffer.from('lost with the revert'))
    store.revert(10)
    await new Promise((resolve) => setImmediate(resolve))
    expect(seen.map(({ id, epoch }) => [id.seqno, epoch])).toEqual([
      [20, 0],
      [10, 1],
    ])
    expect(await store.block(made[25]!.id)).toBeUndefined()
    expect(await store.state(made[25]!.id)).toBeUndefined()
    const other = await grow(store, 4, 77, 'other')
    expect(await store.idBySeqno(0, 12)).toEqual(other[2]!.id)
    expect(await store.block(made[22]!.id)).toBeUndefined()
    stop.abort()
    await reading
    store.close()
    for (const wipe of [false, true]) {
      if (wipe) rmSync(paths.index)
      const opened = await openChainStore(paths, mustNotMake)
      expect(opened.head().id).toEqual(other.at(-1)!.id)
      expect(opened.waiting).toEqual([])
      for (const { id, state } of [...made.slice(0, 20), ...other]) expect(rehashed((await opened.state(id))!)).toBe(state)
      opened.close()
    }
    expect(() => store.revert(99)).toThrow(RangeError)
  })

  it('the store keeps waiting messages and the data of the controls', async () => {
    const paths = newPaths()
    const store = await openChainStore(paths, genesis)
    await grow(store, 2)
    const first = store.appendMessage(1111, Buffer.from('first'))
    store.saveControl('old')
    const second = store.appendMessage(2222, Buffer.from('second'))
    const step = handMadeStep(store.tip(), { shard: store.tip().shard.state, master: store.tip().master.state })
    await appendStep(store, step, [second])
    store.saveControl('new')
    const third = store.appendMessage(3333, Buffer.from('third'))
    expect(first).toBeLessThan(second)
    store.close()
    const opened = await openChainStore(paths, mustNotMake)
    expect(opened.waiting.map(opened.message).map(({ at, acceptedAt, boc }) => [at, acceptedAt, Buffer.from(boc).toString()])).toEqual([
      [second, 2222, 'second'],
      [third, 3333, 'third'],
    ])
    expect(opened.control()).toBe('new')
    await grow(opened, 1)
    opened.close()
    const again = await openChainStore(paths, mustNotMake)
    expect([again.waiting, again.control()]).toEqual([[], 'new'])
    again.close()
  })

  it('a log is read through at the start in many turns of the event loop', async () => {
    const { log: path } = newPaths()
    const log = openLogFile(path)
    const body = Buffer.alloc(1 << 20, 7)
    for (let i = 0; i < 128; i++) log.append(7, body)
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    let records = 0
    expect(await log.recover(0, () => records++)).toBe(0)
    clearInterval(counting)
    expect(records).toBe(128)
    // 128 MB take several turns of 10 ms on any machine.
    expect(turns).toBeGreaterThan(1)
    log.close()
    rmSync(path)
  })

  it('the store works beyond four gibibytes', async () => {
    const { log: path } = newPaths()
    const far = 5 * 2 ** 30
    writeFileSync(path, '')
    truncateSync(path, far)
    const log = openLogFile(path)
    const cells = createCellLog(log.readInto)
    const state = putState(undefined, [
      [1n, value(1)],
      [2n, value(2)],
    ])
    const packed = endSteps(cells.packSteps([{ root: state, before: undefined }]))
    const cellsAt = log.end() + HEADER_BYTES
    const at = log.append(7, landedBytes(packed, cellsAt))
    const next = log.append(8, Buffer.from('next'))
    expect([at, log.end()]).toEqual([far, next + HEADER_BYTES + 8])
    expect(rehashed(cells.load(landed(packed.roots[0]!, cellsAt)))).toBe(state.hashHex())
    const seen: number[] = []
    await log.recover(at, (record) => seen.push(record.type))
    expect(seen).toEqual([7, 8])
    log.close()
    rmSync(path)
  })

  it('the store keeps no more of a large state in memory than is read of it', async () => {
    const store = await openChainStore(newPaths(), genesis)
    const large = putState(
      undefined,
      Array.from({ length: 3000 }, (_, i) => [BigInt(i), value(i)] as const),
    )
    await appendStep(store, handMadeStep(store.tip(), { shard: large, master: store.tip().master.state }))
    const id = store.tip().shard.id
    await grow(store, 1)
    // The state before the head's is opened anew: equal, and its cells are read from the file.
    const old = (await store.state(id))!
    expect([...dictEntries(old.slice().loadMaybeRef(), 64, { cells: 1e9 })].length).toBe(3000)
    expect((await store.state(id))!.ref(0)).not.toBe(old.ref(0))
    expect(old.ref(0)).toBe(old.ref(0))
    store.close()
  })

  it('cells that are read between two blocks are given back when they are many', async () => {
    const paths = newPaths()
    const made = await openChainStore(paths, genesis)
    const many = 20_000
    const large = putState(
      undefined,
      Array.from({ length: many }, (_, i) => [BigInt(i), value(i)] as const),
    )
    await appendStep(made, handMadeStep(made.tip(), { shard: large, master: made.tip().master.state }))
    made.close()
    const store = await openChainStore(paths, mustNotMake)
    const { id, state: first } = store.tip().shard
    const count = (cell: Cell): number => [...dictEntries(cell.slice().loadMaybeRef(), 64, { cells: 1e9 })].length
    expect(first.ref(0)).toBe(first.ref(0))
    expect(store.tip().shard.state).toBe(first)
    expect(count(first)).toBe(many)
    const second = store.tip().shard.state
    expect(second).not.toBe(first)
    expect(second.hashHex()).toBe(first.hashHex())
    expect(await store.state(id)).toBe(second)
    // What has the old objects goes on with them, the next step too.
    await appendStep(store, handMadeStep(store.tip(), { shard: putState(first, [[5n, value(77)]]), master: store.tip().master.state }))
    expect(count(store.tip().shard.state)).toBe(many)
    store.close()
  })
})
