import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { stripVTControlCharacters } from 'node:util'
import { Address, beginCell } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ask } from '../../server/cli/ask/ask.ts'
import { readAmount, readParams } from '../../server/cli/ask/params.ts'
import { entryText } from '../../server/cli/ask/stack.ts'
import { inGrams } from '../../server/cli/ask/trace.ts'
import { runCli } from '../../server/cli/cli.ts'
import { loadConfig } from '../../server/cli/load-config.ts'
import { startTonway } from '../../server/start/start.ts'
import type { Tonway } from '../../server/start/types.ts'
import { configOf, listen, runWith } from './kit.ts'

const FRIEND = `0:${'77'.repeat(32)}`
let tonway: Tonway
beforeAll(async () => {
  tonway = await startTonway({ index: true })
  await tonway.indexed()
})
afterAll(() => tonway?.close())

/** Runs a command against a running tonway as the command line would. */
const tellOf = async (url: string, argv: readonly string[], colour = false) => {
  const given = loadConfig({ argv, env: {}, file: undefined })
  const { code, out, err } = await runWith((streams) => ask({ ...given, flags: { url, ...given.flags } }, streams))
  const shown = out.join('\n')
  return { code, out: colour ? shown : stripVTControlCharacters(shown), err: err.join('\n') }
}
const tell = (...argv: readonly string[]) => tellOf(tonway.url, argv)

describe('commands that ask a running server', () => {
  it('wallet shows the funded wallets, and their words when asked', async () => {
    const [{ address, mnemonic }] = tonway.wallets as [Tonway['wallets'][0]]
    const { code, out } = await tell('wallet')
    expect(code).toBe(0)
    expect(out).toContain(`${address}  v4R2  1000000 GRAM`)
    expect(out).not.toContain(mnemonic[0]!)
    expect((await tell('wallet', '--mnemonics')).out).toContain(mnemonic.join(' '))
    const json = JSON.parse((await tell('wallet', '--json')).out)
    expect(json.wallets[0]).toMatchObject({ address, version: 'v4R2' })
    expect(json.wallets[0]).not.toHaveProperty('mnemonic')
    expect(JSON.parse((await tell('wallet', '--json', '--mnemonics')).out).wallets[0]).toMatchObject({ mnemonic })
  })

  it('fund takes a raw address of the masterchain, which begins as a flag does', async () => {
    const address = `-1:${'ab'.repeat(32)}`
    expect(await tell('fund', address, '2')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`2 GRAM to ${Address.parseRaw(address).toString({ bounceable: false })}`),
    })
    expect(await tonway.client.getAddressBalance({ address })).toBe('2000000000')
  })

  it('fund gives coins, and trace shows what followed as a tree', async () => {
    const { code, out } = await tell('fund', FRIEND, '1.5')
    expect(out).toMatch(/^1\.5 GRAM to UQB3\S{44}, in block \d+\ntrace [0-9a-f]{64}$/)
    expect(code).toBe(0)
    await tonway.indexed()
    const shown = await tell('trace', out.slice(-64))
    expect(shown.out).toMatch(
      /^trace [0-9a-f]{64}\n└─ ok UQB3\S+ no body, 1\.5 GRAM, no contract is there\n {6}[0-9a-f]{64}, lt \d+, fees \S+ GRAM$/,
    )
  })

  it('tonway get runs a get-method with typed arguments, and shows what it gives with its type', async () => {
    const address = `0:${'9e'.repeat(32)}`
    const own = Address.parseRaw(address).toString()
    const boc = beginCell().storeUint(7, 8).endCell().toBoc().toString('base64')
    // DROP the id of the method: what was given is answered.
    const code = beginCell().storeBuffer(Buffer.from('30', 'hex')).endCell().toBoc().toString('base64')
    await tonway.client.local.setAccount({ address, balance: '1', code, data: boc })
    const { code: exit, out } = await tell('get', address, 'echo', '-5', '0x1f', own, boc, `slice:${boc}`)
    const [head, ...values] = out.split('\n')
    expect([exit, head]).toEqual([0, expect.stringMatching(/^exit code 0: success, gas \d+$/)])
    expect(values).toEqual([
      'number -5 (-0x5)',
      'number 31 (0x1f)',
      expect.stringMatching(`^cell te6cc\\S+ \\(address ${own}\\)$`),
      expect.stringMatching(/^cell te6cc\S+$/),
      expect.stringMatching(/^cell te6cc\S+$/),
    ])
    expect(JSON.parse((await tell('get', address, '85143', '3', '--json')).out)).toMatchObject({ exit_code: 0, stack: [['num', '0x3']] })
    expect((await tell('get', tonway.wallets[0]!.address, 'seqno')).out).toMatch(/^exit code 0: success, gas \d+\nnumber \d+ \(0x/)
  })

  it('tonway get tells in words why a get-method failed, and what an argument may be', async () => {
    const [{ address }] = tonway.wallets as [Tonway['wallets'][0]]
    const failed = await tell('get', address, 'nonesuch')
    expect(failed).toMatchObject({ code: 1, out: '' })
    expect(failed.err).toMatch(
      /get-method nonesuch of UQ\S+ ended with exit code 11: unknown error: often a method that the contract does not have/,
    )
    expect(await tell('get', address, 'seqno', 'five')).toMatchObject({
      code: 1,
      err: expect.stringContaining('five is not an argument: a whole number'),
    })
    expect(await tell('get', 'nowhere', 'seqno')).toMatchObject({ code: 1, err: expect.stringContaining('address') })
  })

  it('the entries of a stack are shown with their types', () => {
    const number = { '@type': 'tvm.stackEntryNumber', number: { '@type': 'tvm.numberDecimal', number: '31' } } as const
    const slice = { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes: 'te6' } } as const
    const list = { '@type': 'tvm.stackEntryList' as const, list: { '@type': 'tvm.list' as const, elements: [number] } }
    expect(entryText(['tuple', { '@type': 'tvm.tuple', elements: [number, slice, list] }])).toBe(
      'tuple [number 31 (0x1f), slice te6, list [number 31 (0x1f)]]',
    )
    expect(entryText(['list', { '@type': 'tvm.list', elements: [] }])).toBe('list []')
    expect(entryText(['unsupported', ''])).toBe('a value that JSON cannot have')
  })

  it('trace tells in words why a contract failed, and shows the bounce', async () => {
    const { deployJetton } = tonway.client.local
    const { address } = await deployJetton({ name: 'Acorn', symbol: 'ACRN' })
    const body = beginCell().storeUint(0x12345678, 32).endCell().toBoc().toString('base64')
    const from = tonway.wallets[0]!.address
    const { trace_id } = await tonway.client.local.sendInternal({ from, to: address, amount: '100000000', body })
    await tonway.client.local.mine({ count: 4 })
    await tonway.indexed()
    const { code, out } = await tell('trace', Buffer.from(trace_id, 'base64').toString('hex'))
    expect(code).toBe(0)
    expect(out).toMatch(/failed/)
    expect(out).toMatch(/exit code \d+: .+/)
    expect(out).toMatch(/ok UQ\S+ bounced 0x12345678, 0\.\d+ GRAM/)
    expect(JSON.parse((await tell('trace', trace_id, '--json')).out)).toMatchObject({ trace_id })
  })

  it('trace says of coins for an account without a contract that none is there, and names no opcode of its own after a protocol', async () => {
    const body = beginCell().storeUint(1, 32).storeUint(5, 64).endCell().toBoc().toString('base64')
    const from = tonway.wallets[0]!.address
    for (const index of [true, false]) {
      const own = index ? tonway : await startTonway()
      try {
        const send = async (amount: string, bounce: boolean): Promise<string> => {
          const to = `0:${'7a'.repeat(32)}`
          const { trace_id } = await own.client.local.sendInternal({ from, to, amount, body, bounce })
          if (index) await own.indexed()
          return (await tellOf(own.url, ['trace', trace_id])).out
        }
        for (const amount of ['1000', '100000000']) {
          const out = await send(amount, false)
          expect(out).toMatch(/ok UQ\S+ (op )?0x00000001, 0\.\d+ GRAM.*, no contract is there\n/)
          expect(out).not.toContain('failed')
        }
        for (const amount of ['1000', '100000000']) expect(await send(amount, true)).toMatch(/failed UQ\S+ (op )?0x00000001/)
      } finally {
        if (!index) await own.close()
      }
    }
  })

  it('a wallet, another contract and their hashes have one form in trace, with an index and without', async () => {
    const contract = `0:${'c0'.repeat(32)}`
    for (const index of [true, false]) {
      const own = index ? tonway : await startTonway()
      try {
        const [wallet] = own.wallets as [Tonway['wallets'][0]]
        const empty = beginCell().endCell().toBoc().toString('base64')
        await own.client.local.setAccount({ address: contract, balance: '1', code: empty, data: empty })
        const { trace_id } = await own.client.local.impersonate({ from: wallet.address, to: contract, amount: '1000000000' })
        if (index) await own.indexed()
        const { out } = await tellOf(own.url, ['trace', trace_id])
        const named = new Set(out.match(/\b(?:[UE][Qf]\S{46}|-?\d:[0-9a-fA-F]{64})/g))
        expect(named, out).toEqual(new Set([wallet.address, Address.parseRaw(contract).toString()]))
        if (index) expect(out).toContain(Buffer.from(trace_id, 'base64').toString('hex'))
        expect(out).not.toContain(trace_id)
      } finally {
        if (!index) await own.close()
      }
    }
  })

  it('trace without an index reads the blocks of the embedded chain', async () => {
    const plain = await startTonway()
    try {
      const { out } = await tellOf(plain.url, ['fund', FRIEND, '1.5'])
      const id = out.slice(-64)
      const shown = await tellOf(plain.url, ['trace', id])
      expect(shown).toMatchObject({ code: 0, err: '' })
      expect(shown.out).toMatch(
        /^ok UQB3\S{44} no op, 1\.5 GRAM from Uf8A+\S+, no contract is there\n {2}[0-9a-f]{64}, lt \d+, fees \S+ GRAM$/,
      )
      const json = JSON.parse((await tellOf(plain.url, ['trace', id, '--json'])).out)
      expect(json).toMatchObject({ complete: true, transactions: [{ account: FRIEND }] })
      const unknown = await tellOf(plain.url, ['trace', 'ab'.repeat(32)])
      expect(unknown).toMatchObject({ code: 1, out: '', err: expect.stringContaining('none of the newest 1000 blocks has a transaction') })
    } finally {
      await plain.close()
    }
  })

  it('trace shows what contracts have printed, with an index and without', async () => {
    // DUMP s0, DROP, then STRDUMP of the body.
    const code = beginCell().storeBuffer(Buffer.from('fe2030fe14', 'hex')).endCell().toBoc().toString('base64')
    const [body, data] = [Buffer.from('hello'), Buffer.alloc(0)].map((text) =>
      beginCell().storeBuffer(text).endCell().toBoc().toString('base64'),
    )
    const address = `0:${'d0'.repeat(32)}`
    for (const index of [true, false]) {
      const own = index ? tonway : await startTonway()
      try {
        await own.client.local.setAccount({ address, balance: '1000000000', code, data: data! })
        const { trace_id } = await own.client.local.sendInternal({ from: FRIEND, to: address, amount: '1000000000', body: body! })
        if (index) await own.indexed()
        const { out } = await tellOf(own.url, ['trace', trace_id])
        expect(out).toMatch(/\n +#DEBUG#: s0 = 0\n +#DEBUG#: hello(\n|$)/)
      } finally {
        if (!index) await own.close()
      }
    }
  })

  it('trace shows hash, gas, fees and the last steps of a failure, with an index and without', async () => {
    // PUSHINT 7, PUSHINT 66, then THROWANY.
    const code = beginCell().storeBuffer(Buffer.from('778042f2f0', 'hex')).endCell().toBoc().toString('base64')
    const data = beginCell().endCell().toBoc().toString('base64')
    const address = `0:${'e0'.repeat(32)}`
    const shown: string[][] = []
    for (const index of [true, false]) {
      const own = index ? tonway : await startTonway()
      try {
        await own.client.local.setAccount({ address, balance: '1000000000', code, data })
        const { trace_id } = await own.client.local.sendInternal({ from: FRIEND, to: address, amount: '1000000000', bounce: false })
        if (index) await own.indexed()
        const { out } = await tellOf(own.url, ['trace', trace_id])
        // Without the lines of the tree, and the first lines, which name the trace and the message.
        const lines = out.split('\n').map((line) => line.trim())
        shown.push(lines.slice(lines.findIndex((line) => line.includes(', gas '))))
      } finally {
        if (!index) await own.close()
      }
    }
    const [withIndex, without] = shown.map((lines) => lines.map((line) => line.replace(/[0-9a-f]{64}|lt \d+/g, '*')))
    expect(withIndex!.slice(0, 2)).toEqual([
      expect.stringMatching(/^\*, \*, gas \d+, fees \S+ GRAM$/),
      'exit code 66: a code of the contract',
    ])
    expect(withIndex!.at(-1)).toContain('THROWANY')
    // A second between two blocks costs a nanogram of storage.
    const rough = (lines: readonly string[] = []) => lines.map((line) => line.replace(/fees \S+|1999999999|2000000000/g, '*'))
    expect(rough(without)).toEqual(rough(withIndex))
  })

  it('call prints the result of any method, with params as words or as JSON', async () => {
    expect(JSON.parse((await tell('call', 'getMasterchainInfo')).out)).toHaveProperty('last.seqno')
    const address = `-1:${'55'.repeat(32)}`
    const [words, json] = await Promise.all([
      tell('call', 'getAddressBalance', `address=${address}`),
      tell('call', 'getAddressBalance', JSON.stringify({ address })),
    ])
    expect(words).toEqual(json)
    expect(words.out).toMatch(/^"\d+"$/)
  })

  it('snapshot prints a name that revert goes back to', async () => {
    const { out: mark } = await tell('snapshot')
    const before = await tonway.client.getAddressBalance({ address: FRIEND })
    await tell('fund', FRIEND, '1')
    expect(await tell('revert', mark)).toMatchObject({ code: 0, out: expect.stringMatching(/^back at block \d+$/) })
    expect(await tonway.client.getAddressBalance({ address: FRIEND })).toBe(before)
  })

  it.each([
    [['call', 'getBalance'], 1, 'tonway: '],
    [['call', 'getAddressBalance', 'adress=x'], 1, 'tonway: '],
    [['call', 'getAddressBalance', 'x'], 1, 'tonway: x is not a parameter; write name=value, or all params as one JSON object'],
    [['call', 'getAddressBalance', '{"address":'], 1, 'tonway: the params are not JSON'],
    [
      ['fund', FRIEND, '1e3'],
      1,
      'tonway: amount 1e3 is not valid; write GRAM as 1.5: digits without a sign, at most nine of them after the point',
    ],
    [['fund', FRIEND, '0.0000000001'], 1, 'tonway: amount 0.0000000001 is not valid'],
    [['fund', FRIEND, '-5'], 1, 'tonway: amount -5 is not valid; write GRAM as 1.5: digits without a sign'],
    [['fund', FRIEND, '0'], 1, 'tonway: amount 0 gives no coins; `tonway call local.setBalance'],
    [['fund', FRIEND, '0.0'], 1, 'tonway: amount 0.0 gives no coins'],
    [['fund', FRIEND, '-.5'], 1, 'tonway: amount -.5 is not valid'],
    [
      ['call', 'getTransactions', 'address=hello'],
      1,
      'tonway: getTransactions: address: failed to parse address; accepted: 48 characters of base64 or base64url with a right CRC16, or <workchain',
    ],
    [
      ['call', 'getTransactions', `address=${FRIEND}`, 'limit=-5'],
      1,
      'tonway: getTransactions: limit: limit should be positive; accepted: ',
    ],
    [['fund', 'nowhere', '1'], 1, 'nowhere'],
    [['trace', 'abc'], 1, 'tx_hash: schema: error converting value for index 0 of "tx_hash"; accepted: 32 bytes as 64 hex digits'],
    [['trace', 'ab'.repeat(32)], 1, 'tonway: no trace has a transaction or a message of the hash'],
    [['revert', 'never'], 1, 'there is no snapshot never'],
    [['wallet', '--url', 'http://127.0.0.1:1'], 2, 'tonway: no tonway answers at http://127.0.0.1:1; --port or --url says where one is'],
  ])('%j ends with exit code %i and says why', async (argv, code, text) => {
    const told = await tell(...argv)
    expect(told).toMatchObject({ code, out: '', err: expect.stringContaining(text) })
  })

  it('a command without what it needs is refused before anybody is asked', async () => {
    const { streams, err } = listen()
    expect(await runCli(['fund', FRIEND], {}, streams)).toBe(2)
    expect(err[0]).toBe('tonway: fund needs amount: tonway fund <address> <amount>')
  })
})

describe('what people write', () => {
  it.each([
    ['1', '1000000000'],
    ['0.000000001', '1'],
    ['1.50', '1500000000'],
  ])('%s GRAM is %s nanograms, and back', (text, nanograms) => {
    expect(readAmount(text)).toBe(nanograms)
    expect(Number.parseFloat(inGrams(nanograms))).toBe(Number(text))
  })

  it('params keep numbers beyond 2^53 whole', () => {
    expect(readParams(['lt=46896866000000003', 'limit=2', 'on=true', 'x=a=b'])).toEqual({
      lt: '46896866000000003',
      limit: 2,
      on: true,
      x: 'a=b',
    })
    expect(readParams(['{"shard":-9223372036854775808,"seqno":5}'])).toEqual({ shard: '-9223372036854775808', seqno: 5 })
    expect(() => readParams(['a=1', 'a=2'])).toThrow('a is given twice')
  })
})

describe('the terminal', () => {
  it('each command that has colours marks its text with them, and never its JSON', async () => {
    const { trace_id } = await tonway.client.local.fund({ address: FRIEND, amount: '7' })
    await tonway.indexed()
    vi.stubEnv('FORCE_COLOR', '1')
    onTestFinished(() => void vi.unstubAllEnvs())
    for (const argv of [['wallet'], ['wallet', '--mnemonics'], ['trace', trace_id]]) {
      expect((await tellOf(tonway.url, argv, true)).out, argv.join(' ')).toContain('\x1b[')
      expect((await tellOf(tonway.url, [...argv, '--json'], true)).out).not.toContain('\x1b')
    }
  })

  it('the help of each command that asks has examples', async () => {
    for (const name of ['wallet', 'fund', 'call', 'trace', 'snapshot', 'revert']) {
      const { streams, out } = listen()
      await runCli([name, '--help'], {}, streams)
      expect(out.join('\n'), name).toMatch(/examples:\n {2}\S/)
      for (const [address] of out.join('\n').matchAll(/\bUQ\S{46}/g)) expect(() => Address.parse(address)).not.toThrow()
    }
  })

  it('settings find the server where no URL is given', async () => {
    const { streams, out } = listen()
    const { port } = new URL(tonway.url)
    expect(await ask({ command: 'wallet', positionals: [], flags: {}, config: configOf('--port', port) }, streams)).toBe(0)
    expect(out[0]).toContain('GRAM')
  })

  it('a key in the URL is sent as a header, and no error has it', async () => {
    const seen: (readonly [path: string | undefined, key: unknown])[] = []
    const server = createServer(({ url, headers }, response) => {
      seen.push([url, headers['x-api-key']])
      response.destroy()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const { code, err } = await tellOf(`${url}/testnet/?api_key=secret`, ['call', 'getMasterchainInfo'])
    server.close()
    expect(code).toBe(2)
    expect(seen[0]).toEqual(['/testnet/jsonRPC', 'secret'])
    expect(err).toContain(`no tonway answers at ${url}/testnet/`)
    expect(err).not.toContain('secret')
  })
})
