import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../client/index.ts'
import { browserPath, inBrowser, openBrowser } from '../kit/service/browser.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { root } from './size.ts'

/* The packed client in an empty Vite page, opened in Chromium, and the same script in Node. */

const run = promisify(execFile)

let tonway: Tonway
let folder: string
beforeAll(async () => {
  tonway = await startTonway({ blockTime: 200 })
  await run(process.execPath, ['server/build/client.mjs'], { cwd: root })
  folder = await mkdtemp(join(tmpdir(), 'tonway-page-'))
  await cp(join(root, 'test/client/browser'), folder, { recursive: true })
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(root, 'dist/client') })
  await writeFile(join(folder, 'package.json'), '{"name":"page","private":true,"type":"module"}')
  await run('npm', ['install', '--silent', '--offline', '--no-audit', '--no-fund', `./${stdout.trim()}`], { cwd: folder })
  await mkdir(join(folder, 'node_modules/@ton'), { recursive: true })
  for (const name of ['@ton/core', '@ton/crypto', '@ton/ton', 'buffer'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
})
afterAll(async () => {
  await tonway?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const start = (to: string, show: string): string => `import * as client from 'tonway-client'
import { tonCore } from 'tonway-client/ton-core'
import { scenario } from './scenario'
const show = ${show}
scenario(client, tonCore, '${tonway.url}', '${to}', show).catch((error) => show('end', String(error)))
`
const friend = (n: number): string => `0:${n.toString(16).padStart(64, '0')}`
const seen = (shown: ReadonlyMap<string, string>, sockets: boolean) => {
  expect(shown.get('end')).toBe('confirmed')
  expect(shown.get('balances')).toMatch(/^[1-9]\d+ [1-9]\d+$/)
  expect(shown.get('seqno')).toMatch(/^\d+$/)
  expect(shown.get('sent')).toBe('true 1500000000')
  expect(shown.get('found')).toBe('true')
  expect(shown.get('refused')).toBe('INVALID_PARAMS')
  expect(Number(shown.get('arrived'))).toBeGreaterThan(1_400_000_000)
  if (sockets) expect(shown.get('socket')).toBe('active true')
}

describe('as a new user would try it', () => {
  it.skipIf(!browserPath)(
    inBrowser('in a page'),
    async () => {
      const show = `(what, text) => {
  const list = document.querySelector('dl')
  const entry = document.getElementById(what) ?? list.appendChild(Object.assign(document.createElement('dd'), { id: what }))
  entry.textContent = text
}`
      // @ton/core asks for node's Buffer, the client does not: the lines that the README tells people to write.
      const [, snippet] = /^```ts\n(\/\/ src\/buffer\.ts[\s\S]*?)^```$/m.exec(await readFile(join(root, 'client/README.md'), 'utf8'))!
      await writeFile(join(folder, 'buffer.ts'), snippet!)
      await writeFile(join(folder, 'main.ts'), `import './buffer'\n${start(friend(0xb0), show)}`)
      await build({ root: folder, logLevel: 'error', build: { target: 'es2022', chunkSizeWarningLimit: 10_000 } })
      const site = await preview({ root: folder, logLevel: 'error', preview: { port: 0, host: '127.0.0.1' } })
      const browser = await openBrowser()
      try {
        const page = await browser.newPage()
        const complaints: string[] = []
        page.on('pageerror', (error) => complaints.push(String(error)))
        page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
        await page.goto(site.resolvedUrls!.local[0]!)
        await page.waitForSelector('#end', { state: 'attached', timeout: 60_000 })
        const entries = await page.locator('dd').evaluateAll((all) => all.map((one) => [one.id, one.textContent ?? ''] as const))
        expect(complaints).toEqual([])
        seen(new Map(entries), true)
      } finally {
        await browser.close()
        await site.close()
      }
      expect(Number(await createClient({ url: tonway.url }).getAddressBalance({ address: friend(0xb0) }))).toBeGreaterThan(1_400_000_000)
    },
    120_000,
  )

  it('the script of the browser runs in Node too', async () => {
    const show = '(what, text) => console.log(JSON.stringify([what, text]))'
    for (const [name, code] of [
      ['scenario.mjs', await run('cat', [join(folder, 'scenario.ts')]).then(({ stdout }) => stdout)],
      ['node.mjs', start(friend(0xa0), show).replace("'./scenario'", "'./scenario.mjs'")],
    ] as const)
      await writeFile(join(folder, name), (await transform(code, { loader: 'ts', format: 'esm' })).code)
    const { stdout } = await run(process.execPath, ['node.mjs'], { cwd: folder, timeout: 60_000 })
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as [string, string])
    seen(new Map(lines), false)
  })
})
