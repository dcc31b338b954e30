import { expect, it } from 'vitest'
import { serializeBoc } from '../../../server/cell/boc.ts'
import { beginCell } from '../../../server/cell/builder.ts'
import type { Cell } from '../../../server/cell/cell.ts'
import type { FullMessage } from '../../../server/store/queries/messages.ts'
import { createMessageFormat, roomOfTransaction } from '../../../server/v3/shapes/message.ts'
import { wideTree } from '../../kit/bombs.ts'
import { manyLeaves } from '../../kit/decode/many-leaves.ts'
import { timeTurns } from '../../kit/turns.ts'

/* A small body can have megabytes of JSON, and a contract can send it in each message of a transaction. */

const HASH = Buffer.alloc(32)

const rowOf = (body: Cell): FullMessage =>
  ({
    msg_hash: HASH,
    body_hash: Buffer.from(body.hash()),
    body_boc: Buffer.from(serializeBoc(body)),
    opcode: null,
    value: null,
    source: null,
    destination: null,
  }) as unknown as FullMessage

const charactersOf = (shown: unknown): number => JSON.stringify(shown).length

it('the decoded bodies of one transaction are bounded, however often a body occurs', () => {
  const toMessage = createMessageFormat()
  const room = roomOfTransaction()
  const row = rowOf(manyLeaves(0))
  const shown = Array.from({ length: 255 }, () => toMessage(row, room))
  expect(shown[0]!.message_content!.decoded).toMatchObject({ '@type': 'jvault_claim_rewards_msg' })
  expect(shown.at(-1)!.message_content!.decoded).toBeNull()
  expect(charactersOf(shown)).toBeLessThan(5_000_000)
  expect(toMessage(row, roomOfTransaction()).message_content!.decoded).not.toBeNull()
})

/** The payload of a transfer: a tree that all bodies share. */
const tree = wideTree(6_500)
const manyCells = (queryId: number): Cell =>
  beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(queryId, 64)
    .storeCoins(1n)
    .storeUint(0, 5)
    .storeCoins(0n)
    .storeBit(1)
    .storeRef(tree)
    .end()

it.each([
  ['of much JSON', manyLeaves],
  ['of many cells', manyCells],
])(
  '255 different bodies %s in one transaction are not all decoded in one turn',
  async (_, bodyOf) => {
    const rows = Array.from({ length: 255 }, (_, i) => rowOf(bodyOf(i)))
    const timeOf = async (count: number): Promise<number> => {
      const [toMessage, room] = [createMessageFormat(), roomOfTransaction()]
      return (await timeTurns(async () => rows.slice(0, count).map((row) => toMessage(row, room)))).all
    }
    await timeOf(4)
    const ofFour = await timeOf(4)
    expect(await timeOf(255)).toBeLessThan(3 * ofFour)
  },
  120_000,
)

it('a body that does not fit does not hide the small ones after it', () => {
  const [toMessage, room] = [createMessageFormat(), roomOfTransaction()]
  for (let i = 0; i < 3; i++) toMessage(rowOf(manyLeaves(i)), room)
  const row = rowOf(beginCell().storeUint(0, 32).storeBytes(Buffer.from('thanks')).end())
  expect(toMessage(row, room).message_content!.decoded).toMatchObject({ '@type': 'text_comment' })
})

it('the decoded bodies of one answer are bounded, however many transactions it has', () => {
  const toMessage = createMessageFormat(10_000_000)
  const row = rowOf(manyLeaves(1))
  const shown = Array.from({ length: 8 }, () => toMessage(row, roomOfTransaction()).message_content!.decoded)
  expect(shown.filter((decoded) => decoded !== null)).toHaveLength(4)
})

it('ordinary bodies are decoded in each of 255 messages', () => {
  const toMessage = createMessageFormat()
  const room = roomOfTransaction()
  const row = rowOf(beginCell().storeUint(0, 32).storeBytes(Buffer.from('paid for everything in this cart')).end())
  for (let i = 0; i < 255; i++) expect(toMessage(row, room).message_content!.decoded).toMatchObject({ '@type': 'text_comment' })
})
