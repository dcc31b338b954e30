import { beginCell, external, internal, SendMode, storeMessage } from '@ton/core'
import { keyPairFromSeed } from '@ton/crypto'
import { WalletContractV3R1, WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTonway } from '../../server/start/start.ts'
import type { Tonway } from '../../server/start/types.ts'

/* Wallets refuse with an exit code alone; the error of the send says what it means. */

const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 1))
const other = keyPairFromSeed(Buffer.alloc(32, 2))

const v5 = (networkGlobalId: number) => WalletContractV5R1.create({ publicKey, walletId: { networkGlobalId } })
/** A wallet of each version, and the same with another wallet id. */
const WALLETS = [
  ['v3R1', WalletContractV3R1.create({ workchain: 0, publicKey }), WalletContractV3R1.create({ workchain: 0, publicKey, walletId: 5 })],
  ['v3R2', WalletContractV3R2.create({ workchain: 0, publicKey }), WalletContractV3R2.create({ workchain: 0, publicKey, walletId: 5 })],
  ['v4R2', WalletContractV4.create({ workchain: 0, publicKey }), WalletContractV4.create({ workchain: 0, publicKey, walletId: 5 })],
  ['v5R1', v5(-239), v5(-3)],
] as const

describe.each(WALLETS)('a wallet %s that refuses', (name, wallet, otherId) => {
  let tonway: Tonway
  /** The last line of the refusal of an order. The wallet is not deployed: the message has its code. */
  const refusal = async ({
    by = wallet as Pick<WalletContractV4, 'createTransfer'>,
    seqno = 0,
    key = secretKey,
    timeout = 0xffff_ffff,
  }) => {
    const messages = [internal({ to: wallet.address, value: '0.1', bounce: false })]
    const body = by.createTransfer({ seqno, secretKey: key, messages, sendMode: SendMode.PAY_GAS_SEPARATELY, timeout })
    const message = beginCell().store(storeMessage(external({ to: wallet.address, init: wallet.init, body })))
    const boc = message.endCell().toBoc().toString('base64')
    const error = await tonway.client.sendBoc({ boc }).then(String, ({ message }: Error) => message)
    expect(error).toContain('exitcode=')
    return error.split('\n').at(-1)
  }
  beforeAll(async () => {
    tonway = await startTonway({ port: 'off' })
    await tonway.client.local.fund({ address: wallet.address.toString(), amount: '1000000000' })
  })
  afterAll(() => tonway?.close())

  it('another seqno, wallet id or key is named', async () => {
    expect(await refusal({ key: other.secretKey })).toBe("the signature is not that of the wallet's key")
    expect(await refusal({ by: otherId as Pick<WalletContractV4, 'createTransfer'> })).toMatch(
      /^the message is for wallet id -?\d+, and the wallet has wallet id -?\d+$/,
    )
    expect(await refusal({ seqno: 7 })).toBe('the message has seqno 7, and the wallet is at seqno 0')
  })

  it('an expired message with another key has the reason that the wallet looks at first', async () => {
    const first = name === 'v5R1' ? /^the signature is not/ : /^the message expired/
    expect(await refusal({ key: other.secretKey, timeout: 1_000_000 })).toMatch(first)
  })

  it('an expired message is named with both times, and with the clock of a chain that is ahead', async () => {
    expect(await refusal({ timeout: 1_000_000 })).toMatch(
      /^the message expired: its valid_until 1000000 is not after the chain's time \d+$/,
    )
    await tonway.client.local.increaseTime({ seconds: 3600 })
    const timeout = Math.floor(Date.now() / 1000) + 60
    expect(await refusal({ timeout })).toMatch(
      new RegExp(
        `^the message expired: its valid_until ${timeout} is not after the chain's time \\d+; the chain's clock is 3\\d\\d\\d s ahead of`,
      ),
    )
  })
})
