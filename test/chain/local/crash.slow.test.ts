import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { tolkForEsbuild } from '../../../server/build/tolk.mjs'
import { parseBocRoot } from '../../../server/cell/boc.ts'
import { applyUpdate } from '../../../server/cell/merkle.ts'
import { openChainStore } from '../../../server/chain/local/store/chain-store.ts'
import { loadAccount } from '../../../server/tlb/state/account.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { ownWallet, seqnoOf } from '../../kit/chain/own-wallet.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'
import { createRandom, seed } from '../../kit/random.ts'

const random = createRandom(seed)

/* A chain under load is killed at random moments and started again on the same directory, over and over. */

const ROUNDS = Number(process.env['TONWAY_CRASH_ROUNDS'] ?? 4)
const WALLETS = 10
const dataDir = mkdtempSync(join(tmpdir(), 'tonway-test-'))
/** Below the project, where its packages are found. */
const programs = fileURLToPath(new URL(`../../../dist/crash-${process.pid}`, import.meta.url))
const tvm = createTestTvm({ workers: 1 })
const children = new Set<ChildProcess>()
const { signal } = new AbortController()

beforeAll(async () => {
  const source = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
  await build({
    entryPoints: { 'test/child': source('test/kit/chain/crash-child.ts'), 'server/tvm/worker': source('server/tvm/worker.ts') },
    outdir: programs,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    packages: 'external',
    plugins: [tolkForEsbuild],
  })
})
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await tvm.close()
  for (const path of [dataDir, programs]) rmSync(path, { recursive: true, force: true })
})

/** Runs the program, kills it a moment after it has said `lines` lines, and gives what it said. */
const round = (lines: number, ms: number): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(programs, 'test/child.js'), dataDir, `${WALLETS}`], { stdio: ['ignore', 'pipe', 'pipe'] })
    children.add(child)
    let said = ''
    let complaints = ''
    let left = lines
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk
      const before = left
      left -= chunk.filter((byte) => byte === 10).length
      if (before > 0 && left <= 0) setTimeout(() => child.kill('SIGKILL'), ms)
    })
    child.stderr.on('data', (chunk) => {
      complaints += chunk
    })
    child.on('close', (code, by) => {
      children.delete(child)
      // A line without its end was not told.
      if (by === 'SIGKILL') resolve(said.split('\n').slice(0, -1))
      else reject(new Error(`the chain ended by itself with ${code}: ${complaints}`))
    })
  })

it(`no acknowledged message is lost and no told block is taken back over ${ROUNDS} kills`, { timeout: 180_000 }, async () => {
  const acknowledged = new Map<number, number>()
  const heads = new Map<number, string>()
  let highest = 0
  for (let i = 0; i < ROUNDS; i++) {
    const before = highest
    const lines = await round(1 + random.below(60), random.below(30))
    for (const line of lines) {
      const [what, a, b] = line.split(' ')
      if (what === 'ack') acknowledged.set(Number(a), Math.max(acknowledged.get(Number(a)) ?? -1, Number(b)))
      else {
        const seqno = Number(a)
        // A block that was told once is never told otherwise.
        expect([seqno, heads.get(seqno) ?? b]).toEqual([seqno, b])
        heads.set(seqno, b!)
        highest = Math.max(highest, seqno)
      }
    }
    expect(Number(lines.find((line) => line.startsWith('head '))?.split(' ')[1])).toBeGreaterThanOrEqual(before)
  }
  expect(acknowledged.size).toBe(WALLETS)
  // It was under load: messages went into blocks between the kills.
  expect(Math.max(...acknowledged.values())).toBeGreaterThan(ROUNDS / 5)

  // Started once more: what was acknowledged before the last kill goes into blocks.
  const chain = await createTestChain(tvm, { dataDir }, { clock: { now: () => Math.floor(Date.now() / 1000) } })
  const { seqno: head } = await chain.control.mine(2, signal)
  expect(head).toBeGreaterThan(highest)
  const { last } = await chain.query('getMasterchainInfo', {}, signal)
  for (const [index, seqno] of acknowledged) {
    const { state } = await chain.query('getAccountState', { id: last, account: ownWallet(index).id }, signal)
    const account = loadAccount(parseBocRoot(state))
    const data = account?.state.type === 'active' ? account.state.init.data : undefined
    expect([index, seqnoOf(data!) > seqno]).toEqual([index, true])
  }
  await chain.close()

  // Every state is what the blocks make of the one before.
  const store = await openChainStore({ log: join(dataDir, 'chain.log'), index: join(dataDir, 'chain.idx') }, () => {
    throw new Error('the genesis is gone')
  })
  for (const zero of store.zeroIds) {
    let derived = parseBocRoot(store.zeroStateBoc(zero.workchain))
    for (let seqno = 1; seqno <= head; seqno++) {
      const id = (await store.idBySeqno(zero.workchain, seqno))!
      const block = (await store.block(id))!
      derived = applyUpdate(derived, block.root.ref(2))
      expect((await store.state(id))!.equals(derived)).toBe(true)
      if (zero.workchain === -1 && heads.has(seqno)) expect(Buffer.from(id.rootHash).toString('hex')).toBe(heads.get(seqno))
    }
  }
  store.close()
})
