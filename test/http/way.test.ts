import { type Profiler, Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Chain } from '../../server/chain/chain-port.ts'
import { ask, type Line, openLine, post, rpcRequest } from '../kit/service/client.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'

/*
 * The way of a call between the socket and its handler, as V8 counts which functions run. server/README.md draws it: whoever reads it should find all of it in
 * a few files.
 */

const MAX_FILES = 25
const METHOD = 'getAddressInformation'
const root = fileURLToPath(new URL('../..', import.meta.url))
/** What is the method's own: its handler, and the fields that its parameters are made of. */
const OF_METHOD = /^(?:server\/v2\/accounts\.ts|shared\/fields\/.*)$/

/** Vitest reads every import by such a function, of constants too. */
const IMPORT = /^\(\) => \{ try \{ return \w+ \} catch \{\} \}$/

let tonway: Tonway
let line: Line
const session = new Session()
/** Called when the handler asks the chain for the account. */
let onHandler = (): void => {}
beforeAll(async () => {
  // No idle blocks: nothing happens but the calls.
  tonway = await startTonway({ blockTime: 0 })
  line = await openLine(tonway.wsUrl)
  const chain = tonway.app.network.chain as { account: Chain['account'] }
  const { account: read } = chain
  chain.account = (...args) => {
    onHandler()
    return read(...args)
  }
  session.connect()
  session.post('Debugger.enable')
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
})
afterAll(async () => {
  session.disconnect()
  line.socket.close()
  await tonway.close()
})

const sources = new Map<string, string>()
const sourceOf = (scriptId: string): string => {
  let source = sources.get(scriptId)
  if (source === undefined)
    session.post('Debugger.getScriptSource', { scriptId }, (_, { scriptSource }) => {
      source = scriptSource
      sources.set(scriptId, scriptSource)
    })
  return source ?? ''
}

/** The project's files in which a function ran since the last look. */
const filesRun = (): Set<string> => {
  let result: readonly Profiler.ScriptCoverage[] = []
  // Within a thread this is answered at once.
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error
    ;({ result } = taken)
  })
  const files = new Set<string>()
  for (const { scriptId, url, functions } of result) {
    const path = url.replace(/^file:\/\//, '').split('?')[0]!
    if (!path.startsWith(root) || !/^(?:server|shared)\//.test(path.slice(root.length))) continue
    const source = sourceOf(scriptId)
    const ran = functions.filter(
      ({ functionName, ranges: [range] }) =>
        range!.count > 0 && !(functionName === '' && IMPORT.test(source.slice(range!.startOffset, range!.endOffset))),
    )
    if (ran.length > 0) files.add(path.slice(root.length))
  }
  return files
}

let account = 0
/** An account that was not requested before, so that no answer of it is cached. */
const nextAccount = (): { readonly address: string } => ({ address: `0:${(++account).toString(16).padStart(64, '0')}` })
const request = (): object => rpcRequest(METHOD, nextAccount())

const TRANSPORTS: Readonly<Record<string, () => Promise<unknown>>> = {
  'GET /api/v2': () => ask(`${tonway.url}/api/v2/${METHOD}?address=${nextAccount().address}`),
  'POST /api/v2': () => post(`${tonway.url}/api/v2/${METHOD}`, nextAccount()),
  'POST /jsonRPC': () => post(`${tonway.url}/jsonRPC`, request()),
  'a batch': () => post(`${tonway.url}/jsonRPC`, [request()]),
  'POST /api/v2/jsonRPC': () => post(`${tonway.url}/api/v2/jsonRPC`, request()),
  'a WebSocket': () => line.ask(request()),
  'the same process': () => tonway.app.ask!(JSON.stringify(request()), new AbortController().signal),
}

describe('the way of a call', () => {
  it.each(Object.keys(TRANSPORTS))('a call by %s passes few files between the socket and the handler', async (name) => {
    const call = TRANSPORTS[name]!
    for (let i = 0; i < 3; i++) await call()
    // What the service does by itself.
    filesRun()
    await new Promise((resolve) => setTimeout(resolve, 100))
    const idle = filesRun()
    let ran = new Set<string>()
    onHandler = () => {
      ran = filesRun()
      onHandler = () => {}
    }
    await call()
    expect(ran).toContain('server/v2/accounts.ts')
    const way = [...ran].filter((file) => !idle.has(file) && !OF_METHOD.test(file)).sort()
    expect(way).toContain('server/dispatch/pipeline.ts')
    expect(way.length, way.join('\n')).toBeLessThanOrEqual(MAX_FILES)
  })
})
