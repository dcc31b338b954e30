import { describe, expect, it } from 'vitest'
import { type App, startApp } from '../../server/app.ts'
import { systemClock } from '../../server/base/clock.ts'
import { silentLog } from '../../server/base/log.ts'
import { loadConfig } from '../../server/cli/load-config.ts'
import { createNetwork } from '../../server/network/network.ts'
import { createDatabase } from '../../server/store/postgres/database.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { ask, openLine, post, rpcRequest } from '../kit/service/client.ts'

/* The port is open before a network is. */

describe('before a network is open', () => {
  it('calls that come before a network is open wait for it, whichever way they come, and health is told at once', async () => {
    const { config: defaults } = loadConfig({ argv: [], env: {}, file: undefined })
    const config = { ...defaults, port: 0, liteserverPort: 'off', index: false, metadata: false } as const
    const tvm = createTestTvm({ workers: 1 })
    const database = createDatabase(config)
    let open = (): void => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    let starting: Promise<App> | undefined
    const port = await new Promise<number>((resolve) => {
      starting = startApp(config, {
        log: silentLog,
        tvm,
        database,
        onListening: resolve,
        async open(each, signal) {
          await opened
          return createNetwork(each, { log: silentLog, clock: systemClock, database, tvm, signal })
        },
      })
    })
    const url = `http://127.0.0.1:${port}`
    try {
      const request = rpcRequest('getMasterchainInfo')
      const line = await openLine(`ws://127.0.0.1:${port}/jsonRPC`)
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
      open()
      for (const { status, body } of await Promise.all(calls)) {
        expect(status).toBe(200)
        expect([body].flat()[0]).toMatchObject({ result: { '@type': 'blocks.masterchainInfo' } })
      }
      line.socket.close()
    } finally {
      open()
      await (await starting!).close(1_000)
      await database.close()
      await tvm.close()
    }
  })
})
