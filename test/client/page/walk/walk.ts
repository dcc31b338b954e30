import { execFileSync } from 'node:child_process'
import { Address } from '@ton/core'
import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { startTestServer, type TestServer, urlOf } from '../../../kit/index/database.ts'
import { openBrowser } from '../../../kit/service/browser.ts'
import { startV3, type V3Service } from '../../../kit/service/service.ts'
import { type Known, makeScene } from '../scene.ts'

/* One browser before one service with the chain of scene.ts, for all tests of the page. */

interface Begun {
  readonly server: TestServer
  readonly connection: Awaited<ReturnType<TestServer['database']>>
  readonly service: V3Service
  readonly browser: Browser
  readonly page: Page
  readonly known: Known
}

/** The calls in a POST of the page's client. */
export interface Asked {
  readonly id: number
  readonly method: string
}

interface Answered {
  readonly id: number
  readonly result?: unknown
}

export const isCall = (url: URL): boolean => url.pathname.endsWith('/jsonRPC')

/** Puts `change` of the service's answer in the place of the answer of one method. Ends with `page.unrouteAll`, which waits for answers under way: one that is given after its route has ended would throw. */
export const answerOf = (page: Page, method: string, change: (result: unknown) => unknown): Promise<unknown> =>
  page.route(isCall, async (route) => {
    // A call that is alone in its tick is no batch.
    const sent = JSON.parse(route.request().postData() ?? '[]') as Asked | Asked[]
    const asked = new Set([sent].flat().flatMap((call) => (call.method === method ? [call.id] : [])))
    if (asked.size === 0) return route.continue()
    const response = await route.fetch()
    const answers = (await response.json()) as Answered | Answered[]
    const changed = await Promise.all(
      [answers]
        .flat()
        .map(async (each) => (asked.has(each.id) ? { jsonrpc: '2.0', id: each.id, result: await change(each.result) } : each)),
    )
    await route.fulfill({ response, json: Array.isArray(answers) ? changed : changed[0] })
  })

/** Leads a loaded page to another view, as a link does. Resolves when the view before it is gone. */
export const go = (page: Page, ...parts: string[]): Promise<void> =>
  page.evaluate(
    (hash) =>
      new Promise<void>((done) => {
        if (location.hash === hash) return done()
        // The page has listened for longer, so that it has begun to draw the view.
        addEventListener('hashchange', () => setTimeout(done), { once: true })
        location.hash = hash
      }),
    `#/${parts.join('/')}`,
  )

export const createWalk = () => {
  let begun: Begun | undefined
  const now = (): Begun => {
    if (!begun) throw new Error('the walk has not begun')
    return begun
  }
  const complaints: string[] = []
  const hosts = new Set<string>()
  const text = (): Promise<string> => now().page.locator('main').innerText()
  return {
    get service(): V3Service {
      return now().service
    },
    get browser(): Browser {
      return now().browser
    },
    /** The page that most tests use. */
    get page(): Page {
      return now().page
    },
    get known(): Known {
      return now().known
    },
    /** The database of the index. */
    get connection() {
      return now().connection
    },
    /** URL of an empty database. */
    async database(): Promise<string> {
      return urlOf(await now().server.database())
    },
    /** Errors in the page, and what the browser says of it. */
    complaints,
    /** Hosts that the page asked for anything. */
    hosts,
    async begin(): Promise<void> {
      execFileSync(process.execPath, ['server/build/page.mjs'])
      const server = await startTestServer()
      const connection = await server.database()
      const service = await startV3({ databaseUrl: urlOf(connection), keys: 'on', hooksAllow: ['127.0.0.1'] })
      const [known, browser] = await Promise.all([makeScene(service), openBrowser()])
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      page.on('pageerror', (error) => complaints.push(String(error)))
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      page.on('request', (request) => hosts.add(new URL(request.url()).host))
      begun = { server, connection, service, browser, page, known }
    },
    async end(): Promise<void> {
      await begun?.browser.close()
      await begun?.service.close()
      await begun?.server.close()
    },
    /** The views with what this chain has. */
    views(): string[][] {
      const { known } = now()
      return [
        [],
        ['account', known.wallet],
        ['account', known.wallet, 'transactions'],
        ['account', known.wallet, 'tokens'],
        ['account', known.wallet, 'nfts'],
        ['account', known.wallet, 'contract'],
        ['account', known.jetton, 'holders'],
        ['account', known.collection, 'items'],
        ['account', known.item],
        ['tx', known.mint],
        ['tx', known.failed],
        ['block', '-1', '8000000000000000', '3'],
        ['account', known.multisig],
        ['account', known.order],
        ['account', known.vesting],
        ['account', known.sale],
        ['account', known.sold],
        ['account', known.username],
        ['account', known.name],
        ['validators'],
        ['config'],
        ['workbench'],
        ['methods', 'v3.transactions'],
      ]
    },
    /** Leads the page to a view of the service. It is loaded anew only if it was elsewhere. */
    async open(...parts: string[]): Promise<void> {
      const { page, service } = now()
      if (page.url().startsWith(`${service.url}/#/`)) await go(page, ...parts)
      else await page.goto(`${service.url}/#/${parts.join('/')}`)
    },
    text,
    /** Waits until the view says all of this. */
    async says(...wanted: (string | RegExp)[]): Promise<void> {
      for (const part of wanted) await expect.poll(text, { interval: 100 }).toMatch(part)
    },
    /** Waits until a view has all that it loads. */
    async whole(of: Page): Promise<void> {
      // Each part of a view says sooner or later that it is loaded.
      await of.locator('body:not(:has(.waiting)) main > .whole').waitFor()
    },
    /** Opens what the view of a transaction folds: bodies, further fields and phases. */
    async unfold(): Promise<void> {
      const { page } = now()
      await page.locator('.transaction').waitFor()
      await page.locator('.transaction details').evaluateAll((all) => {
        for (const each of all as HTMLDetailsElement[])
          if (/^(Body:|Hash, fee|Phases)/.test(each.firstElementChild!.textContent)) each.open = true
      })
    },
    /** How an account is written on every view. */
    async spelled(raw: string): Promise<string> {
      return (await now().service.call('v3.addressBook', { address: [raw] }))[raw]?.user_friendly ?? 'not in the address book'
    },
    /** The same in short, as in lists. */
    async short(address: string): Promise<string> {
      const spelled = await this.spelled(Address.parse(address).toRawString().toUpperCase())
      return `${spelled.slice(0, 6)}…${spelled.slice(-6)}`
    },
    async search(typed: string): Promise<void> {
      // A box with suggestions.
      const box = now().page.getByRole('combobox', { name: /^Search: / })
      await box.fill(typed)
      await box.press('Enter')
    },
  }
}
export type Walk = ReturnType<typeof createWalk>
