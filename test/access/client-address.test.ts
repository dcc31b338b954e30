import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createClientAddress } from '../../server/access/client-address.ts'
import { proxyFault } from '../../server/config/proxies.ts'

const request = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

describe('client address', () => {
  it('the client address is the peer, whatever X-Forwarded-For says, if no proxy is trusted', () => {
    const address = createClientAddress([])
    expect(address(request('203.0.113.7'))).toBe('203.0.113.7')
    expect(address(request('203.0.113.7', '1.2.3.4'))).toBe('203.0.113.7')
    expect(address(request('::ffff:203.0.113.7', '1.2.3.4'))).toBe('203.0.113.7')
  })

  const cases: readonly (readonly [peer: string, forwarded: string | undefined, expected: string, why: string])[] = [
    ['10.0.0.2', '203.0.113.7', '203.0.113.7', 'what a trusted proxy saw'],
    ['198.51.100.9', '203.0.113.7', '198.51.100.9', 'a peer that is no proxy is not believed'],
    ['10.0.0.2', '1.1.1.1, 203.0.113.7', '203.0.113.7', 'what stands left of the client was written by the client'],
    ['10.0.0.2', '1.1.1.1, 203.0.113.7, 10.0.0.3', '203.0.113.7', 'two proxies of ours'],
    ['10.0.0.2', '10.9.9.9, 10.0.0.3', '10.9.9.9', 'a client in our own network, as far as anybody can tell'],
    ['10.0.0.2', undefined, '10.0.0.2', 'the proxy itself asks'],
    ['10.0.0.2', '', '10.0.0.2', 'nothing was written'],
    ['10.0.0.2', '203.0.113.7, unknown', '10.0.0.2', 'something else than an address'],
    ['10.0.0.2', '203.0.113.7:4711', '203.0.113.7', 'with a port'],
    ['10.0.0.2', '[2001:db8::7]:4711', '2001:db8::7', 'IPv6 with a port'],
    ['10.0.0.2', '::ffff:203.0.113.7', '203.0.113.7', 'IPv4 in IPv6'],
    ['10.0.0.2', '[::FFFF:cb00:7107]:4711', '203.0.113.7', 'IPv4 in IPv6 in another form'],
    ['10.0.0.2', '203.0.113.7, 0:0:0:0:0:ffff:10.0.0.3', '203.0.113.7', 'a proxy of ours in such a form'],
    ['::ffff:10.0.0.2', ' 203.0.113.7 ', '203.0.113.7', 'the proxy over IPv6'],
    ['10.0.0.2', `${'1.1.1.1,'.repeat(5_000)}203.0.113.7`, '203.0.113.7', 'a header of 40,000 characters'],
    ['10.0.0.2', `10.9.9.9,${'10.0.0.3,'.repeat(5_000)}10.0.0.3`, '10.0.0.3', 'more proxies than a request passes'],
    ['', '203.0.113.7', '', 'a connection that is gone'],
  ]
  const behind = createClientAddress(['private', 'loopback', '2001:db8:ffff::/48'])
  for (const [peer, forwarded, expected, why] of cases)
    it(`the client address of ${peer} with ${JSON.stringify(forwarded?.slice(0, 40))} is right: ${why}`, () => {
      expect(behind(request(peer, forwarded))).toBe(expected)
    })

  it('a bad entry in the list of trusted proxies is refused with what is wrong with it', () => {
    for (const good of ['10.0.0.0/8', '10.0.0.1', 'loopback', 'private', '::1', 'fc00::/7']) expect(proxyFault(good)).toBeUndefined()
    for (const bad of ['10.0.0.0/33', 'proxy.example', '10.0.0.0/8/9', '*', '10.0.0.0/', '::/129'])
      expect(proxyFault(bad)).toContain('is not an address')
  })
})
