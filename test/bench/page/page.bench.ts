import type { Page } from 'playwright-core'
import { largeTrace } from '../../client/page/hostile.ts'
import { startTestServer, urlOf } from '../../kit/index/database.ts'
import { browserPath, openBrowser } from '../../kit/service/browser.ts'
import { sleep } from '../../kit/wait.ts'
import type { Bench } from '../bench.ts'
import { type Service, startService } from '../service.ts'

/* The page in a real Chromium: the first view, and the longest task with a large trace, both by the browser's own clock. */

const ROUNDS = 5
const NODES = 1_000

type Seen = Pick<Service, 'url' | 'rpc' | 'close'>

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

/** A service with an index, and a few blocks in it. */
const startSeen = async (): Promise<Seen> => {
  if (!browserPath) throw new Error('there is no Chromium')
  const server = await startTestServer()
  const service = await startService({ DATABASE_URL: urlOf(await server.database()), TONWAY_BLOCK_TIME: '0' })
  const close = async (): Promise<void> => {
    await service.close()
    await server.close()
  }
  for (let i = 0; i < 20; i++) await service.rpc('local.fund', { address: `0:${'77'.repeat(32)}`, amount: '1000000000' })
  for (;;) {
    const { transactions } = await service
      .rpc<{ transactions: unknown[] }>('v3.transactions', { limit: 20 })
      .catch(() => ({ transactions: [] as unknown[] }))
    if (transactions.length === 20) return { url: service.url, rpc: service.rpc, close }
    await sleep(100)
  }
}

/** Milliseconds from the request until blocks and actions are drawn, with nothing in the cache of the browser. */
const firstView = async (service: Seen): Promise<number> => {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.addInitScript(() => {
      const look = (): void => {
        const isSeen = (what: string): boolean => document.querySelector(what)?.checkVisibility({ visibilityProperty: true }) === true
        const isDrawn = isSeen('main table tbody tr') && isSeen('main .actions li')
        if (isDrawn) performance.mark('drawn')
        else requestAnimationFrame(look)
      }
      look()
    })
    await page.goto(service.url)
    for (;;) {
      const drawn = await page.evaluate(() => performance.getEntriesByName('drawn')[0]?.startTime)
      if (drawn !== undefined) return drawn
      await sleep(50)
    }
  } finally {
    await browser.close()
  }
}

interface Call {
  readonly id: number
  readonly method: string
}

/** Answers every trace with one of NODES transactions and as many actions, each a copy of one of the chain. */
const answerLargeTrace = async (page: Page, service: Seen): Promise<void> => {
  const { transactions, ...names } = await service.rpc<{ transactions: { hash: string }[] }>('v3.transactions', { limit: 1 })
  const { actions } = await service.rpc<{ actions: object[] }>('v3.actions', { limit: 1 })
  const answer = largeTrace(NODES)
  const trace = answer.traces[0]!
  const hashes: string[] = []
  const walk = (node: { tx_hash: string; children: unknown[] }): void => {
    hashes.push(node.tx_hash)
    for (const child of node.children) walk(child as typeof node)
  }
  walk(trace.trace!)
  const whole = {
    ...trace,
    is_incomplete: false,
    actions: hashes.map((hash) => ({ ...actions[0], action_id: hash })),
    transactions: Object.fromEntries(hashes.map((hash) => [hash, { ...transactions[0], hash }])),
  }
  const body = { ...answer, ...names, traces: [whole] }
  await page.route(
    (url) => url.pathname.endsWith('/jsonRPC'),
    async (route) => {
      const calls = JSON.parse(route.request().postData() ?? '[]') as readonly Call[]
      if (!Array.isArray(calls) || !calls.some(({ method }) => method === 'v3.traces')) return route.continue()
      const none = { traces: [], transactions: [], address_book: {}, metadata: {} }
      await route.fulfill({
        json: calls.map(({ id, method }) => ({ jsonrpc: '2.0', id, result: method === 'v3.traces' ? body : none })),
      })
    },
  )
}

interface TraceEvent {
  readonly name: string
  readonly tid: number
  readonly pid: number
  readonly dur?: number
  readonly args?: { readonly name?: string }
}

/** Scrolls the picture from its beginning to its end, as fast as it is drawn, at the smallest scale, and says how many transactions were drawn. */
const seeAll = async (page: Page): Promise<number> => {
  const smaller = page.getByRole('button', { name: 'Smaller' })
  while (await smaller.isEnabled()) await smaller.click()
  return await page.evaluate(async () => {
    const frame = document.querySelector('.picture .frame')!
    const seen = new Set<string>()
    const drawn = (): Promise<void> => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    for (let top = 0; ; top += 400) {
      frame.scrollTop = top
      await drawn()
      await drawn()
      for (const node of frame.querySelectorAll<SVGGElement>('.node')) seen.add(node.dataset['hash']!)
      if (top > frame.scrollHeight) return seen.size
    }
  })
}

/** The longest task of the page's main thread in milliseconds, by the browser's trace, while the trace is loaded and all of it is seen. */
const longestTask = async (service: Seen): Promise<number> => {
  const browser = await openBrowser()
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await answerLargeTrace(page, service)
    await page.goto(service.url)
    await page.locator('main table tbody tr').first().waitFor()
    await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] })
    await page.goto(`${service.url}/#/tx/${'ab'.repeat(32)}`)
    await page.locator('.picture .node').first().waitFor()
    const seen = await seeAll(page)
    if (seen !== NODES) throw new Error(`${seen} transactions were drawn, not ${NODES}`)
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: readonly TraceEvent[] }
    const main = new Set(
      traceEvents
        .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    )
    const tasks = traceEvents.filter(({ name, pid, tid }) => /RunTask$/.test(name) && main.has(`${pid} ${tid}`))
    if (tasks.length === 0) throw new Error('the trace of the browser has no task')
    return Math.max(...tasks.map(({ dur = 0 }) => dur)) / 1_000
  } finally {
    await browser.close()
  }
}

/** A figure of the page: the median of some rounds. The yardstick is the goal itself. */
const figure = (name: string, atMost: number, of: (service: Seen) => Promise<number>): Bench => ({
  name,
  target: { atMost, unit: 'ms' },
  async measure() {
    const service = await startSeen()
    try {
      const found: number[] = []
      for (let round = 0; round < ROUNDS; round++) found.push(await of(service))
      const ours = median(found)
      return { ours, yardstick: atMost, ratio: ours, unit: 'ms' }
    } finally {
      await service.close()
    }
  },
})

export const benches: readonly Bench[] = [
  figure('page: the first view is drawn, with an empty cache', 1_000, firstView),
  figure(`page: the longest task while a trace of ${NODES} transactions is loaded and seen from end to end`, 200, longestTask),
]
