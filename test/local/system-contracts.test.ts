import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { beginCell } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, post } from '../kit/service/client.ts'
import { type Service, startService } from '../kit/service/service.ts'
import { startTonway } from '../kit/service/tonway.ts'
import { b64 } from '../v2/cells.ts'

/* The elector and the configuration contract of the embedded chain, as callers see them. */

const ELECTOR = `-1:${'33'.repeat(32)}`
const CONFIGURATION = `-1:${'55'.repeat(32)}`
const SOMEBODY = `-1:${'0a'.repeat(32)}`

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const run = async (address: string, method: string, ...args: readonly string[]) => {
  const stack = args.map((value) => ['num', value])
  const { exit_code, stack: left } = await service.call('runGetMethod', { address, method, stack } as never)
  return { exit_code, stack: left as readonly (readonly [string, unknown])[] }
}
const NOTHING = ['list', { '@type': 'tvm.list', elements: [] }]

describe('the elector', () => {
  it.each([
    ['active_election_id', [], [['num', '0x0']]],
    ['participates_in', ['0x5'], [['num', '0x0']]],
    ['compute_returned_stake', ['0x5'], [['num', '0x0']]],
    ['participant_list', [], [NOTHING]],
    ['past_elections', [], [NOTHING]],
    ['past_elections_list', [], [NOTHING]],
    ['past_election_ids', [], [NOTHING]],
    ['list_complaints', ['0x5'], [NOTHING]],
    ['participant_list_extended', [], [...Array(4).fill(['num', '0x0']), NOTHING, ['num', '0x0'], ['num', '0x0']]],
  ] as const)('the elector has the get-method %s', async (method, args, stack) => {
    expect(await run(ELECTOR, method, ...args)).toEqual({ exit_code: 0, stack })
  })

  it('the elector has no other get-methods', async () => {
    expect(await run(ELECTOR, 'seqno')).toMatchObject({ exit_code: 11 })
    expect(await run(ELECTOR, 'no_such_method', '0x1')).toMatchObject({ exit_code: 11 })
  })

  const sent = async (body: ReturnType<typeof beginCell>) => {
    await service.call('local.sendInternal', { from: SOMEBODY, to: ELECTOR, value: '5000000000', body: b64(body.endCell()) } as never)
    const [last] = await service.call('getTransactions', { address: ELECTOR, limit: 1 })
    return last!.out_msgs as readonly { destination: string; value: string; msg_data: { body?: string } }[]
  }

  it('the elector keeps coins and comments, sends stakes back, and answers messages that it does not understand', async () => {
    expect(await sent(beginCell())).toEqual([])
    expect(await sent(beginCell().storeUint(0, 32).storeStringTail('hello'))).toEqual([])
    // An answer asks for none.
    expect(await sent(beginCell().storeUint(0x80000001, 32).storeUint(7, 64))).toEqual([])
    for (const [op, tag, said] of [
      [0x4e73744b, 0xee6f454c, 0],
      [0x47657424, 0xfffffffe, 0x47657424],
      [0x12345678, 0xffffffff, 0x12345678],
    ] as const) {
      const [message, more] = await sent(beginCell().storeUint(op, 32).storeUint(7, 64))
      expect(more).toBeUndefined()
      expect(BigInt(message!.value)).toBeGreaterThan(4_900_000_000n)
      expect(message!.msg_data.body).toBe(b64(beginCell().storeUint(tag, 32).storeUint(7, 64).storeUint(said, 32).endCell()))
    }
  })
})

describe('the configuration contract', () => {
  it('the configuration contract has seqno, list_proposals and get_proposal, and nothing else', async () => {
    expect(await run(CONFIGURATION, 'seqno')).toEqual({ exit_code: 0, stack: [['num', '0x0']] })
    expect(await run(CONFIGURATION, 'list_proposals')).toEqual({ exit_code: 0, stack: [NOTHING] })
    expect(await run(CONFIGURATION, 'get_proposal', '0x5')).toEqual({ exit_code: 0, stack: [NOTHING] })
    expect(await run(CONFIGURATION, 'active_election_id')).toMatchObject({ exit_code: 11 })
  })

  it('the get-methods of the configuration contract stay when the configuration is set', async () => {
    await service.call('local.setConfig', { params: { 100: b64(beginCell().storeUint(1, 8).endCell()) } } as never)
    expect(await run(CONFIGURATION, 'seqno')).toEqual({ exit_code: 0, stack: [['num', '0x0']] })
  })
})

describe('a chain that an earlier version began', () => {
  it('a chain that an earlier version began keeps its contracts, and /status says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tonway-old-'))
    const dataDir = join(folder, 'data')
    mkdirSync(dataDir)
    const kept = readFileSync(new URL('../data/chain-log/empty-contracts.log.gz', import.meta.url))
    writeFileSync(join(dataDir, 'chain.log'), gunzipSync(kept))
    const tonway = await startTonway({ dataDir, blockTime: 0 })
    try {
      const status = (await ask(`${tonway.url}/status`)).body as { notes: readonly string[] }
      expect(status.notes).toEqual([expect.stringMatching(/elector and the configuration contract are those that this chain began with/)])
      const body = JSON.stringify({ address: ELECTOR, method: 'no_such_method', stack: [] })
      const answer = await post(`${tonway.url}/api/v2/runGetMethod`, body)
      expect(answer.body).toMatchObject({ ok: true, result: { exit_code: 0 } })
    } finally {
      await tonway.close()
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('/status says nothing of the kind for a new chain', async () => {
    await using tonway = await startTonway({ blockTime: 0 })
    expect((await ask(`${tonway.url}/status`)).body).toMatchObject({ notes: [] })
  })
})
