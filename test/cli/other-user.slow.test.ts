import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closedDirectory } from '../../server/store/postgres/embedded/server-user.ts'
import { ask } from '../kit/service/client.ts'
import { builtService, type Started } from '../kit/service/process.ts'

/* A data directory of one user, used by another: root's commands beside a service that systemd starts as its own user, and copies that root made. */

/** The user `daemon`, whom every system has: initdb looks for a name, which systemd gives to its dynamic users too. */
const UID = 1
const canSwitch = process.getuid?.() === 0 && closedDirectory(builtService.folder, { name: 'service', uid: UID, gid: UID }) === undefined

let folder: string
const services: Started[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tonway-owner-'))
  chmodSync(folder, 0o711)
})
afterAll(async () => {
  for (const { child } of services) child.kill('SIGKILL')
  await Promise.all(services.map(({ ended }) => ended))
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const SERVE = ['--port', '0', '--index', 'on', '--liteserver-port', 'off', '--block-time', '0', '--log', 'info', '--keys', 'on']
const serve = async (dataDir: string, uid?: number): Promise<{ readonly url: string; stop(): Promise<void> }> => {
  const service = builtService.start(['serve', '--data-dir', dataDir, ...SERVE], uid === undefined ? {} : { uid })
  services.push(service)
  const url = await service.ready
  return {
    url,
    async stop() {
      service.child.kill('SIGTERM')
      expect((await service.ended).code).toBe(0)
    },
  }
}
const isReady = (url: string) => expect.poll(async () => (await ask(`${url}/ready`)).status, { timeout: 60_000 }).toBe(200)

const create = async (dataDir: string, owner: string): Promise<{ code: number | null; out: string; err: string }> => {
  const command = builtService.start(['keys', 'create', '--owner', owner, '--data-dir', dataDir])
  return await command.ended
}
const statusWith = async (url: string, key: string): Promise<number> =>
  (await ask(`${url}/api/v2/getMasterchainInfo`, { headers: { 'X-API-Key': key } })).status

const ownersIn = (path: string): ReadonlySet<number> =>
  new Set(readdirSync(path, { recursive: true }).map((name) => lstatSync(join(path, String(name))).uid))

const directoryOf = (uid: number, ...names: readonly string[]): string => {
  const dataDir = join(folder, ...names)
  mkdirSync(dataDir, { mode: 0o755 })
  chownSync(dataDir, uid, uid)
  return dataDir
}

describe.skipIf(!canSwitch)('a data directory of another user (skipped unless root, in a folder that everybody can read)', () => {
  it('root makes keys beside a service of another user, and while it is stopped', { timeout: 180_000 }, async () => {
    const dataDir = directoryOf(UID, 'service')
    const first = await serve(dataDir, UID)
    await isReady(first.url)
    const beside = await create(dataDir, 'alice')
    expect(beside, beside.err).toMatchObject({ code: 0, out: expect.stringMatching(/^tw_/) })
    await expect.poll(() => statusWith(first.url, beside.out.trim())).toBe(200)
    await first.stop()
    const alone = await create(dataDir, 'bob')
    expect(alone, alone.err).toMatchObject({ code: 0, out: expect.stringMatching(/^tw_/) })
    expect(ownersIn(dataDir)).toEqual(new Set([UID]))
    const second = await serve(dataDir, UID)
    await isReady(second.url)
    for (const { out } of [beside, alone]) expect(await statusWith(second.url, out.trim())).toBe(200)
    expect(await statusWith(second.url, 'tw_no')).toBe(401)
    await second.stop()
  })

  it('in a folder that only root can enter, keys wait for the service, and root is told so', { timeout: 120_000 }, async () => {
    const dataDir = directoryOf(UID, 'waiting')
    const first = await serve(dataDir, UID)
    await isReady(first.url)
    await first.stop()
    chmodSync(folder, 0o700)
    try {
      expect(await create(dataDir, 'carol')).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining(`user ${UID}, who has it, cannot enter ${folder}: start the service, and repeat this while it runs`),
      })
    } finally {
      chmodSync(folder, 0o711)
    }
    expect(ownersIn(dataDir)).toEqual(new Set([UID]))
  })

  it('a copy that root made with cp -r has the rows of the original', { timeout: 180_000 }, async () => {
    const original = directoryOf(UID, 'original')
    const first = await serve(original, UID)
    await isReady(first.url)
    const rows = async (url: string) => (await ask<{ blocks: unknown[] }>(`${url}/api/v3/blocks?workchain=-1&sort=asc&limit=1`)).body
    const before = await rows(first.url)
    expect(before.blocks.length).toBeGreaterThan(0)
    const { out: key } = await create(original, 'dora')
    await first.stop()
    const copy = join(folder, 'copy')
    execFileSync('cp', ['-r', original, copy])
    expect(ownersIn(copy)).toEqual(new Set([0]))
    const second = await serve(copy)
    await isReady(second.url)
    expect(await rows(second.url)).toEqual(before)
    expect(await statusWith(second.url, key.trim())).toBe(200)
    await second.stop()
  })

  it('a service that cannot use the files of another user says so, and what to do', { timeout: 120_000 }, async () => {
    const dataDir = directoryOf(UID, 'foreign')
    const first = await serve(dataDir, UID)
    await isReady(first.url)
    await first.stop()
    // As if only the database came from a copy.
    execFileSync('chown', ['-R', '0', join(dataDir, 'postgres')])
    const service = builtService.start(['serve', '--data-dir', dataDir, ...SERVE], { uid: UID })
    services.push(service)
    const url = await service.ready
    const cause = 'the files of the database belong to another user, as after cp -r: the log says what to do'
    await expect
      .poll(async () => (await ask<{ troubles?: string[] }>(`${url}/ready`)).body.troubles, { timeout: 30_000 })
      .toContainEqual(expect.stringContaining(cause))
    expect((await ask<{ index: unknown }>(`${url}/status`)).body.index).toMatchObject({ cause })
    service.child.kill('SIGTERM')
    expect((await service.ended).err).toContain(`belongs to user 0, and this process is user ${UID}: give it the data directory`)
  })
})
