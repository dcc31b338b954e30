import { Address, beginCell, Cell, type Message, storeMessage } from '@ton/core'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../server/base/call.ts'
import { serializeBoc } from '../../server/cell/boc.ts'
import type { Tvm } from '../../server/tvm/tvm.ts'
import { sendHandlers } from '../../server/v2/send.ts'
import { TonError } from '../../shared/errors.ts'
import { wideTree } from '../kit/bombs.ts'
import { externalMessage, internalMessage, messageBoc, walletV4 } from '../kit/chain/contracts.ts'
import { fakeChain } from './fake-chain.ts'

const call = { signal: new AbortController().signal } as Call

/** Handlers over a chain that keeps what it is sent, or refuses it. */
const sender = (refusal?: Error) => {
  const sent: Uint8Array[] = []
  const chain = fakeChain({
    sendMessage: async (boc) => {
      if (refusal) throw refusal
      sent.push(boc)
    },
  })
  return { handlers: sendHandlers({ chain, tvm: undefined as unknown as Tvm }), sent }
}

const address = new Address(0, Buffer.alloc(32, 1))
const body = beginCell().storeUint(7, 32).storeRef(beginCell().storeUint(1, 8)).endCell()

/** TEP-467 written with @ton/core: no source, no fee, no init, the body in a reference. */
const normalized = (message: Message): string =>
  beginCell()
    .storeUint(0b1000, 4)
    .storeAddress(message.info.dest as Address)
    .storeCoins(0)
    .storeUint(0b01, 2)
    .storeRef(message.body)
    .endCell()
    .hash()
    .toString('base64')

describe('sendBoc and its relatives', () => {
  const plain = externalMessage(address, body)
  const variants: [string, Message][] = [
    ['as it is', plain],
    ['with an init', externalMessage(walletV4.address, body, walletV4.init)],
    ['with a source and a fee', { ...plain, info: { ...plain.info, src: undefined, importFee: 5n } as Message['info'] }],
    ['with an empty body', externalMessage(address, Cell.EMPTY)],
    ['with a large body', externalMessage(address, beginCell().storeUint(1, 1000).storeRef(Cell.EMPTY).endCell())],
  ]

  it.each(variants)('sendBoc and its relatives send and hash a message %s', async (_, message) => {
    const boc = messageBoc(message)
    const { handlers, sent } = sender()
    expect(await handlers.sendBoc({ boc }, call)).toEqual({ '@type': 'ok' })
    const hash = beginCell().store(storeMessage(message)).endCell().hash().toString('base64')
    const expected = { '@type': 'raw.extMessageInfo', hash, hash_norm: normalized(message) }
    expect(await handlers.sendBocReturnHash({ boc }, call)).toEqual(expected)
    expect(await handlers.sendBocReturnHashNoError({ boc }, call)).toEqual(expected)
    expect(sent).toEqual([boc, boc, boc])
  })

  it('the normal form is the same for every layout of a message', async () => {
    const { handlers } = sender()
    const refBody = beginCell()
      .store(storeMessage(plain, { forceRef: true }))
      .endCell()
    const forms = [messageBoc(plain), refBody.toBoc(), messageBoc({ ...plain, info: { ...plain.info, importFee: 9n } as Message['info'] })]
    const hashes = await Promise.all(forms.map((boc) => handlers.sendBocReturnHash({ boc }, call)))
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(3)
    expect(new Set(hashes.map(({ hash_norm }) => hash_norm)).size).toBe(1)
  })

  it.each<[string, Uint8Array, RegExp]>([
    ['what is no BoC', new Uint8Array([1, 2, 3]), /^INVALID_BAG_OF_CELLS: body/],
    ['a cut BoC', messageBoc(plain).subarray(0, 40), /^INVALID_BAG_OF_CELLS: body/],
    [
      'a message of more cells than a message may have',
      serializeBoc(wideTree(8_193)),
      /^INVALID_BAG_OF_CELLS: body: .*8193 cells are over the limit of 8192$/,
    ],
    ['an internal message', messageBoc(internalMessage(address, address, 1n)), /^CommonMsgInfo tag is not ext_in_msg_info$/],
    ['an empty cell', Cell.EMPTY.toBoc(), /^Failed to unpack Message: boc is not a message \(cannot read /],
    [
      'a message that ends early',
      beginCell().storeUint(0b1000, 4).endCell().toBoc(),
      /^Failed to unpack Message: boc is not a message \(cannot read /,
    ],
  ])('sendBoc and its relatives refuse %s without sending it', async (_, boc, message) => {
    const { handlers, sent } = sender()
    for (const send of [handlers.sendBoc, handlers.sendBocReturnHash]) {
      await expect(send({ boc }, call)).rejects.toMatchObject({ kind: 'CHAIN', message: expect.stringMatching(message) })
    }
    await expect(handlers.sendBocReturnHashNoError({ boc }, call)).rejects.toMatchObject({
      kind: 'CHAIN_400',
      message: expect.stringMatching(message),
    })
    expect(sent).toEqual([])
  })

  it('sendBoc and its relatives pass on the chain’s own text, and only the NoError form changes its status', async () => {
    const text = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted'
    const { handlers } = sender(new TonError('CHAIN', text))
    const boc = messageBoc(plain)
    await expect(handlers.sendBoc({ boc }, call)).rejects.toMatchObject({ kind: 'CHAIN', message: text })
    await expect(handlers.sendBocReturnHashNoError({ boc }, call)).rejects.toMatchObject({ kind: 'CHAIN_400', message: text })
    const timeout = sender(new TonError('SOURCE_TIMEOUT', 'LITE_SERVER_NETWORK timeout'))
    await expect(timeout.handlers.sendBocReturnHashNoError({ boc }, call)).rejects.toMatchObject({ kind: 'SOURCE_TIMEOUT' })
  })
})
