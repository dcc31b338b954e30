import { describe, expect, it } from 'vitest'
import { UserError } from '../../server/base/user-error.ts'
import { loadConfig, type Sources } from '../../server/cli/load-config.ts'
import { describeConfig, usage } from '../../server/cli/usage.ts'
import { SETTINGS, settingNames } from '../../server/config/settings.ts'

const load = (sources: Partial<Sources> = {}) => loadConfig({ argv: [], env: {}, file: undefined, ...sources })
const problems = (sources: Partial<Sources>): readonly string[] => {
  try {
    load(sources)
  } catch (error) {
    if (error instanceof UserError) return error.problems
    throw error
  }
  return []
}

describe('settings', () => {
  it('all settings have their defaults', () => {
    expect(load().config).toMatchObject({
      host: '127.0.0.1',
      port: 8081,
      network: ['local'],
      networks: {},
      globalConfig: undefined,
      trust: 'full',
      dataDir: undefined,
      blockTime: 1000,
      liteserverPort: 'auto',
      globalId: -3,
      tvmWorkers: 2,
      allowLocal: [],
      index: true,
      databaseUrl: undefined,
      log: 'info',
    })
  })

  it('settings are printed in a form that can be read again', () => {
    const argv = ['--block-time', '2', '--index', 'off', '--anonymous-rps', '5', '--network', 'local,testnet', '--metrics', '9464']
    const { config, origins } = load({ argv })
    const rows = describeConfig(config, origins)
      .split('\n')
      .map((line) => /^(\S+) +(.*) {2}\(\w+\)$/.exec(line)!)
    const file = Object.fromEntries(rows.filter(([, , value]) => value !== 'none').map(([, name, value]) => [name, JSON.parse(value!)]))
    expect(load({ file: JSON.stringify(file) }).config).toEqual(config)
  })

  it('settings come from flag, environment, file and default, in this order', () => {
    const file = JSON.stringify({ port: 1, host: 'file', log: 'debug', allowLocal: ['a', 'b'] })
    const env = { TONWAY_PORT: '2', TONWAY_HOST: 'env', TONWAY_DATA_DIR: '', OTHER: 'x', TONWAY_TEST_DATA: 'y' }
    const { config, origins } = load({ argv: ['--port', '3', '--global-id', '-239', '--block-time=250ms'], env, file })
    expect(config).toMatchObject({ port: 3, host: 'env', log: 'debug', globalId: -239, blockTime: 250, allowLocal: ['a', 'b'] })
    expect(origins).toMatchObject({ port: 'flag', host: 'environment', log: 'file', dataDir: 'default' })
    expect(describeConfig(config, origins)).toMatch(/port\s+3\s+\(flag\)/)
  })

  it.each([
    ['1', 1000],
    ['0.5', 500],
    ['2s', 2000],
    ['500ms', 500],
    ['0', 0],
  ])('settings accept %s as a block time', (text, milliseconds) => {
    expect(load({ env: { TONWAY_BLOCK_TIME: text } }).config.blockTime).toBe(milliseconds)
  })

  it('all wrong settings are reported at once, each with its name and what is accepted', () => {
    const found = problems({
      argv: ['--prot', '1', '--global-id', 'many', '--tvm-workers', 'stray'],
      env: { TONWAY_PORT: '70000', TONWAY_WORKER: '2', TONWAY_LOG: 'loud', TONWAY_NETWORK: 'Main Net' },
      file: '{"blocktime":1,"host":5}',
    })
    expect(found).toEqual(
      expect.arrayContaining([
        'unknown setting --prot; did you mean --port?',
        'unexpected argument 1',
        expect.stringMatching(/^--global-id="many" must be a whole number/),
        expect.stringMatching(/^--tvm-workers="stray" /),
        expect.stringMatching(/^TONWAY_PORT="70000" must be a whole number from 0 to 65535$/),
        expect.stringMatching(/^unknown setting TONWAY_WORKER; did you mean TONWAY_\w+\?$/),
        'TONWAY_LOG="loud" must be one of silent, error, warn, info, debug',
        expect.stringMatching(/^TONWAY_NETWORK="Main Net" must be local, mainnet, testnet or a name/),
        'tonway.config.json: unknown setting blocktime; did you mean blockTime?',
        expect.stringMatching(/^tonway.config.json: host=5 must be a text$/),
      ]),
    )
    expect(found).toHaveLength(10)
  })

  it('TONWAY_ALLOW_LOCAL takes origins and host names, and refuses what no caller would match', () => {
    const good = [
      'https://dapp.example',
      'http://localhost:3000/',
      'chrome-extension://abc',
      'devbox',
      'ton.example',
      '10.0.0.5',
      '::1',
      '*',
    ]
    for (const entry of good) expect(load({ env: { TONWAY_ALLOW_LOCAL: entry } }).config.allowLocal).toEqual([entry])
    for (const entry of [
      'https://dapp.example/app',
      'https://dapp.example/?x',
      'dapp.example:3000',
      'dapp.example/app',
      '*.example',
      '[::1]',
    ])
      expect(problems({ env: { TONWAY_ALLOW_LOCAL: `devbox,${entry}` } })).toEqual([
        `TONWAY_ALLOW_LOCAL="devbox,${entry}" ${entry} is neither an origin (https://dapp.example, without a path) nor a host name (dapp.example, without a port)`,
      ])
  })

  it('several processes need lite-servers, a Redis and, for an index, a PostgreSQL, and ports for metrics that are free', () => {
    const workers = ['--workers', '3']
    expect(problems({ argv: workers })).toEqual([
      'network local is an embedded chain, which one process has: TONWAY_WORKERS is 3, and must be 1',
      'TONWAY_WORKERS is 3, but there is no REDIS_URL, where several processes count limits together',
    ])
    const REDIS_URL = 'redis://127.0.0.1'
    const mainnet = [...workers, '--network', 'mainnet']
    expect(problems({ argv: mainnet, env: { REDIS_URL } })).toEqual([
      'TONWAY_WORKERS is 3, but network mainnet has no DATABASE_URL: the embedded PostgreSQL belongs to one process',
    ])
    expect(load({ argv: [...mainnet, '--index', 'off'], env: { REDIS_URL } }).config.workers).toBe(3)
    const env = { REDIS_URL, DATABASE_URL: 'postgres://127.0.0.1/tonway' }
    expect(problems({ argv: [...mainnet, '--port', '9466', '--metrics', '9464'], env })).toEqual(['--port and --metrics are both 9466'])
    expect(problems({ argv: [...mainnet, '--metrics', '65534'], env })).toEqual(['--metrics 65534 leaves no port for each of 3 workers'])
  })

  it('a URL of a database that is none is a wrong setting, and says how a password is written', () => {
    const advice = 'is no URL: check the host and the port; in a password write / as %2F, # as %23, ? as %3F and % as %25'
    expect(problems({ env: { DATABASE_URL: 'postgres://me:s3#cret@db/tonway', REDIS_URL: 'redis://cache:99999' } })).toEqual([
      `DATABASE_URL="postgres://me:[hidden]@db/tonway" ${advice}`,
      `REDIS_URL="redis://cache:99999" ${advice}`,
    ])
    const file = JSON.stringify({ networks: { dev: { databaseUrl: 'postgres://me:s3/cret@db/dev' } } })
    expect(problems({ file })).toEqual([`tonway.config.json: networks.dev.databaseUrl="postgres://me:[hidden]@db/dev" ${advice}`])
    for (const DATABASE_URL of [
      'postgres://me:s3cret@/tonway?host=/run/postgresql',
      'postgres:///tonway',
      'postgresql://[::1]:5432/tonway',
    ])
      expect(load({ env: { DATABASE_URL } }).config.databaseUrl).toBe(DATABASE_URL)
  })

  it('a setting of the whole service under a network says where it belongs', () => {
    expect(problems({ file: JSON.stringify({ networks: { dev: { port: 9000, porz: 1 } } }) })).toEqual([
      'tonway.config.json: networks.dev: port is a setting of the whole service: set it outside networks',
      expect.stringMatching(/^tonway.config.json: networks.dev: unknown setting porz/),
    ])
  })

  it.each([
    'postgres://me:s3 cret@db/tonway',
    'postgres://me:s3"cret@db/tonway',
    "postgres://me:s3'cret@db/tonway",
    'postgres://me:s3\\cret@db/tonway',
    'postgres://me:s3@,cret@db/tonway',
    'postgres://db/tonway?user=me&password=s3cret',
  ])('the password of %s is shown neither by --print-config nor by an error', (url) => {
    const { config, origins } = load({ env: { DATABASE_URL: url } })
    expect(describeConfig(config, origins)).not.toMatch(/s3|cret/)
    const wrong = problems({ env: { REDIS_URL: url, DATABASE_READ_URL: `${url},http://x` } })
    expect(wrong).toHaveLength(2)
    expect(wrong.join()).not.toMatch(/s3|cret/)
  })

  it.each([
    ['--port'],
    ['--port', '--host'],
    ['--port='],
    ['--port', '1.5'],
    ['--port', '-1'],
    ['--block-time', '1ms'],
    ['--block-time', 'soon'],
    ['--', 'x'],
    ['stray'],
  ])('settings refuse %s %s', (...argv) => {
    expect(problems({ argv }).length).toBeGreaterThan(0)
  })

  it.each(['{', '[]', 'null', '"x"', '{"__proto__x":1}', '{"toString":1}'])('settings refuse the file %s', (file) => {
    expect(problems({ file })).toHaveLength(1)
  })

  it('wrong values of a genesis are told without the mnemonics in them', () => {
    const accounts = [{ mnemonic: 'tiger tiger' }]
    const given = [
      { file: JSON.stringify({ genesis: accounts }) },
      { file: JSON.stringify({ networks: { local: { genesis: accounts } } }) },
      { env: { TONWAY_GENESIS: JSON.stringify({ accounts }) } },
    ]
    expect(given.map((sources) => problems(sources))).toEqual([
      ['tonway.config.json: genesis="a list" must be the path of a JSON file'],
      ['tonway.config.json: networks.local.genesis="a list" must be the path of a JSON file'],
      ['TONWAY_GENESIS="JSON" must be the path of a JSON file, not its text'],
    ])
    const { config, origins } = load({ file: JSON.stringify({ genesis: { accounts } }) })
    expect(describeConfig(config, origins)).toMatch(/genesis +"an object" {2}\(file\)/)
  })

  it('a fork is an embedded chain of another network, with what belongs to it', () => {
    const { config } = load({
      argv: ['--fork', 'mainnet', '--fork-seqno', '7', '--fork-keep', `0:${'a'.repeat(64)}, -1:${'5'.repeat(64)}`],
    })
    expect(config).toMatchObject({ fork: 'mainnet', forkSeqno: 7 })
    expect(config.forkKeep.map(({ workchain, hash }) => [workchain, hash[0]])).toEqual([
      [0, 0xaa],
      [-1, 0x55],
    ])
    const given: readonly (readonly string[])[] = [
      ['--fork', 'mainet'],
      ['--fork', 'mainnet', '--network', 'testnet'],
      ['--fork', 'mainnet', '--genesis', 'genesis.json'],
      ['--fork-seqno', '7'],
      ['--fork', 'mainnet', '--fork-seqno', '0'],
      ['--fork', 'mainnet', '--fork-keep', 'nobody'],
    ]
    expect(given.map((argv) => problems({ argv }))).toEqual([
      ['--fork mainet: it must be mainnet, testnet, or the path or URL of a global config; did you mean mainnet?'],
      ['network testnet is followed over lite-servers; --fork is for an embedded chain, such as --network local'],
      ['network local cannot have both a genesis and a fork'],
      ['network local is not a fork; set --fork to the network that it forks'],
      ['--fork-seqno="0" must be a whole number from 1 to 2147483647'],
      ['--fork-keep="nobody" nobody is not an address in workchain 0 or -1'],
    ])
    expect(problems({ argv: ['--fork', './testnet.json'] })).toEqual([])
    expect(problems({ argv: ['--fork', 'http://10.0.0.5:8081/global.config.json'] })).toEqual([])
  })

  it('--help describes the settings, and works whatever they are', () => {
    expect(load({ argv: ['--help'], env: { TONWAY_PORT: 'x' } }).ask).toBe('help')
    expect(load({ argv: ['-h'] }).ask).toBe('help')
    expect(load({ argv: ['--version'] }).ask).toBe('version')
    expect(load({ argv: ['--print-config'] }).ask).toBe('print-config')
    const text = usage()
    for (const name of settingNames) expect(text).toContain(SETTINGS[name].env)
  })
})
