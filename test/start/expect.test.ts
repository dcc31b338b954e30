import { Address, beginCell, Cell } from '@ton/core'
import { mnemonicToPrivateKey } from '@ton/crypto'
import { internal, TonClient, WalletContractV4 } from '@ton/ton'
import { beforeAll, describe, expect, it } from 'vitest'
import { expectTrace, findTransactions } from '../../server/start/expect.ts'
import type { Trace } from '../../server/start/types.ts'
import { useTonway } from '../../server/start/vitest.ts'

/* What a test is told about what it did: recorded transactions, assertions about them, and why something failed. One chain for the file. */

const chain = useTonway({ port: 'off' })
const raw = (byte: number): string => `0:${Buffer.alloc(32, byte).toString('hex')}`
const THROWER = raw(0x31)
const FRIEND = raw(0x77)
const opcodes = (hex: string): Cell => beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell()
const b64 = (cell: Cell): string => cell.toBoc().toString('base64')

beforeAll(async () => {
  // PUSHINT 5, THROW 57
  await chain.client.local.setAccount({ address: THROWER, balance: '1000000000', code: b64(opcodes('75f239')), data: b64(Cell.EMPTY) })
})

/** The first funded wallet as TonClient opens it, and its sender. */
const openWallet = async () => {
  const keys = await mnemonicToPrivateKey([...chain.wallets[0]!.mnemonic])
  const client = new TonClient({ endpoint: chain.endpoint, httpAdapter: chain.httpAdapter })
  const contract = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey })
  const wallet = client.open(contract)
  const send = async (to: string, seqno?: number): Promise<void> => {
    const messages = [
      internal({ to: Address.parse(to), value: '0.5', bounce: true, body: beginCell().storeUint(0x12345678, 32).endCell() }),
    ]
    await wallet.sendTransfer({ seqno: seqno ?? (await wallet.getSeqno()), secretKey: keys.secretKey, messages })
  }
  return { client, address: contract.address, send }
}

describe('record and expectTrace', () => {
  let trace: Trace
  it('record tells every transaction of a transfer sent by TonClient, its failure and its bounce', async () => {
    const wallet = await openWallet()
    const recorded = await chain.record(async () => {
      await wallet.send(THROWER)
      return 'done'
    })
    trace = recorded
    expect([recorded.result, recorded.complete, recorded.transactions.length]).toEqual(['done', true, 3])
    const { address } = wallet
    const expected = expectTrace(recorded)
    expected.toHaveTransaction({ from: null, to: address, success: true, outMessagesCount: 1, value: null })
    expected.toHaveTransaction({
      from: address,
      to: THROWER,
      op: 0x12345678,
      value: 500_000_000n,
      success: false,
      aborted: true,
      exitCode: 57,
    })
    expected.toHaveTransaction({ from: address.toString(), on: THROWER, exitCode: (code) => code !== null && code > 50, deploy: false })
    expected.toHaveTransaction({
      to: THROWER,
      body: beginCell().storeUint(0x12345678, 32).endCell(),
      oldStatus: 'active',
      endStatus: 'active',
    })
    expected.toHaveTransaction({
      from: THROWER,
      to: address,
      inMessageBounced: true,
      inMessageBounceable: false,
      totalFees: (fees) => fees >= 0n,
    })
    expected.not.toHaveTransaction({ to: FRIEND })
    expected.not.toHaveTransaction({ to: THROWER, success: true })
    expect(findTransactions(recorded, { to: address })).toHaveLength(2)
  })

  it('a failed assertion shows what no transaction has, and the tree with the last steps of what failed', () => {
    const failure = (run: () => void): string => {
      try {
        run()
      } catch (error) {
        return `${(error as Error).name}: ${(error as Error).message}`
      }
      return 'nothing was thrown'
    }
    const text = failure(() => expectTrace(trace).toHaveTransaction({ to: THROWER, success: true, value: 500_000_000n }))
    expect(text).toContain('AssertionError: expected the trace to have a transaction with\n')
    expect(text).toContain(`  to: "${THROWER}"\n  success: true\n  value: 500000000\n`)
    expect(text).toMatch(/\nok 0:[0-9a-f]{64} external message, /)
    expect(text).toMatch(new RegExp(`\n {2}failed ${THROWER} op 0x12345678, 0.5 TON from 0:[0-9a-f]{64}\n`))
    expect(text).toContain('exit code 57: a code of the contract')
    expect(text).toMatch(/\n {6}PUSHINT 5 {2}\[.*\]\n {6}THROW 57 {2}\[.* 5\]\n/)
    expect(text).toMatch(/\n {4}ok 0:[0-9a-f]{64} bounced /)
    expect(failure(() => expectTrace(trace).toHaveTransaction({ to: FRIEND }))).toContain(`to: "${FRIEND}"   <- no transaction has this`)
    expect(failure(() => expectTrace(trace).not.toHaveTransaction({ exitCode: 57 }))).toContain(
      'not to have a transaction with\n  exitCode: 57\n',
    )
  })

  it.each([
    [{ form: THROWER }, 'unknown field of a transaction form; did you mean from?'],
    [{}, 'a transaction is looked for by at least one of from, to'],
    [{ to: 'nowhere' }, 'nowhere is no address'],
  ])('a filter %j that can find nothing is an error', (wanted, text) => {
    expect(() => expectTrace(trace).not.toHaveTransaction(wanted as never)).toThrow(text)
  })
})

describe('errors that say why', () => {
  it('a refused message tells the exit code and the steps in the error of TonClient', async () => {
    const { send } = await openWallet()
    await expect(send(FRIEND, 77)).rejects.toThrow(
      /^Request failed with status code 500: .*External message was not accepted[\s\S]*exitcode=33[\s\S]*execute /,
    )
  })

  it('get resolves with the stack, and rejects with the meaning of the exit code and the last steps', async () => {
    const wallet = chain.wallets[0]!.address
    expect((await chain.get(wallet, 'seqno')).stack).toEqual([['num', expect.stringMatching(/^0x/)]])
    const failed = chain.get(THROWER, 'anything', [['num', '7']])
    await expect(failed).rejects.toMatchObject({ exitCode: 57 })
    await expect(failed).rejects.toThrow(
      /^get-method anything of 0:3131.* ended with exit code 57: a code of the contract\n.*PUSHINT 5 .*\n {2}THROW 57 .* 5\]$/,
    )
    await expect(chain.get(FRIEND, 'seqno')).rejects.toThrow('exit code -13: the account has no code')
    await expect(chain.get(wallet, 'seqqno')).rejects.toThrow('exit code 11: unknown error')
  })
})
