import { connect } from 'node:net'
import { beginCell, external, SendMode, storeMessage } from '@ton/core'
import { keyPairFromSeed, mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ERRORS, type ErrorKind } from '../shared/errors.ts'
import type { MethodName, ParamsIn, Result } from '../shared/registry.ts'
import { HAS_CRC, LEAF, rawBoc, record } from './cell/raw-boc.ts'
import { post, rpcRequest } from './kit/service/client.ts'
import { builtService, type Started } from './kit/service/process.ts'
import { createWaysToCall, type Reply, type WayToCall } from './kit/service/ways-to-call.ts'
import { answering } from './v2/answering-contract.ts'
import { b64 } from './v2/cells.ts'

/* The service as people run it, as a process of its own: bad input of every kind through every door, floods, and an end under load. */

let service: Started
let url: string
let doors: Record<string, WayToCall>
beforeAll(async () => {
  service = builtService.start(['--port', '0', '--block-time', '200ms', '--log', 'error'])
  url = await service.ready
  doors = createWaysToCall(url, (kind) => ERRORS[kind as ErrorKind].http)
})
afterAll(async () => {
  service?.child.kill('SIGKILL')
  await service?.ended
})

const call = async <M extends MethodName>(method: M, params: ParamsIn<M>): Promise<Result<M>> => {
  const reply = await doors['strict']!(method, params)
  if ('error' in reply) throw new Error(reply.error)
  return reply.result as Result<M>
}

/** What every door but GET says, which has to be the same. */
const everywhere = async (method: string, params: object): Promise<Reply> => {
  const replies = await Promise.all(['REST POST', 'dialect', 'strict', 'batch', 'ws'].map((door) => doors[door]!(method, params)))
  for (const reply of replies) expect(reply).toEqual(replies[0])
  return replies[0]!
}

/** A chain of cells of this length, or (`twice`) each cell referring two times to the next: 2^length paths. */
const tower = (length: number, twice = false): Buffer =>
  rawBoc({
    refSize: 2,
    records: Array.from({ length }, (_, i) =>
      i + 1 === length ? LEAF : record(twice ? 2 : 1, 0, [], twice ? [i + 1, i + 1] : [i + 1], 2),
    ),
  })

const RAW = `0:${'01'.repeat(32)}`
const good = Buffer.from('te6cckEBAQEAAgAAAEysuc0=', 'base64')
const BOCS: readonly (readonly [string, Buffer])[] = [
  ['a truncated one', good.subarray(0, -3)],
  ['no bag of cells', Buffer.from('hello, this is no bag of cells')],
  ['a wrong CRC', rawBoc({ flags: HAS_CRC, records: [LEAF], tail: [1, 2, 3, 4] })],
  ['more cells than there are', rawBoc({ cells: 200, records: [LEAF] })],
  ['2^32-1 cells', rawBoc({ refSize: 4, cells: 0xffffffff, records: [LEAF] })],
  ['more data than there is', rawBoc({ dataSize: 99, records: [LEAF] })],
  ['a cell that refers to itself', rawBoc({ records: [record(1, 0, [], [0])] })],
  ['two cells that refer to each other', rawBoc({ records: [record(1, 0, [], [1]), record(1, 0, [], [0])] })],
  ['20,000 cells deep', tower(20_000)],
]

describe('bad input', () => {
  it.each(BOCS)('a bag of cells (%s) is refused by name, through every door', async (_, bytes) => {
    const boc = bytes.toString('base64')
    for (const method of ['sendBoc', 'sendBocReturnHash']) {
      const reply = await everywhere(method, { boc })
      expect(reply).toMatchObject({ status: 500, error: expect.stringMatching(/^INVALID_BAG_OF_CELLS: /) })
    }
    expect(await everywhere('sendBocReturnHashNoError', { boc })).toMatchObject({ status: 400 })
    expect(await everywhere('estimateFee', { address: RAW, body: boc })).toMatchObject({ status: 500 })
    expect(await everywhere('runGetMethod', { address: RAW, method: 'seqno', stack: [['tvm.Cell', boc]] })).toMatchObject({ status: 500 })
    const { result } = (await doors['strict']!('local.setAccount', { address: RAW, code: boc })) as { result?: unknown }
    expect(result).toBeUndefined()
  })

  it('one of 2^1000 paths through shared cells is taken for what it is: 1001 cells', async () => {
    const boc = tower(1001, true).toString('base64')
    expect(await everywhere('sendBoc', { boc })).toEqual({ status: 500, error: expect.stringMatching(/^Failed to unpack Message: /) })
    expect(await everywhere('runGetMethod', { address: RAW, method: 'seqno', stack: [['tvm.Cell', boc]], seqno: 1 })).toMatchObject({
      result: { exit_code: -13 },
    })
    expect(await everywhere('estimateFee', { address: RAW, body: boc })).toHaveProperty('result')
  })

  it('an external message with a wrong seqno, a wrong signature or an unknown account is refused with TON’s text and the exit code', async () => {
    const { wallets } = await call('local.wallets', {})
    const { mnemonic } = wallets.find(({ version }) => version === 'v4R2')!
    const { publicKey, secretKey } = await mnemonicToPrivateKey([...mnemonic])
    const wallet = WalletContractV4.create({ workchain: 0, publicKey })
    const message = (seqno: number, key: Buffer): string => {
      const body = wallet.createTransfer({ seqno, secretKey: key, sendMode: SendMode.NONE, messages: [] })
      return b64(
        beginCell()
          .store(storeMessage(external({ to: wallet.address, body })))
          .endCell(),
      )
    }
    for (const [boc, exit] of [
      [message(5, secretKey), 33],
      [message(0, keyPairFromSeed(Buffer.alloc(32, 1)).secretKey), 35],
    ] as const) {
      const reply = await everywhere('sendBoc', { boc })
      expect(reply).toMatchObject({
        status: 500,
        error: expect.stringMatching(
          new RegExp(`^LITE_SERVER_UNKNOWN: cannot apply external message to current state : [^]*exitcode=${exit}`),
        ),
      })
    }
  })

  it('get-methods that loop, throw or leave a stack 1,000 deep do not affect other calls', async () => {
    const code = answering({ loop: [{ code: '90ea' }], fails: [{ code: 'f228' }], deep: [{ code: '708103e8926f01e4' }], fine: [1n] })
    await call('local.setAccount', { address: RAW, balance: '1', code: b64(code), data: good.toString('base64') })
    // At one block, since the chain goes on and every door is to say the same.
    const { seqno } = (await call('getMasterchainInfo', {})).last
    const run = (method: string): Promise<Reply> => everywhere('runGetMethod', { address: RAW, method, stack: [], seqno })
    const [loop, fails, deep, fine] = await Promise.all([run('loop'), run('fails'), run('deep'), run('fine')])
    if ('error' in loop) expect(loop.status).toBe(504)
    else expect(loop.result).toMatchObject({ exit_code: -14 })
    expect(fails).toMatchObject({ result: { exit_code: 40 } })
    expect(deep).toEqual({ status: 533, error: 'Result stack depth >= 100' })
    expect(fine).toMatchObject({ result: { exit_code: 0 } })
  })

  it('bodies that are not valid requests get an answer in JSON at every path', async () => {
    const bodies = [
      '{"jsonrpc":"2.0","id":1,"method":"getMasterchainInfo"',
      '['.repeat(100_000),
      '{"a":'.repeat(100_000),
      `[${'0,'.repeat(1000)}0]`,
      '[null,5,"x",[],{}]',
      '[]',
      '\u0000\ufffe',
      ' '.repeat((1 << 20) + 1),
    ]
    for (const path of ['/jsonRPC', '/api/v2/jsonRPC', '/api/v2/getAddressBalance', '/api/v2/sendBoc']) {
      for (const body of bodies) {
        const response = await post(`${url}${path}`, body)
        const shown = `${path} ${body.slice(0, 20)}: ${response.status}`
        expect([200, 400, 413, 422], shown).toContain(response.status)
        expect(response.body, shown).toBeTypeOf('object')
      }
    }
  })

  it('a flood of slow, half-open and unread connections does not keep others from being served', { timeout: 60_000 }, async () => {
    const half = Array.from({ length: 300 }, (_, i) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(
        i % 2
          ? 'GET /api/v2/getMasterchainInfo HTTP/1.1\r\nHost: x'
          : 'POST /jsonRPC HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n{',
      )
      return socket
    })
    const sockets = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const socket = new WebSocket(`${url.replace('http', 'ws')}/jsonRPC`)
        socket.on('error', () => {})
        await new Promise((open) => socket.once('open', open))
        for (let id = 0; id < 4000; id++) socket.send(id % 2 ? '{"jsonrpc":"2.0"' : `{"jsonrpc":"2.0","id":${id},"method":"getConfigAll"}`)
        return socket
      }),
    )
    for (const door of Object.values(doors)) expect(await door('getAddressState', { address: RAW })).toEqual({ result: 'active' })
    for (const socket of [...half, ...sockets]) 'terminate' in socket ? socket.terminate() : socket.destroy()
  })

  it('after all bad input the process is the same one and has logged no fault', async () => {
    expect(service.child.exitCode).toBe(null)
    const { last } = await call('getMasterchainInfo', {})
    await call('local.mine', { count: 1 })
    expect((await call('getMasterchainInfo', {})).last.seqno).toBeGreaterThan(last.seqno)
  })
})

it('on SIGTERM under load every running answer is completed and the process exits with 0 and no output', async () => {
  let [whole, cut] = [0, 0]
  let stop = false
  const ask = async (method: string, params: object): Promise<void> => {
    while (!stop) {
      try {
        const response = await post(`${url}/jsonRPC`, rpcRequest(method, params))
        // Headers were sent: the body has to follow.
        expect(response.body).toMatchObject({ jsonrpc: '2.0', id: 1 })
        whole++
      } catch (error) {
        if ((error as Error).message !== 'fetch failed') throw error
        cut++
        return
      }
    }
  }
  const load = Array.from({ length: 12 }, (_, i) =>
    i % 3 === 0 ? ask('runGetMethod', { address: RAW, method: 'fine', stack: [['num', i]] }) : ask('getConfigAll', {}),
  )
  await expect.poll(() => whole).toBeGreaterThan(100)
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ code: 0, err: '' })
  stop = true
  await Promise.all(load)
  expect(cut).toBeLessThanOrEqual(12)
})
