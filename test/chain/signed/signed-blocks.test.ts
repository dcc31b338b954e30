import { createHash } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { createBlocks, type SourceBlock } from '../../../server/chain/blocks.ts'
import { createChain } from '../../../server/chain/chain.ts'
import { createRawQuery } from '../../../server/chain/checked-query.ts'
import { type LiteAnswer, LiteServerError, type SingleServer } from '../../../server/chain/liteserver.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { readBack } from '../../../server/chain/signed/read-ancestors.ts'
import { createSignedBlocks, type SignedChange } from '../../../server/chain/signed/signed-blocks.ts'
import { storeBlock } from '../../../server/tlb/block/block.ts'
import { type BlockInfo, storeBlockInfo } from '../../../server/tlb/block/block-info.ts'
import { type BlockId, blockText, sameBlock, WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { ownWallet } from '../../kit/chain/own-wallet.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { sleep, until } from '../../kit/wait.ts'

/* Blocks that servers say are signed: of honest servers, of those that lie, and of those that say nothing. */

const { signal } = new AbortController()
const wallet = ownWallet(7)
const nobody = { workchain: 0, hash: new Uint8Array(32).fill(0x77) }
type List = LiteAnswer<'nonfinal.getPendingShardBlocks'>

/** A server over an embedded chain, and what it says in place of the truth. */
interface TestServer extends SingleServer {
  list: (honest: () => Promise<List>) => Promise<List>
  /** Bytes of blocks by their file hashes in hex. */
  readonly own: Map<string, Uint8Array>
  /** How often it was asked for its list. */
  asked: number
}

const serverOf = (name: string, local: LocalChain): TestServer => {
  const own = new Map<string, Uint8Array>()
  const server: TestServer = {
    name,
    own,
    asked: 0,
    list: (honest) => honest(),
    isUsable: () => true,
    async query(fn, args, stop) {
      if (fn === 'nonfinal.getPendingShardBlocks') {
        server.asked++
        return (await server.list(() => local.query('nonfinal.getPendingShardBlocks', {}, stop))) as LiteAnswer<typeof fn>
      }
      const { id } = args as { id: BlockId }
      const data = fn === 'getBlock' ? own.get(Buffer.from(id.fileHash).toString('hex')) : undefined
      return data === undefined ? await local.query(fn, args, stop) : ({ id, data } as unknown as LiteAnswer<typeof fn>)
    },
  }
  return server
}

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const createScene = async (count: number, needs = 1) => {
  const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
  open.push(() => tvm.close())
  const local = await createTestChain(tvm, { accounts: [wallet.account] })
  open.push(() => local.close())
  const chain = createChain({ source: local, tvm })
  const servers = Array.from({ length: count }, (_, i) => serverOf(`server ${i + 1}`, local))
  const changes: SignedChange[] = []
  const scene = { isWanted: true, leap: 0, isReverted: true, tops: [] as BlockId[], headers: 0, isAway: false }
  /** Heads of one epoch, as a chain has them whose blocks are not taken back. */
  async function* heads(stop: AbortSignal) {
    for await (const head of chain.heads(stop))
      if (scene.isAway) return
      else yield scene.isReverted ? head : { ...head, epoch: 0 }
  }
  const blocks = createSignedBlocks({
    source: { servers, query: local.query },
    chain: {
      heads,
      shards: async (at, stop) => [...(await chain.shards(at, stop)), ...scene.tops.map((id) => ({ id }))] as never,
      async blockHeader(id, stop) {
        scene.headers++
        return scene.tops.some(({ workchain }) => workchain === id.workchain)
          ? ({ prevBlocks: [{ ...id, seqno: id.seqno - 1, rootHash: new Uint8Array(32).fill(id.seqno) }] } as never)
          : await chain.blockHeader(id, stop)
      },
    },
    needs,
    hasDemand: () => scene.isWanted,
    onChange: (change) => changes.push(change),
    ticks: () => performance.now() + scene.leap,
    log: { warn: () => {} },
  })
  open.push(blocks.close)
  let seqno = 0
  const texts = (of: (change: SignedChange) => readonly BlockId[]) => (): string[] => changes.flatMap(of).map(blockText)
  return Object.assign(scene, {
    local,
    servers,
    blocks,
    signed: texts(({ signed }) => signed.map(({ id }) => id)),
    named: texts(({ named }) => named),
    lost: texts(({ lost }) => lost),
    hold: (on: boolean) => local.control.holdShardBlocks(on, signal),
    async send(value = 1n): Promise<BlockId> {
      await local.query('sendMessage', { body: wallet.transfer(seqno++, nobody, value) }, signal)
      await local.control.idleOrBusyTooLong(signal)
      return (await local.query('nonfinal.getPendingShardBlocks', {}, signal)).signedBlocks[0]!
    },
    rewind() {
      seqno = 0
    },
    read: (id: BlockId): Promise<SourceBlock> => createBlocks(createRawQuery(local)).block(id, signal),
  })
}

/** A block with another header, and its id. */
const forged = ({ id, parts, info }: SourceBlock, change: Partial<BlockInfo>): { readonly id: BlockId; readonly data: Uint8Array } => {
  const header: BlockInfo = { ...info, prev: info.prev, ...(info.masterRef && { masterRef: info.masterRef }), ...change }
  const root = storeBlock({ ...parts, info: storeBlockInfo(header) })
  const data = serializeBoc(root)
  const fileHash = Uint8Array.from(createHash('sha256').update(data).digest())
  return { id: { ...id, seqno: header.seqno, rootHash: root.hash(), fileHash }, data }
}
const hexOf = ({ fileHash }: BlockId): string => Buffer.from(fileHash).toString('hex')
const only =
  (...signedBlocks: readonly BlockId[]) =>
  (): Promise<List> =>
    Promise.resolve({ signedBlocks, candidates: [] })

it('blocks before the masterchain are signed in their order when a server lists the last one, and are named with the head', async () => {
  const scene = await createScene(1)
  await scene.hold(true)
  const ids = [await scene.send(), await scene.send(), await scene.send()].map(blockText)
  await until(() => scene.signed().length === 3)
  expect(scene.signed()).toEqual(ids)
  expect(scene.blocks.newest().map(blockText)).toEqual(ids.slice(-1))
  await scene.hold(false)
  await until(() => scene.named().length === 3)
  expect([scene.named(), scene.lost(), scene.blocks.newest()]).toEqual([ids, [], []])
})

it('blocks are named where another shard has made many more blocks', async () => {
  const scene = await createScene(1)
  scene.tops = [{ workchain: 1, shard: WHOLE_SHARD, seqno: 1_000, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }]
  await scene.hold(true)
  const ids = [await scene.send(), await scene.send()].map(blockText)
  await until(() => scene.signed().length === 2)
  await scene.hold(false)
  await until(() => scene.named().length + scene.lost().length === 2)
  expect([scene.named(), scene.lost(), scene.headers]).toEqual([ids, [], 0])
})

it('blocks are named though the heads ended and nobody wants to know any more', async () => {
  const scene = await createScene(1)
  await scene.hold(true)
  const ids = [await scene.send()].map(blockText)
  await until(() => scene.signed().length === 1)
  Object.assign(scene, { isWanted: false, isAway: true })
  await scene.hold(false)
  await sleep(200)
  scene.isAway = false
  await until(() => scene.named().length === 1)
  expect([scene.named(), scene.lost()]).toEqual([ids, []])
})

it('candidates are not signed', async () => {
  const scene = await createScene(1)
  scene.servers[0]!.list = async (honest) => ({ signedBlocks: [], candidates: (await honest()).signedBlocks })
  await scene.hold(true)
  await scene.send()
  await scene.blocks.poll()
  expect(scene.signed()).toEqual([])
})

it('servers are asked only while somebody wants to know', async () => {
  const scene = await createScene(1)
  scene.isWanted = false
  await sleep(300)
  expect(scene.servers[0]!.asked).toBe(0)
  scene.isWanted = true
  await until(() => scene.servers[0]!.asked > 3)
})

it.each(['query is not allowed', 'unknown query'])('a server that says %s is asked again after ten minutes', async (text) => {
  const scene = await createScene(2)
  const [refusing, other] = scene.servers
  refusing!.list = () => Promise.reject(new LiteServerError(0, text))
  await until(() => other!.asked > 3)
  expect(refusing!.asked).toBe(1)
  expect(scene.blocks.figures().servers[0]).toEqual({ server: 'server 1', asked: false, reason: text })
  scene.leap = 599_000
  await until(() => other!.asked > 6)
  expect(refusing!.asked).toBe(1)
  scene.leap = 601_000
  await until(() => refusing!.asked === 2)
})

it('the newest blocks are refused only while every server refuses them, not while one has failed', async () => {
  const scene = await createScene(2)
  const [first, second] = scene.servers
  first!.list = () => Promise.reject(new LiteServerError(0, 'unknown query'))
  second!.list = () => Promise.reject(new LiteServerError(651, 'no such block'))
  await until(() => scene.blocks.figures().servers.every(({ asked }) => !asked))
  expect(scene.blocks.newest()).toEqual([])
  second!.list = first!.list
  scene.leap = 2_000
  await until(() => second!.asked > 1)
  expect(() => scene.blocks.newest()).toThrow('query is not allowed')
})

it('a block is signed when enough servers list it or one that follows it', async () => {
  const scene = await createScene(3, 2)
  const [first, second, third] = scene.servers
  for (const server of scene.servers) server.list = only()
  await scene.hold(true)
  const [early, late] = [await scene.send(), await scene.send()]
  first!.list = only(early)
  await until(() => first!.asked > 2)
  expect(scene.signed()).toEqual([])
  second!.list = only(late)
  await until(() => scene.signed().length === 1)
  expect(scene.signed()).toEqual([blockText(early)])
  third!.list = only(late)
  await until(() => scene.signed().length === 2)
  expect(scene.signed()).toEqual([blockText(early), blockText(late)])
})

it('of two blocks with one seqno the first is signed, and is taken back when the masterchain names the other', async () => {
  const scene = await createScene(2)
  scene.isReverted = false
  const [first, second] = scene.servers
  const mark = await scene.local.control.snapshot(signal)
  await scene.hold(true)
  const one = await scene.send(1n)
  const next = await scene.send(1n)
  for (const id of [one, next]) first!.own.set(hexOf(id), (await scene.local.query('getBlock', { id }, signal)).data)
  first!.list = only(next)
  second!.list = only()
  await until(() => scene.signed().length === 2)
  await scene.local.control.revert(mark, signal)
  scene.rewind()
  const other = await scene.send(2n)
  expect([other.seqno, sameBlock(other, one)]).toEqual([one.seqno, false])
  second!.list = only(other)
  await until(() => second!.asked > 3)
  expect(scene.signed()).toEqual([one, next].map(blockText))
  await scene.hold(false)
  await until(() => scene.lost().length === 2)
  expect([scene.lost(), scene.named()]).toEqual([[one, next].map(blockText), []])
})

it('a block that no head names is taken back within a minute, and is not signed again', async () => {
  const scene = await createScene(1)
  await scene.hold(true)
  await scene.send()
  await until(() => scene.signed().length === 1)
  scene.leap = 46_000
  await until(() => scene.lost().length === 1)
  const { asked } = scene.servers[0]!
  await until(() => scene.servers[0]!.asked > asked + 3)
  expect([scene.signed().length, scene.blocks.newest()]).toEqual([1, []])
})

it('a block that is not listed any more and that no head names is taken back after some seconds', async () => {
  const scene = await createScene(1)
  await scene.hold(true)
  await scene.send()
  await until(() => scene.signed().length === 1)
  scene.servers[0]!.list = only()
  await until(() => scene.servers[0]!.asked > 3)
  expect(scene.lost()).toEqual([])
  scene.leap = 4_000
  await until(() => scene.lost().length === 1)
})

it('lies are not believed: other bytes, another seqno, a parent that it cannot have, a parent that nobody has, a block beside the named one', async () => {
  const scene = await createScene(2)
  const [liar, honest] = scene.servers
  for (const server of scene.servers) server.list = only()
  await scene.send()
  await scene.hold(true)
  const block = await scene.read(await scene.send())
  const child = await scene.read(await scene.send())
  const [prev] = child.info.prev
  const early = forged(child, { startLt: block.info.startLt })
  const orphan = forged(child, { prev: [{ ...prev!, rootHash: new Uint8Array(32), fileHash: new Uint8Array(32) }] })
  const beside = forged(block, { seqno: block.info.seqno - 1, prev: [{ ...block.info.prev[0]!, seqno: block.info.seqno - 2 }] })
  for (const { id, data } of [early, orphan, beside, { id: child.id, data: serializeBoc(child.root) }]) liar!.own.set(hexOf(id), data)
  const cases: readonly (readonly [() => Promise<List>, string | null])[] = [
    [only({ ...child.id, seqno: child.id.seqno + 1 }), 'the header is of'],
    [only(early.id), 'does not follow'],
    [only(orphan.id), 'not in db'],
    [only(beside.id), null],
  ]
  for (const [list, reason] of cases) {
    liar!.list = list
    scene.leap += 61_000
    await scene.blocks.poll()
    const [figures] = scene.blocks.figures().servers
    expect(figures!.reason ?? '').toContain(reason ?? '')
    expect(figures!.asked).toBe(reason === null)
  }
  liar!.own.set(hexOf(child.id), Buffer.from('no block'))
  liar!.list = only(child.id)
  scene.leap += 61_000
  await scene.blocks.poll()
  expect(scene.blocks.figures().servers[0]!.reason).toContain('file hash')
  expect(scene.signed()).toEqual([])
  honest!.list = (truth) => truth()
  await until(() => scene.signed().length === 2)
  expect(scene.signed()).toEqual([block.id, child.id].map(blockText))
})

it('a server that does not answer does not hold the others back', async () => {
  const scene = await createScene(2)
  scene.servers[0]!.list = () => new Promise(() => {})
  await scene.hold(true)
  await scene.send()
  await until(() => scene.signed().length === 1)
  await scene.hold(false)
  await until(() => scene.named().length === 1)
})

it('blocks are followed over splits and merges, and at most 20 of them', async () => {
  const idOf = (shard: bigint, seqno: number): BlockId => {
    const hash = new Uint8Array(32).fill(seqno)
    hash[0] = Number(shard >> 56n)
    return { workchain: 0, shard, seqno, rootHash: hash, fileHash: hash }
  }
  const [left, right] = [0x4000000000000000n, 0xc000000000000000n]
  const known = new Map<string, SourceBlock>()
  const put = (id: BlockId, prev: readonly BlockId[], flags: Partial<BlockInfo> = {}): BlockId => {
    const lt = BigInt(id.seqno)
    const info = { startLt: lt, endLt: lt, genUtime: 1, beforeSplit: false, afterSplit: false, ...flags }
    known.set(blockText(id), { id, prev, info, globalId: -3 } as unknown as SourceBlock)
    return id
  }
  const read = async (id: BlockId): Promise<SourceBlock> => known.get(blockText(id))!
  const top = idOf(WHOLE_SHARD, 1)
  const last = put(idOf(WHOLE_SHARD, 2), [top], { beforeSplit: true })
  const halves = [left, right].map((shard) => put(idOf(shard, 3), [last], { afterSplit: true }))
  const merged = put(idOf(WHOLE_SHARD, 4), halves)
  const found = await readBack(merged, [top], read)
  expect(found.map(({ id }) => blockText(id))).toEqual([last, ...halves, merged].map(blockText))
  await expect(readBack(put(idOf(left, 3), [last]), [top], read)).rejects.toThrow('which it names')
  let end = top
  for (let seqno = 2; seqno <= 22; seqno++) end = put(idOf(WHOLE_SHARD, seqno), [end])
  await expect(readBack(end, [top], read)).rejects.toThrow('over 20 blocks lie between')
  expect(await readBack(end, [idOf(WHOLE_SHARD, 2)], read)).toHaveLength(20)
  await expect(readBack(end, [idOf(left, 22), idOf(right, 5)], read)).rejects.toThrow('does not lead to a block that the masterchain names')
})
