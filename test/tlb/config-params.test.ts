import { describe, expect, it } from 'vitest'
import { parseBocRoot } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import { type Cell, CellError } from '../../server/cell/cell.ts'
import { readConfig } from '../../server/chain/local/config/view.ts'
import { jettonBridge, oracleBridge } from '../../server/tlb/config/bridges.ts'
import { configParam, configParams, loadParam, loadWhole, storeWhole, withConfigParam } from '../../server/tlb/config/config-dictionary.ts'
import { complaintPrices, punishments, votingSetup } from '../../server/tlb/config/governance.ts'
import { checkParam, definedParams } from '../../server/tlb/config/params.ts'
import { simplexConfig, simplexConfigs } from '../../server/tlb/config/simplex.ts'
import { valRegistryConfig } from '../../server/tlb/config/val-registry.ts'
import type { Field } from '../../server/tlb/record-layout.ts'
import { readData } from '../kit/data.ts'
import { fc } from '../kit/property.ts'
import { hash } from './arbitrary.ts'

/* The configuration of TON mainnet in 2026 (test/data/config), parameter by parameter. */

const root = parseBocRoot(readData('config/acton-mainnet-config-84773657.boc'))
const params = [...configParams(root)]
const own = params.filter(([n]) => n >= 0)

/** The same cell with one more reference, one more bit, or without its last bit. */
const refsOf = (cell: Cell): Cell[] => Array.from({ length: cell.refCount }, (_, i) => cell.ref(i))
const rebuilt = (cell: Cell, bits: number, more: (b: ReturnType<typeof beginCell>) => unknown = () => undefined): Cell => {
  const b = beginCell()
  b.storeBits(cell.slice().loadBits(bits), bits)
  for (const ref of refsOf(cell)) b.storeRef(ref)
  more(b)
  return b.end()
}

describe("mainnet's configuration", () => {
  it('every parameter of mainnet’s configuration is read', () => {
    for (const [n, cell] of params) expect(() => checkParam(n, cell), `parameter ${n}`).not.toThrow()
    expect(() => readConfig(root)).not.toThrow()
    // Every number that it has is known.
    expect(own.map(([n]) => n).filter((n) => !definedParams.includes(n))).toEqual([])
    expect(own).toHaveLength(36)
  })

  it.each(own.map(([n, cell]) => ({ n, cell })))('parameter $n is refused with a bit or a reference too many, or a bit too few', ({
    n,
    cell,
  }) => {
    const wrong: Cell[] = []
    if (cell.bits < 1023) wrong.push(rebuilt(cell, cell.bits, (b) => b.storeBit(1)))
    if (cell.refCount < 4) wrong.push(rebuilt(cell, cell.bits, (b) => b.storeRef(beginCell().end())))
    if (cell.bits > 0) wrong.push(rebuilt(cell, cell.bits - 1))
    wrong.push(beginCell().end())
    for (const each of wrong) {
      expect(() => checkParam(n, each)).toThrow(CellError)
      expect(() => readConfig(withConfigParam(root, n, each))).toThrow(new RegExp(`configuration parameter ${n} cannot be read`))
    }
  })

  it('mainnet’s configuration is written back to its hash', () => {
    const again = <T>(n: number, field: Field<T>): void => {
      const cell = configParam(root, n)!
      expect(storeWhole(field, loadWhole(cell, field.load)).hashHex(), `parameter ${n}`).toBe(cell.hashHex())
    }
    again(11, votingSetup)
    again(13, complaintPrices)
    again(30, simplexConfigs)
    again(71, oracleBridge)
    again(72, oracleBridge)
    again(79, jettonBridge)
  })

  it('parameter 30 of mainnet says how validators agree', () => {
    // target_rate, first_block_timeout, min_block_interval.
    const MILLISECONDS = new Map([
      [0, 400],
      [1, 700],
      [13, 300],
    ])
    expect(loadParam(root, 30, simplexConfigs)).toEqual({
      masterchain: {
        type: 'v2',
        flags: 0,
        protocolVersion: 0,
        useQuic: true,
        slotsPerLeaderWindow: 4,
        noncritical: MILLISECONDS,
      },
      shards: {
        type: 'v2',
        flags: 0,
        protocolVersion: 1,
        useQuic: true,
        slotsPerLeaderWindow: 4,
        noncritical: MILLISECONDS,
      },
    })
  })
})

describe('what the schema states beside the fields', () => {
  const simplex = (slots: number) =>
    beginCell().storeUint(0x21, 8).storeUint(1, 8).storeUint(400, 32).storeUint(slots, 32).storeUint(1, 64).end()
  const consensus = (masterchain: Cell) => beginCell().storeUint(0x10, 8).storeMaybeRef(masterchain).storeMaybeRef(undefined).end()

  it('the rules of the schema for consensus (30) are checked', () => {
    expect(() => checkParam(30, consensus(simplex(4)))).not.toThrow()
    expect(storeWhole(simplexConfig, loadWhole(simplex(4), simplexConfig.load)).hashHex()).toBe(simplex(4).hashHex())
    expect(() => checkParam(30, consensus(simplex(0)))).toThrow(/parameter 30 cannot be read: .*slots_per_leader_window is 0/)
    expect(() => checkParam(30, consensus(beginCell().storeUint(0x23, 8).end()))).toThrow(/NewConsensusConfig/)
    expect(() => checkParam(30, simplex(4))).toThrow(/NewConsensusConfigAll/)
  })

  it.each([
    ['burning (5)', 5, beginCell().storeUint(1, 8).storeBit(0).storeUint(2, 32).storeUint(1, 32).end()],
    ['burning by zero (5)', 5, beginCell().storeUint(1, 8).storeBit(0).storeUint(0, 64).end()],
    ['numbers of validators (16)', 16, beginCell().storeUint(5, 16).storeUint(6, 16).storeUint(1, 16).end()],
    ['no validators (16)', 16, beginCell().storeUint(5, 16).storeUint(5, 16).storeUint(0, 16).end()],
    ['lifetimes (28)', 28, beginCell().storeUint(0xc1, 8).storeUint(0, 32).storeUint(1, 32).storeUint(1, 64).end()],
    ['an address (3)', 3, beginCell().storeUint(0, 255).end()],
  ])('the rules of the schema for %s are checked', (_, n, cell) => {
    expect(() => checkParam(n, cell)).toThrow(new RegExp(`configuration parameter ${n} cannot be read`))
  })

  it('the rules of the schema for limits (22) and workchains (12) are checked on changed mainnet values', () => {
    const limits = configParam(root, 22)!
    // underload of bytes above its soft limit: block_limits tag, param_limits tag, then underload.
    const data = limits.slice()
    const first = data.loadUint(16)
    data.skip(32)
    const rest = limits.bits - 48
    const high = beginCell().storeUint(first, 16).storeUint(0xffffffff, 32).storeBits(data.loadBits(rest), rest).end()
    expect(() => checkParam(22, high)).toThrow(/underload <= soft_limit <= hard_limit/)
  })

  it('punishments (40), which mainnet does not have, are read', () => {
    const value = { ...{ defaultFlatFine: 101_000_000_000n, defaultProportionalFine: 0, severityFlatMult: 0, severityProportionalMult: 0 } }
    const intervals = { unpunishableInterval: 1, longInterval: 2, longFlatMult: 3, longProportionalMult: 4 }
    const more = { mediumInterval: 5, mediumFlatMult: 6, mediumProportionalMult: 7 }
    const cell = storeWhole(punishments, { ...value, ...intervals, ...more })
    expect(() => checkParam(40, cell)).not.toThrow()
    expect(() => checkParam(40, rebuilt(cell, cell.bits - 1))).toThrow(/parameter 40/)
  })

  describe('the registry of validators (46), which mainnet does not have yet', () => {
    /** The cell as the schema has it, written by hand. */
    const cellOf = (address: Uint8Array, collators: number, code: Uint8Array | undefined, tag = 0x3601163e): Cell => {
      const b = beginCell().storeUint(tag, 32).storeBytes(address).storeUint(collators, 32)
      return (code === undefined ? b.storeBit(0) : b.storeBit(1).storeBytes(code)).end()
    }
    const [address, code] = [new Uint8Array(32).fill(0x46), new Uint8Array(32).fill(0xc0)]

    it('any registry of validators is read as it was meant, and written back to its hash', () => {
      fc.assert(
        fc.property(hash, fc.integer({ min: 0, max: 0xffffffff }), fc.option(hash, { nil: undefined }), (at, collators, newCode) => {
          const cell = cellOf(at, collators, newCode)
          const value = loadWhole(cell, valRegistryConfig.load)
          expect(value).toEqual({ contractAddress: at, maxCollatorsPerValidator: collators, newCodeHash: newCode })
          expect(storeWhole(valRegistryConfig, value).hashHex()).toBe(cell.hashHex())
          expect(loadParam(withConfigParam(root, 46, cell), 46, valRegistryConfig)).toEqual(value)
        }),
      )
    })

    it('a registry of validators is refused with another tag, and with a bit or a reference too many or too few', () => {
      for (const newCode of [undefined, code]) {
        const cell = cellOf(address, 3, newCode)
        expect(() => checkParam(46, cell)).not.toThrow()
        const wrong = [
          cellOf(address, 3, newCode, 0x3601163f),
          rebuilt(cell, cell.bits, (b) => b.storeBit(1)),
          rebuilt(cell, cell.bits, (b) => b.storeRef(beginCell().end())),
          beginCell().end(),
          ...[1, 32, 64, 288, cell.bits - 1].map((bits) => rebuilt(cell, bits)),
        ]
        for (const each of wrong) {
          expect(() => checkParam(46, each)).toThrow(CellError)
          expect(() => readConfig(withConfigParam(root, 46, each))).toThrow(/configuration parameter 46 cannot be read/)
        }
      }
    })

    it('a registry with an address or a hash of another length, or too many collators, is not written', () => {
      const right = { contractAddress: address, maxCollatorsPerValidator: 3, newCodeHash: code }
      expect(storeWhole(valRegistryConfig, right).hashHex()).toBe(cellOf(address, 3, code).hashHex())
      for (const wrong of [{ contractAddress: address.slice(1) }, { newCodeHash: code.slice(1) }, { maxCollatorsPerValidator: 2 ** 32 }])
        expect(() => storeWhole(valRegistryConfig, { ...right, ...wrong })).toThrow(CellError)
    })
  })
})
