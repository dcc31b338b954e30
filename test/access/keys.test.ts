import { type ClientConfig, Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createKeyDatabase } from '../../server/access/key-database.ts'
import { createKeyDirectory, type KeyDirectory } from '../../server/access/key-directory.ts'
import type { KeyStore } from '../../server/access/key-queries.ts'
import { hashKey, idOfKey, makeKey } from '../../server/access/key-text.ts'
import { systemClock } from '../../server/base/clock.ts'
import { silentLog } from '../../server/base/log.ts'
import { showStatus } from '../../server/cli/status.ts'
import { configOf, runWith } from '../cli/kit.ts'
import { startTestServer, type TestServer } from '../kit/index/database.ts'
import { createHandClock } from '../kit/service/access.ts'
import { ask } from '../kit/service/client.ts'
import { startTonway } from '../kit/service/tonway.ts'
import { busy, countPerTurn } from '../kit/turns.ts'
import { sleep, until } from '../kit/wait.ts'

const isKeyOf = (key: string, expected: Uint8Array): boolean => hashKey(key).equals(expected)

describe('key texts', () => {
  it('each key has an id and a secret of its own', () => {
    const keys = Array.from({ length: 500 }, makeKey)
    expect(new Set(keys.map(({ id }) => id)).size).toBe(500)
    for (const { id, key, hash } of keys) {
      expect(key).toMatch(/^tw_[0-9A-Za-z]{12}_[0-9A-Za-z]{40}$/)
      expect(idOfKey(key)).toBe(id)
      expect(isKeyOf(key, hash)).toBe(true)
      expect(isKeyOf(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, hash)).toBe(false)
      expect(hash.toString('latin1')).not.toContain(key.slice(16))
    }
  })

  it('texts of any other form are not keys', () => {
    const { key } = makeKey()
    for (const text of ['', ' ', key.slice(1), `${key}x`, ` ${key}`, `${key}\n`, key.replace('tw_', 'TW_'), 'x'.repeat(10_000)])
      expect(idOfKey(text)).toBeUndefined()
    for (const text of [`${key.slice(0, -1)}\n`, key.replace(key.slice(3, 15), '\0'.repeat(12)), `${key.slice(0, -1)}\u0130`])
      expect(idOfKey(text)).toBeUndefined()
  })
})

it('/ready, /status and the command `status` tell that the database of keys is away', async () => {
  await using tonway = await startTonway({ keys: 'on', databaseUrl: 'postgres://127.0.0.1:1/nothing', blockTime: 0 })
  const { url } = tonway
  const text = 'keys cannot be checked until their database is back: those in use are valid for a minute, and calls with any other get 503'
  expect(await ask(`${url}/ready`)).toMatchObject({ status: 200, body: { ok: true, troubles: [], notes: [text] } })
  expect((await ask(`${url}/status`)).body).toMatchObject({ access: { keys: 'away', keys_trouble: text } })
  const { code, out } = await runWith((streams) => showStatus({ config: configOf(), flags: { url } }, streams))
  expect([code, out.join('\n').split('\n')[1]]).toEqual([0, text])
})

it('thousands of watched keys are read by few queries after a change, one after the other', async () => {
  const queries: number[] = []
  let answer = (): void => {}
  const grants = async (ids: readonly string[]): Promise<never[]> => {
    queries.push(ids.length)
    await new Promise<void>((resolve) => (answer = resolve))
    throw new Error('Connection terminated unexpectedly')
  }
  const directory = createKeyDirectory({ grants, now: Date.now, ticks: systemClock.ticks })
  for (let i = 0; i < 3_000; i++) directory.watch(`key ${i}`, () => {})
  for (let change = 1n; change <= 5n; change++) directory.saw(change, 0)
  await until(() => queries.length > 0)
  await sleep(20)
  expect(queries).toEqual([500])
  answer()
  // The change that came meanwhile.
  await until(() => queries.length === 2)
  answer()
})

it('thousands of streams of a key are ended in turns when it is revoked, each once', async () => {
  const grant = { network: 'mainnet', owner: 'alice', plan: 'free', rps: 10, servers: undefined, limits: {}, hash: Buffer.alloc(32) }
  const record = { id: 'A'.repeat(12), createdAt: new Date(), expiresAt: undefined, rotatedTo: undefined }
  let revokedAt: Date | undefined
  const directory = createKeyDirectory({
    grants: async () => [{ ...grant, ...record, label: '', revokedAt }],
    now: Date.now,
    ticks: systemClock.ticks,
  })
  const ends = countPerTurn()
  for (let i = 0; i < 60; i++)
    directory.watch(record.id, () => {
      ends.see()
      busy(1)
    })
  revokedAt = new Date()
  directory.saw(1n, 0)
  await until(() => ends.all() > 0)
  directory.saw(2n, 0)
  await until(() => ends.all() >= 60)
  directory.saw(3n, 0)
  await sleep(20)
  expect(ends.all()).toBe(60)
  expect(ends.most()).toBeLessThan(30)
})

describe('keys', () => {
  let server: TestServer
  /** One database for all: each test has keys of its own. */
  let connection: ClientConfig
  const closing: (() => unknown)[] = []
  beforeAll(async () => {
    server = await startTestServer()
    connection = await server.database()
  })
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close()
  })
  afterAll(async () => {
    await server?.close()
  })

  /** A replica: what a process knows of the keys of a database. */
  const replica = (clock = createHandClock()) => {
    const database = createKeyDatabase({
      open: async () => ({ connection, lost: new Promise<never>(() => {}) }),
      log: silentLog,
      clock: { now: clock.now, ticks: () => performance.now() },
    })
    closing.push(() => database.close())
    return { clock, directory: database.directory, store: () => database.store() }
  }
  /** A directory without a database of its own, whose time is that of the test. */
  const directoryOf = (grants: KeyStore['grants'], clock = createHandClock()): KeyDirectory => {
    const directory = createKeyDirectory({ now: () => clock.now() * 1000, ticks: clock.ticks, grants })
    directory.saw(1n, clock.ticks())
    return directory
  }
  const free = { network: 'mainnet', owner: 'alice', plan: 'free' }

  it('keys are stored as hashes, with their plan', async () => {
    const { store, directory } = replica()
    const { key, record } = await (await store()).create({ ...free, label: 'shop', plan: 'plus' })
    expect(record).toMatchObject({
      network: 'mainnet',
      owner: 'alice',
      plan: 'plus',
      label: 'shop',
      expiresAt: undefined,
      revokedAt: undefined,
    })
    const state = await directory.find(record.id)
    expect(state).toMatchObject({ id: record.id, rps: 25, servers: 'private', bucket: 'k:mainnet:plus:alice', revokedAt: undefined })
    expect(isKeyOf(key, state!.hash)).toBe(true)
    const dumped = JSON.stringify(await server.run(connection, 'select k::text from api_keys k'))
    expect(dumped).toContain(record.id)
    expect(dumped).not.toContain(key.slice(16))
    await expect((await store()).create({ ...free, plan: 'nonesuch' })).rejects.toThrow('there is no plan nonesuch for mainnet')
  })

  it('keys are queried once, and together, however many calls wait for them', async () => {
    const { store } = replica()
    const keys = await store()
    const made = await Promise.all(Array.from({ length: 20 }, async () => (await keys.create(free)).record.id))
    let queries = 0
    const directory = directoryOf((ids) => {
      queries++
      return keys.grants(ids)
    })
    const found = await Promise.all(made.flatMap((id) => [directory.find(id), directory.find(id)]))
    expect(found.every((state) => state?.owner === 'alice')).toBe(true)
    expect([queries, directory.size()]).toEqual([1, 20])
  })

  it('changes of keys reach every replica within a second: revoked, made, and under a new plan', async () => {
    const [one, two] = [replica(), replica()]
    const { record } = await (await one.store()).create(free)
    const unborn = 'A'.repeat(12)
    for (const { directory } of [one, two]) {
      expect(await directory.find(record.id)).toMatchObject({ revokedAt: undefined, rps: 10 })
      expect(await directory.find(unborn)).toBeUndefined()
    }
    await (await two.store()).setPlan({ name: 'free', network: 'mainnet', rps: 7, servers: undefined, limits: {} })
    for (const { directory } of [one, two]) await expect.poll(() => directory.find(record.id)).toMatchObject({ rps: 7, servers: undefined })
    await (await one.store()).revoke(record.id)
    for (const { directory } of [one, two])
      await expect.poll(() => directory.find(record.id)).toMatchObject({ revokedAt: expect.any(Date) })
  })

  it('a key that another program revokes is refused, if it counts the change', async () => {
    const { store, directory } = replica()
    const { record } = await (await store()).create(free)
    expect(await directory.find(record.id)).toMatchObject({ revokedAt: undefined })
    await server.run(
      connection,
      `update api_keys set revoked_at = now() where id = '${record.id}'; update api_changes set count = count + 1`,
    )
    await expect.poll(() => directory.find(record.id)).toMatchObject({ revokedAt: expect.any(Date) })
  })

  it('a database that is not to be read any more is left, although it still answers', async () => {
    const lost: ((why: string) => void)[] = []
    const database = createKeyDatabase({
      open: async () => ({ connection, lost: new Promise((resolve) => lost.push(resolve)) }),
      ...{ log: silentLog, clock: systemClock },
    })
    closing.push(() => database.close())
    await database.store()
    await until(() => database.well())
    lost[0]!('the replica is 6 s behind')
    await until(() => lost.length === 2)
    await until(() =>
      database.store().then(
        () => true,
        () => false,
      ),
    )
  })

  it('watchers of a key are told that it has ended', async () => {
    const { store, directory, clock } = replica()
    const keys = await store()
    const revoked = (await keys.create(free)).record.id
    const expiring = (await keys.create({ ...free, expiresAt: new Date((clock.now() + 60) * 1000) })).record.id
    const ended: string[] = []
    for (const id of [revoked, expiring]) directory.watch(id, (reason) => ended.push(id, reason))
    const left = directory.watch(revoked, () => ended.push('nobody'))
    left()
    await keys.revoke(revoked)
    await expect.poll(() => ended.splice(0)).toEqual([revoked, 'the API key was revoked'])
    clock.pass(61_000)
    await expect.poll(() => ended.splice(0)).toEqual([expiring, 'the API key has expired'])
  })

  it('watchers of a key hear that it has expired while the database is away', async () => {
    const clock = createHandClock()
    const lost: ((why: string) => void)[] = []
    const open = async () => {
      if (lost.length > 0) throw new Error('connection refused')
      return { connection, lost: new Promise<string>((resolve) => lost.push(resolve)) }
    }
    const { store, directory, well, close } = createKeyDatabase({ open, log: silentLog, clock: { ...systemClock, now: clock.now } })
    closing.push(close)
    const { record } = await (await store()).create({ ...free, expiresAt: new Date((clock.now() + 60) * 1000) })
    const ended: string[] = []
    directory.watch(record.id, (reason) => ended.push(reason))
    // The new key is a change, which empties the cache once. The sweep after it reads the watched key again.
    await sleep(1_000)
    await until(() => directory.size() === 1)
    lost[0]!('the server has ended')
    await until(() => !well())
    clock.pass(61_000)
    await expect.poll(() => ended).toEqual(['the API key has expired'])
  })

  it('rotated keys overlap for a while', async () => {
    const { store, directory, clock } = replica()
    const keys = await store()
    const shop = { ...free, owner: 'shop' }
    const old = (await keys.create({ ...shop, label: 'till' })).record.id
    clock.pass(1_000)
    const { key, record } = await keys.rotate(old, 3_600_000)
    expect(record).toMatchObject({ ...shop, label: 'till', expiresAt: undefined })
    expect(idOfKey(key)).toBe(record.id)
    const [before, after] = [await directory.find(old), await directory.find(record.id)]
    expect(before!.expiresAt?.getTime()).toBe(clock.now() * 1000 + 3_600_000)
    // Both share one limit meanwhile.
    expect(before!.bucket).toBe(after!.bucket)
    expect(await keys.list({ owner: 'shop' })).toMatchObject([
      { id: old, rotatedTo: record.id },
      { id: record.id, rotatedTo: undefined },
    ])
    await expect(keys.rotate(old, 0)).rejects.toThrow(`has already been replaced by ${record.id}`)
    clock.pass(3_601_000)
    await expect(keys.rotate(old, 0)).rejects.toThrow('has expired')
    await keys.revoke(record.id)
    await expect(keys.rotate(record.id, 0)).rejects.toThrow('is revoked')
    await expect(keys.rotate('nonesuch', 0)).rejects.toThrow('there is no key nonesuch')
    await expect(keys.revoke('nonesuch')).rejects.toThrow('there is no key nonesuch')
  })

  it('keys stay valid for a minute while the database is away, and callers with unknown keys are told that it is', async () => {
    const clock = createHandClock()
    let away = false
    const { store } = replica()
    const keys = await store()
    const { record } = await keys.create(free)
    const directory = directoryOf(async (ids) => {
      if (away) throw new Error('Connection terminated unexpectedly')
      return keys.grants(ids)
    }, clock)
    const known = (await directory.find(record.id))!
    away = true
    clock.pass(1_500)
    expect(await directory.find(record.id)).toBe(known)
    await expect(directory.find('B'.repeat(12))).rejects.toMatchObject({ kind: 'UNAVAILABLE', retryAfter: 1 })
    clock.pass(57_000)
    expect(await directory.find(record.id)).toBe(known)
    clock.pass(3_000)
    await expect(directory.find(record.id)).rejects.toMatchObject({ kind: 'UNAVAILABLE' })
    away = false
    directory.saw(1n, clock.ticks())
    expect(await directory.find(record.id)).toMatchObject({ id: record.id })
    expect(directory.find(record.id)).toMatchObject({ id: record.id })
  })

  it('known keys do not wait for a database that hangs', async () => {
    const { store } = replica()
    const keys = await store()
    const { record } = await keys.create(free)
    const clock = createHandClock()
    let hangs = false
    const directory = directoryOf((ids) => (hangs ? new Promise(() => {}) : keys.grants(ids)), clock)
    const known = (await directory.find(record.id))!
    hangs = true
    clock.pass(1_500)
    expect([directory.find(record.id), directory.find(record.id)]).toEqual([known, known])
  })

  it('an answer that a change overtakes is used once, and whoever watches the key is told', async () => {
    const { store } = replica()
    const keys = await store()
    const { record } = await keys.create(free)
    const ended: string[] = []
    let isOvertaken = false
    const directory: KeyDirectory = directoryOf(async (ids) => {
      const answer = await keys.grants(ids)
      if (!isOvertaken) {
        isOvertaken = true
        await keys.revoke(record.id)
        directory.saw(2n, 0)
      }
      return answer
    })
    const outdated = (await directory.find(record.id))!
    expect([outdated.revokedAt, directory.size()]).toEqual([undefined, 0])
    directory.watch(record.id, () => ended.push(record.id))
    directory.saw(2n, 0)
    expect(await directory.find(record.id)).toMatchObject({ revokedAt: expect.any(Date) })
    expect(directory.newest(outdated).revokedAt).toBeInstanceOf(Date)
    await expect.poll(() => ended).toEqual([record.id])
  })

  it('keys that were changed by hand are asked for again after half a minute', async () => {
    const { store } = replica()
    const { record } = await (await store()).create(free)
    const clock = createHandClock()
    const keys = await store()
    const directory = directoryOf(keys.grants, clock)
    const ended: string[] = []
    await directory.find(record.id)
    directory.watch(record.id, () => ended.push(record.id))
    await server.run(connection, 'delete from api_keys where id = $1', [record.id])
    clock.pass(29_000)
    directory.saw(1n, clock.ticks())
    expect(directory.find(record.id)).toMatchObject({ id: record.id })
    clock.pass(2_000)
    directory.saw(1n, clock.ticks())
    expect(await directory.find(record.id)).toBeUndefined()
    await expect.poll(() => ended).toEqual([record.id])
  })

  it('the directory of keys works again after its connections were cut', async () => {
    const { store, directory } = replica()
    const { record } = await (await store()).create(free)
    expect(await directory.find(record.id)).toMatchObject({ revokedAt: undefined })
    const pool = new Pool(connection)
    closing.push(() => pool.end())
    for (let round = 0; round < 3; round++) {
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tonway-access' and datname = current_database()`,
      )
      await expect.poll(async () => directory.find(record.id)).toMatchObject({ id: record.id })
    }
    await pool.query('update api_keys set revoked_at = now() where id = $1', [record.id])
    await pool.query('update api_changes set count = count + 1')
    await expect.poll(() => directory.find(record.id)).toMatchObject({ revokedAt: expect.any(Date) })
  })
})
