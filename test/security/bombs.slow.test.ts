import { Address, type Cell as CoreCell, beginCell as coreBegin } from '@ton/core'
import { runTolkCompiler } from '@ton/tolk-js'
import { describe, expect, it } from 'vitest'
import { serializeBoc } from '../../server/cell/boc.ts'
import { beginCell } from '../../server/cell/builder.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { currencies, forks, libraries } from '../kit/bombs.ts'
import { ask, post, rpc, rpcRequest } from '../kit/service/client.ts'
import { serviceOfFile } from '../kit/service/process.ts'
import { until } from '../kit/wait.ts'

/* Cells of a stranger with more paths than anybody can walk. The service is a process of its own, because before these were mended it answered nobody any more. */

const service = serviceOfFile()

const raw = (byte: string): string => `0:${byte.repeat(32)}`
const [ANYBODY, BUILDER, X, Y, Z] = ['bb', '5d', '71', '72', '73'].map(raw) as [string, string, string, string, string]
const text = (cell: Cell): string => Buffer.from(serializeBoc(cell)).toString('base64')
const coreText = (cell: CoreCell): string => cell.toBoc().toString('base64')
const address = (of: string) => Address.parseRaw(of)

const compile = async (source: string): Promise<string> => {
  const result = await runTolkCompiler({ entrypointFileName: 'main.tolk', fsReadCallback: () => source })
  if (result.status === 'error') throw new Error(result.message)
  return result.codeBoc64
}

/** A far longer time than an answer takes on a busy machine, and far shorter than a walk over 2^32 paths. */
const DEADLINE = 30_000
const answered = async <T>(path: string, body: unknown): Promise<{ status: number; body: T }> => {
  const reply = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(DEADLINE),
  })
  return { status: reply.status, body: (await reply.json()) as T }
}
const expectAlive = async (): Promise<void> => {
  const reply = await fetch(`${service.url}/health`, { signal: AbortSignal.timeout(DEADLINE) })
  expect(reply.status).toBe(200)
}

interface Listed {
  readonly transactions: readonly { readonly lt: string; readonly trace_id: string }[]
}
/** The newest transactions of an account once the index has `count` of them. */
const indexed = async (account: string, count: number): Promise<Listed['transactions']> => {
  let found: Listed['transactions'] = []
  await until(async () => {
    const path = `${service.url}/api/v3/transactions?account=${account}&limit=100&sort=desc`
    const { body } = await ask<Partial<Listed>>(path, { signal: AbortSignal.timeout(DEADLINE) })
    // The index refuses calls while it starts.
    found = body.transactions ?? []
    return found.length >= count
  }, 50)
  return found
}

describe('cells with endless paths', () => {
  it('a message with 2^32 extra currencies is refused when it is emulated', async () => {
    const message = coreBegin()
      .storeUint(0b0100, 4)
      .storeAddress(address(ANYBODY))
      .storeAddress(address(raw('aa')))
      .storeCoins(1_000_000_000n)
      .storeMaybeRef(null)
    const boc = message.asCell()
    const bits = boc.beginParse()
    // The same message with a dictionary in place of none.
    const full = beginCell()
    for (let left = bits.remainingBits - 1; left > 0; left -= 1) full.storeBit(bits.loadBit())
    const body = text(
      full.storeBit(1).storeRef(currencies()).storeCoins(0n).storeCoins(0n).storeUint(1, 64).storeUint(0, 32).storeUint(0, 2).end(),
    )
    const reply = await answered<{ error: string }>('/api/emulate/v1/emulateTrace', { boc: body })
    expect(reply).toMatchObject({ status: 422, body: { error: expect.stringMatching(/extra currencies/) } })
    await expectAlive()
  })

  it('an account with 2^256 libraries, and a message that would deploy one, are refused', async () => {
    const library = text(libraries())
    const empty = text(beginCell().end())
    const set = await post<{ error: { code: number; message: string } }>(
      `${service.url}/jsonRPC`,
      rpcRequest('local.setAccount', { address: raw('3d'), balance: '1000000000', code: empty, data: empty, library }),
    )
    expect(set.body.error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/library is not the root of a Hashmap 256 SimpleLib: too many/),
    })
    const init = text(beginCell().storeUint(0b00111, 5).storeRef(beginCell().end()).storeRef(beginCell().end()).storeRef(libraries()).end())
    const sent = await post<{ error: { code: number; message: string } }>(
      `${service.url}/jsonRPC`,
      rpcRequest('local.sendInternal', { from: ANYBODY, to: raw('3e'), value: '1000000000', init }),
    )
    expect(sent.body.error).toMatchObject({ code: -32602, message: expect.stringMatching(/StateInit is malformed/) })
    await expectAlive()
  })

  it('an account that builds 64 levels of shared cells above a cell of its old state is indexed', async () => {
    const leaf = coreBegin().storeUint(7, 8).storeRef(coreBegin().storeUint(9, 16).endCell()).endCell()
    const code = await compile(`fun onInternalMessage(in: InMessage) {
      var s = contract.getData().beginParse(); val n = s.loadUint(32); val leaf = s.loadRef(); var c = leaf; var i = 0;
      while (i < 64) { c = beginCell().storeUint(i + n * 1000, 32).storeRef(c).storeRef(c).endCell(); i += 1; }
      contract.setData(beginCell().storeUint(n + 1, 32).storeRef(leaf).storeRef(c).endCell()); }`)
    const data = coreText(coreBegin().storeUint(1, 32).storeRef(leaf).endCell())
    await rpc(service.url, 'local.setAccount', { address: BUILDER, balance: '1000000000', code, data })
    for (let i = 0; i < 3; i++)
      await rpc(service.url, 'local.sendInternal', { from: ANYBODY, to: BUILDER, value: '100000000', bounce: false })
    expect(await indexed(BUILDER, 3)).toHaveLength(3)
    const { accounts } = (await ask<{ accounts: { data_boc: string }[] }>(`${service.url}/api/v3/accountStates?address=${BUILDER}`)).body
    const { data: current } = await rpc<{ data: string }>(service.url, 'getAddressInformation', { address: BUILDER })
    expect(accounts[0]!.data_boc).toBe(current)
    // The state that was just read is in memory with all its cells, and the next one is made from it.
    for (let i = 0; i < 2; i++)
      await rpc(service.url, 'local.sendInternal', { from: ANYBODY, to: BUILDER, value: '100000000', bounce: false })
    expect(await indexed(BUILDER, 5)).toHaveLength(5)
    await expectAlive()
  })

  it('a JVault claim of 2^267 jettons is indexed as calls of contracts', async () => {
    const sender = await compile(`fun onInternalMessage(in: InMessage) { val to = contract.getData().beginParse().loadAddress();
      sendRawMessage(beginCell().storeUint(0x10, 6).storeAddress(to).storeCoins(700000000).storeUint(0, 107).storeUint(0x44bc1fe3, 32).storeUint(0, 64).endCell(), 1); }`)
    const payer = await compile(`fun onInternalMessage(in: InMessage) {
      var s = in.body; if (s.remainingBitsCount() < 32) { return; } if (s.loadUint(32) != 0x44bc1fe3) { return; }
      var d = contract.getData().beginParse(); val wallet = d.loadAddress(); val z = d.loadAddress();
      val b = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(1, 64).storeCoins(5).storeAddress(z).storeAddress(z).storeUint(0, 1).storeCoins(0).storeUint(0, 1).endCell();
      sendRawMessage(beginCell().storeUint(0x18, 6).storeAddress(wallet).storeCoins(300000000).storeUint(0, 106).storeUint(1, 1).storeRef(b).endCell(), 1);
      sendRawMessage(beginCell().storeUint(0x10, 6).storeAddress(z).storeCoins(50000000).storeUint(0, 107).storeUint(0xae9307ce, 32).storeUint(0, 64).endCell(), 1); }`)
    const { address: jetton } = await rpc<{ address: string }>(service.url, 'local.deployJetton', { name: 'J', symbol: 'J', decimals: 0 })
    const { address: wallet } = await rpc<{ address: string }>(service.url, 'local.mintJetton', { jetton, owner: Y, amount: '1000' })
    const senderData = coreBegin().storeAddress(address(Y)).endCell()
    const payerData = coreBegin().storeAddress(Address.parse(wallet)).storeAddress(address(Z)).endCell()
    await rpc(service.url, 'local.setAccount', { address: X, balance: '100000000000', code: sender, data: coreText(senderData) })
    await rpc(service.url, 'local.setAccount', { address: Y, balance: '100000000000', code: payer, data: coreText(payerData) })
    /** Types of the actions of a claim of 2^levels jettons. */
    const claim = async (levels: number, count: number): Promise<readonly string[]> => {
      const left = 267 - levels
      const leaf =
        left === 0
          ? beginCell().storeUint(0, 2)
          : beginCell()
              .storeUint(0b110, 3)
              .storeUint(left, 32 - Math.clz32(left))
      const body = beginCell()
        .storeUint(0x78d9f109, 32)
        .storeUint(0, 64)
        .storeBit(1)
        .storeRef(forks(leaf.storeBit(1).end(), levels))
        .end()
      await rpc(service.url, 'local.sendInternal', { from: ANYBODY, to: X, value: '1500000000', bounce: false, body: text(body) })
      const [last] = await indexed(X, count)
      const path = `${service.url}/api/v3/actions?trace_id=${encodeURIComponent(last!.trace_id)}&include_accounts=true`
      const { actions } = (await ask<{ actions: { type: string }[] }>(path)).body
      return actions.map(({ type }) => type).sort()
    }
    expect(await claim(4, 1)).toContain('jvault_claim')
    const types = await claim(267, 2)
    expect(types).toContain('call_contract')
    expect(types).not.toContain('jvault_claim')
    await expectAlive()
  })
})
