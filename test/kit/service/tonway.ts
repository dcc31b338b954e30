import { type App, startApp } from '../../../server/app.ts'
import { type Clock, systemClock } from '../../../server/base/clock.ts'
import type { Log } from '../../../server/base/log.ts'
import { silentLog } from '../../../server/base/log.ts'
import { loadConfig } from '../../../server/cli/load-config.ts'
import type { Config } from '../../../server/config/settings.ts'
import { createTestTvm } from '../chain/tvm.ts'

/** The whole service in this process, on a free loopback port. */
export interface Tonway {
  readonly url: string
  /** URL of the WebSocket, including the path. */
  readonly wsUrl: string
  readonly app: App
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Settings that differ from the defaults (`blockTime` in milliseconds, 0 makes no idle blocks), and a logger and a clock. */
export type TonwayOptions = Partial<Config> & { readonly logger?: Log; readonly clock?: Clock }

/** Starts a service for a test. Default: one TVM worker, no index, no limits, nothing stored. Close it in afterAll, or use `await using`. */
export const startTonway = async ({ logger = silentLog, clock = systemClock, ...settings }: TonwayOptions = {}): Promise<Tonway> => {
  const { config } = loadConfig({ argv: [], env: {}, file: undefined })
  const tvm = createTestTvm({ workers: settings.tvmWorkers ?? 1 })
  const app = await startApp(
    { ...config, port: 0, liteserverPort: 'off', index: false, metadata: false, anonymousRps: 'unlimited', ...settings },
    { log: logger, clock, tvm },
  )
  const close = async (): Promise<void> => {
    await app.close(1000)
    await tvm.close()
  }
  return { url: app.url, wsUrl: app.wsUrl, app, close, [Symbol.asyncDispose]: close }
}
