import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, createServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserPath, inBrowser, openBrowser } from '../kit/service/browser.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { root } from './size.ts'

/* tonweb in a Vite page, with the files that the documents tell people to write, opened in Chromium. */

let tonway: Tonway
let folder: string
beforeAll(async () => {
  tonway = await startTonway({ blockTime: 200 })
  folder = await mkdtemp(join(tmpdir(), 'tonway-tonweb-'))
  await mkdir(join(folder, 'node_modules'))
  for (const name of ['tonweb', 'buffer']) await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const [readme, client] = await Promise.all(['README.md', 'client/README.md'].map((page) => readFile(join(root, page), 'utf8')))
  const [, buffer] = /^```ts\n(\/\/ src\/buffer\.ts[\s\S]*?)^```$/m.exec(client!)!
  const [, script] = /^```ts\n(import TonWeb[\s\S]*?)^```$/m.exec(readme!)!
  // What the page tells to write above the import of tonweb.
  const first = /^In a page, tonweb .*`(import '[^']+')`/m.exec(readme!)?.[1] ?? ''
  await writeFile(join(folder, 'buffer.ts'), buffer!)
  await writeFile(join(folder, 'main.ts'), `${first}\n${script!.replaceAll('http://127.0.0.1:8081', tonway.url)}`)
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.ts"></script>',
  )
})
afterAll(async () => {
  await tonway?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** What the page writes to the console: its first line, or its first error. */
const firstWord = async (url: string): Promise<string> => {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage()
    const said = new Promise<string>((resolve) => {
      page.on('pageerror', (error) => resolve(String(error)))
      page.on('console', (message) => (message.type() === 'error' || message.text().startsWith('seqno')) && resolve(message.text()))
    })
    await page.goto(url)
    return await said
  } finally {
    await browser.close()
  }
}

describe('tonweb in a page', { timeout: 300_000 }, () => {
  it.skipIf(!browserPath)(inBrowser('tonweb reads the chain in a page that Vite has built'), async () => {
    await build({ root: folder, logLevel: 'silent', build: { target: 'es2022', chunkSizeWarningLimit: 10_000 } })
    const site = await preview({ root: folder, logLevel: 'silent', preview: { port: 0, host: '127.0.0.1' } })
    try {
      expect(await firstWord(site.resolvedUrls!.local[0]!)).toMatch(/^seqno \d+$/)
    } finally {
      await site.close()
    }
  })

  it.skipIf(!browserPath)(inBrowser('tonweb reads the chain in a page of Vite’s development server'), async () => {
    const site = await createServer({ root: folder, logLevel: 'silent', server: { port: 0, host: '127.0.0.1' } })
    try {
      await site.listen()
      expect(await firstWord(site.resolvedUrls!.local[0]!)).toMatch(/^seqno \d+$/)
    } finally {
      await site.close()
    }
  })
})
