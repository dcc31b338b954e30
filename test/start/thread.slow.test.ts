import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readlink, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { settingsOf } from '../../server/start/settings.ts'
import { startTonway } from '../../server/start/start.ts'
import { startHostThread } from '../../server/start/thread/host-thread.ts'

const run = promisify(execFile)
const BUILT = fileURLToPath(new URL('../../dist/server/start/tonway.js', import.meta.url))
/** Processes that work in a folder: those of a PostgreSQL in it. Linux alone tells. */
const processesIn = async (folder: string): Promise<readonly string[]> => {
  const found = await Promise.all(
    (await readdir('/proc').catch(() => [])).map(async (pid) =>
      (await readlink(`/proc/${pid}/cwd`).catch(() => '')).startsWith(folder) ? pid : '',
    ),
  )
  return found.filter((pid) => pid !== '')
}

const FRIEND = `0:${'77'.repeat(32)}`

describe('a tonway in a thread of its own', () => {
  it('a tonway answers while the thread of the test is held', async () => {
    await using tonway = await startTonway({ thread: true })
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'local.fund', params: { address: FRIEND, amount: '5' } })
    const script = `const answer = await fetch(process.argv[1], { method: 'POST', body: process.argv[2] })
console.log((await answer.json()).result.block.seqno)`
    // The other process is waited for without a turn of this event loop.
    const argv = ['--input-type=module', '-e', script, `${tonway.url}/jsonRPC`, body]
    expect(Number(execFileSync(process.execPath, argv, { encoding: 'utf8' }))).toBeGreaterThan(0)
    expect(await tonway.client.getAddressBalance({ address: FRIEND })).toBe('5')
  })

  it('record and get work as in the same thread', async () => {
    await using tonway = await startTonway({ thread: true, port: 'off' })
    const { transactions, result } = await tonway.record(() => tonway.client.local.fund({ address: FRIEND, amount: '5' }))
    expect(transactions.map(({ account }) => account)).toEqual([FRIEND])
    expect(result.block.seqno).toBeGreaterThan(0)
    await expect(tonway.get(FRIEND, 'seqno')).rejects.toMatchObject({ exitCode: -13 })
  })

  /** Runs a script with a tonway of its own; resolves when it and its PostgreSQL have ended, with what it has left behind. */
  const leftBy = async (end: string): Promise<readonly string[]> => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'tonway-thread-')))
    // PostgreSQL runs as another user where this process is root.
    await chmod(folder, 0o755)
    try {
      const script = `import { startTonway } from ${JSON.stringify(BUILT)}
const tonway = await startTonway({ thread: true, port: 'off', index: true })
await tonway.indexed()
console.log((await tonway.client.v3.masterchainInfo()).last.workchain)
${end}`
      const env = { ...process.env, TMPDIR: folder }
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env })
      expect(stdout).toBe('-1\n')
      await expect.poll(() => processesIn(folder)).toEqual([])
      // The template of clusters is kept.
      return (await readdir(folder)).filter((name) => !name.startsWith('tonwaypg-template-'))
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  it('a program that closes its tonway leaves no process and no file behind', async () => {
    expect(await leftBy('await tonway.close()')).toEqual([])
  })

  it('a program that forgets to close its tonway ends, and leaves no process and no file behind', async () => {
    expect(await leftBy('')).toEqual([])
  })

  it('a program whose fork cannot start gets the reason, and ends', async () => {
    const fork = 'http://127.0.0.1:1/global.config.json'
    const script = `import { startTonway } from ${JSON.stringify(BUILT)}
await startTonway({ port: 'off', fork: '${fork}' }).catch((error) => console.log(error.message))`
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script])
    expect(stdout).toMatch(/network local is not available: cannot read the global config/)
  })

  it('a program that ends at once leaves no process behind', async () => {
    // Its files are deleted by the next start.
    await leftBy('process.exit()')
  })
})

describe('the thread of a tonway that dies', () => {
  const settings = settingsOf({ port: 'off' })
  const programOf = (text: string): URL =>
    new URL(`data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from 'node:worker_threads'\n${text}`)}`)
  /** A program that starts and dies at the next message or connection. */
  const program = programOf(`import { createServer } from 'node:net'
const die = () => { throw new Error('out of luck') }
parentPort.on('message', die)
await new Promise((done) => createServer(die).listen(workerData.socket, done))
parentPort.postMessage({ url: 'http://a', wsUrl: 'ws://a', wallets: [] })`)

  it('calls that wait and calls that come later say that the thread has ended, and why', async () => {
    const host = await startHostThread(settings, program)
    await expect(host.idleOrBusyTooLong()).rejects.toThrow('the thread of this tonway has ended: out of luck')
    await expect(host.reached(1)).rejects.toThrow('the thread of this tonway has ended: out of luck')
    expect(() => host.connect()).toThrow('the thread of this tonway has ended: out of luck')
    await host.close()
  })

  it('its open connections are closed', async () => {
    const host = await startHostThread(settings, program)
    const socket = host.connect()
    socket.resume()
    await once(socket, 'close')
    await host.close()
  })

  it('a start that fails rejects with the reason', async () => {
    const failing = programOf(`throw new Error('cannot start: no room')`)
    await expect(startHostThread(settings, failing)).rejects.toThrow('cannot start: no room')
  })
})
