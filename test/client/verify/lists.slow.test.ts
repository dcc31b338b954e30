import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLightClient, type LightClient, VerifyError, verifyPage } from '../../../client/verify/index.ts'
import { serializeBoc } from '../../../server/cell/boc.ts'
import type { MethodName, ParamsIn, Result } from '../../../shared/registry.ts'
import { costlyTransaction, wideTree } from '../../kit/bombs.ts'
import { startV3, type V3Service } from '../../kit/service/service.ts'
import { NOBODY, playScene, rawOf, type Scene, STRANGER } from '../../v3/scene.ts'
import { alter, leaveOut, leaves, withChange } from './changes.ts'
import { playTokens, type Tokens } from './token-scene.ts'

/* All lists with proofs of an embedded chain: honest pages, and pages with one thing changed. */

let service: V3Service
let scene: Scene
let tokens: Tokens
let light: LightClient
beforeAll(async () => {
  service = await startV3()
  scene = await playScene(service)
  tokens = await playTokens(service, scene)
  const { init } = await service.tonway.app.network.chain.masterchainInfo(AbortSignal.timeout(10_000))
  const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
  light = createLightClient({ call: ask, trusted: { seqno: 0, root_hash: base64(init.rootHash), file_hash: base64(init.fileHash) } })
})
afterAll(() => service?.close())

type Page = Result<'v3.transactions'> & Readonly<Record<string, unknown>>
type Row = Readonly<Record<string, unknown>>
const ask = (method: string, params: object) => service.call(method as MethodName, params as ParamsIn<MethodName>) as Promise<unknown>
const askPage = (method: string, params: object) => ask(method, { ...params, proofs: true }) as Promise<Page>
const verify = (method: string, params: object, answer: object) => verifyPage(method, params, answer as Page, { head: light })
/** A transaction that takes minutes to read, and a bag of more cells than a payload may have. */
const bomb = Buffer.from(serializeBoc(costlyTransaction())).toString('base64')
const bag = Buffer.from(serializeBoc(wideTree(140_000))).toString('base64')

const refusal = async (method: string, params: object, answer: object): Promise<string> => {
  const error = await verify(method, params, answer).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(VerifyError)
  return error.message
}

const newest = async (account: string) => (await service.call('v3.transactions', { account: [account], limit: 1 })).transactions[0]!
const sentMore = async () =>
  (await service.call('v3.transactions', { account: [tokens.me], limit: 100 })).transactions.find(({ out_msgs }) => out_msgs.length > 1)!

/** Each list: its member with the rows, and a request. */
const LISTS: readonly (readonly [method: string, list: string, params: () => object | Promise<object>])[] = [
  ['v3.transactions', 'transactions', () => ({ account: [tokens.me, tokens.item], limit: 2 })],
  ['v3.transactionsByMasterchainBlock', 'transactions', async () => ({ seqno: (await newest(tokens.me)).mc_block_seqno, limit: 2 })],
  ['v3.transactionsByMessage', 'transactions', () => ({ opcode: '0x0f8a7ea5', limit: 2 })],
  ['v3.adjacentTransactions', 'transactions', async () => ({ hash: (await sentMore()).hash, direction: 'out' })],
  ['v3.messages', 'messages', () => ({ destination: tokens.jettonWallet, limit: 2 })],
  ['v3.accountStates', 'accounts', () => ({ address: [tokens.me, tokens.jettonWallet, rawOf(STRANGER)] })],
  ['v3.jetton.transfers', 'jetton_transfers', () => ({ owner_address: [tokens.me], limit: 10 })],
  ['v3.jetton.burns', 'jetton_burns', () => ({ owner_address: tokens.me })],
  ['v3.nft.transfers', 'nft_transfers', () => ({ item_address: [tokens.item], sort: 'asc' })],
]
/** Lists whose rows are proven one by one. */
const ONE_BY_ONE = LISTS.filter(([, list]) => list !== 'accounts')
const TOKENS = LISTS.filter(([method]) => /jetton|nft/.test(method))

const rowsOf = (page: Page, list: string): readonly Row[] => page[list] as readonly Row[]
/** The same change of the rows and of what proves them. */
const both = (page: Page, list: string, change: <T>(all: readonly T[]) => readonly T[]): object => ({
  ...page,
  [list]: change(rowsOf(page, list)),
  proof: { ...page.proof, transactions: change(page.proof!.transactions) },
})

describe.each(LISTS)('%s', (method, list, paramsOf) => {
  it('each field of a page is refused that was changed or left out, unless it is said to be uncovered', async () => {
    const params = await paramsOf()
    const page = await askPage(method, params)
    const { uncovered } = await verify(method, params, page)
    expect(rowsOf(page, list).length).toBeGreaterThan(1)
    const general = (path: readonly (string | number)[]): string => path.join('.').replace(/\.\d+(?=\.|$)/g, '[]')
    const isCovered = (path: string): boolean =>
      !uncovered.some((each) => path === each || path.startsWith(`${each}.`) || path.startsWith(`${each}[]`))
    const counts = { refused: 0, uncovered: 0 }
    for (const path of leaves({ [list]: page[list] }))
      for (const change of [alter, leaveOut]) {
        const lie = withChange(page, path, change)
        const result = await verify(method, params, lie).catch((error) => error)
        if (result instanceof Error) {
          if (!(result instanceof VerifyError)) throw result
          counts.refused += 1
        } else {
          // BoCs of accounts may be left out.
          if (change === leaveOut && /^(code|data)_boc$/.test(String(path.at(-1)))) continue
          // Whom a wallet names as its owner: another one is not refuted, but no longer proven.
          const now = result.uncovered.includes(general(path))
          expect(!isCovered(general(path)) || now, `${general(path)} may be changed`).toBe(true)
          counts.uncovered += 1
        }
      }
    expect(counts.refused).toBeGreaterThan(counts.uncovered)
  }, 60_000)
})

describe.each(ONE_BY_ONE)('%s, with rows out of place', (method, list, paramsOf) => {
  it('a page is refused with a row twice, without its proof, in another place, in another block, or of another transaction', async () => {
    const params = await paramsOf()
    const page = await askPage(method, params)
    const other = await askPage('v3.transactions', { account: [rawOf(STRANGER), rawOf(NOBODY)], limit: 1 })
    const { transactions, blocks } = page.proof!
    const ofProof = (members: object): object => ({ ...page, proof: { ...page.proof, ...members } })
    expect(await refusal(method, params, { ...page, [list]: rowsOf(page, list).slice(1) })).toMatch(/transactions for \d+ rows/)
    expect(
      await refusal(
        method,
        params,
        both(page, list, (all) => [...all, all[0]!]),
      ),
    ).toMatch(/there twice|were asked for/)
    const [first] = transactions
    expect(await refusal(method, params, ofProof({ transactions: [...transactions.slice(1), first] }))).toMatch(
      /the cells say|no such message|no request|failed/,
    )
    expect(await refusal(method, params, ofProof({ blocks: blocks.map(() => other.proof!.blocks[0]) }))).toMatch(
      /root hash|leaves out|does not hold|cannot hold|no such block/,
    )
    const foreign = other.proof!.transactions[0]!
    const away = ofProof({
      transactions: [{ ...foreign, block: blocks.length }, ...transactions.slice(1)],
      blocks: [...blocks, ...other.proof!.blocks],
    })
    expect(await refusal(method, params, away)).toMatch(/the cells say|no such message|no request|failed/)
    if (method !== 'v3.adjacentTransactions')
      expect(
        await refusal(
          method,
          params,
          both(page, list, (all) => [...all].reverse()),
        ),
      ).toMatch(/not in its place/)
  })

  it('a page with a transaction or a payload that was made to take minutes is refused at once', async () => {
    const params = await paramsOf()
    const page = await askPage(method, params)
    const [first, ...others] = page.proof!.transactions
    // Processor time: a busy machine does not make it much longer.
    const begin = process.cpuUsage()
    expect(
      await refusal(method, params, { ...page, proof: { ...page.proof, transactions: [{ ...first, boc: bomb }, ...others] } }),
    ).toMatch(/does not hold this transaction|leaves out|cannot hold/)
    for (const path of [...leaves({ [list]: page[list] })].filter((each) => /^(custom|forward)_payload$|^body$/.test(String(each.at(-1)))))
      expect(
        await refusal(
          method,
          params,
          withChange(page, path, (row, name) => Object.assign(row, { [name]: bag })),
        ),
      ).toMatch(/the limit is|the cells say/)
    const { user, system } = process.cpuUsage(begin)
    expect((user + system) / 1e6).toBeLessThan(20)
  }, 240_000)
})

describe('requests of jettons and NFTs', () => {
  it('honest pages are accepted, with failed requests and all forms of payloads, and say what no cell proves', async () => {
    const always = ['trace_id', 'decoded_custom_payload']
    const expected: Readonly<Record<string, readonly string[]>> = {
      jetton_transfers: [...always, 'jetton_master', 'decoded_forward_payload'],
      // The owner of a wallet whose burn failed, and the owner of an item whose transfer failed.
      jetton_burns: [...always, 'jetton_master', 'owner'],
      nft_transfers: [...always, 'nft_collection', 'decoded_forward_payload', 'old_owner'],
    }
    const rows: Record<string, readonly Row[]> = {}
    for (const [method, list, paramsOf] of TOKENS) {
      const params = (await paramsOf()) as object
      const page = await verify(method, params, await askPage(method, params))
      expect(page.complete).toBe('none')
      const inRows = page.uncovered.filter((path) => path.startsWith(`${list}[].`)).map((path) => path.slice(list.length + 3))
      expect([...new Set(inRows.map((path) => path.split('.')[0]))].sort()).toEqual([...expected[list]!].sort())
      expect(page.uncovered.filter((path) => !path.includes('[]')).sort()).toEqual(['address_book', 'metadata'])
      rows[list] = page.rows as unknown as readonly Row[]
    }
    expect(rows['jetton_transfers']!.map(({ query_id }) => query_id)).toEqual(['2', '1', '0'])
    expect(rows['jetton_burns']!.map((row) => [row['query_id'], row['transaction_aborted']])).toEqual([
      ['6', true],
      ['5', false],
      ['4', false],
    ])
    expect(rows['nft_transfers']!.map((row) => [row['query_id'], row['transaction_aborted'], row['new_owner'] === tokens.bob])).toEqual([
      ['7', true, false],
      ['8', false, false],
      ['9', false, true],
    ])
  })

  it('an owner is covered where the wallet itself names it, and another one stands in the list of uncovered fields', async () => {
    const params = { owner_address: [tokens.me], limit: 1, offset: 2 }
    const page = (await askPage('v3.jetton.burns', params)) as Page
    expect((await verify('v3.jetton.burns', params, page)).uncovered).not.toContain('jetton_burns[].owner')
    const lie = { ...page, jetton_burns: rowsOf(page, 'jetton_burns').map((row) => ({ ...row, owner: tokens.bob })) }
    expect(await refusal('v3.jetton.burns', params, lie)).toContain('does not fit the parameter owner_address')
    expect((await verify('v3.jetton.burns', { limit: 1, offset: 2 }, lie)).uncovered).toContain('jetton_burns[].owner')
  })

  it.each<[string, () => object, () => object, string]>([
    [
      'v3.jetton.transfers',
      () => ({ owner_address: [tokens.me] }),
      () => ({ owner_address: [tokens.me], direction: 'in' }),
      'owner_address',
    ],
    ['v3.jetton.transfers', () => ({ address: tokens.me, direction: 'out' }), () => ({ address: tokens.bob }), 'address'],
    ['v3.jetton.transfers', () => ({ jetton_wallet: [tokens.jettonWallet] }), () => ({ jetton_wallet: tokens.me }), 'jetton_wallet'],
    ['v3.jetton.transfers', () => ({ jetton_master: tokens.jetton }), () => ({ jetton_master: tokens.me }), 'jetton_master'],
    ['v3.jetton.burns', () => ({ address: [tokens.me] }), () => ({ address: [rawOf(STRANGER)] }), 'address'],
    ['v3.jetton.burns', () => ({ jetton_wallet: tokens.jettonWallet, start_lt: 1 }), () => ({ end_lt: 1 }), 'end_lt'],
    ['v3.jetton.burns', () => ({ start_utime: 1 }), () => ({ start_utime: 4_000_000_000 }), 'start_utime'],
    ['v3.nft.transfers', () => ({ limit: 3 }), () => ({ as_of: 2 }), 'as_of'],
    [
      'v3.nft.transfers',
      () => ({ owner_address: tokens.bob, direction: 'in' }),
      () => ({ owner_address: tokens.bob, direction: 'out' }),
      'owner_address',
    ],
    [
      'v3.nft.transfers',
      () => ({ collection_address: tokens.collection }),
      () => ({ collection_address: tokens.me }),
      'collection_address',
    ],
    ['v3.nft.transfers', () => ({ item_address: tokens.item }), () => ({ item_address: [tokens.me] }), 'item_address'],
  ])('%s: rows that were not asked for are caught (%#)', async (method, asked, wanted, name) => {
    const page = await askPage(method, asked())
    expect((await verify(method, asked(), page)).rows).not.toEqual([])
    expect(await refusal(method, wanted(), page)).toContain(`does not fit the parameter ${name}`)
  })
})
