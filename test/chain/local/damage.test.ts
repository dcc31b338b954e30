import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chainFiles } from '../../../server/chain/local/store/lock-directory.ts'
import { openLogFile } from '../../../server/chain/local/store/log-file.ts'
import { recover } from '../../../server/chain/local/store/recover.ts'
import { checkLog } from '../../../server/chain/local/store/repair.ts'
import { openStepIndex } from '../../../server/chain/local/store/step-index.ts'
import { repair } from '../../../server/cli/repair.ts'
import type { Tvm } from '../../../server/tvm/tvm.ts'
import { configOf, runWith } from '../../cli/kit.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'

/* What a start makes of a chain.log that is not whole, and what `tonway repair` does with it. */

const BLOCKS = 30
const { signal } = new AbortController()
const root = mkdtempSync(join(tmpdir(), 'tonway-damage-'))
const whole = join(root, 'whole')
let tvm: Tvm
beforeAll(async () => {
  tvm = createTestTvm({ workers: 1 })
  const chain = await createTestChain(tvm, { dataDir: whole })
  await chain.control.mine(BLOCKS - 1, signal)
  await chain.close()
})
afterAll(async () => {
  rmSync(root, { recursive: true, force: true })
  await tvm?.close()
})

let copies = 0
/** A copy of the whole directory. */
const copy = (): string => {
  const path = join(root, `copy-${copies++}`)
  mkdirSync(path)
  for (const file of [chainFiles(whole).log, chainFiles(whole).index]) copyFileSync(file, join(path, file.slice(whole.length + 1)))
  return path
}
const flip = (path: string, at: number): void => {
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(path, bytes)
}
/** Starts on a directory: the head's seqno, or what the start said; and what was logged. */
const start = async (dataDir: string) => {
  const logged: [string, object | undefined][] = []
  const log = { debug() {}, info() {}, warn: (event: string, fields?: object) => void logged.push([event, fields]), error() {} }
  try {
    const chain = await createTestChain(tvm, { dataDir }, { log, clock: { now: () => 1_760_000_000 } })
    const seqno = chain.head?.().id.seqno
    await chain.close()
    return { seqno, logged }
  } catch (error) {
    return { error: (error as Error).message, logged }
  }
}
const say = async (...argv: readonly string[]) => {
  const config = configOf(...argv.filter((word) => word !== '--check'))
  const flags = argv.includes('--check') ? { check: '' } : {}
  const { code, out, err } = await runWith((streams) => repair({ config, flags }, streams))
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('damage before the end of chain.log', () => {
  it.each([0.3, 0.5, 0.9])('damage in chain.log before its end refuses the start and changes nothing (%f of the file)', async (part) => {
    const dataDir = copy()
    const { log, index } = chainFiles(dataDir)
    const at = Math.floor(statSync(log).size * part)
    flip(log, at)
    rmSync(index)
    const before = readFileSync(log)
    const { error } = await start(dataDir)
    expect(error).toMatch(/chain\.log is damaged at byte \d+ \(blocks up to \d+ are whole\)/)
    expect(error).toMatch(/tonway repair/)
    expect(readFileSync(log).equals(before)).toBe(true)

    const { seqno, end, rest } = await checkLog(log)
    expect(end).toBeLessThanOrEqual(at)
    expect(await say('--data-dir', dataDir, '--check')).toMatchObject({ code: 1, out: expect.stringMatching(/is damaged at byte/) })
    expect(readFileSync(log).equals(before)).toBe(true)
    expect(await say('--data-dir', dataDir)).toMatchObject({ code: 1, err: '' })
    const aside = readFileSync(`${log}.rest-${end}`)
    expect(Buffer.concat([readFileSync(log), aside]).equals(before)).toBe(true)
    expect(aside.length).toBe(rest)
    expect(await start(dataDir)).toEqual({ seqno, logged: [] })
    expect(await say('--data-dir', dataDir)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/blocks up to \d+ are whole \(\d+ records\)$/),
    })
  })

  it('a log with a damaged first record is not taken for a new chain', async () => {
    for (const at of [0, 9, 40]) {
      const dataDir = copy()
      const { log } = chainFiles(dataDir)
      flip(log, at)
      rmSync(chainFiles(dataDir).index)
      const { size } = statSync(log)
      expect((await start(dataDir)).error).toMatch(/damaged at byte 0 \(not even the genesis is whole\)/)
      expect(statSync(log).size).toBe(size)
      expect((await say('--data-dir', dataDir)).out).toMatch(/nothing of it is whole[\s\S]*the next start begins a new chain/)
      expect(statSync(`${log}.rest-0`).size).toBe(size)
    }
  })

  it('damage before the end of chain.log an empty log beside the index of a chain is not taken for a new chain', async () => {
    const dataDir = copy()
    truncateSync(chainFiles(dataDir).log, 0)
    for (let i = 0; i < 2; i++) expect((await start(dataDir)).error).toMatch(/has no genesis, though chain\.idx knows of 31 blocks/)
    expect(statSync(chainFiles(dataDir).log).size).toBe(0)
    expect(await say('--data-dir', dataDir)).toMatchObject({ code: 2, err: expect.stringMatching(/is empty/) })
    rmSync(chainFiles(dataDir).index)
    expect(await start(dataDir)).toMatchObject({ seqno: 1 })
  })

  it('damage before the end of chain.log whole records of another log behind it are not taken for blocks', async () => {
    const dataDir = copy()
    const { log } = chainFiles(dataDir)
    const once = readFileSync(log)
    writeFileSync(log, Buffer.concat([once, once]))
    expect((await start(dataDir)).error).toMatch(new RegExp(`damaged at byte ${once.length} \\(blocks up to ${BLOCKS} are whole\\)`))
    expect(await say('--data-dir', dataDir)).toMatchObject({ code: 1, err: '' })
    expect(readFileSync(log).equals(once)).toBe(true)
    expect(await start(dataDir)).toEqual({ seqno: BLOCKS, logged: [] })
  })

  it('a file that is no log is left alone', async () => {
    const dataDir = join(root, 'other')
    mkdirSync(dataDir)
    writeFileSync(chainFiles(dataDir).log, 'my notes')
    expect((await start(dataDir)).error).toMatch(/chain\.log is not the log of a chain/)
    expect(readFileSync(chainFiles(dataDir).log, 'utf8')).toBe('my notes')
  })
})

describe('a torn end of chain.log', () => {
  it('a torn end of chain.log is cut, and the log says how much', async () => {
    const dataDir = copy()
    const { log } = chainFiles(dataDir)
    truncateSync(log, statSync(log).size - 100)
    const { seqno, logged } = await start(dataDir)
    expect(seqno).toBe(BLOCKS - 1)
    expect(logged).toEqual([['chain.tail_cut', { path: dataDir, bytes: expect.any(Number), seqno: BLOCKS - 1 }]])
  })

  it('a damaged last record is cut, and the log says so', async () => {
    const dataDir = copy()
    const { log } = chainFiles(dataDir)
    flip(log, statSync(log).size - 200)
    const { seqno, logged } = await start(dataDir)
    expect(seqno).toBe(BLOCKS - 1)
    expect(logged).toMatchObject([['chain.tail_cut', { seqno: BLOCKS - 1 }]])
  })

  it('the index of steps shows that a log lost whole records at its end', async () => {
    const dataDir = copy()
    const { log } = chainFiles(dataDir)
    const { end } = await checkLog(log)
    let cut = end
    for (let i = 0; i < 3; i++) {
      truncateSync(log, cut - 8)
      cut = (await checkLog(log)).end
      truncateSync(log, cut)
    }
    const { seqno, logged } = await start(dataDir)
    expect(logged).toMatchObject([['chain.shorter_than_index', { missingSteps: BLOCKS - seqno!, seqno }]])
    expect(seqno).toBeLessThan(BLOCKS)
  })
})

describe('repair', () => {
  it('a damaged chain.idx beside an intact log is made again after a repair, but not after a mere check', async () => {
    const dataDir = copy()
    const { index } = chainFiles(dataDir)
    // The genesis, without which no chain starts.
    flip(index, 0)
    expect((await start(dataDir)).error).toMatch(/damaged at byte 8, so block 0 cannot be read/)
    expect(await say('--data-dir', dataDir, '--check')).toMatchObject({ code: 0 })
    expect(existsSync(index)).toBe(true)
    expect(await say('--data-dir', dataDir)).toMatchObject({ code: 0, err: '' })
    expect(await start(dataDir)).toEqual({ seqno: BLOCKS, logged: [] })
    expect(readFileSync(index).readUIntLE(0, 6)).toBe(0)
  })

  it('thousands of wrong entries at the end of chain.idx do not hold the event loop', async () => {
    const { log, index } = chainFiles(copy())
    truncateSync(index, 30_000)
    let turns = 0
    const counting = setInterval(() => turns++)
    const steps = openStepIndex(index)
    await recover(openLogFile(log), steps)
    clearInterval(counting)
    expect(steps.count()).toBe(BLOCKS + 1)
    expect(turns).toBeGreaterThan(10)
  })

  it('repair says that an intact log is intact, and that there is no log', async () => {
    const dataDir = copy()
    expect(await say('--data-dir', dataDir)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/blocks up to 30 are whole \(31 records\)$/),
    })
    expect(readdirSync(dataDir)).toEqual(['chain.log'])
    const nowhere = join(root, 'nowhere')
    expect(await say('--data-dir', nowhere)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no embedded chain to check in .*nowhere/),
    })
    expect(existsSync(nowhere)).toBe(false)
    expect(await say()).toMatchObject({ code: 2, err: expect.stringMatching(/no embedded chain to check: give/) })
  })
})
