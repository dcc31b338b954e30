import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCommand } from '../../server/cli/cli.ts'
import { commandNames } from '../../server/cli/commands.ts'
import { loadConfig } from '../../server/cli/load-config.ts'
import { networkConfigs } from '../../server/config/networks.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { rpc } from '../kit/service/client.ts'
import { builtService } from '../kit/service/process.ts'

/* Every command as an operator calls it: the built program in a process of its own. */

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

/** The same without a process of its own, for what ends at the command line. */
const say = (argv: readonly string[]): { readonly code: number | undefined; readonly out: string; readonly err: string } => {
  let out = ''
  let err = ''
  const read = readCommand({
    argv,
    env: {},
    print: (text) => {
      out += `${text}\n`
    },
    complain: (text) => {
      err += `${text}\n`
    },
  })
  return { code: 'exit' in read ? read.exit : undefined, out, err }
}

describe('--help', () => {
  it('--help lists commands and settings', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    for (const name of commandNames) expect(out).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'))
    for (const part of ['--data-dir', 'TONWAY_NETWORK', 'DATABASE_URL', '--print-config']) expect(out).toContain(part)
    expect(await run(['keys', 'rotate', '-h'])).toMatchObject({ code: 0, out: say(['keys', 'rotate', '-h']).out })
  })

  it.each(commandNames)('--help describes %s', (name) => {
    const { code, out, err } = say([name, '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(new RegExp(`^tonway ${name}: `))
    expect(out).toContain(`usage: tonway ${name}`)
  })

  it('--help describes actions and flags', () => {
    expect(say(['keys', '--help']).out).toMatch(/create[\s\S]*list[\s\S]*rotate[\s\S]*revoke/)
    expect(say(['keys', 'rotate', '-h']).out).toMatch(/usage: tonway keys rotate <id> \[flags\][\s\S]*--overlap/)
    expect(say(['plans', '--help']).out).toMatch(/usage: tonway plans \[action\]/)
    expect(say(['status', '--help']).out).toContain('--json')
  })
})

describe('what is wrong', () => {
  it.each([
    [['serv'], /unknown command serv; did you mean serve\?/],
    [['sttaus'], /unknown command sttaus; did you mean status\?/],
    [['keys'], /keys needs an action: create, list, rotate, revoke/],
    [['keys', 'creat'], /unknown action of keys creat; did you mean create\? \(create, list, rotate, revoke\)/],
    [['serve', '-p', '90'], /unknown setting -p\n/],
    [['fund'], /fund needs address and amount: tonway fund <address> <amount>/],
    [['keys', 'revoke'], /keys revoke needs id/],
    [['keys', 'revoke', 'a', 'b'], /unexpected argument b/],
    [['status', '--jsn'], /unknown setting --jsn; did you mean --json\?/],
    [['serve', '--json'], /unknown setting --json/],
    [['status', '--json=yes'], /--json takes no value/],
    [['status', '--url'], /--url needs a value/],
    [['serve', 'now'], /unexpected argument now/],
    [['--network', 'local,local'], /--network="local,local" must name each network once/],
    [['--network', 'api'], /must not be one of api/],
    [['--network', 'local,mine'], /network mine needs a global config, a path or URL: globalConfig under networks\.mine/],
    [['--network', 'mainet'], /network mainet needs a global config: .*; did you mean mainnet\?/],
    [['--port', '9001', '--liteserver-port', '9001'], /--port and the lite-server port of local are both 9001/],
    [['--port', '9001', '--metrics', '9001'], /--port and --metrics are both 9001/],
    [
      ['--database-url', 'mysql://tonway:hunter2@db/tonway'],
      /--database-url="mysql:\/\/tonway:\[hidden\]@db\/tonway" must begin with postgres:\/\//,
    ],
    [['--redis-url', 'http://:hunter2@redis'], /--redis-url="http:\/\/:\[hidden\]@redis" must begin with redis:\/\//],
  ] as const)('the wrong arguments %j are refused with the reason', (argv, text) => {
    const { code, err, out } = say(argv)
    expect(err).toMatch(text)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  it.each([
    [['serv'], /unknown command serv; did you mean serve\?/],
    [['verify'], /verify needs a chain on disk/],
    [['verify', '--only', 'nowhere'], /network nowhere is not among the networks: local/],
    [['index', '--index', 'off'], /there is nothing to index/],
  ] as const)('the program itself refuses %j with the reason', async (argv, text) => {
    expect(await run(argv)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(text) })
  })

  it('faults in the configuration file are listed network by network', async () => {
    const at = mkdtempSync(join(folder, 'bad-'))
    const networks = { dev: { kind: 'lokal', blocktime: 1, hosts: ['http://x'] }, tesnet: {}, 'a b': {}, local: 5 }
    writeFileSync(join(at, 'tonway.config.json'), JSON.stringify({ network: ['local', 'dev'], networks }))
    const { err } = await builtService.start(['config'], { cwd: at }).ended
    for (const text of [
      'tonway.config.json: networks.dev.kind="lokal" must be local or global',
      'tonway.config.json: networks.dev: unknown setting blocktime; did you mean blockTime?',
      'tonway.config.json: networks.dev.hosts=["http://x"] must be host names without ports',
      'tonway.config.json: networks.local: an object is expected',
      'tonway.config.json: networks.a b: a name must be',
    ])
      expect(err).toContain(text)
    writeFileSync(join(at, 'tonway.config.json'), JSON.stringify({ network: 'local,testnet', networks: { tesnet: {} } }))
    expect((await builtService.start(['config'], { cwd: at }).ended).err).toContain(
      'networks.tesnet in the file: unknown network tesnet; did you mean testnet?',
    )
  })
})

describe('the file of the README', () => {
  it("the file of the README the README's configuration file is a valid one", () => {
    const readme = readFileSync(new URL('../../server/README.md', import.meta.url), 'utf8')
    const [, file] = /cat > tonway\.config\.json <<'END'\n([\s\S]*?)\nEND\n/.exec(readme)!
    const networks = networkConfigs(loadConfig({ argv: ['--data-dir', 'd'], env: {}, file }).config)
    expect(networks).toMatchObject([
      { name: 'mainnet', local: false, dataDir: 'd', index: false, hosts: ['ton.example'], database: undefined },
      { name: 'dev', local: true, dataDir: 'd/dev', blockTime: 200, database: 'dev' },
      { name: 'copy', local: false, dataDir: 'd/copy', trust: 'head', globalConfig: expect.stringContaining('10.0.0.5') },
    ])
  })
})

describe('config', () => {
  it('the command config shows every setting with its origin, as --print-config does, and no password', async () => {
    const at = mkdtempSync(join(folder, 'good-'))
    const networks = { dev: { kind: 'local', blockTime: '200ms', databaseUrl: 'postgres://me:s3cret@db/dev' } }
    writeFileSync(join(at, 'tonway.config.json'), JSON.stringify({ network: ['local', 'dev'], port: 7, networks }))
    const env = { DATABASE_URL: 'postgres://me:s3cret@db/x', TONWAY_LOG: 'warn' }
    const { out, code } = await builtService.start(['config', '--host', '0.0.0.0'], { cwd: at, env }).ended
    expect(code).toBe(0)
    expect(out).toMatch(/^network +\["local","dev"\] {2}\(file\)$/m)
    expect(out).toMatch(/^port +7 {2}\(file\)$/m)
    expect(out).toMatch(/^host +"0\.0\.0\.0" {2}\(flag\)$/m)
    expect(out).toMatch(/^log +"warn" {2}\(environment\)$/m)
    expect(out).toMatch(/^trust +"full" {2}\(default\)$/m)
    expect(out).toMatch(/^networks\.dev\.blockTime +"200ms" {2}\(file\)$/m)
    expect(out).not.toContain('s3cret')
    expect((await builtService.start(['--print-config', '--host', '0.0.0.0'], { cwd: at, env }).ended).out).toBe(out)
  })
})

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
    expect(out).toMatch(/networks local, dev,[\s\S]*Network dev: http:\S+\/dev\/api\/v2\/<method>[\s\S]*Funded wallets on local and dev/)
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
    const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env
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
