import { describe, expect, it } from 'vitest'
import { clientNet, plainAddress } from '../../server/net/client-net.ts'

describe('whom an address stands for', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['0000:0000:0000:0000:0000:FFFF:CB00:7107', '203.0.113.7'],
    ['::0:ffff:203.0.113.7%eth0', '203.0.113.7'],
    // Not mapped: the group of ffff is elsewhere.
    ['::ffff:0:203.0.113.7', '0:0:0:0::/64'],
    ['0:ffff::203.0.113.7', '0:ffff:0:0::/64'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:1:2:3:4', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('the address %s counts as %s', (address, client) => {
    expect(clientNet(address)).toBe(client)
  })

  it('an IPv4 address inside IPv6 is shown as IPv4', () => {
    expect(['::ffff:203.0.113.7', 'fe80::1%eth0', '::ffff:1'].map(plainAddress)).toEqual(['203.0.113.7', 'fe80::1', '::ffff:1'])
  })
})
