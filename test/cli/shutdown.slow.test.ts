import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { serializeBoc } from '../../server/cell/boc.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { formatRaw } from '../../shared/fields/address.ts'
import { ownWallet } from '../kit/chain/own-wallet.ts'
import { type RpcReply, rpcRequest } from '../kit/service/client.ts'
import { builtService, type Started } from '../kit/service/process.ts'

/* SIGTERM under load: whatever was acknowledged before the end is there after the next start, and nobody is left with half an answer. */

const ROUNDS = 3
const WALLETS = Array.from({ length: 4 }, (_, n) => ownWallet(n))
const base64 = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')
const addressOf = (n: number): string => formatRaw(WALLETS[n]!.id, 'upper')

let folder: string
let running: Started | undefined
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-shutdown-'))
  // Started as root, the embedded PostgreSQL runs as another user.
  chmodSync(folder, 0o711)
})
afterAll(async () => {
  running?.child.kill('SIGKILL')
  await running?.ended
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const start = async (index: 'on' | 'off'): Promise<{ url: string; service: Started }> => {
  running = builtService.start([
    '--port',
    '0',
    '--data-dir',
    join(folder, 'chain'),
    '--block-time',
    '50ms',
    '--index',
    index,
    '--liteserver-port',
    'off',
    '--log',
    'info',
  ])
  return { url: await running.ready, service: running }
}

/** Undefined where the connection was refused or ended before an answer began: then nothing was promised. */
const post = async (url: string, request: unknown): Promise<unknown> => {
  const response = await fetch(`${url}/jsonRPC`, { method: 'POST', body: JSON.stringify(request) }).catch(() => undefined)
  // An answer that has begun must be whole: parsing it fails otherwise.
  return response?.json()
}

/** Seqnos that were acknowledged, by wallet. */
const acknowledged = new Map<number, number>()
let answers = 0

/** One wallet spends until the service is gone: every other message in a batch. */
const spend = async (url: string, n: number): Promise<void> => {
  for (let turn = 0; ; turn++) {
    const info = (await post(url, rpcRequest('getWalletInformation', { address: addressOf(n) }))) as RpcReply | undefined
    const seqno = (info?.result as { seqno?: number } | undefined)?.seqno
    // A lone call that comes too late is refused with the reason, as a whole.
    if (seqno === undefined) return
    const message = rpcRequest(
      'sendBoc',
      { boc: Buffer.from(WALLETS[n]!.transfer(seqno, WALLETS[(n + 1) % WALLETS.length]!.id, 1_000_000n)).toString('base64') },
      'send',
    )
    const reply = await post(url, turn % 2 === 0 ? message : [message, rpcRequest('getMasterchainInfo', {}, 'head')])
    if (reply === undefined) return
    answers++
    const sent = (Array.isArray(reply) ? reply : [reply]).find(({ id }: RpcReply) => id === 'send') as RpcReply | undefined
    if (sent?.result !== undefined) acknowledged.set(n, Math.max(seqno, acknowledged.get(n) ?? -1))
  }
}

describe('the end under load', () => {
  it(`a shutdown under load loses nothing that was acknowledged, ${ROUNDS} times`, { timeout: 180_000 }, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { url, service } = await start(round === ROUNDS - 1 ? 'on' : 'off')
      if (round === 0)
        for (const { account } of WALLETS) {
          const state = { balance: account.balance!.toString(), code: base64(account.code!), data: base64(account.data!) }
          expect(
            await post(url, rpcRequest('local.setAccount', { address: formatRaw(account.account, 'upper'), ...state })),
          ).toHaveProperty('result')
        }
      const before = answers
      const working = WALLETS.map((_, n) => spend(url, n))
      const socket = new WebSocket(`${url.replace('http', 'ws')}/jsonRPC`)
      await new Promise((resolve) => socket.once('open', resolve))
      const closed = new Promise<number>((resolve) => socket.once('close', resolve))
      await expect.poll(() => answers - before, { interval: 5 }).toBeGreaterThanOrEqual(12)
      // Under way on the socket when the end begins: it is answered before the socket is closed.
      const heard = new Promise<RpcReply>((resolve) => socket.once('message', (data) => resolve(JSON.parse(String(data)))))
      socket.send(JSON.stringify(rpcRequest('local.mine', { count: 5 }, 'last')))
      // Frames are read in their order: with the pong the call has begun.
      const begun = new Promise((resolve) => socket.once('pong', resolve))
      socket.ping()
      await begun
      service.child.kill('SIGTERM')
      await Promise.all(working)
      expect(await heard).toMatchObject({ id: 'last', result: expect.anything() })
      expect(await closed).toBe(1001)
      const { code, err } = await service.ended
      expect(code).toBe(0)
      const events = err
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { event: string; level: string })
      expect(events.map(({ event }) => event).filter((event) => event.startsWith('shutdown.'))).toEqual([
        'shutdown.started',
        'shutdown.finished',
      ])
      expect(events.filter(({ level }) => level === 'error')).toEqual([])
    }
    expect(acknowledged.size).toBe(WALLETS.length)

    const { url, service } = await start('off')
    for (const [n, seqno] of acknowledged)
      await expect
        .poll(async () => ((await post(url, rpcRequest('getWalletInformation', { address: addressOf(n) }))) as RpcReply).result)
        .toMatchObject({ seqno: expect.toSatisfy((present: number) => present > seqno) })
    service.child.kill('SIGTERM')
    expect((await service.ended).code).toBe(0)
  })
})
