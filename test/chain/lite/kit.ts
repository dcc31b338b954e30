import { systemClock } from '../../../server/base/clock.ts'
import { createKey } from '../../../server/chain/adnl/keys.ts'
import { type Endpoint, type EndpointLimits, startEndpoint } from '../../../server/chain/endpoint/server.ts'
import { globalConfig } from '../../../server/chain/endpoint/write-global-config.ts'
import { createLitePool, type LitePool, type PoolOptions } from '../../../server/chain/lite/pool.ts'
import { readGlobalConfig } from '../../../server/chain/lite/read-global-config.ts'
import type { LiteServer } from '../../../server/chain/liteserver.ts'

const { signal } = new AbortController()

/** A source served over ADNL on a free port of loopback. */
export const serve = (source: LiteServer, limits: Partial<EndpointLimits> = {}, port = 0, key = createKey()): Promise<Endpoint> =>
  startEndpoint(source, { host: '127.0.0.1', port, key, limits }, { log: { debug: () => undefined, warn: () => undefined } })

export interface TestPool extends LitePool {
  /** Events of the log, `event server query: reason`. */
  readonly told: string[]
}

/** A pool over endpoints; zerostate and first block are those that `truth` tells of, through the text of a global config. */
export const createTestPool = async (
  truth: LiteServer,
  endpoints: readonly { readonly port: number; readonly publicKey: Uint8Array; readonly group?: string | undefined }[],
  options: Partial<PoolOptions> = {},
  clock: { now(): number; ticks(): number } = systemClock,
): Promise<TestPool> => {
  const text = await globalConfig(truth, { host: '127.0.0.1', port: 1, publicKey: createKey().publicKey }, signal)
  const { zeroState, init } = readGlobalConfig(text)
  const told: string[] = []
  const tell = (event: string, fields: Record<string, unknown> = {}): void => {
    told.push([event, fields['query'], fields['reason']].filter((part) => part !== undefined).join(' '))
  }
  const servers = endpoints.map(({ port, publicKey, group }) => ({ host: '127.0.0.1', port, key: publicKey, group }))
  const pool = createLitePool(
    {
      servers,
      zeroState,
      init,
      trust: 'full',
      attemptMs: 5_000,
      patienceMs: 500,
      ...options,
      times: { backoffMs: [20, 200], connectMs: 5_000, ...options.times },
    },
    {
      log: { info: (event, fields) => tell(event, fields as never), warn: (event, fields) => tell(event, fields as never) },
      clock,
    },
  )
  return Object.assign(pool, { told })
}
