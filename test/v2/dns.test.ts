import { Address, beginCell, Cell, Dictionary } from '@ton/core'
import { afterAll, describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { dnsResolver } from '../../server/v2/dns.ts'
import { adnlText, decodeName, encodeName } from '../../server/v2/dns-names.ts'
import { createTestTvm } from '../kit/chain/tvm.ts'
import { fc } from '../kit/property.ts'
import { answering, running } from './answering-contract.ts'
import { own, sha256Key } from './cells.ts'
import { type Contract, contractsChain } from './contracts-chain.ts'

const tvm = createTestTvm({ workers: 1, deadlineMs: 20_000 })
afterAll(() => tvm.close())
const { signal } = new AbortController()
const call = { signal } as Call

const account = (byte: number): Address => new Address(0, Buffer.alloc(32, byte))
const raw = (address: Address): string => `${address.workChain}:${address.hash.toString('hex')}`
const hash = Buffer.alloc(32, 0xcd)
const smc = beginCell().storeUint(0x9fd3, 16).storeAddress(account(5)).storeUint(0, 8).endCell()
const adnl = beginCell().storeUint(0xad01, 16).storeBuffer(hash).storeUint(0, 8).endCell()
const storage = beginCell().storeUint(0x7473, 16).storeBuffer(hash).endCell()
const text = beginCell().storeUint(0x1eda, 16).storeUint(1, 8).storeUint(5, 8).storeStringTail('hello').endCell()
const next = (to: Address): Cell => beginCell().storeUint(0xba93, 16).storeAddress(to).endCell()
const dict = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell())
for (const [name, cell] of Object.entries({
  wallet: smc,
  site: adnl,
  storage,
  text,
  dns_next_resolver: next(account(6)),
  broken: Cell.EMPTY,
}))
  dict.set(sha256Key(name), cell)
const records = beginCell().storeDictDirect(dict).endCell()

const resolver = (bits: bigint, cell: Cell | null): Contract => ({
  code: answering({ dnsresolve: [bits, cell === null ? null : { cell }] }),
  data: Cell.EMPTY,
})
const resolve = (contracts: Readonly<Record<string, Contract>>, name: string, ttl: number) =>
  dnsResolver(contractsChain(tvm, contracts))({ workchain: 0, hash: account(1).hash }, name, ttl, undefined, call)

const category = (name: string): string => Buffer.from(sha256Key(name).toString(16).padStart(64, '0'), 'hex').toString('base64')

describe('names', () => {
  it.each([
    ['', '\0'],
    ['.', '\0'],
    ['ton', 'ton\0'],
    ['ton.', '\0ton\0'],
    ['a.b.ton.', '\0ton\0b\0a\0'],
    ['.ton.', '\0ton\0'],
  ])('DNS names are encoded: %j', (name, encoded) => {
    expect(encodeName(name).toString()).toBe(encoded)
  })

  it('encoded DNS names are decoded again', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z0-9-]{1,10}$/), { minLength: 1, maxLength: 6 }), (parts) => {
        const name = `${parts.join('.')}.`
        expect(decodeName(encodeName(name))).toBe(`.${name}`)
      }),
    )
  })

  it('DNS names have at most 127 bytes', () => {
    expect(() => encodeName('a'.repeat(127))).toThrow('DNS encoded name is too long')
    expect(encodeName('a'.repeat(126))).toHaveLength(127)
  })

  it('an ADNL address is written as TON writes it', () => {
    // tonutils' vector of the foundation.ton site.
    const id = Buffer.from('5a7bd4fa4dd8cb3a4cbf15ae3a4a5aaee1d0c4bbcc2e5b8b2b0b3b1c5b5e5d5c', 'hex')
    const encoded = adnlText(id)
    expect(encoded).toMatch(/^[a-z2-7]{55}$/)
    // Read back by hand: base32 with the letter that is always there, tag 2d, the id, its checksum.
    let bits = ''
    for (const letter of `f${encoded}`) bits += 'abcdefghijklmnopqrstuvwxyz234567'.indexOf(letter).toString(2).padStart(5, '0')
    const bytes = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
    expect(bytes).toHaveLength(35)
    expect(bytes[0]).toBe(0x2d)
    expect(bytes.subarray(1, 33)).toEqual(id)
  })
})

describe('dnsResolve', () => {
  it('dnsResolve answers every record of a resolved name', async () => {
    const entries = await resolve({ [raw(account(1))]: resolver(8n * 5n, records) }, 'ton', 5)
    const byCategory = Object.fromEntries(entries.map((entry) => [entry.category, entry.entry]))
    expect(entries.every(({ name }) => name === 'ton.')).toBe(true)
    expect(byCategory).toEqual({
      [category('wallet')]: {
        '@type': 'dns.entryDataSmcAddress',
        smc_address: { '@type': 'accountAddress', account_address: account(5).toString() },
      },
      [category('site')]: { '@type': 'dns.entryDataAdnlAddress', adnl_address: { '@type': 'adnlAddress', adnl_address: adnlText(hash) } },
      [category('storage')]: { '@type': 'dns.entryDataStorageAddress', bag_id: hash.toString('hex') },
      [category('text')]: { '@type': 'dns.entryDataText', text: 'hello' },
      [category('dns_next_resolver')]: {
        '@type': 'dns.entryDataNextResolver',
        resolver: { '@type': 'accountAddress', account_address: account(6).toString() },
      },
    })
  })

  it('dnsResolve follows next resolvers as far as ttl goes', async () => {
    const contracts = {
      // "\0ton\0alice\0": the first answers for "\0ton", the second for all of "\0alice\0" (what is left of "alice.").
      [raw(account(1))]: resolver(8n * 4n, next(account(2))),
      [raw(account(2))]: resolver(8n * 7n, records),
    }
    const followed = await resolve(contracts, 'alice.ton', 1)
    expect(followed).toHaveLength(5)
    expect(followed[0]!.name).toBe('alice.')
    expect(await resolve(contracts, 'alice.ton', 0)).toEqual([
      {
        '@type': 'dns.entry',
        name: 'ton.',
        category: category('dns_next_resolver'),
        entry: { '@type': 'dns.entryDataNextResolver', resolver: { '@type': 'accountAddress', account_address: account(2).toString() } },
      },
    ])
  })

  it('dnsResolve ends if resolvers refer to each other', async () => {
    const contracts = { [raw(account(1))]: resolver(8n, next(account(2))), [raw(account(2))]: resolver(8n, next(account(1))) }
    // Each takes a byte of the name away; an end is reached however high ttl is.
    await expect(resolve(contracts, 'a.b.c.d.e.f', 2 ** 31 - 1)).rejects.toMatchObject({ kind: 'CHAIN' })
  })

  it('dnsResolve is empty if nothing is found', async () => {
    expect(await resolve({ [raw(account(1))]: resolver(0n, null) }, 'a.ton', 3)).toEqual([])
    expect(await resolve({ [raw(account(1))]: resolver(0n, records) }, 'a.ton', 3)).toEqual([])
  })

  it.each<[string, Contract | undefined, string]>([
    ['without code', undefined, 'get method failed'],
    ['without the method', { code: answering({}), data: Cell.EMPTY }, 'get method failed'],
    ['that answers for more than was asked', resolver(8n * 100n, records), 'get method failed'],
    ['that answers for a part of a byte', resolver(12n, records), 'Prefix size is not divisible by 8'],
    ['whose answer is no end of the name', resolver(16n, next(account(2))), 'INTERNAL: domain is not a suffix of the query'],
    ['whose records are no dictionary', resolver(88n, smc), 'Invalid DNS category dictionary'],
    ['whose partial answer is no resolver', resolver(32n, smc), "INTERNAL: dns entry is not 'next resolver'"],
  ])('dnsResolve passes on the error of a resolver %s', async (_, contract, message) => {
    const contracts: Record<string, Contract> = contract ? { [raw(account(1))]: contract } : {}
    await expect(resolve(contracts, 'alice.ton', 3)).rejects.toMatchObject({ kind: 'CHAIN', message })
  })

  it('dnsResolve refuses a resolver that splits a component', async () => {
    const contracts = { [raw(account(1))]: resolver(40n, next(account(2))), [raw(account(2))]: resolver(8n, next(account(3))) }
    await expect(resolve(contracts, 'aa.ton', 9)).rejects.toMatchObject({
      kind: 'CHAIN',
      message: 'next resolver error: domain split not at a component boundary ',
    })
  })

  it('dnsResolve gives the resolver the encoded name and category 0', async () => {
    // DROP; DUP SBITS; SWAP; NEWC SWAP STSLICER ENDC: leaves the name's bits and the name itself as a cell.
    const code = running({ dnsresolve: '3020d74901c801cf16c9' })
    const chain = contractsChain(tvm, { [raw(account(1))]: { code, data: Cell.EMPTY } })
    const { stack, exitCode } = await chain.runGetMethod(
      { workchain: 0, hash: account(1).hash },
      123660,
      [
        { type: 'slice', cell: own(beginCell().storeBuffer(Buffer.from('\0ton\0a\0')).endCell()) },
        { type: 'int', value: 0n },
      ],
      undefined,
      signal,
    )
    expect(exitCode).toBe(0)
    const [bits, cell] = stack
    expect(bits).toEqual({ type: 'int', value: 56n })
    expect(cell!.type === 'cell' && Buffer.from(cell!.cell.data()).toString()).toBe('\0ton\0a\0')
    // The whole name answered with a cell that is no dictionary of records.
    await expect(dnsResolver(chain)({ workchain: 0, hash: account(1).hash }, 'a.ton', 0, undefined, call)).rejects.toMatchObject({
      message: 'Invalid DNS category dictionary',
    })
  })
})
