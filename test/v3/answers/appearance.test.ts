import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LocalIndex, startLocalIndex } from '../../kit/index/local-index.ts'

/*
 * Lists of masters, collections and items without a filter stand in the order of appearance: TON Center's is that of its rows' ids, which it gives as
 * it first writes a row. The nearest that the chain tells is the lt of an account's first transaction, then its address.
 */

const raw = (friendly: string): string => {
  const bytes = Buffer.from(friendly, 'base64url')
  return `${bytes.readInt8(1)}:${bytes.subarray(2, 34).toString('hex').toUpperCase()}`
}
const OWNER = `0:${'c3'.repeat(32)}`

describe('lists of tokens', () => {
  let index: LocalIndex
  const masters: string[] = []
  const collections: string[] = []
  const items: string[] = []
  const deploy = async (name: string): Promise<void> => {
    masters.push(raw((await index.call('local.deployJetton', { name, symbol: 'T', admin: OWNER })).address))
  }
  beforeAll(async () => {
    index = await startLocalIndex()
    for (const name of ['A', 'B', 'C', 'D', 'E']) {
      await deploy(name)
      const { address } = await index.call('local.deployCollection', { name, owner: OWNER })
      collections.push(raw(address))
    }
    for (const collection of [...collections].reverse())
      items.push(raw((await index.call('local.mintNft', { collection, owner: OWNER, name: 'One' })).address))
    await index.call('local.mine', { count: 2 })
    await index.indexed()
  })
  afterAll(() => index?.close())

  const listed = {
    masters: async () => (await index.call('v3.jetton.masters', { limit: 100 })).jetton_masters.map(({ address }) => address),
    byAdmin: async () =>
      (await index.call('v3.jetton.masters', { admin_address: [OWNER], limit: 100 })).jetton_masters.map(({ address }) => address),
    collections: async () => (await index.call('v3.nft.collections', { limit: 100 })).nft_collections.map(({ address }) => address),
    byOwner: async () =>
      (await index.call('v3.nft.collections', { owner_address: [OWNER], limit: 100 })).nft_collections.map(({ address }) => address),
    items: async () => (await index.call('v3.nft.items', { limit: 100 })).nft_items.map(({ address }) => address),
    itemsDown: async () => (await index.call('v3.nft.items', { limit: 100, sort: 'desc' })).nft_items.map(({ address }) => address),
  }

  it('lists of tokens are in the order in which the tokens appeared, not in that of their addresses', async () => {
    expect(await listed.masters()).toEqual(masters)
    expect(await listed.byAdmin()).toEqual(masters)
    expect(await listed.collections()).toEqual(collections)
    expect(await listed.byOwner()).toEqual(collections)
    expect(await listed.items()).toEqual(items)
    expect(await listed.itemsDown()).toEqual([...items].reverse())
    expect([...masters, ...collections, ...items]).not.toEqual([...masters, ...collections, ...items].sort())
    expect([[...masters].sort(), [...collections].sort(), [...items].sort()]).not.toEqual([masters, collections, items])
  })

  it('lists of tokens are walked by cursor, whatever happens to the tokens meanwhile', async () => {
    const walked: string[] = []
    for (let cursor = ''; ; ) {
      const page = await index.call('v3.jetton.masters', { limit: 2, cursor })
      walked.push(...page.jetton_masters.map(({ address }) => address))
      // The first one is at work between pages, and a new one comes.
      await index.call('local.mintJetton', { jetton: masters[0]!, owner: OWNER, amount: '1' })
      if (walked.length === 4) await deploy('F')
      await index.indexed()
      if (page.next_cursor === null || page.next_cursor === undefined) break
      cursor = page.next_cursor
    }
    expect(walked).toEqual(masters)
    expect(walked.length).toBe(6)
  })

  it('lists of tokens refuse the cursors of the earlier order by address', async () => {
    const old = Buffer.from(`a|asc|${Buffer.alloc(36).toString('base64url')}`).toString('base64url')
    await expect(index.call('v3.jetton.masters', { cursor: old })).rejects.toMatchObject({
      kind: 'INVALID_PARAMS',
      message: 'invalid cursor',
    })
    await expect(index.call('v3.nft.items', { cursor: old })).rejects.toMatchObject({ kind: 'INVALID_PARAMS', message: 'invalid cursor' })
  })

  it('an account that existed before its first transaction has the place that its state tells', async () => {
    const [first] = (await index.call('v3.accountStates', { address: [masters[0]!] })).accounts
    const placed = `0:${'0f'.repeat(32).toUpperCase()}`
    await index.call('local.setAccount', { address: placed, balance: '10000000000', code: first!.code_boc!, data: first!.data_boc! })
    await index.indexed()
    expect(await listed.masters()).toEqual([placed, ...masters])
    await index.call('local.sendInternal', { from: OWNER, to: placed, value: '1000000000' })
    await index.indexed()
    expect(await listed.masters()).toEqual([placed, ...masters])
    masters.unshift(placed)
  })

  it('lists of tokens keep the places of remaining tokens in a revert, and verify agrees', async () => {
    const { snapshot } = await index.call('local.snapshot', {})
    await index.call('local.mintJetton', { jetton: masters[1]!, owner: OWNER, amount: '7' })
    await index.call('local.deployJetton', { name: 'Undone', symbol: 'U', admin: OWNER })
    await index.call('local.mintNft', { collection: collections[0]!, owner: OWNER, name: 'Undone' })
    await index.call('local.mine', { count: 2 })
    await index.indexed()
    await index.call('local.revert', { snapshot })
    await deploy('G')
    await index.call('local.mine', { count: 2 })
    expect(await index.verified()).toEqual([])
    expect(await index.madeAnew()).toEqual([])
    expect(await listed.masters()).toEqual(masters)
    expect(await listed.items()).toEqual(items)
  }, 120_000)
})
