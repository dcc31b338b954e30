import * as z from 'zod'
import { answering } from '../../../server/base/answer.ts'
import { silentLog } from '../../../server/base/log.ts'
import { createCache } from '../../../server/dispatch/answer-cache.ts'
import { createDispatch } from '../../../server/dispatch/pipeline.ts'
import type { Outcome } from '../../../server/dispatch/types.ts'
import { createHttp } from '../../../server/http/http.ts'
import { createMeter } from '../../../server/metrics/meter.ts'
import { TonError } from '../../../shared/errors.ts'
import type { MethodDef } from '../../../shared/method.ts'

/*
 * A service for `@modelcontextprotocol/conformance`: /mcp over a registry that has the fixture tools of that suite which answer with text or an error. README.md says
 * how it is run; baseline.yml lists what tonway does not offer.
 */

const fixture = (summary: string): MethodDef => ({
  summary,
  params: z.object({}),
  result: z.string(),
  effect: 'read',
  needs: 'nothing',
  rest: 'none',
  weight: 1,
  cache: 'never',
})
const methods = { test_simple_text: fixture('Answers a text.'), test_error_handling: fixture('Fails.') }
const handlers = answering({
  test_simple_text: () => 'This is a simple text response for testing.',
  test_error_handling: () => {
    throw new TonError('CHAIN', 'This tool intentionally returns an error for testing')
  },
} as never)

const cache = () => createCache<Outcome>({ entries: 10, bytes: 1 << 20 })
const dispatch = createDispatch({ methods, handlers, head: () => undefined, headCache: cache(), finalCache: cache() })
const http = createHttp({
  clientAddress: ({ socket }) => socket.remoteAddress ?? '',
  isProxy: () => false,
  dispatch,
  methods,
  log: silentLog,
  allowLocal: [],
  status: { networks: () => [] },
  meter: createMeter(),
  metrics: 'off',
  accessLog: false,
  networks: [
    {
      name: 'local',
      hosts: [],
      served: Object.keys(methods),
      documents: () => Promise.reject(new Error('none')),
      globalConfig: async () => undefined,
    },
  ],
})
const port = await http.listen('127.0.0.1', Number(process.env['PORT'] ?? 0))
console.log(`http://127.0.0.1:${port}/mcp?tools=all`)
