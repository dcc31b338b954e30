import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { cacheFile, readCache, writeCache } from '../../server/base/files/code-cache.ts'

const root = mkdtempSync(join(tmpdir(), 'tonway-test-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const DATA = Buffer.from('what V8 has compiled')

describe('compiled code', () => {
  const kept = (name: string): string => {
    const file = cacheFile(name, root)
    writeCache(file, DATA)
    return file
  }

  it('a kept file is read by its owner, and only its owner can read it', () => {
    const file = kept('a.cjs')
    expect(readCache(file)).toEqual(DATA)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    // Another file, or another version of V8, has another name.
    expect(cacheFile('b.cjs', root)).not.toBe(file)
  })

  it('a file does not count if others may write it, if it is damaged, or if it is not there', () => {
    const open = kept('open.cjs')
    chmodSync(open, 0o622)
    expect(readCache(open)).toBeUndefined()
    const damaged = kept('damaged.cjs')
    writeFileSync(damaged, Buffer.from('other bytes'))
    expect(readCache(damaged)).toBeUndefined()
    expect(readCache(join(root, 'none'))).toBeUndefined()
  })

  it('a user without a home keeps files in the directory for temporary files, where nobody else can replace them', () => {
    vi.stubEnv('HOME', '')
    expect(dirname(cacheFile('a.cjs'))).toBe(tmpdir())
    vi.unstubAllEnvs()
    expect(dirname(cacheFile('a.cjs'))).toBe(join(homedir(), '.cache/tonway'))
  })

  it('nothing is kept where no directory can be made', () => {
    const file = cacheFile('a.cjs', join(kept('file'), 'below'))
    writeCache(file, DATA)
    expect(readCache(file)).toBeUndefined()
  })
})

describe('the built package', () => {
  const MODULE = new URL('../../dist/server/start/tonway.js', import.meta.url)
  const folder = join(root, '.cache/tonway')
  const SCRIPT = `const { startTonway } = await import(${JSON.stringify(MODULE.href)})
    const tonway = await startTonway({ port: 'off' })
    console.log((await tonway.client.getMasterchainInfo()).last.workchain)
    await tonway.close()`
  /** Starts a tonway in a process; returns the kept files with their numbers in the file system. */
  const start = (): readonly (readonly [string, number])[] => {
    const env = { ...process.env, HOME: root, NODE_OPTIONS: '' }
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', SCRIPT], { env, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout).toBe('-1\n')
    return readdirSync(folder).map((name) => [name, statSync(join(folder, name)).ino] as const)
  }

  it('the first process keeps what V8 compiled, the next one uses it, and makes it anew if it is damaged', () => {
    expect(fileURLToPath(MODULE)).toContain('dist')
    const first = start()
    expect(first).toHaveLength(1)
    expect(start()).toEqual(first)
    const [name] = first[0]!
    writeFileSync(join(folder, name), 'damaged')
    const mended = start()
    expect(mended).toHaveLength(1)
    expect(statSync(join(folder, name)).size).toBeGreaterThan(100_000)
  })

  it('the thread of the chain keeps what V8 compiled of its code, too, and the next one uses it', () => {
    const home = join(root, 'of-thread')
    // The thread keeps it a second after its start.
    const script = `const { startTonway } = await import(${JSON.stringify(MODULE.href)})
      const tonway = await startTonway({ port: 'off', chainThread: true })
      await tonway.client.local.fund({ address: '0:' + '7'.repeat(64), amount: '5' })
      await new Promise((done) => setTimeout(done, 3000))
      await tonway.close()`
    const run = (): readonly (readonly [string, number])[] => {
      const env = { ...process.env, HOME: home, NODE_OPTIONS: '' }
      const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8' })
      expect(stderr).toBe('')
      const kept = join(home, '.cache/tonway')
      return readdirSync(kept).map((name) => [name, statSync(join(kept, name)).ino] as const)
    }
    const first = run()
    expect(first.map(([name]) => name.replace(/-[^-]+\.cjs.*/, '')).sort()).toEqual(['tonway-code-bundle', 'tonway-code-worker'])
    expect(run()).toEqual(first)
  })
})
