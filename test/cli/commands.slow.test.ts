import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { rpc } from '../kit/service/client.ts'
import { builtService } from '../kit/service/process.ts'

/* What commands do, as an operator calls them: the built program in a process of its own. */

let folder: string
let postgres: TestServer
beforeAll(async () => {
  postgres = await startTestServer()
  folder = mkdtempSync(join(tmpdir(), 'tonway-cli-'))
})
afterAll(async () => {
  if (folder) rmSync(folder, { recursive: true, force: true })
  await postgres?.close()
})

/** util-linux's `script` gives a command a terminal. */
const hasScript = spawnSync('script', ['--version']).stdout?.includes('util-linux') === true

const run = (argv: readonly string[], env: Record<string, string> = {}) => builtService.start(argv, { env, cwd: folder }).ended
const url = async (): Promise<string> => urlOf(await postgres.database())

describe('serve, status', () => {
  it('the commands serve and status show several networks for people and for programs', async () => {
    const at = mkdtempSync(join(folder, 'serve-'))
    writeFileSync(join(at, 'tonway.config.json'), JSON.stringify({ networks: { dev: { kind: 'local' } } }))
    const settings = [
      '--network',
      'local,dev',
      '--port',
      '0',
      '--index',
      'off',
      '--log',
      'error',
      '--log-format',
      'text',
      '--block-time',
      '0',
    ]
    const { ready, child, ended } = builtService.start(['serve', ...settings], { cwd: at })
    const server = await ready
    await rpc(`${server}/dev`, 'local.mine', { count: 3 })
    const people = await builtService.start(['status', '--url', server], { cwd: at }).ended
    expect(people).toMatchObject({ code: 0, err: '' })
    expect(people.out).toMatch(
      /^tonway \d+\.\d+\.\d+ at http:\S+, up \d+ s, \d+ MB\n\nlocal: ready\n {2}head +block 1, \d+ s ago\n {2}index +off\n\ndev: ready\n {2}head +block 4,/,
    )
    const { port } = new URL(server)
    const programs = await builtService.start(['status', '--json', '--port', port], { cwd: at }).ended
    expect(JSON.parse(programs.out)).toMatchObject({
      local: { network: 'local', head: { seqno: 1 } },
      dev: { phase: 'ready', head: { seqno: 4 } },
    })
    child.kill('SIGTERM')
    const { code, out, err } = await ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(
      /networks local, dev,[\s\S]*Network dev: http:\S+\/dev\/api\/v2\/<method>[\s\S]*Funded wallets on local[\s\S]*Funded wallets on dev/,
    )
    expect(await builtService.start(['status', '--url', server], { cwd: at }).ended).toMatchObject({
      code: 2,
      err: expect.stringContaining('no status from'),
    })
  })
})

describe('index, verify', () => {
  it('the commands index and verify make and check an index without HTTP', async () => {
    const database = await url()
    const settings = ['--data-dir', join(folder, 'chain'), '--block-time', '100ms', '--liteserver-port', 'off', '--log', 'error']
    const env = { DATABASE_URL: database }
    const { child, ended } = builtService.start(['index', ...settings], { cwd: folder, env })
    const connection = { connectionString: database }
    const seqno = async (): Promise<number> => {
      const [row] = await postgres.run<{ seqno: string }>(connection, 'select max(mc_seqno) as seqno from blocks')
      return Number(row?.seqno ?? 0)
    }
    await expect.poll(seqno).toBeGreaterThan(3)
    // While it runs, the others say so and end.
    const held = new RegExp(`the data directory ${join(folder, 'chain')} is in use by process ${child.pid}`)
    expect(await run(['verify', ...settings], env)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(held) })
    expect(await run(['repair', ...settings], env)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(held) })
    child.kill('SIGTERM')
    const { code, out, err } = await ended
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^tonway \S+, indexing local\n/)
    const verified = await run(['verify', ...settings], env)
    expect(verified).toMatchObject({ code: 0, err: '' })
    expect(verified.out).toMatch(/blocks 1 to \d+: \d+ rows, 0 differences/)

    // One that would take long ends when it is told to.
    await postgres.run(connection, 'alter table messages rename to held; create view messages as select held.* from held, pg_sleep(600)')
    const verifying = builtService.start(['verify', ...settings], { cwd: folder, env })
    const asleep = async (): Promise<number> =>
      (await postgres.run(connection, `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`)).length
    await expect.poll(asleep).toBe(1)
    verifying.child.kill('SIGINT')
    expect(await verifying.ended).toEqual({ code: 2, out: '', err: 'tonway: cannot verify: stopped\n' })
    await expect.poll(asleep).toBe(0)
  })
})

describe('colours', () => {
  it.skipIf(!hasScript)('a command shows colours on a terminal alone, and none where NO_COLOR is set', async () => {
    const quiet = ['--port', '0', '--index', 'off', '--liteserver-port', 'off', '--block-time', '0']
    const { child, ready, ended } = builtService.start(quiet, { cwd: folder })
    const words = [process.execPath, join(builtService.folder, 'server/main.js'), 'wallet', '--url', await ready]
    // Node takes a service that builds programs (CI=true) for a terminal without colours.
    const { NO_COLOR: _, FORCE_COLOR: __, CI: ___, ...inherited } = process.env
    const asked = async (command: string, args: readonly string[], env: Record<string, string>): Promise<string> =>
      (await promisify(execFile)(command, args, { env: { ...inherited, TERM: 'xterm', ...env } })).stdout
    const onTerminal = (env: Record<string, string>) => asked('script', ['-qec', words.join(' '), '/dev/null'], env)
    const strong = '\x1b[1m'
    expect(await onTerminal({})).toContain(strong)
    expect(await onTerminal({ NO_COLOR: '1' })).toMatch(/^\S{48} {2}v4R2/)
    expect(await asked(words[0]!, words.slice(1), {})).toMatch(/^\S{48} {2}v4R2/)
    expect(await asked(words[0]!, words.slice(1), { FORCE_COLOR: '1' })).toContain(strong)
    child.kill('SIGTERM')
    await ended
  })

  it('a program that reads an answer gets it whole, although a text has what a terminal takes for a colour', async () => {
    const answer = { jsonrpc: '2.0', id: 1, result: { name: 'a\u009bRed' } }
    const server = createServer((_, response) => void response.end(JSON.stringify(answer))).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { out } = await run(['call', 'getMasterchainInfo', '--url', url])
    expect(JSON.parse(out)).toEqual(answer.result)
    server.close()
  })
})

describe('keys, plans', () => {
  it('keys and plans are made, listed, replaced and revoked', async () => {
    const env = { DATABASE_URL: await url() }
    const made = await run(['keys', 'create', '--owner', 'alice', '--plan', 'plus'], env)
    expect(made.code).toBe(0)
    const key = made.out.trim()
    expect(key).not.toMatch(/\s/)
    const listed = await run(['keys', 'list', '--json'], env)
    expect(listed.out).not.toContain(key)
    const [{ id }] = listed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)) as [{ id: string }]
    const rotated = await run(['keys', 'rotate', id, '--overlap', '1h'], env)
    expect(rotated.code).toBe(0)
    expect(rotated.out.trim()).not.toBe(key)
    expect((await run(['keys', 'revoke', id], env)).code).toBe(0)
    expect((await run(['keys', 'list'], env)).out).toMatch(new RegExp(`${id}[^\\n]*revoked`))
    expect((await run(['plans'], env)).out).toMatch(/free\s.*10\s[\s\S]*plus\s.*25\s[\s\S]*advanced\s.*100\s/)
    expect((await run(['plans', 'set', 'gold', '--rps', '500'], env)).code).toBe(0)
    expect((await run(['plans', 'list'], env)).out).toMatch(/gold\s.*500/)
    expect((await run(['keys', 'revoke', 'nobody'], env)).code).not.toBe(0)
  })
})
