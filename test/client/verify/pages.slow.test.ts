import { beginCell, external, internal, SendMode, storeMessage } from '@ton/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLightClient, type LightClient, VerifyError, type VerifyOptions, verifyPage } from '../../../client/verify/index.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import type { MethodName, ParamsIn, Result } from '../../../shared/registry.ts'
import { costlyTransaction } from '../../kit/bombs.ts'
import { createRandom } from '../../kit/random.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'
import { ECHO_OPCODE, NOBODY, playScene, rawOf, type Scene, STRANGER } from '../../v3/scene.ts'

/* Pages of a service over an embedded chain, as they are, and changed by somebody between. */

let service: V3Service
let scene: Scene
let me: string
let light: LightClient
beforeAll(async () => {
  service = await startV3()
  scene = await playScene(service)
  me = rawOf(scene.wallet.address)
  const { init } = await service.tonway.app.network.chain.masterchainInfo(AbortSignal.timeout(10_000))
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  light = createLightClient({
    call: (method, params) => ask(method, params),
    trusted: { seqno: 0, root_hash: base64(init.rootHash), file_hash: base64(init.fileHash) },
  })
  await light.catchUp()
})
afterAll(() => service?.close())

type Page = Result<'v3.transactions'>
const ask = (method: string, params: object) => service.call(method as MethodName, params as ParamsIn<MethodName>) as Promise<unknown>
const askPage = (method: string, params: object) => ask(method, { ...params, proofs: true }) as Promise<Page>
const verify = (method: string, params: object, answer: object, options: Partial<VerifyOptions> = {}) =>
  verifyPage(method, params, answer as Page, { head: light, ...options })

/** Rejects with the error of a page that is refused. */
const refusal = async (method: string, params: object, answer: object, options?: Partial<VerifyOptions>): Promise<VerifyError> => {
  const error = await verify(method, params, answer, options).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(VerifyError)
  return error
}

const REQUESTS: readonly (readonly [string, () => object, string])[] = [
  ['v3.transactions', () => ({ account: [me], limit: 5 }), 'from_newest'],
  ['v3.transactions', () => ({ account: me.toLowerCase(), limit: 100 }), 'from_newest'],
  ['v3.transactions', () => ({ account: [scene.wallet.address.toString()], sort: 'asc' }), 'none'],
  ['v3.transactions', () => ({ account: [me, rawOf(STRANGER)], limit: 10 }), 'none'],
  ['v3.transactions', () => ({ limit: 7 }), 'none'],
  ['v3.transactions', () => ({ workchain: 0, limit: 20, start_utime: 1 }), 'none'],
  ['v3.transactionsByMessage', () => ({ opcode: `0x${ECHO_OPCODE.toString(16)}` }), 'none'],
  ['v3.messages', () => ({ limit: 20 }), 'none'],
  ['v3.messages', () => ({ source: 'null' }), 'none'],
  ['v3.messages', () => ({ destination: rawOf(STRANGER), direction: 'in', sort: 'asc' }), 'none'],
  ['v3.accountStates', () => ({ address: [me, rawOf(STRANGER), `0:${'9E'.repeat(32)}`], include_boc: true }), 'accounts'],
]

describe('an honest server', () => {
  it.each(REQUESTS)('%s %s is accepted (%s)', async (method, params, complete) => {
    const answer = await askPage(method, params())
    const page = await verify(method, params(), answer)
    expect(page).toMatchObject({ complete, head: { seqno: answer.proof!.masterchain.seqno } })
    expect((page.rows as readonly unknown[]).length).toBeGreaterThan(0)
    expect(page.uncovered).toContain('address_book')
    expect(
      page.uncovered.filter((path) => /\.(hash|lt|value|source|account|balance|status)$/.test(path) && !path.includes('account_state_')),
    ).toEqual([])
  })

  it('a history goes on by cursor from where the page before ended, to the end of the history', async () => {
    let cursor = ''
    let after: VerifyOptions['after']
    const lts: string[] = []
    for (let pages = 0; pages === 0 || after !== undefined; pages++) {
      const params = { account: [me], limit: 3, cursor }
      const answer = await askPage('v3.transactions', params)
      const page = await verify('v3.transactions', params, answer, { after })
      expect(page.complete).toBe(pages === 0 ? 'from_newest' : 'continues')
      lts.push(...page.rows.map(({ lt }) => lt))
      cursor = answer.next_cursor ?? ''
      after = page.next
    }
    const { transactions } = await service.call('v3.transactions', { account: [me], limit: 100 })
    expect(lts).toEqual(transactions.map(({ lt }) => lt))
  })

  it('neighbours of a transaction are accepted, each by its block', async () => {
    const { transactions } = await service.call('v3.transactions', { account: [me], limit: 100 })
    const params = { hash: transactions.find(({ out_msgs }) => out_msgs.length > 1)!.hash, direction: 'out' }
    const page = await verify('v3.adjacentTransactions', params, await askPage('v3.adjacentTransactions', params))
    expect([page.complete, page.rows.length > 1]).toEqual(['none', true])
  })

  it('pages of a block show all its transactions, one after another', async () => {
    const block = await fullestBlock()
    const whole = { ...block, limit: 100 }
    const all = await verify('v3.transactions', whole, await askPage('v3.transactions', whole))
    expect([all.complete, all.next]).toEqual(['block', undefined])
    expect(all.uncovered.filter((path) => /block_ref|mc_block/.test(path))).toEqual([])
    for (const sort of ['asc', 'desc']) {
      const params = { ...block, sort, limit: 1, cursor: '' }
      const first = await askPage('v3.transactions', params)
      const { next } = await verify('v3.transactions', params, first)
      expect(next).toBeDefined()
      const more = { ...params, limit: 100, cursor: first.next_cursor! }
      const rest = await verify('v3.transactions', more, await askPage('v3.transactions', more), { after: next })
      expect([rest.rows.length, rest.next]).toEqual([all.rows.length - 1, undefined])
    }
  })

  it('an account that does not exist has no history, and nobody can prove that it never had one', async () => {
    const params = { account: [`0:${'9E'.repeat(32)}`] }
    expect(await verify('v3.transactions', params, await askPage('v3.transactions', params))).toMatchObject({
      rows: [],
      complete: 'none',
      next: undefined,
    })
  })

  it('an account that was deleted has its rows proven one by one, and none of them may be hidden behind its state', async () => {
    const { deploy } = scene
    const { keys } = await service.faucet()
    const sendMode = SendMode.CARRY_ALL_REMAINING_BALANCE + SendMode.DESTROY_ACCOUNT_IF_ZERO
    const messages = [internal({ to: scene.wallet.address, value: 0n, bounce: false })]
    const body = deploy.createTransfer({ seqno: 0, secretKey: keys.secretKey, sendMode, timeout: 0xffffffff, messages })
    const message = beginCell()
      .store(storeMessage(external({ to: deploy.address, body })))
      .endCell()
    await service.call('sendBoc', { boc: message.toBoc().toString('base64') })
    await service.settle()
    const params = { account: [rawOf(deploy.address)] }
    const page = await verify('v3.transactions', params, await askPage('v3.transactions', params))
    expect([page.complete, page.rows.length, page.rows[0]!.end_status]).toEqual(['none', 2, 'nonexist'])
    const states = { address: params.account }
    const state = await verify('v3.accountStates', states, await askPage('v3.accountStates', states))
    expect([state.complete, state.uncovered.includes('accounts[].address')]).toEqual(['accounts', false])
  })

  it('a page is refused without proofs, and for methods and pages that cannot be verified', async () => {
    const params = { account: [me], limit: 3 }
    expect(await refusal('v3.transactions', params, (await ask('v3.transactions', params)) as object)).toMatchObject({ kind: 'NO_PROOF' })
    const page = await askPage('v3.transactions', params)
    expect(await refusal('v3.transactions', params, { ...page, proof: null, proof_missing: 'pruned' })).toMatchObject({
      kind: 'NO_PROOF',
      message: 'proof: none: pruned',
    })
    expect((await refusal('v3.actions', params, page)).message).toContain('v3.actions are not verified')
    expect((await refusal('v3.transactions', { account: ['nowhere'] }, page)).at).toBe('params.account')
    for (const answer of [null, 7, [], {}, { transactions: 7, proof: {} }, { transactions: [], proof: { masterchain: 7 } }])
      await refusal('v3.transactions', params, answer as object)
  })
})

const fullestBlock = async () => {
  const { transactions } = await service.call('v3.transactions', { workchain: 0, limit: 100 })
  const texts = transactions.map(({ block_ref }) => JSON.stringify(block_ref))
  const counts = texts.map((text) => texts.filter((each) => each === text).length)
  return transactions[counts.indexOf(Math.max(...counts))]!.block_ref
}

type Lie = (page: Page, other: Page) => object
const rows =
  (change: (all: Page['transactions']) => unknown): Lie =>
  (page) => ({ ...page, transactions: change(page.transactions) })
const proof =
  (change: (of: NonNullable<Page['proof']>, other: NonNullable<Page['proof']>) => object): Lie =>
  (page, other) => ({
    ...page,
    proof: { ...page.proof, ...change(page.proof!, other.proof!) },
  })
/** Leaves a row out together with what proves it. */
const without =
  (i: number): Lie =>
  (page) => ({
    ...page,
    transactions: page.transactions.filter((_, at) => at !== i),
    proof: { ...page.proof, transactions: page.proof!.transactions.filter((_, at) => at !== i) },
  })
const swapped: Lie = (page) => {
  const swap = <T>([a, b, ...others]: readonly T[]): T[] => [b!, a!, ...others]
  return { ...page, transactions: swap(page.transactions), proof: { ...page.proof, transactions: swap(page.proof!.transactions) } }
}
const doubled: Lie = (page) => ({
  ...page,
  transactions: [...page.transactions.slice(0, -1), page.transactions[0]],
  proof: { ...page.proof, transactions: [...page.proof!.transactions.slice(0, -1), page.proof!.transactions[0]] },
})
const sayNone: Lie = proof(() => ({ complete: 'none' }))

describe('a lying server', () => {
  const account = () => ({ account: [me], limit: 5 })
  const block = async () => ({ ...(await fullestBlock()), limit: 100 })
  const each = () => ({ account: [me, rawOf(STRANGER)], limit: 6 })

  it.each<[string, () => object | Promise<object>, Lie, RegExp]>([
    [
      'a row of an account changed',
      account,
      rows(([first, ...all]) => [{ ...first, total_fees: '1' }, ...all]),
      /^transactions\[0\]\.total_fees: "1", the cells say/,
    ],
    ['a row of an account left out', account, without(2), /^transactions\[2\]: not the next transaction/],
    ['the newest row left out', account, without(0), /^transactions\[0\]: not the next transaction/],
    ['rows of an account reordered', account, swapped, /^transactions\[0\]: not the next/],
    ['a row of an account twice', account, doubled, /not the next/],
    ['a row without its proof', account, rows((all) => all.slice(1)), /^proof\.transactions: 5 transactions for 4 rows/],
    [
      'another head',
      account,
      proof((of) => ({ masterchain: { ...of.masterchain, root_hash: of.masterchain.file_hash } })),
      /is not a block of the chain/,
    ],
    [
      'a shard as the head',
      account,
      proof((of) => ({ masterchain: { ...of.masterchain, workchain: 0 } })),
      /^proof\.masterchain: .* not a block of the masterchain/,
    ],
    ['another account', account, (_, other) => other, /^proof\.accounts: no proof of/],
    [
      'another account under the name of this one',
      account,
      (page, other) => ({
        ...other,
        proof: { ...other.proof, accounts: other.proof!.accounts.map((one) => ({ ...one, account: page.proof!.accounts[0]!.account })) },
      }),
      /not the one of the proof|leaves out|shows no account/,
    ],
    [
      'the state of another account',
      account,
      proof((of, other) => ({ accounts: of.accounts.map((one) => ({ ...one, state: other.accounts[0]!.state })) })),
      /^proof\.accounts\[0\]: the account is not the one of the proof/,
    ],
    [
      'no state',
      account,
      proof((of) => ({ accounts: of.accounts.map((one) => ({ ...one, state: '' })) })),
      /^proof\.accounts\[0\]\.state: no bag/,
    ],
    [
      'another shard block',
      account,
      proof((of) => ({ accounts: of.accounts.map((one) => ({ ...one, shard_block: of.masterchain })) })),
      /is not the block of the shard/,
    ],
    ['no proof of completeness', account, sayNone, /no proof that no row was left out/],
    ['a row of a block left out', block, without(1), /^transactions: \d+ rows, the block has \d+ here/],
    ['rows of a block reordered', block, swapped, /^transactions\[0\]: not the transaction of this place/],
    ['a row of a block twice', block, doubled, /not the transaction of this place/],
    [
      'a row of a block changed',
      block,
      rows((all) => all.map((row, i) => (i === 1 ? { ...row, block_ref: { ...row.block_ref, seqno: 1 } } : row))),
      /^transactions\[1\]\.block_ref\.seqno/,
    ],
    [
      'another masterchain block',
      block,
      rows((all) => all.map((row) => ({ ...row, mc_block_seqno: 1 }))),
      /^transactions\[0\]\.mc_block_seqno/,
    ],
    [
      'another block',
      block,
      proof((of) => ({ blocks: of.blocks.map((one) => ({ ...one, block: { ...one.block, seqno: one.block.seqno + 1 } })) })),
      /^proof\.blocks\[0\]: the links end in/,
    ],
    ['no links', block, proof((of) => ({ blocks: of.blocks.map((one) => ({ ...one, links: [] })) })), /the links end in/],
    ['no way from the head', block, proof((of) => ({ blocks: of.blocks.map((one) => ({ ...one, mc_proof: [] })) })), /does not hang on/],
    [
      'no list of the block',
      block,
      proof((of) => ({ blocks: of.blocks.map((one) => ({ ...one, proof: null })) })),
      /no proof of the transactions/,
    ],
    [
      'a part of the list',
      block,
      proof((of, other) => ({ blocks: of.blocks.map((one) => ({ ...one, proof: one.links[0]!.proof })), x: other })),
      /root hash|leaves out/,
    ],
    ['no blocks', each, proof(() => ({ blocks: [] })), /^proof\.blocks\[\d\]: there is no such block/],
    [
      'no proof of a block',
      each,
      proof((of) => ({ transactions: of.transactions.map((one) => ({ ...one, proof: null })) })),
      /no proof of a block that holds it/,
    ],
    [
      'the proof of another row',
      each,
      proof((of) => ({
        transactions: of.transactions.map((one, i) => ({ ...one, proof: of.transactions[(i + 1) % of.transactions.length]!.proof })),
      })),
      /root hash|leaves out|does not hold/,
    ],
    ['rows reordered', each, swapped, /a row that is not in its place/],
    ['a row twice', each, doubled, /there twice/],
    [
      'rows that were not asked for',
      () => ({ account: [rawOf(NOBODY), `0:${'9E'.repeat(32)}`], limit: 6 }),
      (_, other) => other,
      /does not fit the parameter account/,
    ],
    ['more rows than were asked for', () => ({ account: [rawOf(STRANGER)], limit: 1 }), (_, other) => other, /rows, 1 were asked for/],
  ])('a page with %s is caught', async (_, params, lie, why) => {
    const asked = await params()
    const page = await askPage('v3.transactions', asked)
    // What it lies with: a page of another account, or of other rows.
    const other = await askPage(
      'v3.transactions',
      'account' in asked && (asked.account as string[]).length > 1 ? each() : { account: [rawOf(STRANGER)], limit: 5 },
    )
    const error = await refusal('v3.transactions', asked, lie(structuredClone(page), structuredClone(other)))
    expect(error.message).toMatch(why)
  })

  it('a page with less than is due is accepted by who asks for it', async () => {
    const params = { account: [me], limit: 5, sort: 'asc' }
    const page = await askPage('v3.transactions', params)
    const less = { ...without(0)(page, page) }
    expect((await verify('v3.transactions', params, less)).complete).toBe('none')
    const newest = { ...params, sort: 'desc' }
    const reversed = {
      ...page,
      transactions: [...page.transactions].reverse(),
      proof: { ...page.proof, transactions: [...page.proof!.transactions].reverse() },
    }
    expect(await refusal('v3.transactions', newest, reversed)).toMatchObject({ kind: 'NO_PROOF' })
    expect((await verify('v3.transactions', newest, reversed, { allowOmissions: true })).complete).toBe('none')
  })

  it('a page without the newest row is caught, also beside an account that does not exist', async () => {
    const params = { account: [me], limit: 100 }
    const page = await askPage('v3.transactions', { ...params, sort: 'asc' })
    const nobody = await askPage('v3.accountStates', { address: [`0:${'9E'.repeat(32)}`] })
    for (const complete of ['none', 'from_newest']) {
      const older = {
        ...page,
        transactions: [...page.transactions].reverse().slice(1),
        proof: { ...nobody.proof, ...page.proof, complete, transactions: [...page.proof!.transactions].reverse().slice(1) },
      }
      const { accounts } = nobody.proof!
      expect((await refusal('v3.transactions', params, { ...older, proof: { ...older.proof, accounts } })).message).toMatch(
        /^proof\.accounts: no proof of|no row was left out/,
      )
    }
  })

  it.each<[string, string, object, object, string]>([
    ['of another masterchain block', 'v3.transactions', { limit: 3 }, { limit: 3, mc_seqno: 2 }, 'mc_seqno'],
    ['after a masterchain block', 'v3.transactions', { limit: 3 }, { limit: 3, as_of: 2 }, 'as_of'],
    ['of messages after a masterchain block', 'v3.messages', { limit: 3, as_of: 1_000_000 }, { limit: 3, as_of: 2 }, 'as_of'],
    ['of another workchain', 'v3.transactions', { limit: 3, workchain: 0 }, { limit: 3, workchain: -1 }, 'workchain'],
    ['of another shard', 'v3.transactions', { limit: 3, workchain: 0 }, { limit: 3, shard: '4000000000000000' }, 'shard'],
    ['of another block', 'v3.transactions', { limit: 3 }, { workchain: 0, shard: '8000000000000000', seqno: 1 }, 'seqno'],
    ['before a time', 'v3.messages', { limit: 3 }, { limit: 3, start_utime: 4_000_000_000 }, 'start_utime'],
    ['after a time', 'v3.messages', { limit: 3 }, { limit: 3, end_utime: 1 }, 'end_utime'],
    ['before an lt', 'v3.messages', { limit: 3 }, { limit: 3, start_lt: '1000000000000000' }, 'start_lt'],
    ['after an lt', 'v3.messages', { limit: 3 }, { limit: 3, end_lt: 1 }, 'end_lt'],
    ['from outside', 'v3.messages', { source: 'null' }, { exclude_externals: true }, 'exclude_externals'],
    ['from inside', 'v3.messages', { exclude_externals: true }, { only_externals: 'true' }, 'only_externals'],
  ])('a page with rows %s is caught (%s)', async (_, method, asked, wanted, name) => {
    const page = await askPage(method, asked)
    await verify(method, asked, page)
    expect((await refusal(method, wanted, page, { allowOmissions: true })).message).toContain(`does not fit the parameter ${name}`)
  })

  it('a page of another masterchain block is caught', async () => {
    const { transactions } = await service.call('v3.transactions', { limit: 1 })
    const seqno = transactions[0]!.mc_block_seqno
    const page = await askPage('v3.transactionsByMasterchainBlock', { seqno })
    expect((await verify('v3.transactionsByMasterchainBlock', { seqno }, page)).rows.length).toBeGreaterThan(0)
    const error = await refusal('v3.transactionsByMasterchainBlock', { seqno: seqno - 1 }, page)
    expect(error.message).toContain('does not fit the parameter mc_seqno')
  })

  it('a page with rows of a workchain that cannot be is caught', async () => {
    const page = await askPage('v3.transactions', { workchain: 0, limit: 7 })
    const workchain = 2 ** 32
    const away = <T extends object>(id: T): T => ({ ...id, workchain })
    const lie = {
      ...page,
      transactions: page.transactions.map((row) => ({
        ...row,
        account: row.account.replace(/^0/, String(workchain)),
        block_ref: away(row.block_ref),
      })),
      proof: {
        ...page.proof,
        blocks: page.proof!.blocks.map((one) => ({
          ...one,
          block: away(one.block),
          links: one.links.map((link) => ({ ...link, id: away(link.id) })),
        })),
      },
    }
    expect((await refusal('v3.transactions', { limit: 7 }, lie)).message).toMatch(/a block without a workchain/)
    expect((await refusal('v3.transactions', { account: [`${workchain}:${'9E'.repeat(32)}`] }, page)).at).toBe('params.account')
  })

  it('a page with a transaction that was made to take minutes is refused at once', async () => {
    const page = await askPage('v3.transactions', { limit: 1 })
    const boc = Buffer.from(serializeBoc(costlyTransaction())).toString('base64')
    const lie = { ...page, proof: { ...page.proof, transactions: [{ ...page.proof!.transactions[0], boc }] } }
    const begin = performance.now()
    expect((await refusal('v3.transactions', { limit: 1 }, lie)).message).toMatch(/does not hold this transaction|leaves out|cannot hold/)
    expect(performance.now() - begin).toBeLessThan(1_000)
  })

  it('a server that cannot be reached is not taken for a liar', async () => {
    const params = { account: [me], limit: 5 }
    const gone = createLightClient({ call: () => Promise.reject(new TypeError('fetch failed')), trusted: { ...light.state().key } })
    await expect(verify('v3.transactions', params, await askPage('v3.transactions', params), { head: gone })).rejects.toThrow(
      new TypeError('fetch failed'),
    )
  })

  it('accounts by their code: none that has it may be left out, and none that has another may be there', async () => {
    const address = [me, rawOf(STRANGER)]
    const all = (await askPage('v3.accountStates', { address })) as unknown as Result<'v3.accountStates'>
    const code_hash = all.accounts.find((row) => row.address === me)!.code_hash!
    const params = { address, code_hash: [code_hash] }
    const page = (await askPage('v3.accountStates', params)) as unknown as Result<'v3.accountStates'>
    expect((await verify('v3.accountStates', params, page)).rows).toMatchObject([{ address: me }])
    expect((await refusal('v3.accountStates', params, { ...page, accounts: [] })).message).toMatch(/exists, but it was left out/)
    expect((await refusal('v3.accountStates', params, all)).message).toMatch(/does not fit the parameter code_hash/)
  })

  it('a page with a changed message, or one that was not asked for, is caught', async () => {
    const params = { limit: 8 }
    const page = (await askPage('v3.messages', params)) as unknown as Result<'v3.messages'>
    const change = (member: object) => ({ ...page, messages: page.messages.map((row, i) => (i === 2 ? { ...row, ...member } : row)) })
    for (const lie of [
      { value: '9' },
      { source: `0:${'9E'.repeat(32)}` },
      { message_content: null },
      { in_msg_tx_hash: page.messages[2]!.hash, out_msg_tx_hash: page.messages[2]!.hash },
    ])
      expect((await refusal('v3.messages', params, change(lie))).row).toBe(2)
    expect((await refusal('v3.messages', params, change({ hash: page.proof!.masterchain.root_hash }))).message).toMatch(/no such message/)
    expect((await refusal('v3.messages', { ...params, destination: `0:${'9E'.repeat(32)}` }, page)).message).toMatch(/does not fit/)
  })

  it('a page with a changed, swapped or missing account is caught', async () => {
    const params = { address: [me, rawOf(STRANGER)], include_boc: true }
    const page = (await askPage('v3.accountStates', params)) as unknown as Result<'v3.accountStates'>
    const [mine, theirs] = [page.accounts.find(({ address }) => address === me), page.accounts.find(({ address }) => address !== me)]
    for (const lie of [
      { balance: '1' },
      { code_boc: mine!.data_boc },
      { status: 'frozen' },
      { last_transaction_lt: '7' },
      { extra_currencies: { 1: '1' } },
      { code_hash: undefined },
    ])
      expect(await refusal('v3.accountStates', params, { ...page, accounts: [{ ...mine, ...lie }, theirs] })).toMatchObject({
        row: 0,
        field: Object.keys(lie)[0],
      })
    expect((await refusal('v3.accountStates', params, { ...page, accounts: [{ ...theirs, address: mine!.address }, theirs] })).row).toBe(0)
    expect((await refusal('v3.accountStates', params, { ...page, accounts: [theirs, theirs] })).message).toMatch(/there twice/)
    expect((await refusal('v3.accountStates', params, { ...page, accounts: [theirs] })).message).toMatch(/exists, but it was left out/)
    expect(
      (await refusal('v3.accountStates', params, { ...page, proof: { ...page.proof, accounts: page.proof!.accounts.slice(1) } })).message,
    ).toMatch(/no proof of/)
  })

  it('a page at another head than the trusted one is caught, also if that head is of the chain', async () => {
    const params = { account: [me], limit: 5 }
    const page = await askPage('v3.transactions', params)
    const { seqno, root_hash, file_hash } = page.proof!.masterchain
    expect((await verify('v3.transactions', params, page, { head: { seqno, root_hash, file_hash } })).rows.length).toBe(5)
    expect((await refusal('v3.transactions', params, page, { head: { seqno: seqno - 1, root_hash, file_hash } })).message).toMatch(
      /not at the trusted block/,
    )
  })
})

/** All texts in a proof that are bags of cells, with what puts another one in their place. */
function* bagsIn(value: unknown): Generator<(change: (text: string) => string) => void> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value))
    if (typeof member === 'string' && member.startsWith('te6cc'))
      yield (change) => void Object.assign(value, { [name]: change((value as Record<string, string>)[name]!) })
    else yield* bagsIn(member)
}

describe('a flipped bit', () => {
  it('a flipped bit in any bag of cells of a proof is refused, or the page means the same', async () => {
    const random = createRandom(7)
    let [refused, same] = [0, 0]
    for (const [method, params] of REQUESTS) {
      const page = await askPage(method, params())
      const { rows: expected } = await verify(method, params(), page)
      for (let i = 0, count = [...bagsIn(page.proof)].length; i < Math.min(count, 6); i++)
        for (let times = 0; times < 2; times++) {
          const copy = structuredClone(page)
          const bags = [...bagsIn(copy.proof)]
          bags[random.below(bags.length)]!((text) => {
            const bytes = Buffer.from(text, 'base64')
            const bit = random.below(bytes.length * 8)
            bytes[bit >> 3]! ^= 1 << (bit & 7)
            return bytes.toString('base64')
          })
          const result = await verify(method, params(), copy).catch((error) => error)
          if (result instanceof Error) {
            expect(result).toBeInstanceOf(VerifyError)
            refused += 1
          } else {
            expect(result.rows).toEqual(expected)
            same += 1
          }
        }
    }
    expect(refused).toBeGreaterThan(75)
    expect(same).toBeLessThan(refused / 10)
  })
})
