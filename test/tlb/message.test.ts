import {
  type Message as CoreMessage,
  beginCell as coreBeginCell,
  loadMessage as coreLoadMessage,
  storeMessage as coreStoreMessage,
  loadMessageRelaxed,
} from '@ton/core'
import { describe, expect, it } from 'vitest'
import { beginCell } from '../../server/cell/builder.ts'
import { EMPTY_CELL } from '../../server/cell/cell.ts'
import type { VarAddress } from '../../server/tlb/address.ts'
import { accountIdOf, loadAddressExt, loadAddressInt, stdAddress, storeAddressExt, storeAddressInt } from '../../server/tlb/address.ts'
import { addCurrency, equalCurrency, isZeroCurrency, loadCurrency, storeCurrency, subCurrency } from '../../server/tlb/currency.ts'
import { loadMessage, normalizedHash, storeMessage } from '../../server/tlb/message/message.ts'
import { loadLibraries, loadStateInit, stateInitCell } from '../../server/tlb/state/state-init.ts'
import { fullDict } from '../kit/hostile-cells.ts'
import { fc } from '../kit/property.ts'
import { storeLibraries } from '../kit/tlb/state.ts'
import { address, cell, currency, extern, message, stateInit } from './arbitrary.ts'
import { coreMessage, ownMessage } from './compare.ts'
import { base64, cellOf, hex, inline, json, plain, toCore } from './data.ts'

describe('messages', () => {
  it('messages are read by @ton/core as they were meant, and back by us', () => {
    fc.assert(
      fc.property(message, (parts) => {
        const root = storeMessage(parts)
        const back = loadMessage(root)
        expect(plain({ info: back.info, init: back.init, body: back.body })).toEqual(
          plain({ info: parts.info, init: parts.init, body: parts.body }),
        )
        expect(ownMessage(back)).toEqual(coreMessage(coreLoadMessage(toCore(root).beginParse())))
        expect(storeMessage(back).equals(root)).toBe(true)
        expect(back.initCell?.hashHex()).toBe(parts.init && stateInitCell(parts.init).hashHex())
      }),
      { numRuns: 200 },
    )
  })

  it('messages can have all four layouts, and keep theirs', () => {
    fc.assert(
      fc.property(address, cell(64), cell(64), fc.boolean(), fc.boolean(), (dest, code, body, initRef, bodyRef) => {
        const info = { type: 'external-in' as const, src: undefined, dest, importFee: 0n }
        const root = storeMessage({ info, init: { code }, body, layout: { initRef, bodyRef } })
        const back = loadMessage(root)
        expect(back.layout).toEqual({ initRef, bodyRef })
        expect(storeMessage(back).equals(root)).toBe(true)
        expect([back.body.hashHex(), back.init?.code?.hashHex()]).toEqual([body.hashHex(), code.hashHex()])
      }),
    )
  })

  it('a body that is an exotic cell, or does not fit, goes into a ref', () => {
    const info = { type: 'external-in' as const, src: undefined, dest: stdAddress(0, new Uint8Array(32)), importFee: 0n }
    const library = beginCell().storeUint(2, 8).storeBytes(new Uint8Array(32)).endExotic()
    expect(loadMessage(storeMessage({ info, body: library })).layout.bodyRef).toBe(true)
    const long = beginCell().storeBytes(new Uint8Array(120)).end()
    expect(loadMessage(storeMessage({ info, body: long })).layout.bodyRef).toBe(true)
    expect(loadMessage(storeMessage({ info, body: EMPTY_CELL })).layout.bodyRef).toBe(false)
    expect(() => storeMessage({ info, body: long, layout: { initRef: false, bodyRef: false } })).toThrow(/bits in a cell/)
  })

  it('the normalized hash does not depend on what a relay may change', () => {
    fc.assert(
      fc.property(
        address,
        fc.option(extern, { nil: undefined }),
        stateInit,
        cell(300),
        fc.bigInt({ min: 0n, max: 1n << 60n }),
        (dest, src, init, body, fee) => {
          const plainest = coreBeginCell()
            .storeUint(0b10, 2)
            .storeUint(0, 2)
            .storeUint(0b100, 3)
            .storeInt(dest.workchain, 8)
            .storeBuffer(Buffer.from(dest.hash))
            .storeCoins(0)
            .storeBit(false)
            .storeBit(true)
            .storeRef(toCore(body))
            .endCell()
          const sent = loadMessage(storeMessage({ info: { type: 'external-in', src, dest, importFee: fee }, init, body }))
          expect(hex(normalizedHash(sent))).toBe(plainest.hash().toString('hex'))
        },
      ),
    )
  })

  it('only external-in messages have a normalized hash', () => {
    const info = { type: 'external-out' as const, src: stdAddress(0, new Uint8Array(32)), dest: undefined, createdLt: 1n, createdAt: 2 }
    expect(() => normalizedHash({ info, body: EMPTY_CELL })).toThrow(/only external-in messages have a normalized hash/)
  })
})

describe('messages of real data', () => {
  it('inline messages equal those of @ton/core, relaxed ones too, and are written back to their hashes', () => {
    const rows = inline('message.json')
    expect(rows.length).toBeGreaterThan(65)
    for (const row of rows) {
      const own = loadMessage(row.root)
      expect(storeMessage(own).hashHex()).toBe(row.root_hash)
      const s = toCore(row.root).beginParse()
      const relaxed = own.info.type !== 'external-in' && own.info.src === undefined
      expect(ownMessage(own)).toEqual(coreMessage(relaxed ? (loadMessageRelaxed(s) as unknown as CoreMessage) : coreLoadMessage(s)))
    }
  })

  it('state inits are written back to their hashes', () => {
    const rows = inline('state_init.json')
    expect(rows.length).toBeGreaterThan(50)
    for (const row of rows) {
      const init = loadStateInit(row.root.slice())
      expect(stateInitCell(init).hashHex()).toBe(row.root_hash)
      expect(storeLibraries(loadLibraries(init.library, { cells: 1e6 }))?.hashHex()).toBe(init.library?.hashHex())
    }
  })

  it('libraries whose hashes end in the same 64 bits are read as fast as others', () => {
    const library = fullDict(256, { value: beginCell().storeBit(1).storeRef(EMPTY_CELL).end() }, 15)
    const began = process.cpuUsage()
    expect(loadLibraries(library, { cells: 1 << 16 }).length).toBe(1 << 15)
    const { user, system } = process.cpuUsage(began)
    // A Map of such keys takes more than ten seconds of processor time, a list a tenth of one.
    expect(user + system).toBeLessThan(3_000_000)
  })

  it('tongo reads the same in its two recorded messages', () => {
    interface Recorded {
      readonly Info: { readonly ExtInMsgInfo: Record<string, unknown> | null; readonly IntMsgInfo: Record<string, unknown> | null }
      readonly Body: { readonly IsRight: boolean; readonly Value: string }
    }
    for (const name of ['tongo-message-1', 'tongo-message-2']) {
      const { Info: info, Body: body } = json<Recorded>(`misc/${name}.json`)
      const value = cellOf(Buffer.from(body.Value, 'hex'))
      const account = (text: unknown) => {
        const [workchain, id] = (text as string).split(':')
        return stdAddress(Number(workchain), Buffer.from(id!, 'hex'))
      }
      const { ExtInMsgInfo: incoming, IntMsgInfo: internal } = info
      const root = storeMessage({
        info: incoming
          ? { type: 'external-in', src: undefined, dest: account(incoming.Dest), importFee: BigInt(incoming.ImportFee as string) }
          : {
              type: 'internal',
              ihrDisabled: internal!.IhrDisabled as boolean,
              bounce: internal!.Bounce as boolean,
              bounced: internal!.Bounced as boolean,
              src: account(internal!.Src),
              dest: account(internal!.Dest),
              value: { grams: BigInt((internal!.Value as { Grams: string }).Grams) },
              ihrFee: BigInt(internal!.IhrFee as string),
              fwdFee: BigInt(internal!.FwdFee as string),
              createdLt: BigInt(internal!.CreatedLt as string),
              createdAt: Number(internal!.CreatedAt),
            },
        body: value,
        layout: { initRef: false, bodyRef: body.IsRight },
      })
      const own = loadMessage(root)
      expect(own.body.hashHex()).toBe(value.hashHex())
      expect(ownMessage(own)).toEqual(coreMessage(coreLoadMessage(toCore(root).beginParse())))
    }
  })

  it('the external-in messages of bundles have a normalized hash that @ton/core agrees with', () => {
    const { external_messages: rows } = json<{ external_messages: { boc: string }[] }>('chain/mainnet-bundle-56703839.json.gz')
    expect(rows.length).toBe(21)
    for (const row of rows) {
      const root = base64(row.boc)
      const core = coreLoadMessage(toCore(root).beginParse())
      if (core.info.type !== 'external-in') throw new Error('not external-in')
      const normal = coreBeginCell()
        .store(coreStoreMessage({ ...core, init: null, info: { ...core.info, src: undefined, importFee: 0n } }, { forceRef: true }))
        .endCell()
      expect(hex(normalizedHash(loadMessage(root)))).toBe(normal.hash().toString('hex'))
    }
  })
})

describe('addresses', () => {
  it('addresses survive a round trip', () => {
    fc.assert(
      fc.property(address, (a) => {
        const s = storeAddressInt(beginCell(), a).end().slice()
        expect(loadAddressInt(s)).toEqual(a)
        s.end()
      }),
    )
    fc.assert(
      fc.property(fc.option(extern, { nil: undefined }), (a) => {
        const s = storeAddressExt(beginCell(), a).end().slice()
        expect(loadAddressExt(s)).toEqual(a)
        s.end()
      }),
    )
  })

  it('addresses of the old forms are kept unchanged', () => {
    const forms: VarAddress[] = [
      {
        type: 'var',
        workchain: 0,
        bits: 256,
        data: new Uint8Array(32).fill(0xff),
        anycast: { depth: 5, prefix: Uint8Array.of(0b10101000) },
        std: true,
      },
      { type: 'var', workchain: 70000, bits: 12, data: Uint8Array.of(0xab, 0xc0), anycast: undefined },
      { type: 'var', workchain: -70000, bits: 0, data: new Uint8Array(0), anycast: { depth: 30, prefix: Uint8Array.of(1, 2, 3, 4) } },
    ]
    for (const form of forms) {
      const s = storeAddressInt(beginCell(), form).end().slice()
      expect(plain(loadAddressInt(s))).toEqual(plain(form))
      s.end()
    }
    expect(hex(accountIdOf(forms[0]!)!)).toBe(`af${'ff'.repeat(31)}`)
    expect(accountIdOf(forms[1]!)).toBeUndefined()
    expect(() => loadAddressInt(beginCell().storeUint(0b101, 3).storeUint(0, 5).end().slice())).toThrow(/anycast depth 0/)
    expect(() => storeAddressInt(beginCell(), stdAddress(0, new Uint8Array(31)))).toThrow(/32 bytes, not 31/)
    expect(() => loadAddressInt(beginCell().storeUint(1, 2).end().slice())).toThrow(/MsgAddressInt: no constructor with tag 1/)
  })
})

describe('currencies', () => {
  it('currencies survive a round trip, and sums can be subtracted again', () => {
    fc.assert(
      fc.property(currency, currency, (a, b) => {
        const sum = addCurrency(a, b)
        if (sum.grams >= 1n << 120n) return
        const s = storeCurrency(beginCell(), sum).end().slice()
        expect(plain(loadCurrency(s))).toEqual(plain(sum))
        s.end()
        expect(equalCurrency(subCurrency(sum, b), a)).toBe(true)
        expect(equalCurrency(sum, addCurrency(b, a))).toBe(true)
        expect(isZeroCurrency(subCurrency(sum, sum))).toBe(true)
      }),
    )
  })

  it('a used-up currency disappears, and no more than the balance can be subtracted', () => {
    const five = { grams: 5n, other: new Map([[7, 5n]]) }
    expect(subCurrency(five, { grams: 1n, other: new Map([[7, 5n]]) })).toEqual({ grams: 4n, other: undefined })
    expect(() => subCurrency(five, { grams: 6n })).toThrow(/5 nanograms are less than 6/)
    expect(() => subCurrency(five, { grams: 0n, other: new Map([[8, 1n]]) })).toThrow(/0 of currency 8 is less than 1/)
  })
})
