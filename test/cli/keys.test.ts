import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEYS_COMMAND, PLANS_COMMAND } from '../../server/cli/keys/definitions.ts'
import { runKeys } from '../../server/cli/keys/keys.ts'
import { parseExpires, parseOverlap } from '../../server/cli/keys/parse-time.ts'
import type { Given } from '../../server/cli/streams.ts'
import { clusterProcess } from '../../server/store/postgres/embedded/postmaster.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { ask } from '../kit/service/client.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { sleep } from '../kit/wait.ts'
import { configOf, runWith } from './kit.ts'

/** A command as it was said: what it printed, what it said beside that, and its exit code. */
const say = async (
  config: Given['config'],
  command: 'keys' | 'plans',
  action: string,
  flags: Record<string, string> = {},
  positionals: readonly string[] = [],
): Promise<{ out: string; err: string; code: number | undefined }> => {
  const { code, out, err } = await runWith((streams) => runKeys({ command, action, flags, positionals, config }, streams))
  return { out: out.join('\n'), err: err.join('\n'), code }
}

describe('tonway keys and plans', () => {
  let server: TestServer
  let config: Given['config']
  beforeAll(async () => {
    server = await startTestServer()
    config = configOf('--network', 'mainnet,testnet', '--database-url', urlOf(await server.database()))
  })
  afterAll(async () => {
    await server?.close()
  })
  const idIn = (err: string): string => /^key (\w{12}) /.exec(err)![1]!

  it('keys can be created, listed, rotated and revoked', async () => {
    const made = await say(config, 'keys', 'create', { owner: 'alice', plan: 'plus', label: 'the shop', expires: '90d' })
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^tw_\w{12}_\w{40}$/) })
    expect(made.err).toMatch(/^key \w{12} of alice for mainnet, plan plus, until 20\d\d-\d\d-\d\dT[\d:]+Z; it cannot be shown again:$/)
    await say(config, 'keys', 'create', { owner: 'bob', for: 'testnet' })

    const listed = await say(config, 'keys', 'list')
    expect(listed.code).toBe(0)
    expect(listed.out.split('\n')).toEqual([
      expect.stringMatching(/^id +owner +network +plan +made +state +label$/),
      expect.stringMatching(/^\w{12} +alice +mainnet +plus +\S+ +until \S+ +the shop$/),
      expect.stringMatching(/^\w{12} +bob +testnet +free +\S+ +valid$/),
    ])
    const rotated = await say(config, 'keys', 'rotate', { overlap: '2h' }, [idIn(made.err)])
    expect(rotated).toMatchObject({ code: 0, out: expect.stringMatching(/^tw_/) })
    const revoked = await say(config, 'keys', 'revoke', {}, [idIn(rotated.err)])
    expect(revoked).toMatchObject({ code: 0, out: '', err: `key ${idIn(rotated.err)} of alice is revoked` })
    const ofAlice = (await say(config, 'keys', 'list', { owner: 'alice', json: '' })).out.split('\n').map((line) => JSON.parse(line))
    expect(ofAlice).toMatchObject([{ rotatedTo: idIn(rotated.err) }, { id: idIn(rotated.err), revokedAt: expect.any(String) }])
    // What is listed has no secret.
    for (const text of [listed.out, JSON.stringify(ofAlice)])
      for (const { out } of [made, rotated]) expect(text).not.toContain(out.slice(16))
    expect(await say(config, 'keys', 'list', { owner: 'nobody' })).toEqual({ out: '', err: 'no keys', code: 0 })
  })

  it('`keys rotate` and `keys revoke` take the whole key for its id, and never print it', async () => {
    const { out } = await say(config, 'keys', 'create', { owner: 'leaked' })
    const key = out.trim()
    const rotated = await say(config, 'keys', 'rotate', {}, [key])
    expect(rotated).toMatchObject({ code: 0, out: expect.stringMatching(/^tw_/) })
    const id = key.slice(3, 15)
    expect(await say(config, 'keys', 'revoke', {}, [key])).toEqual({ code: 0, out: '', err: `key ${id} of leaked is revoked` })
    const unknown = `tw_${'x'.repeat(12)}_${'y'.repeat(40)}`
    expect(await say(config, 'keys', 'revoke', {}, [unknown])).toEqual({
      code: 1,
      out: '',
      err: `tonway: there is no key ${'x'.repeat(12)}`,
    })
  })

  it('`plans list` lists the plans, and `plans set` changes one', async () => {
    const { out } = await say(config, 'plans', 'list')
    expect(out.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['plan', 'network', 'calls/s', 'lite-server group', 'sockets', 'subscriptions', 'addresses', 'replays', 'emulations', 'sends'],
      ['free', '*', '10', 'none'],
      ['plus', '*', '25', 'private'],
      ['advanced', '*', '100', 'private'],
    ])
    expect(await say(config, 'plans', 'set', { rps: '5000', for: 'testnet', servers: 'archive' }, ['acme'])).toMatchObject({
      code: 0,
      err: 'plan acme for testnet: 5000 calls per second, lite-servers: the group archive first; limits: sockets common, subscriptions common, addresses common, replays common, emulations common, sends common',
    })
    await say(config, 'plans', 'set', { for: 'testnet', sockets: '50', addresses: 'unlimited', replays: '3', emulations: '7' }, ['acme'])
    expect(await say(config, 'plans', 'set', { for: 'testnet', replays: 'common' }, ['acme'])).toMatchObject({
      code: 0,
      err: expect.stringMatching(
        /; limits: sockets 50, subscriptions common, addresses unlimited, replays common, emulations 7, sends common$/,
      ),
    })
    expect(await say(config, 'plans', 'set', { servers: 'none' }, ['free'])).toMatchObject({
      err: expect.stringMatching(/^plan free for \*: 10 calls per second, lite-servers: those without a group; limits: sockets common,/),
    })
    expect((await say(config, 'plans', 'list', { json: '' })).out.split('\n').map((line) => JSON.parse(line))).toContainEqual({
      name: 'acme',
      network: 'testnet',
      rps: 5000,
      servers: 'archive',
      limits: { sockets: 50, addresses: -1, emulations: 7 },
    })
    expect(await say(config, 'keys', 'create', { owner: 'acme', plan: 'acme' })).toMatchObject({
      code: 1,
      err: 'tonway: there is no plan acme for mainnet; `tonway plans list` shows the plans',
    })
    expect(await say(config, 'keys', 'create', { owner: 'acme', plan: 'acme', for: 'testnet' })).toMatchObject({ code: 0 })
  })

  const wrong: readonly (readonly [string, string, Record<string, string>, readonly string[], string])[] = [
    ['keys', 'create', {}, [], '--owner is needed: a name for the owner of the key'],
    ['keys', 'create', { owner: ' ' }, [], '--owner must be a line'],
    ['keys', 'create', { owner: 'a\nb' }, [], '--owner must be a line'],
    ['keys', 'create', { owner: 'a', plan: 'No Plan' }, [], 'plan "No Plan" must be 1 to 32 lower-case letters'],
    ['keys', 'create', { owner: 'a', plan: 'nonesuch' }, [], 'there is no plan nonesuch'],
    ['keys', 'create', { owner: 'a', for: 'moonnet' }, [], 'network moonnet is not among the networks: mainnet, testnet'],
    ['keys', 'create', { owner: 'a', expires: 'soon' }, [], '--expires: "soon" is not a time from now (90d, 12h) or a date (2030-01-31)'],
    ['keys', 'create', { owner: 'a', expires: '2001-01-01' }, [], '--expires: "2001-01-01" is not in the future'],
    ['keys', 'rotate', {}, ['x'], 'there is no key x'],
    ['keys', 'rotate', { overlap: '2y' }, ['x'], '--overlap: "2y" is not a time such as 24h'],
    ['keys', 'revoke', {}, ['x'], 'there is no key x'],
    ['plans', 'set', {}, ['new'], '--rps is needed for a new plan'],
    ['plans', 'set', { rps: '-1' }, ['new'], '--rps must be a whole number'],
    ['plans', 'set', { rps: '1', sockets: '-1' }, ['new'], '--sockets must be a whole number from 0 to 1000000, unlimited or common'],
    ['plans', 'set', { rps: '1', servers: 'a b' }, ['new'], 'group "a b" must be'],
    ['plans', 'set', { rps: '1', for: 'moonnet' }, ['free'], 'network moonnet is not among the networks: mainnet, testnet'],
  ]
  for (const [command, action, flags, positionals, text] of wrong)
    it(`${command} ${action} ${JSON.stringify(flags)} is refused: ${text}`, async () => {
      const answer = await say(config, command as 'keys', action, flags, positionals)
      expect(answer).toMatchObject({ code: text.startsWith('there is no') ? 1 : 2, out: '' })
      expect(answer.err).toContain(text)
    })

  it('the commands say where keys are kept, and that a database is not there', async () => {
    expect(await say({ ...config, databaseUrl: undefined }, 'keys', 'list')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--data-dir'),
    })
    const away = await say({ ...config, databaseUrl: 'postgres://tonway:hunter2@127.0.0.1:1/none' }, 'keys', 'list')
    expect(away.code).toBe(2)
    expect(away.err).not.toContain('hunter2')
  })

  it('the commands do not wait for ever for a database that accepts the connection and never answers', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const { code, err } = await say({ ...config, databaseUrl: `postgres://tonway@127.0.0.1:${port}/none` }, 'keys', 'list')
    silent.close()
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^tonway: .*timeout/) })
  }, 120_000)

  it('times in flags are read as spans or as dates', () => {
    const now = Date.parse('2026-01-01T00:00:00Z')
    expect(parseExpires('90d', now)).toEqual(new Date('2026-04-01T00:00:00Z'))
    expect(parseExpires('2030-01-31', now)).toEqual(new Date('2030-01-31T00:00:00Z'))
    expect(parseExpires('2030-01-31T10:00:00+02:00', now)).toEqual(new Date('2030-01-31T08:00:00Z'))
    expect([parseOverlap('0', 1), parseOverlap('1d', 1)]).toEqual([0, 86_400_000])
    expect(() => parseOverlap('25h', 1)).toThrow('at most 1d')
    for (const bad of ['', '90', 'd', '1.5h', '-1d', '999999999d', '2030-02-31x', '2030-13-01'])
      expect(() => parseExpires(bad, now)).toThrow()
  })

  it('every action has a line of help', () => {
    for (const command of [KEYS_COMMAND, PLANS_COMMAND])
      for (const action of Object.values(command.actions)) expect(action.what).toMatch(/^\w.*/)
  })
})

describe('keys beside a running service with an embedded database', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tonway-test-'))
  // PostgreSQL runs as another user where this one is root.
  chmodSync(dataDir, 0o755)
  const config = configOf('--data-dir', dataDir)
  const cluster = join(dataDir, 'postgres', 'cluster')
  let tonway: Tonway | undefined
  afterAll(async () => {
    await tonway?.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const status = async (key: string): Promise<number> =>
    (await ask(`${tonway!.url}/api/v2/getMasterchainInfo`, { headers: { 'X-API-Key': key } })).status
  const make = async (): Promise<string> => {
    const { out, code, err } = await say(config, 'keys', 'create', { owner: 'alice', plan: 'advanced' })
    if (code !== 0) throw new Error(err)
    return out
  }

  it('a command that reads keys or changes one makes no database where the directory is mistyped', async () => {
    for (const [at, lack] of [
      [join(dataDir, 'typo'), 'no data directory'],
      [dataDir, 'no database in'],
    ] as const)
      for (const [command, action, positionals] of [
        ['keys', 'list', []],
        ['keys', 'rotate', ['x']],
        ['keys', 'revoke', ['x']],
        ['plans', 'list', []],
      ] as const)
        expect(await say(configOf('--data-dir', at), command, action, {}, positionals)).toEqual({
          code: 2,
          out: '',
          err: `tonway: there is ${lack} ${at}: start tonway once with this --data-dir, or name the right one`,
        })
    expect(readdirSync(dataDir)).toEqual([])
  })

  it('a new database is reported, since the directory may be mistyped', async () => {
    const begun = `there was no database in ${dataDir}, so a new one was made: only a service with this data directory uses its keys`
    expect((await say(config, 'plans', 'set', { rps: '10' }, ['free'])).err).toContain(begun)
    expect((await say(config, 'plans', 'list')).err).toBe('')
  }, 120_000)

  it('a key for a network that checks none is reported, with the setting', async () => {
    const note = "note: local checks no keys with these settings; start the service with TONWAY_KEYS=on, or give this command the service's"
    expect((await say(config, 'keys', 'create', { owner: 'alice' })).err).toContain(note)
    for (const setting of [
      ['--keys', 'on'],
      ['--anonymous-rps', '5'],
    ]) {
      const { code, err } = await say(configOf('--data-dir', dataDir, ...setting), 'keys', 'create', { owner: 'alice' })
      expect([code, err]).toEqual([0, expect.stringMatching(/^key /)])
    }
  })

  it('a key can be made before the service runs, while it runs, and after its database was killed', async () => {
    const early = await make()
    expect(clusterProcess(cluster)).toBeUndefined()
    tonway = await startTonway({ dataDir, keys: 'on', blockTime: 0 })
    // While the service starts its database it is waited for.
    expect(await make()).toMatch(/^tw_/)
    expect(await status(early)).toBe(200)
    const pid = clusterProcess(cluster)!
    const late = await make()
    expect(clusterProcess(cluster)).toBe(pid)
    expect(await status(late)).toBe(200)
    // The news that a key was made can come after its first use, and then it is asked for once more.
    await sleep(1_000)
    for (const key of [early, late]) expect(await status(key)).toBe(200)

    const under = Promise.all(Array.from({ length: 20 }, () => status(early)))
    process.kill(pid, 'SIGKILL')
    // Known keys go on; what is not known waits or hears that it cannot be told.
    for (const answer of await under) expect(answer).toBe(200)
    expect(await status(late)).toBe(200)
    expect([401, 503]).toContain(await status(`tw_${'z'.repeat(12)}_${'z'.repeat(40)}`))
    await expect.poll(() => clusterProcess(cluster)).not.toBe(pid)
    await expect.poll(async () => make().then(status, () => 0)).toBe(200)
    const { out } = await say(config, 'keys', 'list', { json: '' })
    expect(out.split('\n').length).toBeGreaterThanOrEqual(3)
  }, 120_000)
})
