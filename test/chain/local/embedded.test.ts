import { createHash, createPublicKey, verify } from 'node:crypto'
import { Cell as CoreCell, Dictionary, loadAccount as loadCoreAccount } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endSteps } from '../../../server/base/yield.ts'
import { augGet, augRootExtra } from '../../../server/cell/aug.ts'
import { parseBoc, parseBocRoot, serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import { dictSet } from '../../../server/cell/dict.ts'
import { openProof } from '../../../server/cell/merkle.ts'
import { createChain } from '../../../server/chain/chain.ts'
import type { Chain } from '../../../server/chain/chain-port.ts'
import type { BlockLink } from '../../../server/chain/liteserver.ts'
import type { LocalChain } from '../../../server/chain/local/local-chain.ts'
import { checkConfig, FROM_KEY_BLOCK } from '../../../server/chain/proofs/config.ts'
import { checkHeader } from '../../../server/chain/proofs/header.ts'
import { checkBlockProof } from '../../../server/chain/proofs/links.ts'
import { oldBlockIn } from '../../../server/chain/proofs/old-blocks.ts'
import { masterExtraOf } from '../../../server/chain/proofs/shards.ts'
import { signingSetOf } from '../../../server/chain/proofs/signing-set.ts'
import { loadBlockExtra } from '../../../server/tlb/block/block.ts'
import { loadMcBlockExtra } from '../../../server/tlb/block/mc-block-extra.ts'
import { shardEntries } from '../../../server/tlb/block/shard-hashes.ts'
import { loadValueFlow } from '../../../server/tlb/block/value-flow.ts'
import { configParams, loadParam } from '../../../server/tlb/config/config-dictionary.ts'
import { catchainConfig } from '../../../server/tlb/config/consensus.ts'
import { configVersion } from '../../../server/tlb/config/general.ts'
import { loadValidatorSet } from '../../../server/tlb/config/validator-set.ts'
import { type AccountId, type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../../server/tlb/ids.ts'
import { oldMcBlocksAug } from '../../../server/tlb/state/old-mc-blocks.ts'
import { loadVmStack, storeVmStack } from '../../../server/tlb/vm-stack/vm-stack.ts'
import { checkKeyBlockConfig, configParamIn } from '../../kit/chain/config-proofs.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { type Lie, lying, readOnce } from '../kit.ts'

const { signal } = new AbortController()
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')
const account = (workchain: number, digit: string): AccountId => ({
  workchain,
  hash: Uint8Array.from(Buffer.from(digit.repeat(64), 'hex')),
})
const RICH = account(0, 'a')
const NOBODY = account(0, 'b')
const METHOD = account(0, 'c')
const BY_LIBRARY = account(0, 'd')
const PUBLISHER = account(MASTERCHAIN, 'e')
const LAST = 260

/** Code without a selector: pushes the number and stops. */
const pushing = (value: number): Cell => beginCell().storeUint(0x80, 8).storeInt(value, 8).end()
const libraryCell = (code: Cell): Cell => beginCell().storeUint(2, 8).storeBytes(code.hash()).endExotic()
/** DROP of the method's number, then PREVBLOCKSINFOTUPLE. */
const prevBlocksCode = beginCell().storeUint(0x30, 8).storeUint(0xf82d, 16).end()

const BLESSED = account(0, 'f')
/** DROP, then runs the contract's data as code: c4 PUSH, CTOS, BLESS, EXECUTE. */
const blessingCode = beginCell().storeUint(0x30, 8).storeUint(0xed44, 16).storeUint(0xd0, 8).storeUint(0xed1e, 16).storeUint(0xd8, 8).end()
/** PREVBLOCKSINFOTUPLE, FIRST. */
const blessedData = beginCell().storeUint(0xf82d, 16).storeUint(0x6f10, 16).end()

/** A configuration parameter of its own, of some cells. */
const LARGE_PARAM = 101
const largeParam = Array.from({ length: 20 }).reduce<Cell>(
  (rest, _, i) => beginCell().storeUint(i, 32).storeRef(rest).end(),
  beginCell().end(),
)
/** DROP, then the hash of a configuration parameter: CONFIGPARAM, DROP, HASHCU. */
const hashingCode = beginCell()
  .storeUint(0x3080, 16)
  .storeUint(LARGE_PARAM, 8)
  .storeUint(0xf832, 16)
  .storeUint(0x30, 8)
  .storeUint(0xf900, 16)
  .end()
const HASHING = account(0, '1')

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
let local: LocalChain
let chain: Chain
let zero: BlockId
const masterAt = (seqno: number): Promise<BlockId> => chain.pin(seqno, signal)
const keySeqnos: number[] = []
const mineTo = async (seqno: number): Promise<void> => {
  const missing = seqno - chain.head().id.seqno
  if (missing > 0) await local.control.mine(missing, signal)
}

beforeAll(async () => {
  local = await createTestChain(tvm)
  chain = createChain({ source: local, tvm })
  zero = { ...(await chain.masterchainInfo(signal)).init, shard: WHOLE_SHARD, seqno: 0 }
  await local.control.fund(RICH, 5_000_000_000n, signal)
  await local.control.setAccount(METHOD, { balance: 10n ** 9n, code: prevBlocksCode, data: beginCell().end() }, signal)
  await local.control.setAccount(BLESSED, { balance: 10n ** 9n, code: blessingCode, data: blessedData }, signal)
  const code = pushing(77)
  const published = (root: Cell | undefined, each: Cell): Cell =>
    dictSet(root, 256, BigInt(`0x${each.hashHex()}`), beginCell().storeBit(1).storeRef(each))
  const library = published(published(undefined, code), hashingCode)
  await local.control.setAccount(PUBLISHER, { balance: 10n ** 9n, code: pushing(1), data: beginCell().end(), library }, signal)
  await local.control.setAccount(BY_LIBRARY, { balance: 10n ** 9n, code: libraryCell(code), data: beginCell().end() }, signal)
  await local.control.setAccount(HASHING, { balance: 10n ** 9n, code: libraryCell(hashingCode), data: beginCell().end() }, signal)
  // A few key blocks on the way.
  for (const seqno of [20, 21, 140]) {
    await mineTo(seqno - 1)
    await local.control.setConfig(
      new Map([
        [100, beginCell().storeUint(seqno, 32).end()],
        [LARGE_PARAM, largeParam],
      ]),
      signal,
    )
  }
  await mineTo(LAST)
  for (let seqno = 1; seqno <= LAST; seqno += 1)
    if ((await chain.blockHeader(await masterAt(seqno), signal)).info.keyBlock) keySeqnos.push(seqno)
})
afterAll(async () => {
  await local.close()
  await tvm.close()
})

describe('what other tools check of a chain (design.md section 6)', () => {
  it('the zerostate has the announced hashes, and block 1 is a key block with the configuration', async () => {
    const state = await local.query('getState', { id: zero }, signal)
    expect(hex(createHash('sha256').update(state.data).digest())).toBe(hex(zero.fileHash))
    expect(parseBocRoot(state.data).hashHex()).toBe(hex(zero.rootHash))
    const { info, prevBlocks } = await chain.blockHeader(await masterAt(1), signal)
    expect([info.keyBlock, prevBlocks]).toEqual([true, [zero]])
    expect(keySeqnos.slice(0, 1)).toEqual([1])
  })

  it('every key block has parameters 8, 28 and 34 (as validators_ext)', async () => {
    expect(keySeqnos).toEqual(expect.arrayContaining([1, 20, 21, 140]))
    for (const seqno of keySeqnos) {
      const { root } = await configOfKeyBlock(seqno)
      expect(configVersion(root).version).toBeGreaterThan(0)
      expect(loadParam(root, 28, catchainConfig)).toBeDefined()
      const set = loadValidatorSet(configParamIn(root, 34)!)
      expect([set.ext, set.total, set.main]).toEqual([true, 1, 1])
    }
  })

  it('header and signature set have the same catchain seqno and validator hash, and root and file hash are signed', async () => {
    for (const seqno of [1, 2, 20, 21, 22, 140, LAST]) {
      const { id, signatures } = await chain.signatures(seqno, signal)
      const { info } = await chain.blockHeader(id, signal)
      expect([signatures.catchainSeqno, signatures.validatorSetHash >>> 0]).toEqual([
        info.genCatchainSeqno,
        info.genValidatorListHashShort >>> 0,
      ])
      const set = signingSetOf((await chain.config(id, signal)).root, info.genCatchainSeqno)
      const message = Buffer.concat([Buffer.from('706e0bc5', 'hex'), id.rootHash, id.fileHash])
      const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), set.members[0]!.publicKey])
      const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
      expect(signatures.signatures.map(({ signature }) => verify(null, message, key, signature))).toEqual([true])
    }
  })

  it('file hashes are those of the files, for blocks of both chains', async () => {
    for (const seqno of [1, 2, LAST]) {
      const master = await masterAt(seqno)
      const [top] = await chain.shards(master, signal)
      for (const id of [master, top!.id]) {
        const { data } = await local.query('getBlock', { id }, signal)
        expect(hex(createHash('sha256').update(data).digest())).toBe(hex(id.fileHash))
        expect(CoreCell.fromBoc(Buffer.from(data))[0]!.hash().toString('hex')).toBe(hex(id.rootHash))
      }
    }
  })

  it('OldMcBlocksInfo lists all earlier blocks, entry 0 included, with the largest end_lt and the key flags', async () => {
    const { state } = await stateOfHead(128)
    const extra = masterExtraOf(state)
    expect(oldBlockIn(extra.prevBlocks, 0)).toMatchObject({ id: zero, key: true })
    for (let seqno = LAST - 1; seqno > LAST - 16; seqno -= 1) {
      const { info } = await chain.blockHeader(await masterAt(seqno), signal)
      expect(oldBlockIn(extra.prevBlocks, seqno)).toEqual({ id: await masterAt(seqno), key: keySeqnos.includes(seqno), endLt: info.endLt })
    }
    const { info } = await chain.blockHeader(await masterAt(LAST - 1), signal)
    expect(augRootExtra(oldMcBlocksAug, extra.prevBlocks)).toEqual({ key: true, maxEndLt: info.endLt })
    expect(extra.lastKeyBlock).toMatchObject({ seqno: keySeqnos.at(-1) })
  })

  it('getConfigAll honours its mode bits: what is asked for is in the proof, and the rest is pruned', async () => {
    const has = (seqno: number, prev: Cell | undefined): boolean => {
      try {
        return augGet(oldMcBlocksAug, prev, BigInt(seqno)) !== undefined
      } catch {
        return false
      }
    }
    const wanted = [...Array.from({ length: 15 }, (_, i) => LAST - 1 - i), 200, 100, 0]
    const withPrev = masterExtraOf((await stateOfHead(128)).state)
    expect(wanted.filter((seqno) => !has(seqno, withPrev.prevBlocks))).toEqual([])
    expect([150, 60, 30].filter((seqno) => has(seqno, withPrev.prevBlocks))).toEqual([])
    const without = masterExtraOf((await stateOfHead(0)).state)
    expect(wanted.filter((seqno) => has(seqno, without.prevBlocks))).toEqual([])
    const params = async (mode: number): Promise<number[]> => {
      const answer = await local.query('getConfigParams', { mode, id: await masterAt(LAST), params: [] }, signal)
      const { root } = endSteps(checkConfig(answer, await masterAt(LAST)))
      return [8, 12, 31, 34].filter((param) => isThere(root, param))
    }
    expect([await params(16), await params(32), await params(256), await params(512)]).toEqual([[34], [31], [12], [8]])
    const all = await local.query('getConfigAll', { mode: 0, id: await masterAt(LAST) }, signal)
    const { root } = endSteps(checkConfig(all, await masterAt(LAST)))
    expect([...configParams(root)].length).toBeGreaterThan(15)
    expect(root.level).toBe(0)
  })

  it('the configuration is taken from the previous key block if the mode says so', async () => {
    for (const [asked, key] of [
      [19, 1],
      [20, 20],
      [139, 21],
      [LAST, 140],
    ] as const) {
      const answer = await local.query('getConfigAll', { mode: FROM_KEY_BLOCK, id: await masterAt(asked) }, signal)
      expect([answer.id, answer.stateProof.length]).toEqual([await masterAt(key), 0])
      const { root, header } = checkKeyBlockConfig(answer)
      expect(header.info.keyBlock).toBe(true)
      expect(configParamIn(root, 100)?.slice().loadUint(32)).toBe(key === 1 ? undefined : key)
    }
  })

  it('accounts and shards are proven with two roots, and the masterchain without a shard', async () => {
    const head = await masterAt(LAST)
    const answer = await local.query('getAccountState', { id: head, account: RICH }, signal)
    for (const proof of [answer.proof, answer.shardProof]) {
      const roots = parseBoc(proof)
      expect(roots.map((root) => root.type)).toEqual(['merkle-proof', 'merkle-proof'])
      expect(roots.map((root) => openProof(root).slice().preloadUint(32))).toEqual([0x11ef55aa, 0x9023afe2])
      // @ton/core checks the hashes and depths of every Merkle proof it reads.
      expect(CoreCell.fromBoc(Buffer.from(proof)).length).toBe(2)
    }
    const master = await local.query('getAccountState', { id: head, account: PUBLISHER }, signal)
    expect([master.shardProof.length, master.shardBlock]).toEqual([0, head])
    expect((await chain.account(PUBLISHER, undefined, signal)).status).toBe('active')
  })

  it('DepthBalanceInfo equals the balances, of the account and of all accounts together', async () => {
    // chain.account refuses where the two differ; the sum is checked here.
    expect((await chain.account(RICH, undefined, signal)).balance.grams).toBe(5_000_000_000n)
    const head = await masterAt(LAST)
    for (const id of [head, (await chain.shards(head, signal))[0]!.id]) {
      const { data } = await local.query('getState', { id }, signal)
      const accounts = CoreCell.fromBoc(Buffer.from(data))[0]!.refs[1]!
      const total = accounts.beginParse().skip(1)
      total.skip(5)
      const sum = total.loadCoins()
      const balances = Dictionary.load(Dictionary.Keys.BigUint(256), { serialize: () => undefined, parse: balanceOf }, accounts)
      expect([...balances.values()].reduce((a, b) => a + b, 0n)).toBe(sum)
    }
  })

  it('runSmcMethod answers with proofs, state proof and result, -256 without code, 651 for an unknown block', async () => {
    const id = await masterAt(LAST)
    const run = (of: AccountId, mode: number) =>
      local.query('runSmcMethod', { mode, id, account: of, methodId: 1, params: new Uint8Array(0) }, signal)
    const full = await run(PUBLISHER, 7)
    expect([full.exitCode, full.mode, full.id, full.shardProof?.length]).toEqual([0, 7, id, 0])
    expect(loadVmStack(parseBocRoot(full.result!)).at(-1)).toEqual({ type: 'int', value: 1n })
    const state = openProof(parseBocRoot(full.stateProof!))
    expect(hex(state.hash(0))).toBe(
      parseBocRoot((await local.query('getAccountState', { id, account: PUBLISHER }, signal)).state).hashHex(),
    )
    const bare = await run(PUBLISHER, 0)
    expect([bare.proof, bare.shardProof, bare.stateProof, bare.result, bare.initC7]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    const c7 = loadVmStack(dropDepth((await run(PUBLISHER, 8)).initC7!))
    expect(c7).toMatchObject([{ type: 'tuple', items: [{ type: 'tuple', items: { length: 10 } }] }])
    expect((await run(NOBODY, 7)).exitCode).toBe(-256)
    expect((await run(RICH, 7)).exitCode).toBe(-256)
    await expect(run(RICH, 64)).rejects.toMatchObject({ code: -400, message: 'unsupported mode in runSmcMethod' })
    const params = serializeBoc(beginCell().storeUint(1, 24).end())
    await expect(local.query('runSmcMethod', { mode: 4, id, account: PUBLISHER, methodId: 1, params }, signal)).rejects.toMatchObject({
      message: expect.stringMatching(/^the stack cannot be read: /),
    })
    const unknown = { ...id, rootHash: new Uint8Array(32) }
    for (const query of [
      local.query('getBlock', { id: unknown }, signal),
      local.query('getAccountState', { id: unknown, account: RICH }, signal),
      local.query('getBlockHeader', { id: { ...id, seqno: 100_000 }, mode: 0 }, signal),
      local.query('getAllShardsInfo', { id: unknown }, signal),
      local.query('lookupBlock', { id: { ...id, seqno: 100_000 }, by: { seqno: true } }, signal),
    ]) {
      await expect(query).rejects.toMatchObject({ code: 651, message: expect.stringMatching(/not in db/) })
    }
  })

  it('valid links lead clients from any known block to any other', async () => {
    const walk = async (from: BlockId, target: BlockId | undefined, mode?: number): Promise<readonly BlockLink[]> => {
      const args = { from, ...(target === undefined ? {} : { target }), ...(mode === undefined ? {} : { mode }) }
      const answer = await local.query('getBlockProof', args, signal)
      endSteps(checkBlockProof(answer, from, target))
      expect(answer.complete).toBe(true)
      return answer.steps
    }
    const shape = (steps: readonly BlockLink[]) =>
      steps.map(({ type, from, to }) => `${from.seqno}${type === 'forward' ? '>' : '<'}${to.seqno}`)
    const head = await masterAt(LAST)
    const keys = keySeqnos
    const forwardKeys = keys.map((seqno, i) => `${keys[i - 1] ?? 0}>${seqno}`)
    expect(shape(await walk(zero, undefined))).toEqual([...forwardKeys, `${keys.at(-1)}>${LAST}`])
    expect(shape(await walk(await masterAt(150), head))).toEqual([`150<${keys.at(-1)}`, `${keys.at(-1)}>${LAST}`])
    expect(shape(await walk(head, await masterAt(30)))).toEqual([`${LAST}<30`])
    expect(shape(await walk(head, zero))).toEqual([`${LAST}<0`])
    expect(shape(await walk(head, head))).toEqual([])
    // From key block 21 to 30 as seen from the head: over the next key block and back; as seen from 30 itself: straight.
    expect(shape(await walk(await masterAt(21), await masterAt(30)))).toEqual(['21>140', '140<30'])
    expect(shape(await walk(await masterAt(21), await masterAt(30), 0x1000))).toEqual(['21>30'])
    await expect(walk({ ...head, rootHash: zero.rootHash }, undefined)).rejects.toMatchObject({
      message: expect.stringMatching(/is unknown from the perspective of/),
    })
  })

  it('headers show as much of the block as the mode asks for', async () => {
    const id = await masterAt(LAST)
    const parts = async (mode: number): Promise<boolean[]> => {
      const { headerProof } = await local.query('getBlockHeader', { id, mode }, signal)
      const { block } = checkHeader(headerProof, id)
      const extra = () => loadMcBlockExtra(loadBlockExtra(block.extra).custom!)
      return [
        readable(() => loadValueFlow(block.valueFlow)),
        readable(extra),
        readable(() => [...shardEntries(extra().shardHashes)]),
        readable(() => extra().prevBlkSignatures),
      ]
    }
    expect(await parts(0)).toEqual([false, false, false, false])
    expect(await parts(2)).toEqual([true, false, false, false])
    expect((await parts(16)).slice(0, 2)).toEqual([false, true])
    expect((await parts(16 + 32)).slice(1, 3)).toEqual([true, true])
    expect(await parts(2 + 16 + 32 + 64)).toEqual([true, true, true, true])
  })
})

describe('reads of the embedded chain', () => {
  it('a method whose code is a public library runs, and the library is fetched with its proof', async () => {
    const answer = await chain.runGetMethod(BY_LIBRARY, 1, [], undefined, signal)
    expect([answer.exitCode, answer.stack.at(-1)]).toEqual([0, { type: 'int', value: 77n }])
    const [library] = await chain.libraries([pushing(77).hash(), pushing(78).hash()], signal)
    expect(library?.code.hashHex()).toBe(pushing(77).hashHex())
    const before = await chain.runGetMethod(BY_LIBRARY, 1, [], 2, signal)
    expect(before.exitCode).toBe(-13)
  })

  it('code that is a library runs again and again, and reads the configuration', async () => {
    const run = async (id: AccountId) => {
      const answer = await chain.runGetMethod(id, 1, [], undefined, signal)
      expect(answer.exitCode).toBe(0)
      return answer.stack.at(-1)
    }
    await run(BY_LIBRARY)
    expect(await run(BY_LIBRARY)).toEqual({ type: 'int', value: 77n })
    for (let i = 0; i < 2; i++) {
      expect(await run(HASHING)).toEqual({ type: 'int', value: BigInt(`0x${largeParam.hashHex()}`) })
    }
  })

  it('code that reads PREVBLOCKSINFO gets it, as at the lite-server', async () => {
    const own = await chain.runGetMethod(METHOD, 1, [], undefined, signal)
    expect(own.exitCode).toBe(0)
    const [tuple] = own.stack
    const blocks = (seqnos: number[]) =>
      seqnos.map((seqno) => ({ items: [{ value: -1n }, { value: WHOLE_SHARD }, { value: BigInt(seqno) }, {}, {}] }))
    expect(tuple).toMatchObject({
      type: 'tuple',
      items: [
        { items: blocks(Array.from({ length: 16 }, (_, i) => LAST - i)) },
        blocks([keySeqnos.at(-1)!])[0],
        { items: blocks([200, 100, 0]) },
      ],
    })
    const id = await masterAt(LAST)
    const theirs = await local.query('runSmcMethod', { mode: 4, id, account: METHOD, methodId: 1, params: new Uint8Array(0) }, signal)
    expect(parseBocRoot(theirs.result!).hashHex()).toBe(storeVmStack(own.stack).hashHex())
  })

  it('PREVBLOCKSINFO is given also to code inside data', async () => {
    const answer = await chain.runGetMethod(BLESSED, 1, [], undefined, signal)
    expect([answer.exitCode, answer.stack]).toMatchObject([0, [{ type: 'tuple', items: { length: 16 } }]])
  })

  it('a configuration is fetched once, and each block is only asked whether it changed', async () => {
    const asked: string[] = []
    const source: LocalChain = {
      ...local,
      query: (fn, args, stop) => {
        asked.push(fn)
        return local.query(fn, args, stop)
      },
    }
    const own = createChain({ source, tvm })
    const run = async (at: number): Promise<string[]> => {
      asked.length = 0
      expect((await own.runGetMethod(PUBLISHER, 1, [], await own.pin(at, signal), signal)).exitCode).toBe(0)
      return asked.filter((fn) => fn !== 'lookupBlockWithProof')
    }
    expect(await run(100)).toEqual(['getAccountState', 'getConfigParams', 'getConfigAll'])
    expect(await run(100)).toEqual([])
    expect(await run(101)).toEqual(['getAccountState', 'getConfigParams'])
    expect(await run(200)).toEqual(['getAccountState', 'getConfigParams', 'getConfigAll'])
    expect(await run(102)).toEqual(['getAccountState', 'getConfigParams'])
  })

  it('wrong libraries and queue sizes are refused', async () => {
    const [known, unknown] = [pushing(77), pushing(78)]
    const libraries = (own: Chain) => own.libraries([known.hash(), unknown.hash()], signal)
    const told = (change: Lie, read: (own: Chain) => Promise<unknown>) => readOnce(lying(local, change), read)
    const onLibraries =
      (result: { hash: Uint8Array; data: Uint8Array }[]): Lie =>
      (fn, answer) =>
        fn === 'getLibrariesWithProof' ? { ...answer, result } : answer
    const entry = (cell: Cell, as = cell) => ({ hash: as.hash(), data: serializeBoc(cell) })
    expect((await told(onLibraries([entry(known)]), libraries)) as unknown[]).toHaveLength(1)
    await expect(told(onLibraries([]), libraries)).rejects.toMatchObject({ message: expect.stringMatching(/is public, unlike the answer/) })
    await expect(told(onLibraries([entry(unknown, known)]), libraries)).rejects.toMatchObject({
      message: expect.stringMatching(/was sent as/),
    })
    await expect(told(onLibraries([entry(known), entry(unknown)]), libraries)).rejects.toMatchObject({
      message: expect.stringMatching(/is not public/),
    })
    await expect(told(onLibraries([entry(known), entry(known)]), libraries)).rejects.toMatchObject({
      message: expect.stringMatching(/was not asked for/),
    })
    const longer: Lie = (fn, answer) => (fn === 'getBlockOutMsgQueueSize' ? { ...answer, size: 1n } : answer)
    await expect(told(longer, (own) => own.outMsgQueueSizes(signal))).rejects.toMatchObject({
      message: expect.stringMatching(/outbound queue size: 1, but the state says 0/),
    })
  })

  it('queue sizes are told with proofs', async () => {
    const { shards, limit } = await chain.outMsgQueueSizes(signal)
    expect([shards.map(({ id, size }) => [id.workchain, size]), limit]).toEqual([
      [
        [-1, 0],
        [0, 0],
      ],
      8000,
    ])
  })

  it('an account can be read in any historical block', async () => {
    expect((await chain.account(RICH, 1, signal)).balance.grams).toBe(0n)
    expect((await chain.account(RICH, 2, signal)).balance.grams).toBe(5_000_000_000n)
    const state = await chain.account(RICH, undefined, signal)
    const parsed = loadCoreAccount(
      CoreCell.fromBoc(Buffer.from(serializeBoc(state.account!.root)))[0]!
        .beginParse()
        .skip(1),
    )
    expect(parsed.storage.balance.coins).toBe(5_000_000_000n)
    const { transactions } = await chain.transactions(RICH, { from: undefined, limit: 10, toLt: 0n }, signal)
    expect([transactions.length, transactions[0]!.transaction.lt]).toEqual([1, state.lastTransLt])
    const { block } = transactions[0]!
    const { transactions: inBlock } = await chain.blockTransactions(block, { count: 10, after: undefined }, signal)
    expect(inBlock.map(({ hash }) => hex(hash))).toContain(hex(transactions[0]!.hash))
    const one = await local.query('getOneTransaction', { id: block, account: RICH, lt: state.lastTransLt }, signal)
    expect(parseBocRoot(one.transaction).hashHex()).toBe(hex(transactions[0]!.hash))
  })

  it('reads see at once what the controls did, and nothing of what was undone', async () => {
    const snapshot = await local.control.snapshot(signal)
    await local.control.fund(NOBODY, 7n, signal)
    expect((await chain.account(NOBODY, undefined, signal)).balance.grams).toBe(7n)
    const undone = chain.head().id
    await local.control.revert(snapshot, signal)
    expect([(await chain.account(NOBODY, undefined, signal)).balance.grams, chain.head().id.seqno]).toEqual([0n, undone.seqno - 1])
    await local.control.fund(NOBODY, 9n, signal)
    expect(chain.head().id.seqno).toBe(undone.seqno)
    expect((await chain.account(NOBODY, undone.seqno, signal)).balance.grams).toBe(9n)
    await expect(chain.blockHeader(undone, signal)).rejects.toMatchObject({ kind: 'CHAIN', message: expect.stringMatching(/NOTREADY/) })
  })
})

it('proofs do not grow with the state', async () => {
  const sizes: number[] = []
  for (const count of [500, 8_000]) {
    const accounts = Array.from({ length: count }, (_, i) => ({
      account: { workchain: 0, hash: new Uint8Array(createHash('sha256').update(`account ${i}`).digest()) },
      balance: 10n ** 9n,
    }))
    const large = await createTestChain(tvm, { accounts })
    try {
      const { last } = await large.query('getMasterchainInfo', {}, signal)
      const answer = await large.query('getAccountState', { id: last, account: accounts[77]!.account }, signal)
      sizes.push(answer.proof.length + answer.shardProof.length)
    } finally {
      await large.close()
    }
  }
  expect(sizes[1]! / sizes[0]!).toBeLessThan(1.5)
})

async function stateOfHead(mode: number) {
  const id = await masterAt(LAST)
  return endSteps(checkConfig(await local.query('getConfigAll', { mode, id }, signal), id))
}

async function configOfKeyBlock(seqno: number) {
  const answer = await local.query('getConfigAll', { mode: FROM_KEY_BLOCK, id: await masterAt(seqno) }, signal)
  return checkKeyBlockConfig(answer)
}

function readable(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}

function isThere(root: Cell, param: number): boolean {
  return readable(() => configParamIn(root, param)!.slice())
}

function balanceOf(s: ReturnType<CoreCell['beginParse']>): bigint {
  s.skip(5)
  const listed = s.loadCoins()
  s.loadMaybeRef()
  const stored = s.loadRef().beginParse()
  expect(stored.loadBit()).toBe(true)
  expect(loadCoreAccount(stored).storage.balance.coins).toBe(listed)
  return listed
}

/* A lone VmStackValue as a stack of one. */
function dropDepth(boc: Uint8Array): Cell {
  const value = parseBocRoot(boc)
  return beginCell().storeUint(1, 24).storeRef(beginCell().end()).storeCell(value).end()
}
