import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importTokens } from '../../server/cli/tokens/import-tokens.ts'
import { readTokenList } from '../../server/cli/tokens/token-list.ts'
import { clearIndex } from '../../server/index/follow/checkpoint.ts'
import { TOPICS } from '../../server/index/topics/registry.ts'
import { connect } from '../../server/store/postgres/connection.ts'
import { rawOfKey } from '../../server/store/row-keys.ts'
import { formatRaw, parseAddress } from '../../shared/fields/address.ts'
import { startTestServer, type TestServer, urlOf } from '../kit/index/database.ts'
import { startV3, type V3Service } from '../kit/service/service.ts'
import { sleep } from '../kit/wait.ts'
import { configOf, listen, runWith } from './kit.ts'

const raw = (n: number): string => `0:${n.toString(16).toUpperCase().padStart(64, '0')}`
const FRIENDLY = 'EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c'
/** The raw form of an address, as v3 writes it. */
const rawOf = (address: string): string => formatRaw(parseAddress(address)!, 'upper')
const read = (text: string) => {
  const { tokens, faults } = readTokenList(text)
  return {
    tokens: tokens.map(({ account, is_scam, is_nsfw }) => [rawOfKey(account as Buffer), is_scam, is_nsfw]),
    faults,
  }
}

describe('a list of tokens with flags', () => {
  const both = {
    tokens: [
      [raw(0), true, false],
      [raw(1), false, true],
    ],
    faults: [],
  }

  it.each([
    ['CSV with its columns named', `address,is_scam,is_nsfw\n${FRIENDLY},true,false\n${raw(1)},false,true\n`],
    ['CSV without names, with another end of lines', `${FRIENDLY},1,0\r\n\r\n${raw(1)},,1`],
    ['CSV with its columns in another order, in quotes', `\uFEFF"is_nsfw","address","is_scam"\n"f","${raw(0)}","t"\nTRUE,${raw(1)},FALSE`],
    [
      'JSON',
      JSON.stringify([
        { address: FRIENDLY, is_scam: true },
        { is_nsfw: true, address: raw(1), is_scam: null },
      ]),
    ],
    [
      'JSON over many lines',
      JSON.stringify(
        [
          { address: FRIENDLY, is_scam: true },
          { address: raw(1), is_nsfw: true, is_scam: false },
        ],
        null,
        2,
      ),
    ],
    ['JSON with an object a line', `{"address":"${FRIENDLY}","is_scam":true}\n\n{"address":"${raw(1)}","is_nsfw":1}\n`],
  ])('%s is read', (_, text) => expect(read(text)).toEqual(both))

  it.each([
    ['', []],
    ['\n', []],
    ['address,is_scam,is_nsfw\n', []],
    ['[]', []],
    [' [ ] \n', []],
  ])('an empty list is read: %j', (text, tokens) => expect(read(text)).toEqual({ tokens, faults: [] }))

  it('a token may be in the list twice, but not with other flags', () => {
    expect(read(`${raw(1)},1,0\n${raw(1)},1,0`)).toEqual({ tokens: [[raw(1), true, false]], faults: [] })
    expect(read(`${raw(1)},1,0\n\n${raw(1)},1,1`).faults).toEqual([`line 3: ${raw(1)} has other flags in line 1`])
  })

  it.each([
    [`${raw(1)},1,0\nEQnonsense,1,0`, ['line 2: "EQnonsense" is not an address']],
    [
      `${raw(1)},yes,0\n\n${raw(2)},1,maybe`,
      ['line 1: is_scam is "yes", not true or false', 'line 3: is_nsfw is "maybe", not true or false'],
    ],
    [`${raw(1)},1,0,4`, ['line 1: it has 4 columns instead of 3']],
    [
      `address,scam\n${raw(1)},1`,
      [
        'line 1: the columns are address, is_scam, is_nsfw, not "scam"',
        'line 2: "scam" is unknown: an entry has address, is_scam, is_nsfw',
      ],
    ],
    [`[\n{"address":"${raw(1)}"},\n{"address":5}\n]`, ['entry 2: 5 is not an address']],
    [
      `[\n{"address":"${raw(1)}","is_scam":"a\\"b]"},\n\n7]`,
      ['entry 1: is_scam is "a\\"b]", not true or false', 'entry 2: it is not an object'],
    ],
    [`[\n{"address":"${raw(1)}","scam":true}]`, ['entry 1: "scam" is unknown: an entry has address, is_scam, is_nsfw']],
    [`[{"address":"${raw(1)}","is_scam":1},{"address":"${raw(1)}"}]`, [`entry 2: ${raw(1)} has other flags in entry 1`]],
    ['<html>', ['line 1: "<html>" is not an address']],
  ])('what is wrong is said with its line, or its place in an array: %j', (text, faults) => expect(read(text).faults).toEqual(faults))

  it('what is not JSON is said', () => {
    for (const broken of [`[\n{"address":"${raw(1)}"}\n`, `[{"address":"${raw(1)}"},\n]`, '[]\n[]', '[{"address" "x"}]'])
      expect(read(broken).faults).toEqual([expect.stringMatching(/^the array: it is not JSON \(.*JSON/)])
    expect(read(`{"address":"${raw(1)}"}\n{"addr`).faults).toEqual([expect.stringMatching(/^line 2: it is not JSON \(/)])
  })
})

describe('tonway tokens import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tonway-tokens-'))
  const file = join(folder, 'flags.csv')
  let server: TestServer
  let service: V3Service
  let url: string
  let jetton: string
  let wallet: string
  beforeAll(async () => {
    server = await startTestServer()
    url = urlOf(await server.database())
    service = await startV3({ databaseUrl: url })
    const me = (await service.faucet()).address
    jetton = rawOf((await service.call('local.deployJetton', { name: 'Bonus', symbol: 'BNS' })).address)
    wallet = rawOf((await service.call('local.mintJetton', { jetton, owner: me, amount: '5' })).address)
    await service.settle()
  })
  afterAll(async () => {
    await service?.close()
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const run = async (text: string) => {
    writeFileSync(file, text)
    const config = configOf('--network', 'local', '--database-url', url)
    const { code, out, err } = await runWith((streams) => importTokens({ config, flags: {}, positionals: [file] }, streams))
    return { code, out, err }
  }
  const infos = async () => {
    const { metadata } = await service.call('v3.jetton.wallets', { jetton_address: [jetton] })
    return Object.fromEntries(Object.entries(metadata).map(([address, { token_info }]) => [address, token_info[0]!]))
  }
  const flags = async () => {
    const { is_scam, is_nsfw } = (await infos())[jetton]!
    return { is_scam, is_nsfw }
  }

  it('a token has false flags where nothing is known, and a jetton wallet has none', async () => {
    const found = await infos()
    expect(found[jetton]).toMatchObject({ type: 'jetton_masters', name: 'Bonus', is_scam: false, is_nsfw: false })
    expect(Object.keys(found[wallet]!)).toEqual(['valid', 'type', 'extra'])
  })

  it('a running service has a new list within a second, also in answers that it keeps', async () => {
    for (let i = 0; i < 3; i++) expect(await flags()).toEqual({ is_scam: false, is_nsfw: false })
    expect(await run(`${jetton},true,false\n${raw(7)},true,true\n`)).toEqual({
      code: 0,
      out: ['local: 2 tokens, 2 of them scam, 1 not safe for work'],
      err: [],
    })
    await sleep(1_000)
    expect(await flags()).toEqual({ is_scam: true, is_nsfw: false })
    const { code } = await run(JSON.stringify([{ address: jetton, is_nsfw: true }]))
    expect(code).toBe(0)
    await expect.poll(flags).toEqual({ is_scam: false, is_nsfw: true })
    const { metadata } = await service.call('v3.actions', { limit: 5 })
    expect(metadata[jetton]?.token_info[0]).toMatchObject({ is_nsfw: true })
  })

  it('a list with a wrong line replaces nothing', async () => {
    const { code, out, err } = await run(`${raw(1)},true,false\n${raw(2)},ja,false\n`)
    expect({ code, out }).toEqual({ code: 1, out: [] })
    expect(err).toEqual([`tonway: ${file}, line 2: is_scam is "ja", not true or false`, 'tonway: 1 entry is wrong, so nothing was changed'])
    await sleep(1_000)
    expect(await flags()).toEqual({ is_scam: false, is_nsfw: true })
  })

  it('a reader sees the old list or the new one, and two commands at the same time leave one of their lists', async () => {
    const listOf = (from: number, scam: number): string => Array.from({ length: 500 }, (_, i) => `${raw(from + i)},${scam},0`).join('\n')
    const connection = { connectionString: url }
    await run(listOf(1, 1))
    let isOver = false
    const seen = new Set<string>()
    const reading = (async () => {
      while (!isOver)
        for (const { count } of await server.run<{ count: string }>(connection, 'select count(*)::text as count from token_flags'))
          seen.add(count)
    })()
    for (let i = 0; i < 5; i++) expect((await run(listOf(1 + i * 100, 1))).code).toBe(0)
    const files = [listOf(1, 0), listOf(9_000, 0)].map((text, i) => {
      const path = join(folder, `list-${i}.csv`)
      writeFileSync(path, text)
      return path
    })
    const both = files.map((path) =>
      importTokens({ config: configOf('--database-url', url), flags: {}, positionals: [path] }, listen().streams),
    )
    expect(await Promise.all(both)).toEqual([0, 0])
    isOver = true
    await reading
    expect([...seen]).toEqual(['500'])
  })

  it('the list stays when the index is emptied', async () => {
    await run(`${jetton},1,1`)
    const db = await connect({ connectionString: urlOf(await server.database()) })
    await db.query(`insert into token_flags values ('\\x01', true, false)`)
    await clearIndex(db, TOPICS)
    expect(await db.query('select is_scam from token_flags')).toEqual([{ is_scam: true }])
    await db.close()
  })

  it.each([
    [['--network', 'local'], 2, /^tonway: flags of tokens are stored in a database: give the same --database-url or --data-dir/],
    [['--database-url', 'postgres://tonway:hunter2@127.0.0.1:1/none'], 2, /^tonway: cannot replace the flags of tokens: (?!.*hunter2)/],
  ] as const)('a database that is not there is said: %j', async (argv, code, text) => {
    const said = await runWith((streams) => importTokens({ config: configOf(...argv), flags: {}, positionals: [file] }, streams))
    expect(said).toMatchObject({ code, err: [expect.stringMatching(text)] })
  })

  it('a file that is not there, and a network that is not there, are said', async () => {
    const said = async (given: string, only?: string) => {
      const command = { config: configOf('--database-url', url), flags: only === undefined ? {} : { only }, positionals: [given] }
      const { code, err } = await runWith((streams) => importTokens(command, streams))
      return { code, err }
    }
    expect(await said(join(folder, 'none'))).toEqual({ code: 1, err: [expect.stringMatching(/^tonway: cannot read .*none: ENOENT/)] })
    expect(await said(file, 'moon')).toEqual({ code: 2, err: ['tonway: network moon is not among the networks: local'] })
    writeFileSync(join(folder, 'bytes'), Buffer.from([0xff, 0xfe, 0x00]))
    expect(await said(join(folder, 'bytes'))).toMatchObject({ code: 1 })
  })
})
