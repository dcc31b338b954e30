import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startApp } from '../../server/app.ts'
import { silentLog } from '../../server/base/log.ts'
import { loadConfig } from '../../server/cli/load-config.ts'
import { freePort } from '../kit/free-port.ts'
import { ask, openLine, post, rpcRequest } from '../kit/service/client.ts'
import { startTonway } from '../kit/service/tonway.ts'
import { until } from '../kit/wait.ts'

/* The port is open before a network is. */

/** A web server that answers with a text once it is opened. */
const closedServer = async (text: string) => {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const server = createServer((_, res) => void opened.then(() => res.end(text))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open, close: () => server.close() }
}

/** An app whose network opens with the web server, and a network that it follows. */
const startLate = async () => {
  const maker = await startTonway({ blockTime: 0, liteserverPort: 0, index: false })
  const web = await closedServer((await ask(`${maker.url}/global.config.json`)).text)
  const port = await freePort()
  const argv = ['--port', String(port), '--network', 'copy', '--global-config', web.url, '--index', 'off', '--keys', 'off']
  const { config } = loadConfig({ argv: [...argv, '--anonymous-rps', 'unlimited'], env: {}, file: undefined })
  const starting = startApp(config, { log: silentLog })
  const url = `http://127.0.0.1:${port}`
  await until(async () =>
    ask(`${url}/health`).then(
      () => true,
      () => false,
    ),
  )
  return {
    url,
    open: web.open,
    async [Symbol.asyncDispose]() {
      web.open()
      await (await starting).close(1_000)
      web.close()
      await maker.close()
    },
  }
}

describe('before a network is open', () => {
  it('calls that come before a network is open wait for it, whichever way they come, and health is told at once', async () => {
    await using late = await startLate()
    const { url } = late
    const request = rpcRequest('getMasterchainInfo')
    const line = await openLine(`${url.replace('http', 'ws')}/jsonRPC`)
    let answered = 0
    const calls = [
      ask(`${url}/api/v2/getMasterchainInfo`),
      post(`${url}/jsonRPC`, request),
      post(`${url}/jsonRPC`, [request]),
      post(`${url}/api/v2/jsonRPC`, request),
      line.ask(request).then((body) => ({ status: 200, body })),
    ].map((call) => call.finally(() => answered++))
    expect((await ask(`${url}/health`)).status).toBe(200)
    expect(await ask(`${url}/ready`)).toMatchObject({ status: 503, body: { ok: false, phase: 'starting' } })
    expect(answered).toBe(0)
    late.open()
    for (const { status, body } of await Promise.all(calls)) {
      expect(status).toBe(200)
      expect([body].flat()[0]).toMatchObject({ result: { '@type': 'blocks.masterchainInfo' } })
    }
    line.socket.close()
  })

  it('EventSource, which would give up after a 503, is told to come again, and other readers of events get the 503', async () => {
    await using late = await startLate()
    const sse = `${late.url}/api/streaming/v2/sse?types=blocks`
    const asEventSource = { headers: { Accept: 'text/event-stream' } }
    const told = await ask(sse, asEventSource)
    expect([told.status, told.headers.get('content-type'), told.text]).toEqual([
      200,
      'text/event-stream',
      'retry: 1000\n: the network is not available\n\n',
    ])
    const refused = await ask(sse)
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      503,
      '1',
      { error: 'the network is not available' },
    ])
    late.open()
    const missing = { status: 501, body: { error: 'streaming is not served here: there is no index' } }
    await until(async () => (await ask(sse, asEventSource)).status !== 200)
    expect(await ask(sse, asEventSource)).toMatchObject(missing)
  })
})
