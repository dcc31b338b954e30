import { describe, expect, it } from 'vitest'
import { createLog, withFields } from '../../server/base/log.ts'
import { withoutSecrets } from '../../server/base/secrets.ts'
import { API_VERSION } from '../../server/base/version.ts'
import { formatBanner, formatGrams, type NetworkBanner } from '../../server/cli/banner.ts'

const URLS = { url: 'http://h:1', wsUrl: 'ws://h:1/jsonRPC' }

describe('log', () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })

  it('a log line is a JSON object with time, level and event', () => {
    withFields(log, { requestId: 'r' }).warn('thing.happened', { n: 1 })
    expect(lines.pop()).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      event: 'thing.happened',
      requestId: 'r',
      n: 1,
    })
    log.debug('not.shown')
    expect(lines).toEqual([])
  })

  it('the log shows errors with stack and cause, and hides secrets', () => {
    log.error('failed', {
      err: new Error('outer', { cause: new Error('inner') }),
      apiKey: 'secret',
      request: { authorization: 'secret', 'x-api-key': 'secret', mnemonic: ['secret'] },
    })
    const line = lines.pop()
    expect(line).toMatchObject({ err: { message: 'outer', stack: expect.stringContaining('at '), cause: { message: 'inner' } } })
    expect(JSON.stringify(line)).not.toContain('"secret"')
    expect(line).toMatchObject({ apiKey: '[hidden]', request: { authorization: '[hidden]', mnemonic: '[hidden]' } })
  })
})

describe('secrets', () => {
  const written: string[] = []
  const log = createLog('info', { write: (line) => written.push(line) })

  it.each([
    ['GET /api/v2/getShards?seqno=1&api_key=S3CRET', 'seqno=1'],
    ['GET /api/v2/getShards?api_key=S3CRET&seqno=1', '&seqno=1'],
    ['X-API-Key: S3CRET', 'X-API-Key'],
    ['connect postgres://tonway:S3CRET@db:5432/index failed', 'postgres://tonway:[hidden]@db:5432/index failed'],
    ['connect postgresql://tonway:S3C:R@E/TS3CRET@db/index failed', '@db/index failed'],
    ['rediss://:S3CRET@cache:6379', '@cache:6379'],
    [`/api/v2/tw_kwFKpc3ZDgBy_S3CRET${'x'.repeat(34)}`, 'tw_kwFKpc3ZDgBy_[hidden]'],
    ['redis://default:S3CRET@cache:6379/0', 'default:[hidden]@cache:6379/0'],
  ])('%s is logged without its secrets', (text, kept) => {
    const deep = { a: { b: { c: [{ url: text }] } } }
    log.info('text.told', { text, deep, err: new Error(text, { cause: new Error(text) }) })
    log.info(text)
    for (const line of written.splice(0)) {
      expect(line).not.toContain('S3C')
      expect(line).toContain(kept)
      JSON.parse(line)
    }
  })

  it('texts without secrets stay as they are', () => {
    for (const text of [
      'GET /api/v2/getShards?seqno=1',
      'https://ton.org/global.config.json',
      'user@host',
      'a:b@c',
      'postgres://db/index',
      'api_key',
    ])
      expect(withoutSecrets(text)).toBe(text)
  })
})

describe('what a start tells', () => {
  it('amounts of GRAM are written exactly', () => {
    expect([0n, 1n, 1_000_000_000n, 1_500_000_000n, 10n ** 24n].map(formatGrams)).toEqual([
      '0 GRAM',
      '0.000000001 GRAM',
      '1 GRAM',
      '1.5 GRAM',
      '1000000000000000 GRAM',
    ])
  })

  it('the banner names every address and every word of a mnemonic', () => {
    const mnemonic = Array.from({ length: 24 }, (_, i) => `word${i}`)
    const wallets = [{ version: 'v4R2', address: 'UQ', mnemonic, balance: 1n }]
    const text = formatBanner(URLS, '/d', [{ name: 'local', fault: '', liteserverPort: 7, wallets }])
    for (const part of ['http://h:1/\n', 'http://h:1/jsonRPC', 'ws://h:1/jsonRPC', 'port 7', '/d', 'UQ', ...mnemonic])
      expect(text).toContain(part)
  })

  it('the banner prints the words of public wallets alone, and says which network has which wallets', () => {
    const common = { version: 'v4R2', address: 'UQpublic', mnemonic: ['known', 'words'], balance: 1n }
    const own = (address: string) => ({ version: 'v5R1', address, mnemonic: undefined, balance: 2_000_000_000n })
    const network = (name: string, ...wallets: NetworkBanner['wallets']) => ({ name, fault: '', liteserverPort: undefined, wallets })
    const networks = [network('one', common, own('UQfirst')), network('two', common, own('UQsecond')), network('mainnet')]
    const text = formatBanner(URLS, undefined, networks)
    expect(text.slice(text.indexOf('  Funded'))).toBe(
      [
        ...['one', 'two'].flatMap((name) => [
          `  Funded wallets on ${name} (their keys are public: never use them elsewhere)`,
          '',
          '    v4R2  UQpublic  0.000000001 GRAM',
          '      known words',
          '',
          `  Wallets of the genesis on ${name}`,
          `    v5R1  UQ${name === 'one' ? 'first' : 'second'}  2 GRAM`,
          '',
        ]),
      ].join('\n'),
    )
  })

  it('wallets whose words are not printed stand below each other', () => {
    const wallet = (address: string) => ({ version: 'v4R2', address, mnemonic: [], balance: 1_000_000_000n })
    const wallets = [wallet('UQone'), wallet('UQtwo')]
    const text = formatBanner(URLS, undefined, [{ name: 'local', fault: '', liteserverPort: undefined, wallets }])
    expect(text.slice(text.indexOf('  Funded'))).toBe(
      ['  Funded wallets (their keys are public: never use them elsewhere)', '    v4R2  UQone  1 GRAM', '    v4R2  UQtwo  1 GRAM', ''].join(
        '\n',
      ),
    )
  })

  it('the interface version has a scheme of its own, and grows with the program’s version', () => {
    expect(API_VERSION).toMatch(/^2\.2\.\d+$/)
  })
})

describe('readable lines', () => {
  const written: string[] = []
  const log = createLog('debug', { write: (line) => written.push(line) }, 'text')
  it('a readable line has the event, its fields and the message of an error, without a stack', () => {
    log.info('service.started', { url: 'http://127.0.0.1:8081', ms: 812 })
    log.error('network.lost', { network: 'testnet', err: new Error('no answer', { cause: new Error('refused') }) })
    log.warn('odd', { text: 'two words', list: [1], none: null })
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}service\.started url=http:\/\/127\.0\.0\.1:8081 ms=812\n$/)
    expect(written[1]).toMatch(/^[\d:.]{12} error network\.lost network=testnet err="no answer[^\n]*"\n$/)
    expect(written[2]).toMatch(/ warn {2}odd text="two words" list=\[1\] none=null\n$/)
  })
  it('secrets stay hidden in readable lines', () => {
    log.info('x', { password: 'tiger', headers: { authorization: 'tiger' } })
    expect(written.at(-1)).not.toContain('tiger')
  })
})
