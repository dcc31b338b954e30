// Follows the pages of server/start/tools by the letter, each in an empty folder: `node test/live/follow.mjs [page ...]`. Needs the network, and what
// the pages need: npm, python3, go. TONWAY_TARBALL names a package that is packed already; TONWAY_KEEP=1 keeps the folders.
// Blocks of a page, by the words after the language:
//   sh              commands; they must succeed. The folder that they end in is that of the next block
//   sh fails        commands that must fail
//   sh background   a service that goes on until the page ends; it is waited for, at its --port if it names one
//   text            each line is found in the output of the commands before, in this order
//   <language> <path>   a file
import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = join(root, 'server/start/tools')
const names = readdirSync(pages).map((file) => file.replace('.md', ''))

/** Programs that no package registry has, by the page that needs them: without its program a page is left out. */
const PROGRAMS = { acton: 'acton', claude: 'claude', cursor: 'cursor' }

/** Ports that pages name; free ones take their place. The first is that of a service without --port. */
const PORTS = [8081, 9081]
/** Commands of a page may install a compiler. */
const MOST_MS = 600_000

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const blocksOf = (text) =>
  [...text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(([whole, language, word, code]) => ({
    language,
    word,
    code,
    line: text.slice(0, text.indexOf(whole)).split('\n').length,
  }))

/** Runs commands in a shell; answers their output, whether they succeeded, and the folder that they end in. */
const shell = async (code, cwd, env) => {
  const script = `set -euo pipefail\n${code}\npwd >&3`
  const child = spawn('bash', ['-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'], timeout: MOST_MS })
  let output = ''
  let folder = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  child.stdio[3].on('data', (chunk) => (folder += chunk))
  const status = await new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)))
  return { output, succeeded: status === 0, folder: folder.trim() || cwd }
}

/** Starts a service and waits until it is ready. */
const background = async (code, cwd, env) => {
  const port = code.match(/--port (\d+)/)?.[1] ?? env.TONWAY_PORT
  const child = spawn('bash', ['-c', code], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise((_, reject) => child.once('close', (code) => reject(new Error(`ended with ${code}: ${output}`))))
  const ready = async () => {
    for (;;) {
      const reply = await fetch(`http://127.0.0.1:${port}/ready`).catch(() => undefined)
      if (reply?.ok) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const stop = () => {
    ended.catch(() => {})
    try {
      process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It has ended.
    }
  }
  await Promise.race([ready(), ended])
  return stop
}

/** Throws unless the lines are in the text, in this order. */
const expectLines = (lines, text) => {
  let from = 0
  for (const line of lines) {
    const at = text.indexOf(line, from)
    if (at < 0) throw new Error(`the output does not have "${line}" at its place:\n${text}`)
    from = at + line.length
  }
}

const follow = async (name, tarball) => {
  const work = mkdtempSync(join(tmpdir(), `tonway-page-${name}-`))
  const free = new Map(await Promise.all(PORTS.map(async (port) => [String(port), String(await freePort())])))
  const withFreePorts = (text) =>
    text.replace(/(:|--port )(\d+)\b/g, (whole, before, port) => (free.has(port) ? before + free.get(port) : whole))
  const own = (text) => withFreePorts(text).replace(/"\$\(npm pack -q --no-foreground-scripts [./]*tonway\)"/g, tarball)
  // The settings of this program are no settings of tonway.
  const { TONWAY_TARBALL: _, TONWAY_KEEP: __, ...outer } = process.env
  const env = { ...outer, TONWAY_PORT: free.get(String(PORTS[0])), CI: 'true' }
  const stops = []
  let cwd = join(work, 'project')
  let last = ''
  mkdirSync(cwd)
  try {
    for (const { language, word, code, line } of blocksOf(readFileSync(join(pages, `${name}.md`), 'utf8'))) {
      const fail = (why) => {
        throw new Error(`line ${line}: ${why}`)
      }
      if (language === 'text') {
        try {
          expectLines(code.trim().split('\n'), last)
        } catch (error) {
          fail(error.message)
        }
      } else if (language === 'sh' && word === 'background') {
        stops.push(await background(own(code), cwd, env).catch((error) => fail(error.message)))
      } else if (language === 'sh') {
        const { output, succeeded, folder } = await shell(own(code), cwd, env)
        if (succeeded === (word === 'fails')) fail(`${code}${succeeded ? 'succeeded' : 'failed'}:\n${output}`)
        last = output
        cwd = folder
      } else if (word !== undefined) {
        mkdirSync(dirname(join(cwd, word)), { recursive: true })
        writeFileSync(join(cwd, word), own(code))
      } else fail(`a block of ${language} without a path`)
    }
  } finally {
    for (const stop of stops) stop()
    if (process.env.TONWAY_KEEP === undefined) rmSync(work, { recursive: true, force: true, maxRetries: 3 })
    else console.log(`kept: ${work}`)
  }
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`there is no page ${unknown.join(', ')}; there are ${names.join(', ')}`)
  process.exit(2)
}

/** Whether there is a program of this name. */
const isInstalled = (program) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  )

/** Packs the package; answers the path of the tarball. */
const pack = async (folder) => {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, maxBuffer: 64 << 20 })
  return join(folder, stdout.trim().split('\n').at(-1))
}

const packed = mkdtempSync(join(tmpdir(), 'tonway-pack-'))
const tarball = process.env.TONWAY_TARBALL ?? (await pack(packed))
let failed = 0
for (const name of names) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const program = PROGRAMS[name]
  if (program !== undefined && !(await isInstalled(program))) {
    console.log(`${name}: skipped, ${program} is not installed`)
    continue
  }
  try {
    await follow(name, tarball)
    console.log(`${name}: passed`)
  } catch (error) {
    failed += 1
    console.log(`${name}: FAILED\n${error.message.replace(/^/gm, '  ')}`)
  }
}
rmSync(packed, { recursive: true, force: true })
process.exitCode = failed > 0 ? 1 : 0
