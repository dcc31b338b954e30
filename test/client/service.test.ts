import {
  Address,
  beginCell,
  Cell,
  type Contract,
  type ContractProvider,
  external,
  internal,
  SendMode,
  storeMessage,
  toNano,
} from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { WalletContractV4 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { ExitCodeError, tonCore } from '../../client/adapters/ton-core.ts'
import { createClient, fallback, http, messageId, pages, type TonClient, webSocket } from '../../client/index.ts'
import type { Aliases } from '../../client/types.ts'
import { methodNames, registry } from '../../shared/registry.ts'
import { examples } from '../kit/service/examples.ts'
import { startTonway, type Tonway } from '../kit/service/tonway.ts'
import { failing, serve } from './servers.ts'

/* The client against the service as it is, on the embedded chain. */

let tonway: Tonway
let ton: TonClient
beforeAll(async () => {
  tonway = await startTonway({ blockTime: 0 })
  ton = createClient({ transport: http({ url: tonway.url, timeout: 60_000 }) })
})
afterAll(() => tonway?.close())

const friend = Address.parseRaw(`0:${'77'.repeat(32)}`)

/** A funded wallet; `transfer` is a signed external message in base64. */
const funded = async () => {
  const { wallets } = await ton.local.wallets()
  const keys = await mnemonicToPrivateKey([...wallets.find(({ version }) => version === 'v4R2')!.mnemonic])
  const contract = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
  const transfer = (seqno: number, value: string): string => {
    const body = contract.createTransfer({
      seqno,
      secretKey: keys.secretKey,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: [internal({ to: friend, value, bounce: false })],
    })
    const init = seqno === 0 ? contract.init : undefined
    return beginCell()
      .store(storeMessage(external({ to: contract.address, init, body })))
      .endCell()
      .toBoc()
      .toString('base64')
  }
  return { contract, keys, transfer }
}

const ALIASES: Aliases = { shards: 'getShards', 'v3.account': 'v3.addressInformation', 'v3.wallet': 'v3.walletInformation' }

describe('methods', () => {
  it('methods can be called by members, names and aliases, and as an explicit batch', async () => {
    const [info, balance, { wallets }] = await Promise.all([
      ton.getMasterchainInfo(),
      ton.getAddressBalance({ address: `0:${'66'.repeat(32)}` }),
      ton.local.wallets(),
    ])
    expect(balance).toBe('0')
    expect(wallets.length).toBeGreaterThan(1)
    expect(await ton.request('getAddressState', { address: `0:${'66'.repeat(32)}` })).toBe('uninitialized')
    const { seqno } = info.last
    expect(await ton.shards({ seqno })).toEqual(await ton.getShards({ seqno }))
    const [state, bad] = await ton.batch([
      { method: 'getAddressState', params: { address: wallets[0]!.address } },
      { method: 'getAddressState', params: { address: 'nowhere' } },
    ])
    expect(state).toEqual({ ok: true, result: 'active' })
    expect(bad).toMatchObject({ ok: false, error: { kind: 'INVALID_PARAMS', method: 'getAddressState', issues: [{ param: 'address' }] } })
    expect((bad as { readonly error: Error }).error.message).toMatch(/^getAddressState: .* \(parameter address\)$/)
    expect((await ton.rpc.discover()).openrpc).toMatch(/^1\./)
    const misspelt = ton as unknown as { getAdressBalance(): Promise<never>; nope(): Promise<never> }
    await expect(misspelt.getAdressBalance()).rejects.toThrow('getAdressBalance: Method not found; did you mean getAddressBalance?')
    await expect(misspelt.nope()).rejects.toMatchObject({ kind: 'METHOD_NOT_FOUND', message: 'nope: Method not found' })
  })

  it('every read that the service serves answers its examples', async () => {
    // The examples name blocks up to the third.
    await ton.local.mine({ count: 4 })
    const { methods } = (await ton.rpc.discover()) as { methods?: { name: string }[] }
    const served = new Set(methods!.map(({ name }) => name))
    const reads = methodNames.filter((name) => served.has(name) && registry[name].effect === 'read')
    expect(reads.length).toBeGreaterThan(30)
    const calls = reads.flatMap((method) => examples[method].map((example) => ({ method, example })))
    const ends = await Promise.all(
      calls.map(async ({ method, example }) => {
        try {
          return registry[method].result.safeParse(await ton.request(method, example.params as never)).success
        } catch (error) {
          return (error as { kind: string }).kind === (example.fails ?? 'none') || [method, example.title, error]
        }
      }),
    )
    expect(ends.filter((end) => end !== true)).toEqual([])
  })

  it('the client’s types know the aliases of the registry, and no write has one', () => {
    const aliases = methodNames.flatMap((name) => {
      const def: { aliases?: readonly string[]; effect: string } = registry[name]
      if (def.effect === 'write') expect(def.aliases ?? []).toEqual([])
      return (def.aliases ?? []).map((alias) => [alias, name])
    })
    expect(aliases).toEqual(Object.entries(ALIASES))
  })

  it('methods can be called over a WebSocket, and over both', async () => {
    const socket = webSocket({ url: tonway.url, WebSocket })
    const both = createClient({ transport: fallback([socket, http({ url: tonway.url })]) })
    const [one, two] = await Promise.all([both.getMasterchainInfo(), both.getConsensusBlock()])
    expect(one.last.seqno).toBe(two.consensus_block)
    expect(await failing(both.getShards({ seqno: 0 }))).toMatchObject({ kind: 'INVALID_PARAMS' })
    both.close()
  })

  it('the endpoint of TonClient works for a WebSocket too', async () => {
    for (const path of ['/api/v2/jsonRPC', '/api/v2/', '/local/api/v2']) {
      const client = createClient({ transport: webSocket({ url: tonway.url + path, WebSocket, reconnect: { attempts: 1 } }) })
      expect((await client.getMasterchainInfo()).last.seqno).toBeGreaterThanOrEqual(0)
      client.close()
    }
  })

  it('methods can be called at TON Center’s door', async () => {
    for (const url of [`${tonway.url}/api/v2/jsonRPC`, `${tonway.url}/api/v2`]) {
      const dialect = createClient({ url })
      expect(await dialect.getAddressBalance({ address: friend.toString() })).toMatch(/^\d+$/)
      expect((await Promise.all([dialect.getMasterchainInfo(), dialect.getConsensusBlock()])).length).toBe(2)
      expect(await failing(dialect.getShards({ seqno: 0 }))).toMatchObject({ kind: 'INVALID_PARAMS' })
    }
  })
})

describe('sending', () => {
  it('a transfer made with @ton/core is found by its normalized hash, by its own hash, and from the message', async () => {
    const { contract, keys } = await funded()
    const wallet = tonCore(ton).open(contract)
    const seqno = await wallet.getSeqno()
    const before = await wallet.getBalance()
    await wallet.sendTransfer({ seqno, secretKey: keys.secretKey, messages: [internal({ to: friend, value: '1.5', bounce: false })] })
    await expect.poll(() => wallet.getSeqno()).toBe(seqno + 1)
    expect(before - (await wallet.getBalance())).toBeGreaterThan(toNano('1.5'))

    const boc = (await funded()).transfer(seqno + 1, '0.25')
    const { hash, hash_norm } = await ton.sendBocReturnHash({ boc })
    const address = contract.address.toString()
    const found = await ton.waitForMessage(messageId(boc))
    expect(messageId(boc)).toMatchObject({ address: contract.address.toRawString(), hash: hash_norm })
    expect(found.in_msg!.hash).toBe(hash)
    for (const form of [
      hash_norm,
      hash,
      Buffer.from(hash_norm, 'base64').toString('hex'),
      Buffer.from(hash_norm, 'base64').toString('base64url'),
    ])
      expect((await ton.waitForMessage({ address, hash: form })).transaction_id).toEqual(found.transaction_id)
  })

  it('a message whose outcome is unknown is found, not sent again', async () => {
    const { contract, transfer } = await funded()
    const wallet = tonCore(ton).open(contract)
    const boc = transfer(await wallet.getSeqno(), '0.5')
    let forwarded = 0
    // The message arrives, its answer does not.
    await using cut = await serve(async ({ text }, response) => {
      forwarded++
      await fetch(`${tonway.url}/jsonRPC`, { method: 'POST', body: text })
      response.destroy()
    })
    const unlucky = createClient({ url: cut.url })
    expect(await failing(unlucky.sendBoc({ boc }))).toMatchObject({ kind: 'NETWORK', method: 'sendBoc' })
    const transaction = await ton.waitForMessage(messageId(boc))
    expect(transaction.out_msgs).toMatchObject([{ destination: friend.toString(), value: '500000000' }])
    expect(forwarded).toBe(1)
  })

  it('a message that never arrives is a TIMEOUT, and waiting can be aborted', async () => {
    const { transfer } = await funded()
    const boc = transfer(77, '1')
    expect(await failing(ton.waitForMessage(messageId(boc), { timeout: 250 }))).toMatchObject({ kind: 'TIMEOUT', method: 'waitForMessage' })
    const stop = new AbortController()
    const waiting = failing(ton.waitForMessage(messageId(boc), { signal: stop.signal }))
    setTimeout(() => stop.abort(), 150)
    expect(await waiting).toMatchObject({ kind: 'ABORTED', method: 'waitForMessage' })
    expect(await failing(ton.waitForMessage({ address: 'nowhere', hash: messageId(boc).hash }))).toMatchObject({ kind: 'INVALID_PARAMS' })
    await expect(ton.waitForMessage({ address: 'x', hash: '!!!' })).rejects.toThrow(TypeError)
  })
})

describe('pages', () => {
  it('pages of an account’s history are whole while it grows', async () => {
    const { contract, transfer } = await funded()
    const wallet = tonCore(ton).open(contract)
    const address = contract.address.toString()
    const send = async () => {
      const boc = transfer(await wallet.getSeqno(), '0.01')
      await ton.sendBoc({ boc })
      await ton.waitForMessage(messageId(boc))
    }
    for (let i = 0; i < 5; i++) await send()
    const all = await ton.getTransactions({ address, limit: 100 })
    const paged: string[] = []
    for await (const { transaction_id } of pages(ton.getTransactions, { address, limit: 2 })) {
      paged.push(transaction_id.lt)
      if (paged.length === 3) await send()
    }
    expect(paged).toEqual(all.map(({ transaction_id }) => transaction_id.lt))
    const std: string[] = []
    for await (const { transaction_id } of pages(ton.getTransactionsStd, { address, limit: 2 })) std.push(transaction_id.lt)
    expect(std.slice(1)).toEqual(paged)
    const { last } = await ton.getMasterchainInfo()
    const { shards } = await ton.getShards({ seqno: last.seqno })
    const block = { workchain: 0, shard: shards[0]!.shard, seqno: shards[0]!.seqno }
    const rows = await ton.getBlockTransactions({ ...block, count: 100 })
    const one = []
    for await (const row of pages(ton.getBlockTransactions, { ...block, count: 1 })) one.push(row)
    expect(one).toEqual(rows.transactions)
  })
})

/** DROP: takes the number of the get-method away and returns its arguments. */
const echoCode = beginCell().storeUint(0x30, 8).endCell()

describe('the adapter', () => {
  it('the adapter reads state, and pins a group of reads to one block', async () => {
    const { contract, transfer } = await funded()
    const core = tonCore(ton)
    const pinned = await core.pinned()
    const provider = pinned.provider(contract.address)
    const before = await provider.getState()
    const boc = transfer(await core.open(contract).getSeqno(), '0.1')
    await ton.sendBoc({ boc })
    await ton.waitForMessage(messageId(boc))
    const now = await core.provider(contract.address).getState()
    expect(await provider.getState()).toEqual(before)
    expect(now.balance).toBeLessThan(before.balance)
    expect(await pinned.open(contract).getSeqno()).toBe((await core.open(contract).getSeqno()) - 1)
    expect(now.state.type).toBe('active')
    const { last } = now
    const [newest] = await core.provider(contract.address).getTransactions(contract.address, last!.lt, last!.hash, 1)
    expect(newest!.lt).toBe(last!.lt)
    expect(newest!.hash().equals(last!.hash)).toBe(true)
    const { consensus_block } = await ton.getConsensusBlock()
    expect(await core.at(consensus_block).provider(friend).getState()).toMatchObject({ state: { type: 'uninit' } })
  })

  it('the adapter throws with the exit code', async () => {
    const { contract } = await funded()
    const { keys: _, ...rest } = await funded()
    expect(rest.contract.address.equals(contract.address)).toBe(true)
    const error = await tonCore(ton)
      .provider(contract.address)
      .get('no_such_method', [])
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ExitCodeError)
    expect(error).toMatchObject({ exitCode: 11 })
  })

  it('the reads of one tick through the adapter are one POST', async () => {
    await using counting = await serve(async ({ text }, response) => {
      response.end(await (await fetch(`${tonway.url}/jsonRPC`, { method: 'POST', body: text })).text())
    })
    const { contract } = await funded()
    const core = tonCore(createClient({ url: counting.url }))
    const wallet = core.open(contract)
    await Promise.all([wallet.getBalance(), core.provider(friend).getState(), core.provider(contract.address).get('seqno', [])])
    expect(counting.seen.map(({ calls }) => calls.map(({ method }) => method))).toEqual([
      ['getAddressInformation', 'getAddressInformation', 'runGetMethod'],
    ])
  })

  it('the adapter carries every kind of argument and result', async () => {
    const address = Address.parseRaw(`0:${'88'.repeat(32)}`)
    await ton.local.setAccount({
      address: address.toString(),
      balance: '1000000000',
      code: echoCode.toBoc().toString('base64'),
      data: new Cell().toBoc().toString('base64'),
    })
    const cell = beginCell().storeUint(5, 8).endCell()
    class Echo implements Contract {
      readonly address = address
      async getEcho(provider: ContractProvider) {
        return provider.get('echo', [
          { type: 'int', value: -(2n ** 256n) },
          { type: 'cell', cell },
          { type: 'slice', cell },
          { type: 'null' },
          {
            type: 'tuple',
            items: [
              { type: 'int', value: 7n },
              { type: 'tuple', items: [{ type: 'cell', cell }] },
              { type: 'null' },
              { type: 'slice', cell },
            ],
          },
        ])
      }
    }
    const { stack, gasUsed } = await tonCore(ton).open(new Echo()).getEcho()
    expect(stack.remaining).toBe(5)
    expect(stack.readBigNumber()).toBe(-(2n ** 256n))
    expect(stack.readCell().equals(cell)).toBe(true)
    expect(stack.readCell().equals(cell)).toBe(true)
    expect(stack.readCellOpt()).toBe(null)
    const tuple = stack.readTuple()
    expect(tuple.readNumber()).toBe(7)
    expect(tuple.readTuple().readCell().equals(cell)).toBe(true)
    expect(tuple.readCellOpt()).toBe(null)
    expect(tuple.readCell().equals(cell)).toBe(true)
    expect(gasUsed).toBeGreaterThan(0n)
    const provider = tonCore(ton).provider(address)
    await expect(provider.get('echo', [{ type: 'nan' }])).rejects.toThrow(TypeError)
    await expect(provider.get('echo', [{ type: 'builder', cell }])).rejects.toThrow(TypeError)
  })

  it('the adapter sends the StateInit as long as it is needed', async () => {
    const keys = await mnemonicToPrivateKey(['a'])
    const contract = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
    await ton.local.fund({ address: contract.address.toString(), amount: toNano(5) })
    const wallet = tonCore(ton).open(contract)
    expect(await ton.getAddressState({ address: contract.address.toString() })).toBe('uninitialized')
    for (const seqno of [0, 1]) {
      await wallet.sendTransfer({ seqno, secretKey: keys.secretKey, messages: [internal({ to: friend, value: '0.1', bounce: false })] })
      await expect.poll(() => wallet.getSeqno()).toBe(seqno + 1)
    }
    const sender = wallet.sender(keys.secretKey)
    await tonCore(ton).provider(friend).internal(sender, { value: '0.2', bounce: false, body: 'hello' })
    await expect.poll(() => wallet.getSeqno()).toBe(3)
    const [arrival] = await ton.getTransactions({ address: friend.toString(), limit: 1 })
    expect(arrival!.in_msg).toMatchObject({ message: 'hello' })
    expect(Number(arrival!.in_msg!.value)).toBeGreaterThan(190_000_000)
  })
})
