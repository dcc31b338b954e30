import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Sender, startEvents, stranger } from '../events/kit.ts'
import { browserPath, inBrowser, openBrowser } from '../kit/service/browser.ts'
import type { V3Service } from '../kit/service/service.ts'
import { until } from '../kit/wait.ts'
import { rawOf } from '../v3/scene.ts'
import { root } from './size.ts'

/* The component of client/README.md in a page with React's StrictMode, over a real service, in Chromium. */

let service: V3Service
let sender: Sender
let folder: string
const [first, second] = [stranger(), stranger()]
beforeAll(async () => {
  ;({ service, sender } = await startEvents())
  folder = await mkdtemp(join(tmpdir(), 'tonway-react-'))
  await mkdir(join(folder, 'node_modules'))
  for (const name of ['react', 'react-dom', 'scheduler'])
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  const readme = await readFile(join(root, 'client/README.md'), 'utf8')
  const [, component] = /^```tsx\n([\s\S]*?)^```$/m.exec(readme)!
  await writeFile(join(folder, 'transactions.tsx'), component!.replace('http://127.0.0.1:8081', service.url))
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><link rel="icon" href="data:,"><div></div><script type="module" src="/main.tsx"></script>',
  )
  await writeFile(
    join(folder, 'main.tsx'),
    `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Transactions } from './transactions'
const root = createRoot(document.querySelector('div')!)
Object.assign(globalThis, {
  show: (account?: string) => root.render(<StrictMode>{account && <Transactions account={account} />}</StrictMode>),
})
`,
  )
})
afterAll(async () => {
  await service?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const subscriptions = (): number => service.tonway.app.network.live!.count()
const show = (page: Page, account?: string): Promise<void> =>
  page.evaluate((shown) => (globalThis as unknown as { show(account?: string): void }).show(shown), account)
const shows = (page: Page, text: string): Promise<void> => page.getByText(text).first().waitFor()
const hashOf = async (account: string): Promise<string> => {
  const { body } = await service.get<{ transactions: { hash: string }[] }>(`transactions?account=${account}`)
  return body.transactions[0]!.hash
}

describe('watch in React', { timeout: 300_000 }, () => {
  it.skipIf(!browserPath)(
    inBrowser('a component follows an account, says when the service is away, and leaves nothing behind'),
    async () => {
      const logLevel = 'silent'
      // The development build of React, in which StrictMode runs each effect twice.
      await build({
        ...{ root: folder, mode: 'development', logLevel, resolve: { alias: { 'tonway-client': join(root, 'client/index.ts') } } },
        build: { minify: false, target: 'es2022' },
      })
      const site = await preview({ root: folder, logLevel, preview: { port: 0, host: '127.0.0.1' } })
      const browser = await openBrowser()
      try {
        const context = await browser.newContext()
        const page = await context.newPage()
        const errors: string[] = []
        page.on('pageerror', (error) => errors.push(String(error)))
        page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
        await page.goto(site.resolvedUrls!.local[0]!)

        await show(page, rawOf(first))
        await shows(page, 'live')
        await until(() => subscriptions() === 1)
        await sender.send([first])
        await shows(page, await hashOf(rawOf(first)))

        await show(page, rawOf(second))
        await sender.send([second])
        await shows(page, await hashOf(rawOf(second)))
        expect(await page.locator('li').count()).toBe(1)
        await until(() => subscriptions() === 1)

        // A chain that is reverted takes back what was shown.
        const { snapshot } = await service.call('local.snapshot', {})
        await sender.send([second])
        await expect.poll(() => page.locator('li').count()).toBe(2)
        await service.call('local.revert', { snapshot })
        await expect.poll(() => page.locator('li').count()).toBe(0)

        await show(page, 'nobody')
        await shows(page, 'refused: subscribe: ')
        await show(page, rawOf(first))
        await shows(page, 'live')

        await show(page)
        await until(() => subscriptions() === 0)
        expect(errors).toEqual([])

        await show(page, rawOf(first))
        await shows(page, 'live')
        await service.tonway.close()
        await shows(page, 'retrying: subscribe: ')
      } finally {
        await browser.close()
        await site.close()
      }
    },
  )
})
