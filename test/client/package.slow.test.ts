import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as source from '../../client/index.ts'
import { methodNames } from '../../shared/registry.ts'
import { hoversIn } from './hovers.ts'
import { answerEcho, serve } from './servers.ts'
import { browserSize, root } from './size.ts'

/* The package as a stranger gets it: built, and installed in an empty folder by the README's command. */

const run = promisify(execFile)
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

let folder: string
const installed = (file: string): string => join(folder, 'node_modules/tonway-client', file)

beforeAll(async () => {
  await run(process.execPath, ['server/build/client.mjs'], { cwd: root })
  folder = await mkdtemp(join(tmpdir(), 'tonway-client-'))
  await writeFile(join(folder, 'package.json'), '{"name":"stranger","private":true,"type":"module"}')
  const [command] = /^npm install .*dist\/client.*$/m.exec(await readFile(join(root, 'client/README.md'), 'utf8'))!
  const env = { ...process.env, npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  await run('bash', ['-euo', 'pipefail', '-c', command.replace('../tonway/dist/client', join(root, 'dist/client'))], { cwd: folder, env })
})
afterAll(async () => {
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** What the compiler says of files of the folder; nothing if it is content. */
const complaints = async (files: Record<string, string>, flags: readonly string[]): Promise<string> => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022']
  try {
    await run(process.execPath, [tsc, '--ignoreConfig', ...strict, ...flags, ...Object.keys(files)], { cwd: folder })
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

const CONSUMER = `import { createClient, fallback, http, pages, TonClientError, webSocket } from 'tonway-client'
import type { BlockIdExt, ErrorKind, Methods, TonClient, Transaction } from 'tonway-client'
const ton: TonClient = createClient({ url: 'http://127.0.0.1:8081' })
const use = async (): Promise<void> => {
  const [balance, info] = await Promise.all([ton.getAddressBalance({ address: 'EQ' }), ton.getMasterchainInfo()])
  balance satisfies string
  info.last satisfies BlockIdExt
  for await (const row of pages(ton.getTransactions, { address: 'EQ', limit: 10 })) row satisfies Transaction
  await ton.runGetMethod({ address: 'EQ', method: 'seqno', stack: [['num', 5n]] })
  await ton.local.fund({ address: 'EQ', amount: 5n })
  createClient({ transport: fallback([http({ url: 'x' }), webSocket({ url: 'x' })]) }).close()
  const error: unknown = new Error()
  if (error instanceof TonClientError) error.kind satisfies ErrorKind | 'NETWORK' | 'TIMEOUT' | 'ABORTED' | 'PROTOCOL' | 'ANSWER_TOO_LARGE' | 'QUEUE_FULL' | 'HTTP'
  'getShards' satisfies keyof Methods
  // @ts-expect-error no such method
  ton.getBalance({ address: 'EQ' })
  // @ts-expect-error no such parameter
  ton.getAddressBalance({ adress: 'EQ' })
  // @ts-expect-error a balance is a text
  balance satisfies number
}
export { use }
`

describe('the package', () => {
  it('the package contains code, declarations and documents, and nothing of the server', async () => {
    const files = await readdir(installed('.'))
    expect(files.sort()).toEqual([
      ...['LICENSE', 'README.md', 'index.cjs', 'index.js', 'package.json', 'ton-core.cjs', 'ton-core.js', 'types'],
      ...['verify.cjs', 'verify.js'],
    ])
    expect(await readFile(installed('LICENSE'), 'utf8')).toMatch(/\(c\) 2021 Shogo Wada[\s\S]*Paul Miller/)
    const manifest = JSON.parse(await readFile(installed('package.json'), 'utf8')) as Record<string, unknown>
    expect(manifest).toMatchObject({ name: 'tonway-client', sideEffects: false, type: 'module' })
    expect(manifest).toMatchObject({
      peerDependencies: { '@ton/core': '>=0.60.0 <1' },
      peerDependenciesMeta: { '@ton/core': { optional: true } },
    })
    expect(manifest['dependencies']).toBeUndefined()
    for (const name of ['index.js', 'index.cjs']) {
      const code = await readFile(installed(name), 'utf8')
      expect(code).not.toMatch(/\bBuffer\b|\bprocess\.|node:|\brequire\(|\bimport\b.*from|zod/)
    }
    for (const name of await readdir(installed('types'), { recursive: true }))
      if (name.endsWith('.ts')) expect(await readFile(installed(`types/${name}`), 'utf8'), name).not.toMatch(/zod|shared\/|\.ts['"]/)
  })

  it('the package exports exactly these names', async () => {
    const names = Object.keys(source).sort()
    expect(names).toMatchInlineSnapshot(`
      [
        "TonClientError",
        "createClient",
        "fallback",
        "http",
        "messageId",
        "pages",
        "parseExact",
        "watch",
        "webSocket",
      ]
    `)
    expect(Object.keys(await import(installed('index.js'))).sort()).toEqual(names)
    expect(Object.keys(createRequire(installed('index.cjs'))('./index.cjs')).sort()).toEqual(names)
    const core = await readFile(installed('ton-core.js'), 'utf8')
    expect(
      /export \{([^}]*)\}/
        .exec(core)![1]!
        .split(',')
        .map((name) => name.trim()),
    ).toEqual(['ExitCodeError', 'tonCore'])
  })

  it('type-checks by itself, for every way to import it', async () => {
    const own = { 'consumer.ts': CONSUMER }
    const lib = ['--lib', 'es2022,dom']
    // Imported and required: one run of the compiler resolves each file in its own way.
    expect(await complaints({ ...own, 'consumer.cts': CONSUMER }, [...lib, '--module', 'nodenext', '--types', ''])).toBe('')
    expect(await complaints(own, [...lib, '--module', 'preserve', '--moduleResolution', 'bundler', '--types', ''])).toBe('')
  })

  it('an editor shows what methods, parameters and fields of results are', async () => {
    const text = `import { createClient } from 'tonway-client'
const ton = createClient({ url: 'http://127.0.0.1:8081' })
export const balance = ton.getAddressBalance({ address: 'EQ' })
export const amounts = ton.v3.jetton.wallets({ owner_address: 'EQ' }).then(({ jetton_wallets: [first] }) => first?.mintless_info)
export const old = ton.shards({ seqno: 1 })
`
    await writeFile(join(folder, 'hover.ts'), text)
    const options = { strict: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [] }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['hover.ts'] }))
    const words = ['getAddressBalance', 'address:', 'wallets(', 'owner_address', 'mintless_info', 'shards']
    const [method, param, deep, deepParam, field, alias] = await hoversIn(tsc, join(folder, 'hover.ts'), words)
    expect(method).toContain('Balance of an account in nanograms.')
    expect(param).toContain('The account that is asked about. 48 characters')
    expect(deep).toContain('Jetton wallets by address, owner or jetton')
    expect(deepParam).toContain('Only jetton wallets of these owners.')
    expect(field).toContain('Of a mintless jetton')
    expect(alias).toContain('Another name of `getShards`')
    await rm(join(folder, 'tsconfig.json'))
  })

  it('the package tells compilers that do not read `exports` where the declarations of each entry are', async () => {
    const { exports, typesVersions, types } = JSON.parse(await readFile(installed('package.json'), 'utf8')) as {
      exports: Record<string, unknown>
      typesVersions: { '*': Record<string, readonly string[]> }
      types: string
    }
    const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'))
    expect(entries.map((entry) => entry.slice(2)).filter(Boolean)).toEqual(Object.keys(typesVersions['*']))
    for (const [file] of [...Object.values(typesVersions['*']), [types]])
      expect(await readFile(installed(file!), 'utf8'), file).toContain('export')
  })

  it('the adapter type-checks beside @ton/core', async () => {
    await mkdir(join(folder, 'node_modules/@ton'), { recursive: true })
    for (const name of ['@ton/core', '@types']) await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
    const text = `import { Address, type Contract, type ContractProvider } from '@ton/core'
import { createClient } from 'tonway-client'
import { tonCore } from 'tonway-client/ton-core'
class Counter implements Contract {
  readonly address = Address.parse('EQ')
  async getCount(provider: ContractProvider) { return (await provider.get('count', [])).stack.readNumber() }
}
export const count = async (): Promise<number> => (await tonCore(createClient({ url: 'x' })).pinned()).open(new Counter()).getCount()
`
    const files = { 'adapter.ts': text, 'adapter.cts': text }
    expect(await complaints(files, ['--module', 'nodenext', '--skipLibCheck', '--types', 'node'])).toBe('')
  })

  it('the adapter runs on the @ton/core of its user, not on one beside the sources', async () => {
    const text = `import { Address } from '@ton/core'
import { createClient } from 'tonway-client'
import { tonCore } from 'tonway-client/ton-core'
const { address } = tonCore(createClient({ url: 'http://x' })).open({ address: Address.parseRaw('0:' + '00'.repeat(32)) })
console.log(address.toRawString().length)
`
    await writeFile(join(folder, 'adapter.mjs'), text)
    // A copy of their own; what it needs itself is found beside ours.
    const own = join(folder, 'node_modules/@ton/core')
    await rm(own, { recursive: true, force: true })
    await cp(join(root, 'node_modules/@ton/core'), own, { recursive: true })
    const { stdout } = await run(process.execPath, ['adapter.mjs'], {
      cwd: folder,
      env: { ...process.env, NODE_PATH: join(root, 'node_modules') },
    })
    expect(stdout.trim()).toBe('66')
  })

  it('the package runs in Node, imported and required', async () => {
    await using server = await serve(answerEcho)
    const body = `createClient({ url: '${server.url}' }).getMasterchainInfo().then((info) => console.log(JSON.stringify(info)))`
    await writeFile(join(folder, 'a.mjs'), `import { createClient } from 'tonway-client'\n${body}`)
    await writeFile(join(folder, 'b.cjs'), `const { createClient } = require('tonway-client')\n${body}`)
    for (const file of ['a.mjs', 'b.cjs']) {
      const { stdout } = await run(process.execPath, [file], { cwd: folder })
      expect(JSON.parse(stdout)).toEqual({ method: 'getMasterchainInfo', params: {} })
    }
  })
})

describe('size in a browser, gzipped', () => {
  const of = async (names: string) => (await browserSize(`export { ${names} } from 'tonway-client'`, folder)).gzipped
  it('createClient with HTTP has at most 8.5 KB, gzipped', async () => {
    expect(await of('createClient')).toBeLessThanOrEqual(8500)
  })
  it('createClient with WebSocket and fallback has at most 11.0 KB, gzipped', async () => {
    expect(await of('createClient, webSocket, fallback')).toBeLessThanOrEqual(11_000)
  })
  it('createClient with WebSocket, fallback and watch has at most 11.6 KB, gzipped', async () => {
    expect(await of('createClient, webSocket, fallback, watch')).toBeLessThanOrEqual(11_600)
  })
  it('a bundle contains only what is used', async () => {
    const whole = await of(Object.keys(source).join(', '))
    expect(await of('createClient')).toBeLessThan(whole - 3000)
    expect(await of('TonClientError')).toBeLessThan(1000)
  })
})

describe('the declarations of methods', () => {
  it('the declarations of methods equal the registry’s', async () => {
    // Inside the project, where the registry finds zod.
    const inside = await mkdtemp(join(root, 'node_modules/.client-types-'))
    try {
      await cp(installed('types'), join(inside, 'types'), { recursive: true })
      const checks = methodNames.flatMap((name, i) =>
        ['params', 'result', 'effect'].map(
          (part) => `export const m${i}${part}: Equal<Printed['${name}']['${part}'], Methods['${name}']['${part}']> = true`,
        ),
      )
      const text = `import type * as own from '../../client/methods.ts'
import type * as printed from './types/methods.js'
type Methods = own.Methods
type Printed = printed.Methods
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
export const names: Equal<keyof Printed, keyof Methods> = true
export const kinds: Equal<printed.ErrorKind, own.ErrorKind> = true
export const retried: Equal<printed.RetriedKind, own.RetriedKind> = true
export const issue: Equal<printed.ParamIssue, own.ParamIssue> = true
export const functions = (mine: own.Members, theirs: printed.Members): [printed.Members, own.Members] => [mine, theirs]
${checks.join('\n')}
`
      await writeFile(join(inside, 'equal.ts'), text)
      const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck']
      const { stdout } = await run(
        process.execPath,
        [tsc, '--ignoreConfig', ...flags, '--allowImportingTsExtensions', '--types', 'node', join(inside, 'equal.ts')],
        {
          cwd: root,
        },
      ).catch((error: { stdout: string }) => error)
      const lines = text.split('\n')
      const wrong = [...stdout.matchAll(/equal\.ts\((\d+)/g)].map(([, line]) => lines[Number(line) - 1]!.replace(/^export const \w+: /, ''))
      expect(wrong).toEqual([])
      expect(stdout).toBe('')
    } finally {
      await rm(inside, { recursive: true, force: true })
    }
  })
})
