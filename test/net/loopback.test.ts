import { describe, expect, it } from 'vitest'
import { isLoopback } from '../../server/net/address-ranges.ts'

describe('addresses of this machine', () => {
  it.each([
    ['127.0.0.1', true],
    ['127.255.255.255', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['::ffff:127.0.0.1', true],
    ['::FFFF:127.8.8.8', true],
    ['::ffff:7f00:1', true],
    ['126.255.255.255', false],
    ['128.0.0.0', false],
    ['10.0.0.1', false],
    ['::', false],
    ['::2', false],
    ['::127.0.0.1', false],
    ['::ffff:10.0.0.1', false],
    ['::ffff:8000:1', false],
    ['fe80::1%lo', false],
    ['', false],
    ['localhost', false],
    ['127.', false],
    ['127.1', false],
    ['127.0.0.256', false],
    ['127.evil.example', false],
    ['127.0.0.1.evil.example', false],
    ['1127.0.0.1', false],
    ['127.0.0.1:80', false],
    ['[::1]', false],
    ['0127.0.0.1', false],
    ['::ffff:127.evil.example', false],
  ])('a text is an address of this machine or not: %j, %j', (text, expected) => {
    expect(isLoopback(text)).toBe(expected)
  })
})
