import { methodId } from '../../../../shared/fields/method-id.ts'
import type { AccountFacts } from '../../../actions/facts.ts'
import type { Address } from '../../../actions/trace.ts'
import { portionsOf } from '../../../base/memory/portions.ts'
import type { Cell } from '../../../cell/cell.ts'
import { DEDUST_POOL_CODES, DEDUST_V2_POOL_CODES, dedustPoolAssets, type PoolAssets } from '../../../protocols/dedust/pool.ts'
import { liquidPoolJetton } from '../../../protocols/tonstakers/actions.ts'
import { keyOfRaw, rawOfKey } from '../../../store/row-keys.ts'
import { jettonMasters } from '../../../store/schema/jettons.ts'
import { address, stackOf } from '../contracts/stack-values.ts'
import type { FactSource, WithCode } from './facts.ts'

/* Facts about pools. DeDust pools are found by their code, liquid-staking pools by their get-method and their jetton's master. */

type PoolFacts = Pick<AccountFacts, 'dedustPool' | 'liquidPool'>
type Note = (pool: Buffer, facts: PoolFacts) => void

/** Number of accounts whose data is in memory together: that of one can have 8 MB. */
const AT_ONCE = 16

/** Reads the data of accounts. `take` gets what `read` finds in it. */
export const readEachData = async <F extends {}>(
  source: FactSource,
  keys: readonly Buffer[],
  read: (data: Cell) => F | undefined,
  take: (key: Buffer, found: F) => void,
): Promise<void> => {
  for (const some of portionsOf(keys, AT_ONCE)) {
    const contents = await source.contents(some, 'data')
    for (const [i, key] of some.entries()) {
      const data = contents[i]?.data
      const found = data && read(data)
      if (found !== undefined) take(key, found)
    }
  }
}

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
const liquidPools = async (source: FactSource, pools: readonly WithCode[], note: Note): Promise<void> => {
  if (pools.length === 0) return
  const keys = (await source.havingMethod(pools, FULL_DATA)).map(({ key }) => key)
  const claims: { readonly pool: Buffer; readonly jetton: Address }[] = []
  await readEachData(source, keys, liquidPoolJetton, (pool, jetton) => claims.push({ pool, jetton }))
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
    const codeHash = contents[i]?.codeHash
    return codeHash === undefined ? [] : [{ key, codeHash, code: codeHash.toString('hex') }]
  })
  const first = accounts.filter(({ code }) => DEDUST_POOL_CODES.has(code)).map(({ key }) => key)
  await readEachData(source, first, dedustPoolAssets, (pool, assets) => note(pool, { dedustPool: assets }))
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
