import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { post, rpc, rpcRequest } from '../kit/service/client.ts'
import { nodes } from './nodes.ts'
import { installInto, type Packed, packProject, root, run, startByNpx } from './pack.ts'

/* The package as a stranger gets it: packed, installed in an empty folder without install scripts, and started there. */

const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

let packed: Packed
let folder: string
const installed = (path: string): string => join(folder, 'node_modules/tonway', path)

beforeAll(async () => {
  packed = await packProject()
  folder = await mkdtemp(join(tmpdir(), 'tonway-user-'))
  await writeFile(join(folder, 'package.json'), '{"name":"stranger","private":true,"type":"module"}')
  await installInto(folder, [packed.file])
}, 600_000)
afterAll(async () => {
  await packed?.remove()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Paths that a package may have. */
const KNOWN = [
  /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|CONTRIBUTING\.md|SECURITY\.md)$/,
  /^(client|server|shared|server\/\w+)\/README\.md$/,
  /^(server\/(SETTINGS|COMMANDS|DEPENDENCIES|tvm\/DIFFERENCES|deploy\/runbook)|shared\/METHODS)\.md$/,
  /^server\/start\/tools\/[\w-]+\.md$/,
  /^dist\/server\/(main|base\/worker|tvm\/worker|chain\/local\/thread\/worker|start\/thread\/worker|index\/worker|v3\/worker)\.js$/,
  /^dist\/(server|page)\/LICENSES\.txt$/,
  /^dist\/server\/start\/(tonway|expect|vitest|jest|node-test)\.js$/,
  /^dist\/server\/start\/bundle-[A-Z0-9]{8}\.cjs$/,
  /^dist\/server\/chain\/local\/thread\/worker-[A-Z0-9]{8}\.cjs$/,
  /^dist\/server\/chunks\/[\w.-]+-[A-Z0-9]{8}\.js$/,
  /^dist\/cjs\/(tonway|expect|vitest|jest|node-test)\.cjs$/,
  /^dist\/types\/(tonway|expect|vitest|jest|node-test|start|tests|types)\.d\.c?ts$/,
  /^dist\/page\/(\.stamp|index\.html|[a-z]+-[A-Z0-9]{8}\.(js|css|svg))$/,
  /^dist\/client\/(package\.json|LICENSE|README\.md|(index|ton-core|verify)\.c?js|types\/[\w/-]+\.d\.c?ts)$/,
]

/** Files that the exports of a manifest name. */
const targetsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values((value ?? {}) as Record<string, unknown>).flatMap(targetsOf)

describe('the package tonway', () => {
  it('the tarball has what its users need and nothing else', async () => {
    expect(packed.paths.filter((path) => !KNOWN.some((known) => known.test(path)))).toEqual([])
    const manifest = JSON.parse(await readFile(installed('package.json'), 'utf8')) as Record<string, unknown>
    const wanted = targetsOf([manifest['exports'], manifest['bin'], manifest['main'], manifest['types']])
    expect(wanted.map((path) => path.replace('./', '')).filter((path) => !packed.paths.includes(path))).toEqual([])
    expect(manifest['private']).toBeUndefined()
    expect(packed.unpackedBytes).toBeLessThan(7 << 20)
  })

  it('the tarball has a chunk only if a program of it imports the chunk', async () => {
    const scripts = packed.paths.filter((path) => path.startsWith('dist/server/') && path.endsWith('.js'))
    const texts = await Promise.all(scripts.map((path) => readFile(installed(path), 'utf8')))
    const chunks = scripts.filter((path) => path.includes('/chunks/')).map((path) => path.slice(path.lastIndexOf('/') + 1))
    expect(chunks.filter((chunk) => !texts.some((text) => text.includes(`/${chunk}"`)))).toEqual([])
    // Source maps are not in the package.
    expect(texts.filter((text) => text.includes('sourceMappingURL'))).toEqual([])
  })

  it('no line of the service is longer than a screen: node prints the line that threw above an error', async () => {
    const scripts = packed.paths.filter((path) => path.startsWith('dist/server/') && /\.c?js$/.test(path))
    expect(scripts.length).toBeGreaterThan(20)
    const lines = await Promise.all(scripts.map(async (path) => (await readFile(installed(path), 'utf8')).split('\n')))
    expect(Math.max(...lines.flat().map((line) => line.length))).toBeLessThan(3_000)
  })

  it('the licenses of the packages in the bundles go with them, and no bundle imports such a package', async () => {
    const licenses = await readFile(installed('dist/server/LICENSES.txt'), 'utf8')
    const bundled = ['@noble/curves', '@noble/hashes', 'kysely', 'lru-cache', 'zod']
    for (const name of bundled) expect(licenses).toMatch(new RegExp(`^${name} [\\d.]+ \\((MIT|ISC|BlueOak-1\\.0\\.0)\\)$`, 'm'))
    const ofPage = await readFile(installed('dist/page/LICENSES.txt'), 'utf8')
    for (const name of ['d3-hierarchy', 'json-rpc-2.0', 'preact'])
      expect(ofPage).toMatch(new RegExp(`^${name} [\\d.]+ \\((MIT|ISC)\\)$`, 'm'))
    const scripts = packed.paths.filter((path) => path.startsWith('dist/server/') && path.endsWith('.js'))
    for (const path of scripts) {
      const text = await readFile(installed(path), 'utf8')
      for (const name of bundled) expect([path, new RegExp(`(from|import) ?"${name}`).test(text)]).toEqual([path, false])
    }
  })

  it('no file of the service imports a package of CommonJS: node would parse its files twice', async () => {
    const scripts = packed.paths.filter((path) => path.startsWith('dist/server/') && path.endsWith('.js'))
    const texts = await Promise.all(scripts.map((path) => readFile(installed(path), 'utf8')))
    const packages = texts.flatMap((text) => [...text.matchAll(/\bimport\b[^"'`;]*\bfrom ?"([@\w][\w@/:.-]*)"/g)].map(([, name]) => name!))
    // These are ES modules.
    expect([...new Set(packages)].filter((name) => !name.startsWith('node:'))).toEqual(['@modelcontextprotocol/server', 'vitest'])
    expect(texts.join('')).toContain('requirePackage("pg")')
  })

  it('two builds of the same sources in different folders are equal byte by byte', async () => {
    // The project's own client was built in a third folder.
    const again = await packProject(true)
    try {
      const [one, two] = await Promise.all(
        [packed.file, again.file].map(async (file) =>
          createHash('sha256')
            .update(await readFile(file))
            .digest('hex'),
        ),
      )
      expect(one).toBe(two)
    } finally {
      await again.remove()
    }
  })

  it('an installation has no packages for building or testing', async () => {
    const names = await readdir(join(folder, 'node_modules'))
    for (const name of ['esbuild', 'preact', 'typescript', 'vitest']) expect(names).not.toContain(name)
    expect(await readdir(join(folder, 'node_modules/@ton')).catch(() => [])).toEqual([])
  })

  it('the command starts, makes blocks and runs get-methods in both kinds of threads', async () => {
    const { url, end } = await startByNpx(folder, ['--index', 'off', '--liteserver-port', 'off', '--block-time', '0'])
    try {
      const address = `0:${'11'.repeat(32)}`
      // DROP, PUSHINT 5
      const code = 'te6cckEBAQEABAAABDB1QcVgwQ=='
      await rpc(url, 'local.setAccount', { address, balance: '1000000000', code, data: 'te6cckEBAQEAAgAAAEysuc0=' })
      await rpc(url, 'local.sendInternal', { from: `0:${'22'.repeat(32)}`, to: address, amount: '100000000' })
      const params = { address, method: 1, stack: [] }
      expect(await rpc(url, 'runGetMethod', params)).toMatchObject({ exit_code: 0, stack: [['num', '0x5']] })
      // A traced run goes to a thread of the pool.
      const traced = await post(`${url}/jsonRPC`, rpcRequest('runGetMethod', { ...params, trace: true }))
      expect(traced.body).toMatchObject({
        result: { exit_code: 0, trace: { steps: [{ instruction: 'DROP' }, { instruction: 'PUSHINT 5' }, {}] } },
      })
      const page = await fetch(url, { headers: { Accept: 'text/html' } })
      expect(await page.text()).toContain('<script')
    } finally {
      await end()
    }
  })

  it.each([
    ['imported by an ES module', 'a.mjs', "import { startTonway } from 'tonway'"],
    ['required by a CommonJS module', 'b.cjs', "const { startTonway } = require('tonway')"],
  ])('a tonway starts in the process when it is %s, and a process that forgets it ends', async (_, file, line) => {
    const body = `${line}
const main = async () => {
  const tonway = await startTonway({ port: 'off' })
  const { last } = await tonway.client.getMasterchainInfo()
  console.log(last.workchain, tonway.wallets.length)
}
main()
`
    await writeFile(join(folder, file), body)
    const { stdout } = await run(process.execPath, [file], { cwd: folder })
    expect(stdout).toBe('-1 2\n')
  })

  it('useTonway of tonway/node-test gives each test the chain as the hooks before it left it', async () => {
    const text = `import assert from 'node:assert'
import { before, describe, it } from 'node:test'
import { useTonway } from 'tonway/node-test'
describe('a chain', () => {
  const chain = useTonway({ port: 'off' })
  const [first, second] = ['99', '98'].map((byte) => '0:' + byte.repeat(32))
  const fund = (address, amount) => chain.client.local.fund({ address, amount })
  const balances = () => Promise.all([first, second].map((address) => chain.client.getAddressBalance({ address })))
  before(() => fund(first, '7'))
  it('a test may change what it found', async () => {
    await fund(second, '1')
    assert.deepEqual(await balances(), ['7', '1'])
  })
  it('the next test finds it as before', async () => assert.deepEqual(await balances(), ['7', '0']))
})
`
    await writeFile(join(folder, 'chain.test.mjs'), text)
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')))
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'chain.test.mjs'], { cwd: folder, env })
    expect(stdout).toMatch(/^# pass 2$/m)
  })

  it('the declarations of the package are right for a strict compiler, imported and required', async () => {
    await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
    const text = `import { startTonway, type Tonway } from 'tonway'
import { useTonway } from 'tonway/jest'
export const use = async (): Promise<string> => {
  await using tonway: Tonway = await startTonway({ port: 'off', blockTime: 0 })
  const balance = await tonway.client.getAddressBalance({ address: tonway.wallets[0]!.address })
  balance satisfies string
  // @ts-expect-error a port is a number or off
  await startTonway({ port: 'on' })
  // @ts-expect-error no such method
  tonway.client.getBalance({})
  return useTonway().endpoint
}
`
    const strict = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes', '--target', 'es2022']
    for (const [files, ...flags] of [
      [['use.ts', 'use.cts'], '--lib', 'esnext', '--types', 'node', '--module', 'nodenext'],
      [['use.ts'], '--lib', 'es2022', '--types', 'node', '--module', 'preserve', '--moduleResolution', 'bundler'],
      // Without the types of node, nothing else declares Symbol.asyncDispose.
      [['use.ts', 'use.cts'], '--lib', 'es2022,dom', '--types', '', '--module', 'nodenext'],
    ] as const) {
      for (const file of files) await writeFile(join(folder, file), text)
      const { stdout } = await run(process.execPath, [tsc, ...strict, ...flags, ...files], { cwd: folder }).catch(
        (error: { stdout: string }) => error,
      )
      expect(`${files} ${flags.join(' ')}: ${stdout}`).toBe(`${files} ${flags.join(' ')}: `)
    }
  }, 120_000)
})

describe('the package on versions of node', () => nodes(() => packed))
