import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../server/cli/cli.ts'
import { commandNames } from '../../server/cli/commands.ts'
import { indexOnly } from '../../server/cli/index-commands.ts'
import { loadConfig } from '../../server/cli/load-config.ts'
import { networkConfigs } from '../../server/config/networks.ts'
import { builtService } from '../kit/service/process.ts'
import { configOf, runWith } from './kit.ts'

/* The command line as an operator writes it. (What commands do: commands.slow.test.ts.) */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-cli-'))
})
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const run = (argv: readonly string[]) => builtService.start(argv, { cwd: folder }).ended

/** The same without a process of its own, for what ends at the command line. */
const say = async (argv: readonly string[]) => {
  const { code, out, err } = await runWith((streams) => runCli(argv, {}, streams))
  return { code, out: out.map((line) => `${line}\n`).join(''), err: err.map((line) => `${line}\n`).join('') }
}

describe('--help', () => {
  it('--help lists commands and settings', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    for (const name of commandNames) expect(out).toMatch(new RegExp(`^ {2}${name} +\\S`, 'm'))
    for (const part of ['--data-dir', 'TONWAY_NETWORK', 'DATABASE_URL', '--print-config']) expect(out).toContain(part)
    expect(await run(['keys', 'rotate', '-h'])).toMatchObject({ code: 0, out: (await say(['keys', 'rotate', '-h'])).out })
  })

  it.each(commandNames)('--help describes %s', async (name) => {
    const { code, out, err } = await say([name, '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(new RegExp(`^tonway ${name}: `))
    expect(out).toContain(`usage: tonway ${name}`)
  })

  it('--help describes actions and flags', async () => {
    expect((await say(['keys', '--help'])).out).toMatch(/create[\s\S]*list[\s\S]*rotate[\s\S]*revoke/)
    expect((await say(['keys', 'rotate', '-h'])).out).toMatch(/usage: tonway keys rotate <id> \[flags\][\s\S]*--overlap/)
    expect((await say(['plans', '--help'])).out).toMatch(/usage: tonway plans \[action\]/)
    expect((await say(['status', '--help'])).out).toContain('--json')
  })
})

describe('what is wrong', () => {
  it.each([
    [['serv'], /unknown command serv; did you mean serve\?/],
    [['sttaus'], /unknown command sttaus; did you mean status\?/],
    [['stats', '--x', '1', 'y'], /^tonway: unknown command stats; did you mean status\?\ntonway: --help lists/],
    [['nope', '--x', '1'], /^tonway: unknown command nope\ntonway: --help lists/],
    [['keys'], /keys needs an action: create, list, rotate, revoke/],
    [['keys', 'creat'], /unknown action of keys creat; did you mean create\? \(create, list, rotate, revoke\)/],
    [['serve', '-p', '90'], /unknown setting -p\n/],
    [['fund'], /fund needs address and amount: tonway fund <address> <amount>/],
    [['keys', 'revoke'], /keys revoke needs id/],
    [['trace', ''], /trace needs hash: tonway trace <hash>/],
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
  ] as const)('the wrong arguments %j are refused with the reason', async (argv, text) => {
    const { code, err, out } = await say(argv)
    expect(err).toMatch(text)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  it.each([
    [['serv'], /unknown command serv; did you mean serve\?/],
    [['verify'], /verify needs a chain on disk/],
    [['verify', '--only', 'nowhere'], /network nowhere is not among the networks: local/],
    [['index', '--index', 'off'], /there is nothing to index/],
    [['index'], /index needs a place that keeps the index of local: --data-dir, or --database-url \(DATABASE_URL\) for/],
  ] as const)('the program itself refuses %j with the reason', async (argv, text) => {
    expect(await run(argv)).toMatchObject({ code: 2, out: '', err: expect.stringMatching(text) })
  })

  it.each([
    [[], /index needs a place that keeps the index of local: --data-dir, or --database-url \(DATABASE_URL\) for/],
    [['--database-url', 'postgres://db.invalid/tonway'], /index needs a --data-dir that keeps the embedded chain of local/],
    [['--network', 'copy', '--global-config', 'copy.json'], /index needs a place that keeps the index of copy/],
  ] as const)('the command index refuses %j, with and without --to, because nothing would be kept', async (argv, text) => {
    for (const to of [undefined, '5']) {
      const flags = to === undefined ? {} : { to }
      const said = await runWith((streams) => indexOnly({ config: configOf(...argv), flags }, streams))
      expect(said).toMatchObject({ code: 2, out: [], err: [expect.stringMatching(text)] })
    }
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
