import type { Pool, PoolClient } from 'pg'
import { makeKey } from './key-text.ts'
import { ANY_NETWORK, callerLimitsOf, LIMIT_NAMES, type Plan } from './plans.ts'

export interface KeyRecord {
  readonly id: string
  readonly network: string
  readonly owner: string
  readonly label: string
  readonly plan: string
  readonly createdAt: Date
  readonly expiresAt: Date | undefined
  readonly revokedAt: Date | undefined
  /** Id of the key that replaces this one. */
  readonly rotatedTo: string | undefined
}

export interface KeyGrant extends KeyRecord, Pick<Plan, 'rps' | 'servers' | 'limits'> {
  readonly hash: Uint8Array
}

export interface NewKey {
  readonly network: string
  readonly owner: string
  readonly plan: string
  readonly label?: string | undefined
  readonly expiresAt?: Date | undefined
}

/** A new key. Its text is available only here, because the database stores only its hash. */
export interface Made {
  readonly key: string
  readonly record: KeyRecord
}

/** A request that cannot be fulfilled. The message is for the user. */
export class KeyError extends Error {
  override readonly name = 'KeyError'
}

type Row = Readonly<Record<string, unknown>>

/** NULL becomes undefined. */
const valuesOf = (row: Row): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined]))
const recordOf = (row: Row): KeyRecord => valuesOf(row) as unknown as KeyRecord
// Without its plan, which somebody has deleted by hand, a key allows no calls.
const grantOf = (row: Row): KeyGrant => ({ ...valuesOf(row), rps: row['rps'] ?? 0, limits: callerLimitsOf(row) }) as unknown as KeyGrant
const planOf = ({ name, network, rps, servers, ...limits }: Row): Plan =>
  ({ name, network, rps, servers: servers ?? undefined, limits: callerLimitsOf(limits) }) as Plan

/** Columns with the names of KeyRecord. */
const RECORD = `id, network, owner, label, plan, created_at as "createdAt", expires_at as "expiresAt", revoked_at as "revokedAt",
  rotated_to as "rotatedTo"`
const OF_PLAN: readonly string[] = ['rps', 'servers', ...LIMIT_NAMES]
const GRANT = `select ${RECORD}, hash, ${OF_PLAN}
  from api_keys key left join lateral (select ${OF_PLAN} from api_plans
    where name = key.plan and network in (key.network, $2) order by network = $2 limit 1) granted on true
  where id = any($1::text[])`

export type KeyStore = ReturnType<typeof createKeyStore>

/** `now`: unix milliseconds. */
export const createKeyStore = (pool: Pool, now: () => number) => {
  const rows = async (text: string, values: readonly unknown[]): Promise<Row[]> =>
    (await pool.query<Row>({ text, values: values as unknown[] })).rows

  /** Runs `work` in a transaction that also increments the number of changes. */
  const change = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await client.query('begin')
      const value = await work(client)
      await client.query('update api_changes set count = count + 1')
      await client.query('commit')
      return value
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => {
        broken = failure
      })
      throw error
    } finally {
      client.release(broken)
    }
  }

  const insert = async (client: PoolClient, { network, owner, plan, label, expiresAt }: NewKey): Promise<Made> => {
    const found = await client.query('select from api_plans where name = $1 and network in ($2, $3)', [plan, network, ANY_NETWORK])
    if (found.rowCount === 0) throw new KeyError(`there is no plan ${plan} for ${network}; \`tonway plans list\` shows the plans`)
    const { id, key, hash } = makeKey()
    const text = `insert into api_keys (id, hash, network, owner, label, plan, created_at, expires_at) values ($1, $2, $3, $4, $5, $6, $7, $8)
      returning ${RECORD}`
    const made = await client.query<Row>(text, [id, hash, network, owner, label ?? '', plan, new Date(now()), expiresAt ?? null])
    return { key, record: recordOf(made.rows[0]!) }
  }

  return {
    /** Creates a key. Rejects with KeyError if the plan does not exist. */
    create: (key: NewKey) => change((client) => insert(client, key)),
    async list({ owner, network }: { readonly owner?: string | undefined; readonly network?: string | undefined }): Promise<KeyRecord[]> {
      const text = `select ${RECORD} from api_keys where ($1::text is null or owner = $1) and ($2::text is null or network = $2)
        order by owner, network, created_at, id`
      return (await rows(text, [owner ?? null, network ?? null])).map(recordOf)
    },
    /** Those of the owners that have a valid key of a network. There may be a hundred thousand other keys. */
    async ownersOf(network: string, owners: readonly string[]): Promise<ReadonlySet<string>> {
      const text = `select distinct owner from api_keys where network = $1 and owner = any($2::text[]) and revoked_at is null
        and (expires_at is null or expires_at > $3)`
      return new Set((await rows(text, [network, owners, new Date(now())])).map((row) => row['owner'] as string))
    },
    /** Creates a key that replaces `id`, which stays valid for `overlap` ms. Rejects with KeyError if `id` is not valid or already has a replacement. */
    rotate: (id: string, overlap: number) =>
      change(async (client) => {
        const found = await client.query<Row>(`select ${RECORD} from api_keys where id = $1 for update`, [id])
        const old = found.rows[0] && recordOf(found.rows[0])
        if (old === undefined) throw new KeyError(`there is no key ${id}`)
        if (old.revokedAt !== undefined) throw new KeyError(`key ${id} is revoked`)
        const at = now()
        const end = old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY
        if (end <= at) throw new KeyError(`key ${id} has expired`)
        if (old.rotatedTo !== undefined) throw new KeyError(`key ${id} has already been replaced by ${old.rotatedTo}`)
        const value = await insert(client, old)
        const until = new Date(Math.min(end, at + overlap))
        await client.query('update api_keys set expires_at = $2, rotated_to = $3 where id = $1', [id, until, value.record.id])
        return value
      }),
    /** Revokes a key now. Rejects with KeyError if the key does not exist. */
    revoke: (id: string) =>
      change(async (client) => {
        const text = `update api_keys set revoked_at = coalesce(revoked_at, $2) where id = $1 returning ${RECORD}`
        const [row] = (await client.query<Row>(text, [id, new Date(now())])).rows
        if (row === undefined) throw new KeyError(`there is no key ${id}`)
        return recordOf(row)
      }),
    /** Those of the keys that exist. */
    async grants(ids: readonly string[]): Promise<KeyGrant[]> {
      return (await rows(GRANT, [ids, ANY_NETWORK])).map(grantOf)
    },
    /** Number of changes so far. Processes that cache keys poll it. */
    async changes(): Promise<bigint> {
      const [row] = await rows('select count from api_changes', [])
      return BigInt((row?.['count'] as string | undefined) ?? 0)
    },
    plans: async (): Promise<Plan[]> =>
      (await rows(`select name, network, ${OF_PLAN} from api_plans order by rps, name, network`, [])).map(planOf),
    setPlan: ({ name, network, rps, servers, limits }: Plan) =>
      change(async (client) => {
        const text = `insert into api_plans (name, network, ${OF_PLAN}) values ($1, $2, ${OF_PLAN.map((_, i) => `$${i + 3}`)})
          on conflict (name, network) do update set ${OF_PLAN.map((column) => `${column} = excluded.${column}`)}`
        await client.query(text, [name, network, rps, servers ?? null, ...LIMIT_NAMES.map((each) => limits[each] ?? null)])
      }),
  }
}
