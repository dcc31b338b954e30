// Other people's tools against the service, most of them against the embedded chain's lite-server:
// `npm run build && node test/live/run.mjs [--allow-missing=tool,tool] [tool ...]`. Each is installed into a temporary directory, syncs from the generated
// global config with its own proof checks, reads and sends. Needs the network, python3, go. A tool that cannot be installed fails, unless it is named in
// --allow-missing.
import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))

const pip = async (folder, name) => {
  await run('python3', ['-m', 'venv', join(folder, 'venv')])
  await run(join(folder, 'venv/bin/pip'), ['install', '--quiet', name], { timeout: 300_000 })
}
const python = (folder) => join(folder, 'venv/bin/python')

const TONUTILS = 'github.com/xssnick/tonutils-go'

/** Each: how it is installed and what is run; `still`: on a chain of its own that makes no idle blocks, so that every answer can be compared. */
const tools = {
  pytoniq: {
    install: (folder) => pip(folder, 'pytoniq'),
    check: (folder) => [python(folder), [join(here, 'pytoniq_check.py')]],
  },
  tonlib: {
    install: (folder) => pip(folder, 'pytonlib'),
    check: (folder) => [python(folder), [join(here, 'tonlib_check.py')]],
  },
  'tonutils-go': {
    async install(folder) {
      cpSync(join(here, 'tonutils'), folder, { recursive: true })
      await run('go', ['mod', 'init', 'live'], { cwd: folder })
      // The head of the repository: the newest release knows no simplex consensus. TONUTILS_GO names a checkout where the module proxy has no heads.
      const checkout = process.env.TONUTILS_GO
      const at = checkout ? ['mod', 'edit', `-replace=${TONUTILS}=${checkout}`] : ['get', `${TONUTILS}@master`]
      await run('go', at, { cwd: folder, timeout: 300_000 })
      await run('go', ['mod', 'tidy'], { cwd: folder, timeout: 300_000 })
      await run('go', ['build', '-o', 'check', '.'], { cwd: folder, timeout: 300_000 })
    },
    check: (folder) => [join(folder, 'check'), []],
  },
  'ton-lite-client': {
    async install(folder) {
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'ton-lite-client', '@ton/core', '@ton/crypto'], {
        timeout: 300_000,
      })
      cpSync(join(here, 'ton-lite-client.mjs'), join(folder, 'check.mjs'))
    },
    check: (folder) => [process.execPath, [join(folder, 'check.mjs')]],
  },
  'generated-client': {
    async install(folder) {
      const packages = ['openapi-typescript@7', 'openapi-fetch@0.14', 'typescript@5']
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages], { timeout: 300_000 })
      cpSync(join(here, 'generated-client.mjs'), join(folder, 'check.mjs'))
    },
    check: (folder) => [process.execPath, [join(folder, 'check.mjs')]],
  },
  'ton-http-api': {
    still: true,
    install: (folder) => pip(folder, 'ton-http-api'),
    check: (folder) => [process.execPath, [join(here, 'ton-http-api.mjs'), join(folder, 'venv/bin/ton-http-api'), folder]],
  },
}

const ALLOW = '--allow-missing='
const given = process.argv.slice(2)
const allowed = given.filter((word) => word.startsWith(ALLOW)).flatMap((word) => word.slice(ALLOW.length).split(','))
const wanted = given.filter((word) => !word.startsWith(ALLOW))
const unknown = [...wanted, ...allowed].filter((name) => !Object.hasOwn(tools, name))
if (unknown.length > 0) {
  console.error(`there is no tool ${unknown.join(', ')}; there are ${Object.keys(tools).join(', ')}`)
  process.exit(2)
}

const work = mkdtempSync(join(tmpdir(), 'tonway-live-'))

/** Starts the built service on a new chain. */
const startService = async (...flags) => {
  const service = spawn(
    process.execPath,
    [join(root, 'dist/server/main.js'), '--port', '0', '--liteserver-port', '0', '--log', 'error', ...flags],
    // Its errors are shown: a pipe that nobody reads would stop it when it is full.
    { cwd: work, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  const url = await new Promise((resolve, reject) => {
    service.stdout.on('data', (chunk) => {
      said += chunk
      const found = /JSON-RPC\s+(http\S+)\/jsonRPC/.exec(said)?.[1]
      if (found) resolve(found)
    })
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${said}`)))
  })
  return { url, stop: () => service.kill('SIGTERM') }
}

/** Whether a tool passed, or is missing and may be. */
const tryTool = async (name, { install, check, still }, shared) => {
  const folder = join(work, name)
  mkdirSync(folder)
  try {
    await install(folder)
  } catch (error) {
    const reason = String(error.stderr || error.message)
      .trim()
      .split('\n')
      .at(-1)
    const may = allowed.includes(name)
    console.log(`${name}: ${may ? 'missing, as is allowed' : 'FAILED'}: could not be installed: ${reason}`)
    return may
  }
  const service = still ? await startService('--block-time', '0') : shared
  const [command, args] = check(folder)
  try {
    const { stdout } = await run(command, args, { cwd: folder, env: { ...process.env, TONWAY_URL: service.url }, timeout: 180_000 })
    console.log(`${name}: passed\n${stdout.replace(/^/gm, '  ').trimEnd()}`)
    return true
  } catch (error) {
    console.log(`${name}: FAILED\n${`${error.stdout ?? ''}${error.stderr ?? error.message}`.replace(/^/gm, '  ').trimEnd()}`)
    return false
  } finally {
    if (still) service.stop()
  }
}

const shared = await startService()
let failed = 0
for (const [name, tool] of Object.entries(tools)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  if (!(await tryTool(name, tool, shared))) failed += 1
}
shared.stop()
rmSync(work, { recursive: true, force: true })
process.exitCode = failed > 0 ? 1 : 0
