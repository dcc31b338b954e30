import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { createClient } from '../../../../client/index.ts'
import { startTonway } from '../../../kit/service/tonway.ts'
import type { Walk } from './walk.ts'

/* A service that is gone, an index that is off or behind, and several networks. */

export const faults = (walk: Walk): void => {
  const { open, says, text } = walk

  it('the page says that the service is gone, and goes on when it is back', async () => {
    await open()
    await says('Masterchain block')
    const before = walk.complaints.length
    try {
      await walk.page.context().setOffline(true)
      await says('The service does not answer')
      await walk.page.context().setOffline(false)
      await expect.poll(text).not.toContain('The service does not answer')
    } finally {
      await walk.page.context().setOffline(false)
      // The browser itself reports each request that failed meanwhile.
      walk.complaints.splice(
        before,
        walk.complaints.length,
        ...walk.complaints.slice(before).filter((each) => !/ERR_INTERNET_DISCONNECTED/.test(each)),
      )
    }
  })

  it('the page says that a service has ended, and follows the one that is started in its place', async () => {
    const first = await startTonway({ blockTime: 0 })
    const port = Number(new URL(first.url).port)
    const other = await walk.browser.newPage()
    const shown = (): Promise<string> => other.locator('main').innerText()
    try {
      await other.goto(`${first.url}/#/config`)
      await expect.poll(shown).toContain('Global id of the network')
      await first.close()
      await expect.poll(shown).toContain('The service does not answer')
      // The sign at the top says the same at the same time.
      expect(await other.locator('.connection').innerText()).toContain('no answer')
      // What was loaded stays in sight.
      expect(await shown()).toContain('Global id of the network')
      await using second = await startTonway({ blockTime: 0, port })
      await expect.poll(shown).not.toContain('The service does not answer')
      const { block } = await createClient({ url: second.url }).local.mine({ count: 7 })
      await other.getByRole('link', { name: 'Overview', exact: true }).click()
      await expect.poll(shown).toMatch(new RegExp(`Masterchain block\\s+${block.seqno}`))
      await other.close()
    } finally {
      await first.close()
    }
  })

  it('the page shows what there is where the index is off', async () => {
    await using plain = await startTonway({ blockTime: 0 })
    const { wallets } = await createClient({ url: plain.url }).local.wallets()
    await walk.page.goto(plain.url)
    await says('The index is off here', /Index\s+off/)
    await walk.page.goto(`${plain.url}/#/account/${wallets[0]!.address}`)
    // Without an index, an account of the genesis is known by its state alone.
    await says(/Balance\s+1.000.000\s+GRAM/, 'active', 'Newest transactions', 'Contract')
    // The page asks this service until it is left.
    await walk.page.goto('about:blank')
    walk.hosts.delete(new URL(plain.url).host)
  })

  it('the page says how far an index is behind that cannot write, and that it has caught up', async () => {
    const client = new Client(walk.connection)
    await client.connect()
    try {
      await walk.service.indexed()
      await client.query('begin')
      await client.query('lock table blocks in share row exclusive mode')
      await walk.service.call('local.mine', { count: 40 })
      await open()
      await says(/The index is [34]\d blocks behind/, /Index\s+[34]\d blocks behind/)
      // Accounts can still be looked up, and what the index has can still be read.
      await open('account', walk.known.wallet)
      await says('Balance', 'Jetton mint')
    } finally {
      await client.end()
    }
    await walk.service.indexed()
    await open()
    await says(/Index\s+up to date/)
    await expect.poll(text).not.toContain('blocks behind')
  })

  it('the page says that the index has stopped, and why', async () => {
    const isStatus = (url: URL): boolean => url.pathname.endsWith('/status')
    await walk.page.route(isStatus, async (route) => {
      const response = await route.fetch()
      const told = (await response.json()) as { index: object }
      await route.fulfill({ response, json: { ...told, index: { ...told.index, error: 'the disk is full' } } })
    })
    await walk.page.goto(`${walk.service.url}/?stopped#/`)
    await says('The index has stopped: the disk is full')
    await walk.page.unrouteAll({ behavior: 'wait' })
  })

  it('the page leads from one network of the service to the other and back', async () => {
    await using both = await startTonway({
      network: ['local', 'second'],
      networks: { second: { kind: 'local', globalId: -77 } },
      blockTime: 0,
    })
    const connection = (): Promise<string> => walk.page.locator('.connection').innerText()
    await walk.page.goto(`${both.url}/`)
    await walk.page.getByRole('link', { name: 'second' }).click()
    await expect.poll(() => walk.page.url()).toBe(`${both.url}/second/`)
    await expect.poll(connection).toMatch(/second\s+blocks (live|up to date)/)
    await walk.page.getByRole('link', { name: 'Methods' }).click()
    await says('Balance of an account in nanograms.')
    await walk.page.getByRole('link', { name: 'local', exact: true }).click()
    await expect.poll(connection).toMatch(/local\s+blocks (live|up to date)/)
    await walk.page.goto('about:blank')
    walk.hosts.delete(new URL(both.url).host)
  })

  it('the page works behind a proxy that serves it under a path of its own and passes on no WebSocket', async () => {
    const PATH = '/tools/ton'
    const proxy = createServer((asked, answer) => {
      if (!asked.url!.startsWith(`${PATH}/`)) return void answer.writeHead(404).end()
      const options = { method: asked.method, headers: asked.headers }
      const passed = request(walk.service.url + asked.url!.slice(PATH.length), options, (told) => {
        answer.writeHead(told.statusCode!, told.headers)
        told.pipe(answer)
      })
      passed.on('error', () => answer.destroy())
      asked.pipe(passed)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const other = await walk.browser.newPage()
    try {
      await other.goto(`http://127.0.0.1:${port}${PATH}/`)
      await expect.poll(() => other.locator('main').innerText()).toMatch(/Masterchain block\s+\d/)
      await expect.poll(() => other.locator('.connection').innerText()).toContain('blocks up to date')
      await other.locator('.actions .what a').first().click()
      await expect.poll(() => other.locator('main').innerText()).toMatch(/Trace[\s\S]*\d transactions?, started by/)
    } finally {
      await other.close()
      proxy.closeAllConnections()
      proxy.close()
    }
  })
}
