import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDocuments } from '../../server/http/docs/documents.ts'
import { EVENT_WORDS } from '../../shared/live/subscriptions.ts'
import { methodNames } from '../../shared/registry.ts'
import type { V3Service } from '../kit/service/service.ts'
import { startTonway } from '../kit/service/tonway.ts'
import { until } from '../kit/wait.ts'
import { readRpc, type Sender, startEvents, stranger } from './kit.ts'
import { openSse } from './sse.ts'
import { openStream } from './stream.ts'

/* /asyncapi.json is valid, and what streams and subscriptions send is what it says. */

const require = createRequire(import.meta.url)

let service: V3Service
let sender: Sender
let document: { channels: object; components: { messages: object } }
beforeAll(async () => {
  ;({ service, sender } = await startEvents())
  document = await (await fetch(`${service.url}/asyncapi.json`)).json()
})
afterAll(() => service?.close())

/** The errors of a value as the payload of a message of the document; null if there are none. */
const faultsOf = () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ ...document, $id: 'doc' })
  return (message: string, value: unknown): unknown => {
    const validate = ajv.compile({ $ref: `doc#/components/messages/${message}/payload` })
    return validate(value) ? null : validate.errors
  }
}

describe('/asyncapi.json', () => {
  it('the document is valid by the schema of AsyncAPI 3.0.0, at the address of the service', async () => {
    const schema = JSON.parse(JSON.stringify(require('@asyncapi/specs/schemas/3.0.0-without-$id.json')))
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)
    expect([validate(document), validate.errors]).toEqual([true, null])
    const { host } = new URL(service.url)
    expect(document).toMatchObject({ servers: { sockets: { host, protocol: 'ws' }, http: { host, protocol: 'http' } } })
    const prefixed = await (await fetch(`${service.url}/local/asyncapi.json`)).json()
    expect(prefixed.servers.sockets).toEqual({ host, pathname: '/local', protocol: 'ws' })
    const secure = createDocuments({ served: methodNames, version: '1', origin: () => 'https://ton.example' })
    expect(JSON.parse(await secure.asyncapi('/testnet')).servers.http).toEqual({
      host: 'ton.example',
      pathname: '/testnet',
      protocol: 'https',
    })
  })

  it('a service without an index says that it has no events', async () => {
    await using tonway = await startTonway({ blockTime: 0 })
    const without = await (await fetch(`${tonway.url}/asyncapi.json`)).json()
    expect(without).toMatchObject({ channels: {}, info: { description: expect.stringContaining('no index') } })
  })

  it('every event of subscriptions and of both streams is as the document says, from pending on and after a revert', async () => {
    const to = stranger()
    const filter = { types: EVENT_WORDS, addresses: [to.toRawString(), sender.raw], min_finality: 'pending' }
    const asked = { ...filter, include_address_book: true, include_metadata: true }
    const rpc = await readRpc(service.tonway.wsUrl, asked)
    const sse = await openSse(`${service.url}/api/streaming/v2/sse`, { ...asked, with_cursor: true })
    const socket = await openStream(`${service.url.replace('http', 'ws')}/api/streaming/v2/ws`)
    const request = { operation: 'subscribe', id: 'a', ...asked }
    const answers = [
      ['subscribed', await socket.op(request)],
      ['pong', await socket.op({ operation: 'ping' })],
      ['refused', await socket.op({ operation: 'subscribe', types: ['nonsense'] })],
    ] as const
    const { snapshot } = await service.call('local.snapshot', {})
    await sender.send([to])
    const { address: jetton } = await service.call('local.deployJetton', { symbol: 'ACRN' })
    await service.call('local.mintJetton', { jetton, owner: to.toRawString(), amount: '5' })
    await service.settle()
    await until(() => [rpc.events, socket.events].every((events) => events.some(({ type }) => type === 'jettons_change')))
    await until(() =>
      [rpc.events, socket.events].every((events) => events.some(({ type, finality }) => type === 'trace' && finality === 'finalized')),
    )
    await service.call('local.revert', { snapshot })
    await until(() => rpc.events.some(({ type }) => type === 'reset'))
    await until(() => sse.frames.some(({ data }) => data?.type === 'reset'))
    const faults = faultsOf()
    expect(faults('subscribe', request)).toBeNull()
    for (const [message, answer] of answers) expect([message, faults(message, answer)]).toEqual([message, null])
    const [connected, ...frames] = sse.frames
    expect(faults('subscribed', connected?.data)).toBeNull()
    for (const event of [...frames.map(({ data }) => data), ...socket.events])
      expect([event?.type, faults('event', event)]).toEqual([event?.type, null])
    for (const result of rpc.events) {
      const notification = { jsonrpc: '2.0', method: 'subscription', params: { subscription: rpc.id, result } }
      expect([result.type, faults('notification', notification)]).toEqual([result.type, null])
    }
    const told = new Set([...rpc.events, ...socket.events].map(({ type }) => type))
    for (const type of [
      'transactions',
      'actions',
      'trace',
      'account_state_change',
      'jettons_change',
      'block',
      'reset',
      'trace_invalidated',
    ])
      expect([...told]).toContain(type)
    // The schema refuses what is no event.
    expect(faults('event', { type: 'block' })).not.toBeNull()
    for (const each of [rpc, sse, socket]) each.close()
  }, 120_000)
})

describe('/llms.txt', () => {
  it('the text names every method that is served, with links that answer', async () => {
    const text = await (await fetch(`${service.url}/llms.txt`)).text()
    expect(text).toMatch(/^# tonway\n\n> /)
    for (const name of methodNames) expect(text).toContain(`${name}(`)
    const links = [...text.matchAll(/\]\((\S+)\)/g)].map(([, url]) => url!)
    expect(links.length).toBeGreaterThan(80)
    for (const url of links) {
      const answer = await fetch(url)
      expect([url, answer.status === 405, /"error":"not found\b/i.test(await answer.text())]).toEqual([url, false, false])
    }
    expect(text).toContain(`(${service.url}/asyncapi.json)`)
    expect(await (await fetch(`${service.url}/local/llms.txt`)).text()).toContain(`(${service.url}/local/api/v2/getMasterchainInfo)`)
    expect(text.length).toBeLessThan(30_000)
  }, 120_000)
})
