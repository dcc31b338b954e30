import { Address, type Builder, beginCell, Cell, Dictionary, internal, storeMessageRelaxed } from '@ton/core'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { orderActions } from '../../server/v3/shapes/multisig-order-actions.ts'
import { v3MultisigOrders } from '../../shared/models/v3/multisig-and-vesting.ts'

/* Orders of a multisig, built with @ton/core, as v3 tells what they do. */

const TO = new Address(0, Buffer.alloc(32, 0x11))
const OTHER = new Address(-1, Buffer.alloc(32, 0x22))
const raw = (address: Address): string => `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`
const boc = (cell: Cell): string => cell.toBoc().toString('base64')

const send = (body: Cell, mode = 3): Cell =>
  beginCell()
    .storeUint(0xf1381e5b, 32)
    .storeUint(mode, 8)
    .storeRef(
      beginCell()
        .store(storeMessageRelaxed(internal({ to: TO, value: 5n, bounce: true, body })))
        .endCell(),
    )
    .endCell()

const orderOf = (actions: readonly Cell[]): Buffer => {
  const dict = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell())
  for (const [i, action] of actions.entries()) dict.set(i, action)
  return beginCell().storeDictDirect(dict).endCell().toBoc()
}

const op = (opcode: number, query = 7n): Builder => beginCell().storeUint(opcode, 32).storeUint(query, 64)
const text = (words: string): Cell => beginCell().storeUint(0, 32).storeStringTail(words).endCell()
const payload = text('thanks')
const custom = beginCell().storeUint(1, 8).endCell()

const BODIES: readonly (readonly [string, Cell, object])[] = [
  ['ton_transfer', Cell.EMPTY, { comment: '', encrypted: false }],
  ['ton_transfer', text('hello'), { comment: 'hello', encrypted: false }],
  ['ton_transfer', beginCell().storeUint(0x2167da4b, 32).storeUint(0xbeef, 16).endCell(), { comment: 'beef', encrypted: true }],
  [
    'jetton_transfer',
    op(0x0f8a7ea5)
      .storeCoins(9)
      .storeAddress(TO)
      .storeAddress(OTHER)
      .storeMaybeRef(custom)
      .storeCoins(1)
      .storeBit(1)
      .storeRef(payload)
      .endCell(),
    {
      query_id: 7,
      amount: '9',
      destination: raw(TO),
      response: raw(OTHER),
      custom_payload: boc(custom),
      forward_amount: '1',
      comment: 'thanks',
      encrypted_comment: false,
      forward_payload: boc(payload),
      payload_sum_type: '0x00000000',
      stonfi_swap_body: null,
    },
  ],
  [
    'jetton_burn',
    op(0x595f07bc, (1n << 64n) - 1n)
      .storeCoins(4)
      .storeAddress(null)
      .storeBit(0)
      .endCell(),
    { query_id: '18446744073709551615', amount: '4', response_destination: null },
  ],
  [
    'jetton_mint',
    op(0x642b7d07).storeAddress(TO).storeCoins(3).storeRef(op(0x178d4519, 8n).storeCoins(100).storeAddress(null).endCell()).endCell(),
    { query_id: 7, to_address: raw(TO), ton_amount: '3', opcode: 0x178d4519, master_msg_query_id: 8, master_msg_jetton_amount: '100' },
  ],
  [
    'jetton_mint',
    op(0x15).storeAddress(TO).storeCoins(3).storeCoins(44).endCell(),
    { query_id: 7, to_address: raw(TO), ton_amount: '3', jetton_amount: '44' },
  ],
  [
    'nft_transfer',
    op(0x5fcc3d14).storeAddress(TO).storeAddress(OTHER).storeBit(0).storeCoins(2).storeBit(0).endCell(),
    {
      query_id: 7,
      new_owner: raw(TO),
      response_destination: raw(OTHER),
      custom_payload: null,
      forward_amount: '2',
      forward_payload: null,
    },
  ],
  ['jetton_top_up', op(0xd372158c).endCell(), { query_id: 7 }],
  ['jetton_change_admin', op(0x6501f354).storeAddress(OTHER).endCell(), { query_id: 7, new_admin_address: raw(OTHER) }],
  ['jetton_claim_admin', op(0xfb88e119).endCell(), { query_id: 7 }],
  [
    'jetton_change_content',
    op(0xcb862902).storeStringTail('https://x/y.json').endCell(),
    { query_id: 7, new_metadata_url: 'https://x/y.json' },
  ],
  [
    'jetton_call_to',
    op(0x235caf52).storeAddress(TO).storeCoins(6).storeRef(op(0xeed236d3).storeUint(2, 4).endCell()).endCell(),
    {
      query_id: 7,
      to_address: raw(TO),
      ton_amount: '6',
      action_type: 'set_status',
      action_data: boc(op(0xeed236d3).storeUint(2, 4).endCell()),
    },
  ],
  ['jetton_set_status', op(0xeed236d3).storeUint(3, 4).endCell(), { query_id: 7, new_status: 3 }],
  ['single_nominator_withdraw', op(0x1000).storeCoins(12).endCell(), { query_id: 7, coins: '12' }],
  ['single_nominator_change_validator', op(0x1001).storeAddress(OTHER).endCell(), { query_id: 7, validator_address: raw(OTHER) }],
  [
    'vesting_internal_transfer',
    op(0xa7733acd)
      .storeUint(3, 8)
      .storeRef(
        beginCell()
          .store(storeMessageRelaxed(internal({ to: OTHER, value: 8n, body: 'out' })))
          .endCell(),
      )
      .endCell(),
    { query_id: 7, send_mode: 3, destination: raw(OTHER), value: '8', message_body: boc(text('out')), comment: 'out' },
  ],
  // Of no known kind, and of a known kind but broken off.
  ['unknown', op(0xdeadbeef).endCell(), { opcode: 0xdeadbeef, data: boc(op(0xdeadbeef).endCell()) }],
  ['unknown', beginCell().storeUint(1, 3).endCell(), { opcode: 0, data: boc(beginCell().storeUint(1, 3).endCell()) }],
  ['unknown', op(0x0f8a7ea5).endCell(), { opcode: 0x0f8a7ea5, data: boc(op(0x0f8a7ea5).endCell()) }],
]

describe("a multisig order's actions", () => {
  const actions = orderActions(orderOf(BODIES.map(([, body]) => send(body, 17))))!

  it.each(BODIES.map(([type, body, parsed], i) => ({ i, type, body, parsed })))('$i: $type', ({ i, type, body, parsed }) => {
    expect(actions[i]).toEqual({
      destination: raw(TO),
      value: '5',
      body_raw: boc(body),
      parsed: true,
      error: null,
      parsed_body: parsed,
      parsed_body_type: type,
      send_mode: 17,
    })
  })

  it('the actions of a multisig order follow the model', () => {
    const shape = (v3MultisigOrders.shape.orders as z.ZodArray<z.ZodObject<{ actions: z.ZodType }>>).element.shape.actions
    expect(shape.safeParse(actions).error?.issues ?? []).toEqual([])
  })

  it('the actions of a multisig order change the list of signers', () => {
    const list = (addresses: readonly Address[]) => {
      const dict = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address())
      for (const [i, address] of addresses.entries()) dict.set(i, address)
      return dict
    }
    const update = beginCell()
      .storeUint(0x1d0cfbd3, 32)
      .storeUint(2, 8)
      .storeRef(
        beginCell()
          .storeDictDirect(list([TO, OTHER]))
          .endCell(),
      )
      .storeDict(list([OTHER]))
      .endCell()
    expect(orderActions(orderOf([update]))).toEqual([
      {
        destination: null,
        value: null,
        body_raw: null,
        parsed: true,
        error: null,
        parsed_body: { new_threshold: 2, new_signers: [raw(TO), raw(OTHER)], new_proposers: [raw(OTHER)] },
        parsed_body_type: 'multisig_update_params',
        send_mode: 0,
      },
    ])
  })

  it('actions that cannot be read say why, and nothing else fails with them', () => {
    const broken = beginCell().storeUint(0xf1381e5b, 32).endCell()
    const [first, second] = orderActions(orderOf([broken, send(Cell.EMPTY)]))!
    expect([first?.parsed, first?.parsed_body_type, typeof first?.error]).toEqual([false, 'unknown', 'string'])
    expect(second?.parsed).toBe(true)
    expect(orderActions(beginCell().storeUint(5, 8).endCell().toBoc())).toBeNull()
    expect(orderActions(null)).toBeNull()
  })
})
