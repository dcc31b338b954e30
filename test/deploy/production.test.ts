import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { post, rpc, rpcRequest } from '../kit/service/client.ts'
import { type BuiltService, buildService, type Started } from '../kit/service/process.ts'

/* The built service beside the packages that `npm ci --omit=dev` installs, and no others. */

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Locked {
  readonly dev?: boolean
  readonly devOptional?: boolean
}
/** Packages of package-lock.json at the top of node_modules that are not for development only. Nested ones come with theirs. */
const productionPackages = (): string[] => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && dev !== true && devOptional !== true)
    .map(([path]) => path)
}

let service: BuiltService
let folder: string
let started: Started | undefined
beforeAll(async () => {
  service = await buildService()
  folder = mkdtempSync(join(tmpdir(), 'tonway-test-'))
  cpSync(service.folder, join(folder, 'dist'), { recursive: true })
  for (const path of productionPackages()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(join(root, path), join(folder, path))
  }
})
afterAll(async () => {
  started?.child.kill('SIGTERM')
  await started?.ended
  service?.remove()
  rmSync(folder, { recursive: true, force: true })
})

it('starts, makes blocks and runs get-methods in both kinds of threads without the packages for development', async () => {
  const resolve = createRequire(join(folder, 'dist/server/main.js')).resolve
  for (const name of ['@ton/sandbox', '@ton/core', 'vitest']) expect(() => resolve(name)).toThrow('Cannot find module')
  // Packages find each other here, and not in the project that the links point to.
  const env = { NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main' }
  const argv = ['--port', '0', '--index', 'off', '--liteserver-port', 'off', '--block-time', '0']
  started = service.start(argv, { from: join(folder, 'dist'), cwd: folder, env })
  const url = await started.ready
  const address = `0:${'11'.repeat(32)}`
  // DROP, PUSHINT 5
  const code = 'te6cckEBAQEABAAABDB1QcVgwQ=='
  await rpc(url, 'local.setAccount', { address, balance: '1000000000', code, data: 'te6cckEBAQEAAgAAAEysuc0=' })
  await rpc(url, 'local.sendInternal', { from: `0:${'22'.repeat(32)}`, to: address, amount: '100000000' })
  const params = { address, method: 1, stack: [] }
  expect(await rpc(url, 'runGetMethod', params)).toMatchObject({ exit_code: 0, stack: [['num', '0x5']] })
  // A traced run goes to a thread of the pool.
  const traced = await post(`${url}/jsonRPC`, rpcRequest('runGetMethod', { ...params, trace: true }))
  expect(traced.body).toMatchObject({
    result: { exit_code: 0, trace: { steps: [{ instruction: 'DROP' }, { instruction: 'PUSHINT 5' }, {}] } },
  })
})
