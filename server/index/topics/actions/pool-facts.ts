import { methodId } from '../../../../shared/fields/method-id.ts'
import type { AccountFacts } from '../../../actions/facts.ts'
import type { Address } from '../../../actions/trace.ts'
import { Lru } from '../../../base/memory/lru.ts'
import { portionsOf } from '../../../base/memory/portions.ts'
import type { Cell } from '../../../cell/cell.ts'
import { DEDUST_POOL_CODES, DEDUST_V2_POOL_CODES, dedustPoolAssets, type PoolAssets } from '../../../protocols/dedust/pool.ts'
import { liquidPoolJetton } from '../../../protocols/tonstakers/actions.ts'
import { keyOfRaw, nameOf, rawOfKey } from '../../../store/row-keys.ts'
import { jettonMasters } from '../../../store/schema/jettons.ts'
import { address, stackOf } from '../contracts/stack-values.ts'
import type { AccountContent, FactSource, WithCode } from './facts.ts'

/* Facts about pools. DeDust pools are found by their code, liquid-staking pools by their get-method and their jetton's master. */

type PoolFacts = Pick<AccountFacts, 'dedustPool' | 'liquidPool'>
type Note = (pool: Buffer, facts: PoolFacts) => void

/** Number of accounts whose hashes are read together, and whose data is in memory together: that of one can have 8 MB. */
const AT_ONCE = { hashes: 500, data: 16 } as const
/** Maximum number of data whose facts are cached. Facts are a few addresses. */
const MAX_READ = 20_000

interface WithData extends Pick<AccountContent, 'dataHash'> {
  readonly key: Buffer
}

/** Adds the hash of its data to each account. */
export const withData = async (source: FactSource, keys: readonly Buffer[]): Promise<readonly WithData[]> => {
  const found: WithData[] = []
  for (const some of portionsOf(keys, AT_ONCE.hashes))
    for (const [i, { dataHash }] of (await source.contents(some, 'code')).entries()) found.push({ key: some[i]!, dataHash })
  return found
}

/**
 * Returns a function that reads facts from account data, and calls `take` with those it finds, in the order of the accounts. Facts are cached by the data's
 * hash: data of thousands of cells takes long to parse, and each trace may name the same account.
 */
export const createDataReader = <F extends {}>(read: (data: Cell) => F | undefined) => {
  const cached = new Lru<string, { readonly facts: F | undefined }>({ max: MAX_READ })
  return async (source: FactSource, accounts: readonly WithData[], take: (key: Buffer, facts: F) => void): Promise<void> => {
    const named = accounts.flatMap(({ key, dataHash }) => (dataHash === undefined ? [] : [{ key, name: nameOf(dataHash) }]))
    for (const some of portionsOf(named, AT_ONCE.data)) {
      const unread = some.filter(({ name }) => !cached.has(name))
      const keys = unread.map(({ key }) => key)
      const contents = keys.length === 0 ? [] : await source.contents(keys, 'data')
      for (const [i, { data }] of contents.entries()) if (data !== undefined) cached.set(unread[i]!.name, { facts: read(data) })
      for (const { key, name } of some) {
        const facts = cached.get(name)?.facts
        if (facts !== undefined) take(key, facts)
      }
    }
  }
}

const readLiquidPools = createDataReader(liquidPoolJetton)
const readDedustPools = createDataReader(dedustPoolAssets)

const FULL_DATA = methodId('get_pool_full_data')

/** Positions of the assets in the result of get_pool_data. */
const V2_ASSETS = [3, 4] as const

/** The assets of a DeDust v2 pool: MsgAddress each, addr_none is Gram. Undefined for a source that cannot run get-methods. */
const assetsOfV2 = async (source: FactSource, pool: Buffer): Promise<PoolAssets | undefined> => {
  const answer = await source.run?.(pool, 'get_pool_data')
  const stack = answer && stackOf(answer, V2_ASSETS[1] + 1)
  if (stack === undefined) return undefined
  const [first, second] = V2_ASSETS.map((place) => address(stack[place]))
  if (first === undefined || second === undefined) return undefined
  return [first && rawOfKey(first), second && rawOfKey(second)]
}

/** Adds the facts of liquid-staking pools: accounts that have the get-method FULL_DATA in their code, and are the admin of their jetton's master. */
const liquidPools = async (source: FactSource, pools: readonly (WithCode & WithData)[], note: Note): Promise<void> => {
  if (pools.length === 0) return
  const claims: { readonly pool: Buffer; readonly jetton: Address }[] = []
  await readLiquidPools(source, await source.havingMethod(pools, FULL_DATA), (pool, jetton) => claims.push({ pool, jetton }))
  if (claims.length === 0) return
  const masters = await source.accountRows(
    jettonMasters,
    claims.map(({ jetton }) => keyOfRaw(jetton)),
  )
  for (const { pool, jetton } of claims) {
    const [master] = masters.get(keyOfRaw(jetton).toString('latin1')) ?? []
    if (master?.admin?.equals(pool)) note(pool, { liquidPool: { jetton } })
  }
}

export const poolFacts = async (source: FactSource, keys: readonly Buffer[], note: Note): Promise<void> => {
  if (keys.length === 0) return
  const contents = await source.contents(keys, 'code')
  const accounts = keys.flatMap((key, i) => {
    const { codeHash, dataHash } = contents[i] ?? {}
    return codeHash === undefined ? [] : [{ key, codeHash, dataHash, code: codeHash.toString('hex') }]
  })
  const first = accounts.filter(({ code }) => DEDUST_POOL_CODES.has(code))
  await readDedustPools(source, first, (pool, assets) => note(pool, { dedustPool: assets }))
  for (const { key } of accounts.filter(({ code }) => DEDUST_V2_POOL_CODES.has(code))) {
    const assets = await assetsOfV2(source, key)
    if (assets !== undefined) note(key, { dedustPool: assets })
  }
  await liquidPools(
    source,
    accounts.filter(({ code }) => !DEDUST_POOL_CODES.has(code) && !DEDUST_V2_POOL_CODES.has(code)),
    note,
  )
}
