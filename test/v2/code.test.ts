import { beginCell, type Cell } from '@ton/core'
import { WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { codeHandlers } from '../../server/v2/inspect/code.ts'
import { TonError } from '../../shared/errors.ts'
import { type Service, startService } from '../kit/service/service.ts'

/* inspectCode and rpc.about. */

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const base64 = (cell: Cell): string => cell.toBoc().toString('base64')
const walletCode = WalletContractV4.create({ workchain: 0, publicKey: Buffer.alloc(32) }).init.code

describe('inspectCode', () => {
  it('inspectCode lists the get-methods of a wallet by name, with their instructions', async () => {
    const { hash, library, methods, lines, cells, truncated } = await service.call('inspectCode', { code: base64(walletCode) })
    expect(hash).toBe(walletCode.hash().toString('base64'))
    expect([library, truncated]).toEqual([null, false])
    expect(methods.map(({ id, name }) => [id, name])).toEqual([
      [76407, 'is_plugin_installed'],
      [78748, 'get_public_key'],
      [81467, 'get_subwallet_id'],
      [85143, 'seqno'],
      [107653, 'get_plugin_list'],
    ])
    expect(methods.find(({ name }) => name === 'seqno')!.lines).toContain('CTOS')
    expect(lines.slice(0, 2)).toEqual(['SETCP 0', expect.stringMatching(/^DICTPUSHCONST 19/)])
    expect(new Set(cells.map((cell) => cell.hash)).size).toBe(cells.length)
  })

  it('inspectCode tells the library of a library cell, and nothing of code that has no dictionary', async () => {
    const library = beginCell().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 7)).endCell({ exotic: true })
    expect(await service.call('inspectCode', { code: base64(library) })).toMatchObject({
      library: Buffer.alloc(32, 7).toString('base64'),
      methods: [],
      lines: [],
    })
    const plain = beginCell().storeUint(0x71, 8).storeUint(1, 1).endCell()
    expect(await service.call('inspectCode', { code: base64(plain) })).toMatchObject({ methods: [], lines: ['PUSHINT 1', 'invalid'] })
  })

  it('inspectCode lists two codes at a time, and refuses calls of a client that has hundreds waiting', async () => {
    const { inspectCode } = codeHandlers()
    const call = { signal: new AbortController().signal, client: 'a' } as Call
    const calls = Array.from({ length: 300 }, () => inspectCode({ code: walletCode.toBoc() }, call))
    const answers = await Promise.allSettled(calls)
    const refused = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))
    expect(refused).toHaveLength(300 - 2 - 256)
    expect(refused.every((error) => error instanceof TonError && error.kind === 'UNAVAILABLE')).toBe(true)
  })

  it('inspectCode stops at its limits for code that refers to more and more cells', async () => {
    let level = Array.from({ length: 256 }, (_, i) => beginCell().storeUint(i, 16).endCell())
    while (level.length > 1)
      level = Array.from({ length: level.length / 4 }, (_, i) => {
        const builder = beginCell().storeUint(level.length, 16)
        for (const cell of level.slice(4 * i, 4 * i + 4)) builder.storeRef(cell)
        return builder.endCell()
      })
    const root = beginCell().storeRef(level[0]!).storeRef(beginCell().storeUint(1, 8).storeRef(level[0]!).endCell())
    expect((await service.call('inspectCode', { code: base64(root.endCell()) })).truncated).toBe(true)
  })

  it('inspectCode lists no more than 20,000 instructions of thousands of methods that share one body', async () => {
    const body = beginCell().storeBuffer(Buffer.alloc(100)).endCell()
    // A dictionary of 19-bit keys without labels: both branches of each fork are the same cell.
    let node = beginCell().storeUint(0, 2).storeSlice(body.beginParse()).endCell()
    for (let i = 0; i < 19; i++) node = beginCell().storeUint(0, 2).storeRef(node).storeRef(node).endCell()
    const head = beginCell().storeUint(0xff00, 16).storeUint(0b11110100101001, 14).storeUint(19, 10).storeRef(node)
    const { methods, lines, cells, truncated } = await service.call('inspectCode', { code: base64(head.endCell()) })
    expect(methods).toHaveLength(2_048)
    expect(methods[0]!.lines).toEqual(Array.from({ length: 100 }, () => 'NOP'))
    expect(methods.at(-1)).toMatchObject({ id: 2_048, lines: [] })
    expect([...methods.map((method) => method.lines), lines].flat()).toHaveLength(20_000)
    expect([cells, truncated]).toEqual([[], true])
  })

  it('inspectCode refuses what is no BoC and names the parameter', async () => {
    await expect(service.call('inspectCode', { code: 'AAAA' })).rejects.toThrow(/failed to parse code/)
    await expect(service.call('inspectCode', { code: '<img>' })).rejects.toThrow(/invalid base64 encoded bytes: code/)
  })
})

describe('rpc.about', () => {
  it('rpc.about says which network it is, what the caller may do and what codes mean', async () => {
    const about = await service.call('rpc.about', {})
    expect(about).toMatchObject({ network: 'local', local: true, index: false })
    expect(about.fork).toBeUndefined()
    expect([about.exit_codes.compute['13'], about.exit_codes.action['37']]).toEqual(['out of gas', 'not enough nanograms for an action'])
  })

  it('rpc.about tells callers that they may not call local.*', async () => {
    const body = '{"jsonrpc":"2.0","id":1,"method":"rpc.about","params":{}}'
    const answer = await fetch(`${service.url}/jsonRPC`, { method: 'POST', body, headers: { Origin: 'https://elsewhere.example' } })
    expect((await answer.json()).result.local).toBe(false)
  })
})
