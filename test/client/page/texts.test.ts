import { createHash } from 'node:crypto'
import { Address, beginCell } from '@ton/core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { outcomeOf } from '../../../client/outcome.ts'
import type { OrderAction } from '../../../client/page/account/order-action.tsx'
import { outlookOf } from '../../../client/page/account/order-outlook.ts'
import { carriedBy, deletesSender, modeText } from '../../../client/page/account/send-mode.ts'
import { argumentOf, shownValue } from '../../../client/page/account/stack.ts'
import { friendlyOf, isNonBounceable, parseAddress } from '../../../client/page/base/address.ts'
import {
  ago,
  clockTime,
  compact,
  moment,
  shareText,
  timeOf,
  utcMoment,
  utcOf,
  withLowerHex,
  zoneOf,
} from '../../../client/page/base/format.ts'
import { indexText } from '../../../client/page/base/index-text.ts'
import { failingText } from '../../../client/page/base/multisig-text.ts'
import { decimalsOf, looksLikeAccount } from '../../../client/page/base/token-metadata.ts'
import type { Book, Fields } from '../../../client/page/base/types.ts'
import { capabilitiesOf } from '../../../client/page/config/capabilities.ts'
import { wordsOf } from '../../../client/page/config/names.ts'
import { rolesOf } from '../../../client/page/config/roles.ts'
import { choicesOf, plainText } from '../../../client/page/methods/wording.tsx'
import { recordName, titleOf } from '../../../client/page/parts/action-titles.ts'
import { balanceChanges } from '../../../client/page/parts/balance-changes.ts'
import { gasText, receivedText } from '../../../client/page/parts/fees-and-purpose.ts'
import { withoutWalletDeploys } from '../../../client/page/parts/sort-actions.ts'
import { placeValue } from '../../../client/page/trace/node-texts.ts'
import { partiesOf, withOwnPayloads } from '../../../client/page/trace/payloads.ts'
import { stepGas } from '../../../client/page/trace/step-gas.ts'

/* What the page makes of values, without a browser. */

const RAW = `0:${'AB'.repeat(32)}`
const address = Address.parse(RAW)

type Row = NonNullable<Parameters<typeof decimalsOf>[1]['metadata']>[string]
const decimals = (row?: Row, content?: Readonly<Record<string, unknown>>): number | undefined =>
  decimalsOf(RAW, { book: {}, metadata: row ? { [RAW]: row } : {} }, content)

describe('decimals of a jetton', () => {
  it('decimals of a jetton are what its content says, and 9 where its content is known and does not say them', () => {
    expect(decimals({ is_indexed: true, token_info: [{ valid: true, extra: { decimals: '6' } }] })).toBe(6)
    expect(decimals({ is_indexed: false, token_info: [{ valid: true, extra: { decimals: 0 } }] })).toBe(0)
    expect(decimals({ is_indexed: true, token_info: [{ valid: true }] })).toBe(9)
    expect(decimals(undefined, { decimals: '3' })).toBe(3)
  })

  it('decimals of a jetton are unknown where its content was not loaded, could not be read, or says no number', () => {
    expect(decimals()).toBeUndefined()
    expect(decimals({ is_indexed: false, token_info: [{ valid: true, symbol: 'USDT' }] })).toBeUndefined()
    expect(decimals({ is_indexed: true, token_info: [{ valid: false }] })).toBeUndefined()
    for (const said of ['', 'six', '-1', '256', 1.5, {}])
      expect(decimals({ is_indexed: true, token_info: [{ valid: true, extra: { decimals: said } }] })).toBeUndefined()
  })
})

it('a share of a supply has two digits after the point, and is unknown without a supply', () => {
  expect([shareText('1', '3'), shareText('250', '1000'), shareText('7', '7'), shareText('0', '7'), shareText('1', '1000000')]).toEqual([
    '33.33 %',
    '25 %',
    '100 %',
    '0 %',
    '< 0.01 %',
  ])
  // Rounded, but what is not all of it is never told as all.
  expect([shareText('2', '3'), shareText('123456789', '1123456789'), shareText('99999', '100000')]).toEqual([
    '66.67 %',
    '10.99 %',
    '99.99 %',
  ])
  expect([shareText('1', undefined), shareText('1', '0'), shareText('x', '7')]).toEqual(['unknown', 'unknown', 'unknown'])
})

it('a time that was typed is read as UTC, and a text that is none is refused', () => {
  const utime = Date.UTC(2026, 10, 23, 8, 0, 7) / 1000
  for (const text of ['2026-11-23 08:00:07', ' 2026-11-23T08:00:07Z', utcMoment(utime)]) expect([text, utcOf(text)]).toEqual([text, utime])
  expect(utcOf('2026-11-23 08:00')).toBe(utime - 7)
  const wrong = [
    '',
    'tomorrow',
    '2026-11-23',
    '08:00',
    '2026-02-30 08:00:00',
    '2026-13-01 08:00',
    '2026-11-23 25:00',
    '2026-11-23 08:00 CET',
  ]
  expect(wrong.filter((text) => utcOf(text) !== undefined)).toEqual([])
})

it('each step of a run has the gas that it used, also where the limit was raised, and the last one what is left', () => {
  const step = (instruction: string, gas: number) => ({ instruction, gas })
  expect(stepGas([step('SETCP 0', 10_000), step('PUSHINT 5', 9_974), step('implicit RET', 9_956)], 49)).toEqual([26, 18, 5])
  // ACCEPT puts the limit of the transaction in the place of the credit.
  expect(stepGas([step('SETCP 0', 10_000), step('ACCEPT', 9_974), step('implicit RET', 999_948)], 57)).toEqual([26, 26, 5])
  // What is not known is not said.
  expect(stepGas([step('SETCP 0', 100), step('NOP', 74)], null)).toEqual([26, undefined])
  expect(stepGas([step('SETCP 0', 100), step('NOP', 174)], 50)).toEqual([undefined, undefined])
  expect(stepGas([step('NOP', 100)], 18)).toEqual([18])
  expect(stepGas([], null)).toEqual([])
})

it('names of tokens that can be taken for an account are told from others', () => {
  const alike = [
    'alice.ton',
    'Alice.TON ',
    'alice\u200b.t\u200bon',
    'alice\uff0eton',
    'bob.t.me',
    RAW,
    address.toString(),
    'EQCrq6…q6ur',
    'UQCrq6...q6ur',
  ]
  expect(alike.filter((name) => !looksLikeAccount(name))).toEqual([])
  const others = ['Acorn', 'Toncoin', 'v1.tonic', 'USD₮', 'EQ', 'Leaves of an oak']
  expect(others.filter(looksLikeAccount)).toEqual([])
})

it('an index is up to date while the newest blocks can be on their way, and behind when it stays where it is', () => {
  const text = (lag: number, age: number): string => indexText({ phase: 'following', seqno: 7, lag, error: '' }, age)
  expect([text(0, 3_600_000), text(2, 1_000), text(2, 60_000), text(1, 60_000), text(3, 0)]).toEqual([
    'up to date',
    'up to date',
    '2 blocks behind',
    '1 block behind',
    '3 blocks behind',
  ])
})

describe('a cell of a stack', () => {
  const bytesOf = (bits: string): string => {
    const builder = beginCell()
    for (const bit of bits) builder.storeBit(bit === '1')
    return builder.endCell().toBoc({ crc32: false, idx: false }).toString('base64')
  }
  const bits = `100${'0'.repeat(8)}${'10101011'.repeat(32)}`

  it('a cell of a stack is shown as an address only if it holds one and nothing else', () => {
    expect(shownValue(['slice', argumentOf('address', RAW)[1]]).address).toBe(address.toString())
    expect(shownValue(['cell', { bytes: bytesOf(bits) }]).address).toBe(address.toString())
    // The same 267 bits with one to four more, and with one less, in as many bytes.
    for (const other of ['1', '0', '01', '110', '1000'].map((more) => bits + more).concat(bits.slice(0, -1)))
      expect(shownValue(['cell', { bytes: bytesOf(other) }]).address).toBeUndefined()
  })
})

it('an address that does not bounce keeps its form', () => {
  const parsed = parseAddress(RAW)!
  for (const bounceable of [true, false]) {
    const text = friendlyOf(parsed, bounceable)
    expect([text, isNonBounceable(text)]).toEqual([address.toString({ bounceable }), !bounceable])
  }
  expect(isNonBounceable(RAW)).toBe(false)
})

describe('the call as code of the client', () => {
  let clientCode: typeof import('../../../client/page/methods/call-snippets.ts')['clientCode']
  beforeAll(async () => {
    vi.stubGlobal('location', { origin: 'http://127.0.0.1:8081', pathname: '/' })
    ;({ clientCode } = await import('../../../client/page/methods/call-snippets.ts'))
  })

  it('the code of a call is a program with exactly the same values, whatever they are', () => {
    const values = { text: `it's "so" \\ \n`, plain: 'abc', list: ["'", '"'], 'odd-name': 1 }
    const code = clientCode({ name: 'some.method' } as Parameters<typeof clientCode>[0], values)
    expect(code).toContain("plain: 'abc'")
    const argument = code.slice(code.indexOf('some.method(') + 'some.method('.length, -2)
    expect(new Function(`return ${argument}`)()).toEqual(values)
  })

  it('the path of a method is the one that the service derives from its name', async () => {
    const { routeText } = await import('../../../client/page/methods/document.ts')
    const of = (name: string): string => routeText({ name, 'x-rest': 'GET' } as Parameters<typeof routeText>[0])
    const names = ['getShards', 'v3.jetton.masters', 'hooks.list', 'emulate.trace']
    expect(names.map(of)).toEqual([
      'GET /api/v2/getShards',
      'GET /api/v3/jetton/masters',
      'GET /api/v3/hooks/list',
      'GET /api/emulate/v1/emulateTrace',
    ])
  })
})

it('a time in full names its time zone, and a time of day has hours, minutes and seconds', () => {
  const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' }).formatToParts(0).find(({ type }) => type === 'timeZoneName')
  expect(moment(1_735_689_600)).toContain(zone?.value)
  expect(zoneOf(1_735_689_600)).toBe(zone?.value)
  expect([utcMoment(1_735_689_600), utcMoment(2 ** 60)]).toEqual(['2025-01-01 00:00:00 UTC', String(2 ** 60)])
  expect(clockTime(1_735_689_600)).toMatch(/^\d\d:\d\d:\d\d$/)
  // 24 hours, also where the language would have twelve: midnight is 00, and half past one in the afternoon 13.
  const midnight = new Date(2025, 0, 1).getTime() / 1_000
  expect([clockTime(midnight), clockTime(midnight + 48_600)]).toEqual(['00:00:00', '13:30:00'])
  expect([moment(midnight), moment(midnight + 48_600)]).toEqual([expect.stringContaining('00:00:00'), expect.stringContaining('13:30:00')])
  for (const at of [midnight, midnight + 48_600]) expect(moment(at)).not.toMatch(/[AP]M/)
})

it('what is past is told in one unit, and what is left until an end in two', () => {
  const at = (seconds: number): string => ago(seconds, 0).replaceAll('\u00a0', ' ')
  const [hour, day] = [3_600, 86_400]
  // Clocks differ a little: nothing has just happened in the future.
  expect([-59, -3 * hour - 1_000, 0, 2, 3].map(at)).toEqual(['59 s ago', '3 h ago', 'now', 'now', 'in 3 s'])
  expect([30, 61, 60, 23 * hour - 90, 40 * day - 30, 2 * day + 59 * 60, 366 * day].map(at)).toEqual([
    'in 30 s',
    'in 1 min 1 s',
    'in 1 min',
    'in 22 h 58 min',
    'in 39 d 23 h',
    'in 2 d',
    'in 1 y',
  ])
})

it('amounts in narrow places keep the digits that count, and tell where they are cut', () => {
  const amounts = [
    '89600000',
    '89612345',
    '1499900000',
    '1200',
    '12345678900000',
    '0',
    `12${'0'.repeat(18)}`,
    `12${'0'.repeat(12)}1${'0'.repeat(5)}`,
  ]
  expect(amounts.map((amount) => compact(amount, 9))).toEqual([
    '0.0896',
    '0.0896…',
    '1.49…',
    '0.0000012',
    '12\u202f345…',
    '0',
    '12\u202f000M',
    '12\u202f000M…',
  ])
})

it('types of actions are told in the words that people use', () => {
  const types = ['nft_transfer', 'jetton_mint', 'change_dns', 'multisig_create_order', 'evaa_supply', 'nft_cancel_sale', 'call_contract']
  expect(types.map(titleOf)).toEqual([
    'NFT transfer',
    'Jetton mint',
    'DNS change',
    'Multisig order',
    'EVAA supply',
    'NFT sale called off',
    'Call',
  ])
  const keyOf = (name: string): string => createHash('sha256').update(name).digest('hex')
  expect(['wallet', 'site', 'storage', 'text', 'picture'].map((name) => recordName(keyOf(name)))).toEqual([
    ...['wallet', 'site', 'storage', 'text', 'picture'],
  ])
  expect([recordName(keyOf('dns_next_resolver')), recordName(keyOf('other')), recordName(null)]).toEqual([
    'next resolver',
    undefined,
    undefined,
  ])
})

it('names of fields of the configuration are words with their abbreviations in capitals', () => {
  expect(
    ['max_store_sec', 'ihr_price_factor', 'vm_mode', 'adnl_addr', 'min_tot_rounds', 'bit_price_ps', 'ext', 'max_ext_msg_depth'].map(
      wordsOf,
    ),
  ).toEqual([
    'Max store time',
    'IHR price factor',
    'VM mode',
    'ADNL address',
    'Min total rounds',
    'Bit price',
    'Extended format',
    'Max external message depth',
  ])
  // Units and what a time is counted from stand beside the value.
  expect(['elections_start_before', 'elections_end_before', 'underload'].map(wordsOf)).toEqual([
    'Elections start',
    'Elections end',
    'Underloaded below',
  ])
  expect(['108', '0', '4611686018427387904'].map(capabilitiesOf)).toEqual([
    [
      'bounced bodies (capBounceMsgBody)',
      'versions of blocks (capReportVersion)',
      'short dequeue (capShortDequeue)',
      'size of message queues (capStoreOutMsgQueueSize)',
    ],
    [],
    ['bit 62'],
  ])
})

it('contracts of the system are told by the parameters that hold their addresses', () => {
  const [config, elector] = ['5', '3'].map((digit) => `-1:${digit.repeat(64)}`) as [string, string]
  const param = (param: number, name: string | null, value: unknown) => ({ param, name, value, boc: '' })
  const roles = rolesOf([
    param(0, 'Configuration contract', config),
    param(1, 'Elector', elector),
    // The collector of fees is the elector, as on the mainnet.
    param(3, 'Collector of fees', elector),
    param(4, 'Root of TON DNS', 'nonsense'),
    param(31, 'Contracts of the system', [config, elector]),
  ])
  expect([...roles.values()].sort()).toEqual(['Configuration contract', 'Elector', 'Sender of rewards'])
  expect([roles.get(config), roles.get(elector)]).toEqual(['Configuration contract', 'Elector'])
})

it('descriptions of parameters leave out what their type says, and few values are a choice', () => {
  expect(plainText('Order of the rows: oldest first (asc). Asc or desc.')).toBe('Order of the rows: oldest first (asc).')
  expect(plainText('Leaves it out. True or false (also 1 t T TRUE True, 0 f F FALSE False).')).toBe('Leaves it out.')
  expect(plainText('Text.')).toBe('')
  expect(plainText("A lite-server's answer, as in `'s'`.")).toBe("A lite-server’s answer, as in `'s'`.")
  expect(choicesOf({ type: 'string' }, 'Order. Asc or desc.')).toEqual(['asc', 'desc'])
  expect(choicesOf({ oneOf: [{ type: 'boolean' }, { type: 'string' }] }, '')).toEqual(['true', 'false'])
  expect(choicesOf({ type: 'string', enum: ['in', 'out'] }, '')).toEqual(['in', 'out'])
  expect(choicesOf({ type: 'string' }, 'A name.')).toBeUndefined()
})

it('a send mode says what a message carries, and what becomes of its sender', () => {
  expect([0, 1, 3, 19, 32, 64, 67, 128, 130, 160, 162, 192, 195, 4, 8, 255].map(carriedBy)).toEqual([
    ...['value', 'value', 'value', 'value', 'value', 'value and rest', 'value and rest'],
    ...['everything', 'everything', 'everything', 'everything'],
    ...Array(5).fill('nothing: invalid'),
  ])
  // The bit alone deletes nothing.
  expect([32, 33, 96, 128, 160, 162, 224].filter(deletesSender)).toEqual([160, 162])
  expect([0, 1, 2, 16, 65, 128].map(modeText)).toEqual([
    'send mode 0: fees for delivery are taken from these coins',
    'send mode 1: fees for delivery are paid apart',
    'send mode 2: fees for delivery are taken from these coins; it is left out if it cannot be sent',
    'send mode 16: fees for delivery are taken from these coins; the whole order bounces if it cannot be sent',
    'send mode 65: fees for delivery are paid apart',
    'send mode 128',
  ])
})

it('an order says how many of its actions will most likely fail, and how many were looked at', () => {
  expect([failingText(0, 2, 2), failingText(1, 2, 2), failingText(1, 1, 1), failingText(2, 2, 2), failingText(3, 3, 3)]).toEqual([
    undefined,
    '1 of 2 actions will most likely fail',
    'the action will most likely fail',
    'both actions will most likely fail',
    'all 3 actions will most likely fail',
  ])
  expect([failingText(0, 25, 26), failingText(2, 25, 26), failingText(25, 25, 255)]).toEqual([
    undefined,
    '2 of the first 25 actions will most likely fail',
    '25 of the first 25 actions will most likely fail',
  ])
})

describe('the outlook of an order', () => {
  const multisig = `0:${'5'.repeat(64)}`
  const wallet = `0:${'6'.repeat(64)}`
  const jettons = { masters: new Map(), owners: new Map([[wallet, RAW]]), address_book: {}, metadata: {} }
  /** An action that sends a coin. */
  const sent = (mode: number, more: Partial<OrderAction> = {}): OrderAction => ({
    ...{ destination: RAW, value: '1', body_raw: '', parsed: true, error: null },
    ...{ parsed_body: null, parsed_body_type: 'text_comment', send_mode: mode },
    ...more,
  })
  const toOther = { destination: wallet, parsed_body_type: 'jetton_transfer' }
  const look = (actions: OrderAction[], most?: number) => {
    const { faults, failing, text } = outlookOf({ actions, multisig_address: multisig }, jettons, most)
    return { faults: [...faults], failing: [...failing], text }
  }

  it('nothing is left for what comes after an action that sends all coins', () => {
    const good = { faults: [], failing: [], text: undefined }
    expect(look([sent(3), sent(64), sent(128)])).toEqual(good)
    expect(look([sent(128), sent(2), sent(3), sent(130)])).toEqual({
      faults: [1, 2, 3].map((i) => [i, 'nothing left']),
      ...{ failing: [1, 2, 3], text: '3 of 4 actions will most likely fail' },
    })
    // One that no mode leaves out undoes all.
    expect(look([sent(3), sent(160), sent(1, { value: '0' })])).toEqual({
      faults: [[2, 'nothing left']],
      ...{ failing: [0, 1, 2], text: 'all 3 actions will most likely fail' },
    })
    // What sends no message needs no coins.
    const params = sent(0, { destination: null, value: null, parsed_body_type: 'multisig_update_params' })
    expect(look([sent(128), params])).toEqual(good)
  })

  it('a message with an invalid mode takes no coins, and undoes the order unless it is left out', () => {
    expect(look([sent(194), sent(1)])).toEqual({
      faults: [[0, 'invalid mode']],
      ...{ failing: [0], text: '1 of 2 actions will most likely fail' },
    })
    expect(look([sent(1), sent(192)])).toMatchObject({ failing: [0, 1], text: 'both actions will most likely fail' })
  })

  it('a jetton wallet of another owner takes the coins, and nothing else of the order fails', () => {
    expect(look([sent(1, toOther), sent(1)])).toMatchObject({ faults: [[0, 'other owner']], failing: [0] })
    expect(look([sent(128, toOther), sent(2)])).toMatchObject({
      faults: [
        [0, 'other owner'],
        [1, 'nothing left'],
      ],
    })
  })

  it('only the first actions of a long order are looked at', () => {
    expect(look([sent(128), sent(3), sent(3)], 2)).toMatchObject({ failing: [1], text: '1 of the first 2 actions will most likely fail' })
    expect(look([sent(128), sent(1), sent(3)], 2)).toMatchObject({ failing: [0, 1, 2], text: 'all 3 actions will most likely fail' })
    expect(look([sent(128), sent(1)], 0)).toMatchObject({ failing: [], text: undefined })
    expect(outlookOf({ actions: null, multisig_address: multisig }, jettons)).toMatchObject({ text: undefined })
  })
})

it('gas of an external message has no limit beside it, and says the credit that it was accepted on', () => {
  expect(gasText({ gas_used: '5234', gas_limit: '0', gas_credit: '10000' })).toBe('5\u202f234 gas, accepted on a credit of 10\u202f000')
  expect(gasText({ gas_used: '5234', gas_limit: '0' })).toBe('5\u202f234 gas')
  expect(gasText({ gas_used: '5234', gas_limit: '1000000' })).toBe('5\u202f234 gas of 1\u202f000\u202f000')
})

it('members of bodies that are times are told by name and size, and others are left as they are', () => {
  expect([timeOf('valid_until', 1795540234), timeOf('expire_at', '1795540234'), timeOf('start_time', '1700000000')]).toEqual([
    1795540234, 1795540234, 1700000000,
  ])
  expect([timeOf('seqno', 1795540234), timeOf('valid_until', 4294967295), timeOf('valid_until', 60), timeOf('valid_until', null)]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('long hexadecimal texts have lower-case digits, and other texts stay as they are', () => {
  expect(withLowerHex('AB'.repeat(64))).toBe('ab'.repeat(64))
  for (const text of ['ABC', 'UQCrq6', 'HELLO '.repeat(10)]) expect(withLowerHex(text)).toBe(text)
})

it('an amount stands in a node with every digit, on the first line that has room for it', () => {
  const texts = { account: 'UQCrq6…q6urqw', kind: 'wallet v4R2', what: 'Transfer' }
  expect(placeValue('49847123', texts)).toEqual({ value: '0.049847123 GRAM', line: 38 })
  expect(placeValue('50000000', texts)).toEqual({ value: '0.05 GRAM', line: 20 })
  expect(placeValue('1234567049847123', texts)).toEqual({ value: '1\u202f234\u202f567.049847123 GRAM', line: 56 })
  expect(placeValue('1234567049847123', { ...texts, what: 'A message that takes the line' }).value).toBe('1\u202f234\u202f567… GRAM')
})

describe('actions of a trace', () => {
  type Actions = Parameters<typeof withoutWalletDeploys>[0]
  const wallet = `0:${'CD'.repeat(32)}`
  const names = { book: { [wallet]: { user_friendly: '', domain: null, interfaces: ['jetton_wallet'] } } }
  const action = (type: string, details: object, trace_id = 'a') =>
    ({ type, details, trace_id, success: true }) as unknown as Actions[number]
  const deploy = action('contract_deploy', { destination: wallet })

  it('the deployment of a jetton wallet is not told beside what a user did, and alone it is', () => {
    const transfer = action('jetton_transfer', {})
    const other = action('contract_deploy', { destination: RAW })
    expect(withoutWalletDeploys([transfer, deploy, other], names)).toEqual([transfer, other])
    expect(withoutWalletDeploys([deploy], names)).toEqual([deploy])
    expect(withoutWalletDeploys([action('ton_transfer', {}, 'b'), deploy], names)).toHaveLength(2)
  })

  it('balance changes sum the coins of all transactions of an account and the jettons of what succeeded', () => {
    const state = (balance: string | null) => ({ balance })
    const tx = (account: string, lt: string, before: string | null, after: string | null, more: object = { orig_status: 'nonexist' }) =>
      ({ account, lt, account_state_before: state(before), account_state_after: state(after), ...more }) as unknown as Parameters<
        typeof balanceChanges
      >[0][number]
    const active = { orig_status: 'active' }
    const asset = `0:${'EF'.repeat(32)}`
    const transfer = action('jetton_transfer', { asset, sender: RAW, receiver: wallet, amount: '5' })
    const failed = { ...action('jetton_transfer', { asset, sender: RAW, receiver: wallet, amount: '7' }), success: false }
    const swap = action('jetton_swap', {
      sender: wallet,
      asset_in: asset,
      asset_out: null,
      dex_incoming_transfer: { amount: '2' },
      dex_outgoing_transfer: { amount: '9' },
    })
    expect(
      balanceChanges(
        [
          tx(RAW, '2', '70', '90', active),
          tx(RAW, '1', '100', '60', active),
          tx(wallet, '3', null, '20'),
          tx(asset, '4', '5', '5', active),
        ],
        [transfer, failed, swap],
      ),
    ).toEqual([
      { account: RAW, amount: '-20' },
      { account: wallet, amount: '20' },
      { account: RAW, jetton: asset, amount: '-5' },
      { account: wallet, jetton: asset, amount: '3' },
    ])
    // A state that is not known, before the transaction or after it: the messages tell the change.
    const messages = {
      ...active,
      total_fees: '3',
      in_msg: { value: '50', ihr_fee: '0' },
      out_msgs: [{ value: '10', ihr_fee: '0', fwd_fee: '1' }],
    }
    expect(balanceChanges([tx(RAW, '1', null, '900', messages), tx(wallet, '2', '70', null, messages)], [])).toEqual([
      { account: RAW, amount: '36' },
      { account: wallet, amount: '36' },
    ])
  })
})

describe('what a transaction did', () => {
  type Tx = Parameters<typeof receivedText>[0]
  const transaction = (of: {
    readonly reason?: string
    readonly message?: object
    readonly status?: string
    readonly bounce?: object
  }): Tx =>
    ({
      description: { type: 'ord', aborted: true, compute_ph: { skipped: true, reason: of.reason ?? 'no_state' }, bounce: of.bounce },
      in_msg: { source: RAW, destination: RAW, value: '1000', bounce: false, ...of.message },
      end_status: of.status ?? 'uninit',
    }) as unknown as Tx

  it('coins that an account without a contract keeps are no failure, few coins neither, and the page says what happened', () => {
    const arrived = { failed: false, short: 'not run', text: 'coins arrived; the account has no contract yet' }
    expect(outcomeOf(transaction({}))).toEqual(arrived)
    expect(outcomeOf(transaction({ reason: 'no_gas' }))).toEqual(arrived)
    expect(outcomeOf(transaction({ status: 'frozen' }))).toEqual({ ...arrived, text: 'coins arrived; the account is frozen' })
    // A contract that was to run, coins that go back, a message without coins, a contract that few coins do not make.
    const failed = [{ reason: 'no_gas', status: 'active' }, { bounce: { type: 'ok' } }, { message: { bounce: true } }]
    const few = [{ value: '0' }, { init_state: { hash: '', body: '' } }].map((message) => ({ reason: 'no_gas', message }))
    for (const each of [...failed, ...few]) {
      expect(outcomeOf(transaction(each))).toMatchObject({ failed: true, short: 'not run' })
    }
  })

  it('a payload is read as of a protocol with small opcodes only if a party of the transfer is a contract of it', () => {
    const EVAA = 'BCAD466A47FA565750729565253CD073CA24D856804499090C2100D95C809F9E'
    const transferTo = (address: string, type: string) => ({
      '@type': 'jetton_transfer',
      destination: { '@type': 'addr_std', workchain_id: '0', address: address.toLowerCase() },
      forward_payload: { '@type': 'second_from_either', value: { '@type': type, query_id: '1' } },
    })
    const payloadOf = (body: Fields, ends: readonly string[] = [RAW], book: Book = {}) =>
      withOwnPayloads(body, partiesOf(body, ends), book)['forward_payload']
    const strange = transferTo('AB'.repeat(32), 'evaa_idle_master')
    expect(payloadOf(strange)).toEqual({ '@type': 'own_protocol' })
    for (const type of ['evaa_idle_master', 'supply_withdraw_master_jetton']) {
      const toEvaa = transferTo(EVAA, type)
      expect(payloadOf(toEvaa)).toBe(toEvaa.forward_payload)
    }
    const toEvaa = transferTo(EVAA, 'evaa_idle_master')
    const byVariable = { ...toEvaa, destination: { ...toEvaa.destination, '@type': 'addr_var', addr_len: '256' } }
    expect(payloadOf(byVariable)).toEqual({ '@type': 'own_protocol' })
    // Notifications and transfers between jetton wallets do not name the recipient: it gets the message, or owns the wallet.
    expect(payloadOf(strange, [RAW, `0:${EVAA}`])).toBe(strange.forward_payload)
    const others = ['text_comment', 'dedust_swap'].map((type) => transferTo('AB'.repeat(32), type))
    for (const each of others) expect(payloadOf(each)).toBe(each.forward_payload)
    const mint = transferTo('AB'.repeat(32), 'minter_jetton_mint')
    const master = { interfaces: ['jetton_master'] } as unknown as Book[string]
    expect([payloadOf(mint), payloadOf(mint, [RAW], { [RAW]: master })]).toEqual([{ '@type': 'own_protocol' }, mint.forward_payload])
  })

  it('a small opcode has the name of a protocol only at a contract of the protocol', () => {
    const EVAA = '0:BCAD466A47FA565750729565253CD073CA24D856804499090C2100D95C809F9E'
    const named = (opcode: string, decoded_opcode: string | null, interfaces: readonly string[] = [], message: object = {}): string =>
      receivedText(transaction({ message: { opcode, decoded_opcode, ...message } }), {
        [RAW]: { user_friendly: null, domain: null, interfaces: [...interfaces] },
      })
    expect(named('0x00000001', 'evaa_supply_master')).toBe('Opcode 0x00000001')
    expect(named('0x00000001', 'evaa_supply_master', ['wallet_v4r2'])).toBe('Opcode 0x00000001')
    expect(named('0x00000001', 'evaa_supply_master', [], { destination: EVAA })).toBe('EVAA supply master')
    expect(named('0x0000011a', 'evaa_supply_success', [], { source: EVAA })).toBe('EVAA supply success')
    expect(named('0x00000015', 'minter_jetton_mint')).toBe('Opcode 0x00000015')
    expect(named('0x00000015', 'minter_jetton_mint', ['jetton_master'])).toBe('Minter jetton mint')
    // Two protocols have this opcode: the type of the body is that of the contract.
    const body = { message_content: { decoded: { '@type': 'pyth_update_guardian_set' } } }
    expect(named('0x00000001', 'evaa_supply_master', ['pyth_price_oracle'], body)).toBe('Pyth update guardian set')
    expect(named('0x00000000', 'text_comment')).toBe('Transfer')
    expect(named('0x0f8a7ea5', 'jetton_transfer')).toBe('Jetton transfer')
    expect(named('0x00000001', 'evaa_supply_master', [], { source: null })).toBe('External message')
  })
})
