import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask } from '../server/cli/ask/ask.ts'
import type { AskName } from '../server/cli/ask/commands.ts'
import { formatBanner } from '../server/cli/banner.ts'
import { runCli } from '../server/cli/cli.ts'
import { COMMANDS, type CommandDef, commandNames } from '../server/cli/commands.ts'
import { showStatus } from '../server/cli/status.ts'
import { expectTrace } from '../server/start/expect.ts'
import { startTonway } from '../server/start/start.ts'
import type { Tonway } from '../server/start/types.ts'
import { configOf, listen, runWith } from './cli/kit.ts'
import { oldNames, oldNamesBeside } from './kit/coin-name.ts'
import { projectFolder } from './kit/project.ts'

/* What people read calls the coin Gram, GRAM and nanogram. test/client/page/walk/coin.ts looks at the page. */

const FRIEND = `0:${'77'.repeat(32)}`
const read = (file: string): string => readFileSync(join(projectFolder, file), 'utf8')
const filesIn = (...folders: readonly string[]): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], { cwd: projectFolder, encoding: 'utf8' })
    .trim()
    .split('\n')

it.each([
  ['1.5 TON', 1],
  ['a stake of 520\u202fTON at an exchange', 1],
  ['${whole\u007d TON', 1],
  ['Amount in TON', 1],
  ['write TON as 1.5', 1],
  ['<address> <TON>', 1],
  ['TON amount', 1],
  ['the balance in nanotons', 1],
  ['formerly Toncoin', 1],
  ['TON Center 2 TON DNS, 3 TON Connect, 1 TON network', 0],
  ['the amount is in TON’s own form, with `toNano` and `nanotons`', 0],
  ['two cells. TON calls them so; a proxy TON transfer', 0],
  ['Amount in GRAM, 1.5 GRAM, nanograms', 0],
])('the test sees in “%s” %i old names', (text, count) => expect(oldNames(text)).toHaveLength(count))

describe('the name of the coin', () => {
  let tonway: Tonway
  beforeAll(async () => {
    tonway = await startTonway()
  })
  afterAll(() => tonway?.close())

  /** What a command says. */
  const outputOf = async (command: AskName, ...positionals: string[]): Promise<string> => {
    const given = { command, positionals, flags: { url: tonway.url }, config: configOf() }
    const { out, err } = await runWith((streams) => ask(given, streams))
    return [...out, ...err].join('\n')
  }

  it('the command line calls the coin GRAM', async () => {
    const funded = await outputOf('fund', FRIEND, '1.5')
    const shown = [
      funded,
      await outputOf('fund', FRIEND, 'much'),
      await outputOf('fund', FRIEND, '0'),
      await outputOf('wallet'),
      await outputOf('trace', /[0-9a-f]{64}$/.exec(funded)![0]),
    ]
    expect(shown.join('\n').match(/ GRAM\b/g)!.length).toBeGreaterThan(4)
    const wallet = { version: 'v4R2', address: FRIEND, mnemonic: undefined, balance: 1_500_000_000n }
    const network = { name: 'local', fault: '', liteserverPort: 1, wallets: [wallet] }
    shown.push(formatBanner({ url: tonway.url, wsUrl: '' }, undefined, [network]))
    expect(shown.at(-1)).toContain('1.5 GRAM')
    const { streams, out } = listen()
    expect(await showStatus({ config: configOf(), flags: { url: tonway.url } }, streams)).toBe(0)
    expect(oldNames([...shown, ...out].join('\n'))).toEqual([])
  })

  it('the help of every command calls the coin GRAM', async () => {
    const { streams, out: said } = listen()
    const help = (...argv: string[]) => runCli([...argv, '--help'], {}, streams)
    await help()
    for (const name of commandNames) {
      await help(name)
      for (const action of Object.keys((COMMANDS[name] as CommandDef).actions ?? {})) await help(name, action)
    }
    expect(said.length).toBeGreaterThan(commandNames.length)
    expect(said.join('\n')).toContain('in GRAM')
    expect(oldNames(said.join('\n'))).toEqual([])
  })

  it('a trace that is not as expected calls the coin GRAM', async () => {
    const trace = await tonway.record(() => tonway.client.local.fund({ address: FRIEND, amount: '2500000000' }))
    const fault = (() => {
      try {
        expectTrace(trace).toHaveTransaction({ value: 7n })
        return ''
      } catch (thrown) {
        return String(thrown)
      }
    })()
    expect(fault).toContain('2.5 GRAM')
    expect(oldNames(fault)).toEqual([])
    const poor = tonway.client.local.impersonate({
      from: tonway.wallets[0]!.address,
      to: FRIEND,
      amount: '9000000000000000',
      bounce: false,
    })
    await expect(poor).rejects.toThrow('not enough nanograms for an action')
  })

  it('the documents of the service call the coin Gram', async () => {
    for (const path of ['openapi.json', 'openrpc.json', 'llms.txt']) {
      const text = await (await fetch(`${tonway.url}/${path}`)).text()
      expect(text.includes('nanograms'), path).toBe(true)
      expect(oldNames(text), path).toEqual([])
    }
    expect(oldNames(JSON.stringify(await tonway.client.rpc.about()))).toEqual([])
  })

  it('README.md says once what the coin was called, and no other page does', () => {
    expect(oldNamesBeside('Gram (GRAM), formerly\nToncoin', read('README.md'))).toEqual([])
    const pages = filesIn('*.md').filter((file) => !['README.md', 'CHANGELOG.md'].includes(file) && !file.startsWith('test/data/'))
    expect(pages.length).toBeGreaterThan(15)
    expect(pages.flatMap((file) => oldNames(read(file)).map((each) => [file, each]))).toEqual([])
  })

  it('comments and texts of the code call the coin Gram', () => {
    const texts = /'[^'\n]*'|"[^"\n]*"|`[^`\n]*`|\/\*.*?\*\/|^\s*(?:\*|\/\*\*?|\/\/).*$|>[^<>{}\n]+</gm
    const found = filesIn('server', 'shared', 'client')
      .filter((file) => /\.(?:tsx?|tolk)$/.test(file) && file !== 'client/page/shell.tsx')
      .flatMap((file) => [...read(file).matchAll(texts)].flatMap(([text]) => oldNames(text).map((each) => [file, each])))
    // Names of functions in Tolk.
    expect(found.filter(([, each]) => !/reserveToncoins/.test(each!))).toEqual([])
    expect(oldNamesBeside('Gram (GRAM), formerly Toncoin', read('client/page/shell.tsx'))).toEqual([])
  })
})
