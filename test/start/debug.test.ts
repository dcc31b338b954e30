import { stripVTControlCharacters } from 'node:util'
import { Address, beginCell, Cell } from '@ton/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { localTraceLines } from '../../server/cli/ask/local-trace.ts'
import { expectTrace } from '../../server/start/expect.ts'
import type { TonwayOptions } from '../../server/start/types.ts'
import { useTonway } from '../../server/start/vitest.ts'
import { Counter } from './counter.ts'

/* What contracts print by debug instructions, wherever a developer looks: the counter prints by Tolk's debug.print and debug.printString. */

const b64 = (cell: Cell): string => cell.toBoc().toString('base64')
const STRANGER = `0:${'55'.repeat(32)}`

const PLACES: readonly (readonly [string, TonwayOptions])[] = [
  ['in the same thread', {}],
  ['in a thread of its own', { thread: true }],
]

describe.each(PLACES)('texts of contracts in a tonway %s', (_, place) => {
  const chain = useTonway({ port: 'off', ...place })
  let address: string
  beforeAll(async () => {
    const counter = new Counter(Address.parse(chain.wallets[0]!.address))
    address = counter.address.toRawString()
    const [code, data] = [counter.init.code, counter.init.data].map(b64) as [string, string]
    await chain.client.local.setAccount({ address, balance: '1000000000', code, data })
  })
  const send = (body: Cell) => chain.client.local.sendInternal({ from: STRANGER, to: address, amount: '50000000', body: b64(body) })

  it('record has the texts of each transaction, and a failed assertion shows them', async () => {
    const trace = await chain.record(() => send(Counter.increase(7)))
    const [transaction] = trace.transactions
    expect(transaction!.debug).toEqual(['increase by', 's0 = 7'])
    expect(() => expectTrace(trace).toHaveTransaction({ success: false })).toThrow('\n  #DEBUG#: increase by\n  #DEBUG#: s0 = 7')
  })

  it('a transaction that fails has its texts before the last steps', async () => {
    const trace = await chain.record(() => send(Counter.reset))
    expect(trace.transactions[0]).toMatchObject({ exit_code: 401, debug: [expect.stringMatching(/^s0 = CS\{Cell\{/)] })
    expect(stripVTControlCharacters(localTraceLines(trace).join('\n'))).toMatch(/#DEBUG#: s0 = CS\{.*\n {2}exit code 401/)
  })

  it('trace.transaction and traced get-methods have them', async () => {
    const { transaction_id } = await send(Counter.increase(7))
    const { trace } = await chain.client.trace.transaction({ address, lt: transaction_id.lt })
    expect(trace.debug).toEqual(['increase by', 's0 = 7'])
    const run = await chain.client.runGetMethod({ address, method: 'below', stack: [['num', '9']], trace: true })
    expect([run.debug, run.trace?.debug]).toEqual([
      ['s0 = 7', 'it is below'],
      ['s0 = 7', 'it is below'],
    ])
    const std = await chain.client.runGetMethodStd({ address, method: 'counter', stack: [] })
    expect(std).not.toHaveProperty('debug')
  })

  it('a get-method has the texts of its run, also if it fails', async () => {
    expect(await chain.get(address, 'below', [['num', '9']])).toMatchObject({ stack: [['num', '0x9']], debug: ['s0 = 0', 'it is below'] })
    const failed = chain.get(address, 'below', [['num', '0']])
    await expect(failed).rejects.toMatchObject({
      exitCode: 77,
      debug: ['s0 = 0'],
      message: expect.stringContaining('\n  #DEBUG#: s0 = 0\n'),
    })
  })

  it('an external message that is refused says what was printed before', async () => {
    // DUMP s0, then THROW 57, without ACCEPT.
    const code = beginCell().storeBuffer(Buffer.from('fe20f239', 'hex')).endCell()
    const to = `0:${'66'.repeat(32)}`
    await chain.client.local.setAccount({ address: to, balance: '1000000000', code: b64(code), data: b64(Cell.EMPTY) })
    const external = beginCell().storeUint(2, 2).storeUint(0, 2).storeAddress(Address.parseRaw(to)).storeCoins(0).storeUint(0, 2).endCell()
    await expect(chain.client.sendBoc({ boc: b64(external) })).rejects.toThrow('#DEBUG#: s0 = -1')
  })
})
