import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../../server/base/log.ts'
import { takeDataDirectory, takeTemporaryDirectory } from '../../../server/chain/local/store/lock-directory.ts'
import { createTestChain } from '../../kit/chain/local-chain.ts'
import { createTestTvm } from '../../kit/chain/tvm.ts'

const root = mkdtempSync(join(tmpdir(), 'tonway-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
/** The pid of a process that is no more. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid

describe('directories of a chain', () => {
  it('a data directory belongs to one process while it lives', () => {
    const path = join(root, 'deep', 'data')
    const first = takeDataDirectory(path)
    expect(() => takeDataDirectory(path)).toThrow(`the data directory ${path} is in use by process ${process.pid}`)
    const mark = readFileSync(join(path, 'lock'), 'utf8')
    writeFileSync(join(path, 'lock'), mark.replace(/^\d+/, `${deadPid()}`))
    const second = takeDataDirectory(path)
    second.release()
    first.release()
    expect(existsSync(path)).toBe(true)
    expect(existsSync(join(path, 'lock'))).toBe(false)
  })

  it('a lock that cannot be read is refused', () => {
    const path = join(root, 'unreadable')
    mkdirSync(join(path, 'lock'), { recursive: true })
    expect(() => takeDataDirectory(path)).toThrow(`${join(path, 'lock')} cannot be read: remove it`)
  })

  it.each([
    false,
    true,
  ])('of many processes that want a data directory at once exactly one gets it (a mark of a dead one is there: %s)', async (stale) => {
    const path = join(root, `wanted-${stale}`)
    mkdirSync(path)
    if (stale) {
      takeDataDirectory(path)
      writeFileSync(join(path, 'lock'), readFileSync(join(path, 'lock'), 'utf8').replace(/^\d+/, `${deadPid()}`))
    }
    const program = join(root, 'take.mjs')
    const source = fileURLToPath(new URL('../../../server/chain/local/store/lock-directory.ts', import.meta.url))
    await build({ entryPoints: [source], outfile: program, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
    const begin = Date.now() + 1_500
    const script = `
      const { takeDataDirectory } = await import(${JSON.stringify(program)})
      while (Date.now() < ${begin});
      try { takeDataDirectory(${JSON.stringify(path)}); console.log('taken') } catch (error) { console.log(error.message) }
      setInterval(() => {}, 1000)`
    const wanting = Array.from({ length: 6 }, () => spawn(process.execPath, ['--input-type=module', '-e', script]))
    const said = await Promise.all(
      wanting.map((child) => new Promise<string>((resolve) => child.stdout.once('data', (line) => resolve(String(line).trim())))),
    )
    for (const child of wanting) child.kill('SIGKILL')
    expect(said.filter((line) => line === 'taken')).toHaveLength(1)
    expect(said.filter((line) => line.includes('in use by process'))).toHaveLength(5)
  })

  it('a later process with the same process id does not count as the holder', () => {
    const path = join(root, 'again')
    takeDataDirectory(path)
    const mark = readFileSync(join(path, 'lock'), 'utf8')
    writeFileSync(join(path, 'lock'), mark.replace(/\d+$/, '1'))
    // Where there is no /proc the number alone decides.
    if (existsSync('/proc/self/stat')) takeDataDirectory(path).release()
  })

  it.skipIf(!existsSync('/proc/self/stat'))(
    'directories of a chain a process that has ended does not hold it, even if its parent never asks for it',
    async () => {
      const path = join(root, 'orphaned')
      takeDataDirectory(path)
      const mark = readFileSync(join(path, 'lock'), 'utf8')
      // The shell becomes a program that knows nothing of the child it has; the child lives on past that, or the shell would ask for it.
      const parent = spawn('sh', ['-c', 'sleep 2 & cut -d" " -f22 /proc/$!/stat; echo $!; exec sleep 60'])
      const [start, pid] = await new Promise<string[]>((resolve) => {
        let said = ''
        parent.stdout.on('data', (chunk) => {
          said += chunk
          if (said.split('\n').length === 3) resolve(said.split('\n'))
        })
      })
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
      writeFileSync(join(path, 'lock'), mark.replace(/^\d+/, pid!).replace(/\d+$/, start!))
      takeDataDirectory(path).release()
      parent.kill('SIGKILL')
    },
  )

  it('a chain that cannot start leaves its directory free', async () => {
    const path = join(root, 'stillborn')
    const tvm = createTestTvm({ workers: 1 })
    // The genesis is made, its first block cannot be: the clock has gone.
    const times = [1_760_000_000]
    const clock = { now: () => times.shift() ?? Number.NaN }
    await expect(createTestChain(tvm, { dataDir: path }, { clock, log: silentLog })).rejects.toThrow()
    takeDataDirectory(path).release()
    await tvm.close()
  })

  it('temporary directories of dead processes are removed, those of living ones and of others are not', () => {
    const mine = takeTemporaryDirectory(root)
    const prefix = mine.path.slice(0, -6)
    const left = `${prefix}dead00`
    const unmarked = `${prefix}other0`
    const foreign = join(root, 'tonway-elsewhere-dead00')
    const mark = readFileSync(join(mine.path, 'lock'), 'utf8')
    for (const path of [left, unmarked, foreign]) mkdirSync(path)
    for (const path of [left, foreign]) writeFileSync(join(path, 'lock'), mark.replace(/^\d+/, `${deadPid()}`))
    const next = takeTemporaryDirectory(root)
    expect([left, unmarked, foreign, mine.path].map(existsSync)).toEqual([false, true, true, true])
    next.release()
    mine.release()
    expect([next.path, mine.path].map(existsSync)).toEqual([false, false])
  })
})
