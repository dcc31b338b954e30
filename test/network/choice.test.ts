import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createNetworkChoice } from '../../server/http/networks.ts'

const networks = [
  { name: 'mainnet', hosts: ['ton.example', 'API.example'] },
  { name: 'testnet', hosts: [] },
  { name: 'dev', hosts: ['10.0.0.7'] },
]
const choose = createNetworkChoice(networks)
const ask = (url: string, host?: string): readonly [network: string, url: string] => {
  const req = { url, headers: host === undefined ? {} : { host } } as IncomingMessage
  const network = choose(req)
  return [network, req.url!]
}

describe('the network of a request', () => {
  it.each([
    ['/testnet/api/v2/getShards?seqno=1', undefined, 'testnet', '/api/v2/getShards?seqno=1'],
    ['/testnet/jsonRPC', undefined, 'testnet', '/jsonRPC'],
    ['/mainnet/jsonRPC', 'testnet.ton.example', 'mainnet', '/jsonRPC'],
    ['/testnet', undefined, 'testnet', '/'],
    ['/testnet/', undefined, 'testnet', '/'],
    ['/testnet?x=/y', undefined, 'testnet', '/?x=/y'],
    ['/testnet/testnet/status', undefined, 'testnet', '/testnet/status'],
  ])('%s on %s is for the network %s by its path', (url, host, network, rest) => expect(ask(url, host)).toEqual([network, rest]))

  it.each([
    ['testnet.ton.example', 'testnet'],
    ['TESTNET.ton.example:8081', 'testnet'],
    ['testnet.localhost:8081', 'testnet'],
    ['dev.127.0.0.1', 'dev'],
    ['10.0.0.7:8081', 'dev'],
    ['api.example', 'mainnet'],
    ['ton.example:443', 'mainnet'],
  ])('%s is for the network %s by its host', (host, network) => {
    for (const url of ['/api/v2/getShards', '/jsonRPC', '/status', '/']) expect(ask(url, host)).toEqual([network, url])
  })

  it.each([
    '/api/testnet',
    '/jsonRPC',
    '/testnets/jsonRPC',
    '/TESTNET/jsonRPC',
    '//testnet/',
    '/',
    '',
    '/?testnet/',
    '*',
    '/constructor/x',
  ])('%s is for the default network', (url) => expect(ask(url, 'unknown.example')).toEqual(['mainnet', url]))

  it.each([
    undefined,
    '',
    'testnet',
    'nettest.example',
    '[::1]:8081',
    'testnet.',
    '.',
    ':',
    'tést.example',
    '__proto__.example',
  ])('an odd host is handled: %s', (host) =>
    expect(ask('/jsonRPC', host)).toEqual([host === 'testnet.' ? 'testnet' : 'mainnet', '/jsonRPC']))

  it('a single network needs no host, and may be in the path', () => {
    const alone = createNetworkChoice([{ name: 'local', hosts: [] }])
    const req = { url: '/local/jsonRPC', headers: { host: 'testnet.example' } } as IncomingMessage
    expect([alone(req), req.url]).toEqual(['local', '/jsonRPC'])
    expect([alone(req), req.url]).toEqual(['local', '/jsonRPC'])
  })

  it('the choice of a network works when more hosts have come than are remembered', () => {
    for (let i = 0; i < 3_000; i++) expect(ask('/jsonRPC', `h${i}.example`)[0]).toBe('mainnet')
    expect(ask('/jsonRPC', 'testnet.later.example')[0]).toBe('testnet')
  })
})
