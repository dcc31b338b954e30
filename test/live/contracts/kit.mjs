// What a run of another repository's programs needs: a checkout, a service, answers to questions.
import { execFile, spawn } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rpc } from '../peers/service.mjs'
import { startService as startProcess } from '../start-service.mjs'

const run = promisify(execFile)
const here = fileURLToPath(new URL('.', import.meta.url))

/** The types of scripts are theirs to check: it takes most of their time. */
const QUICKER = { TS_NODE_TRANSPILE_ONLY: 'true' }

/** Most time of one program: compilers are among them. */
const MOST_MS = 900_000
const PATIENCE_MS = 60_000
const POLL_MS = 200

/** The folder with checkouts `<owner>/<name>`. */
const CHECKOUTS = process.env.TONWAY_CONTRACTS

/** Copies the checkout of a repository into `folder`; answers its folder there. Throws if it is not at the commit. */
export const checkOut = async (folder, repository, commit) => {
  if (!CHECKOUTS) throw new Error(`set TONWAY_CONTRACTS to a folder that has ${repository} at commit ${commit}`)
  const clone = join(folder, 'repository')
  await cp(join(CHECKOUTS, repository), clone, { recursive: true, filter: (path) => !path.endsWith('/node_modules') })
  const { stdout } = await run('git', ['rev-parse', 'HEAD'], { cwd: clone })
  if (stdout.trim() !== commit) throw new Error(`${repository} is at ${stdout.trim()}, and must be at ${commit}`)
  return clone
}

/** Throws unless the files of a checkout are those of its commit. */
export const expectUnchanged = async (clone) => {
  const { stdout } = await run('git', ['status', '--porcelain', '--untracked-files=no'], { cwd: clone })
  if (stdout !== '') throw new Error(`files of the repository were changed:\n${stdout}`)
}

export const npm = (folder, ...words) =>
  run('npm', [...words, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
    timeout: MOST_MS,
    maxBuffer: 16 << 20,
  })

/** Waits until the work answers something; throws what it threw last, or says what was waited for. */
export const until = async (what, work) => {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const found = await work()
    if (found) return found
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

/** Starts the service with its index; `call` calls a method, `get` asks v3 as others do. */
export const startService = async () => {
  const { url, stop } = await startProcess('--liteserver-port', 'off')
  const call = (method, params = {}) => rpc(url, method, params)
  const { wallets } = await call('local.wallets')
  return {
    url,
    wallet: wallets[0],
    call,
    get: async (path) => (await fetch(`${url}/api/v3/${path}`)).json(),
    stop,
  }
}

/**
 * Runs a program in a checkout with its requests sent to the service, and answers its output. `answers`: by the beginning of a question, what is typed
 * when it is asked; each question is asked once. Throws if the program fails or leaves a question out.
 */
export const runProgram = async ({ clone, url, env, command, answers = {} }) => {
  const [file, ...words] = command
  const child = spawn(join(clone, file), words, {
    cwd: clone,
    env: { ...process.env, ...env, TONWAY_URL: url, NODE_OPTIONS: `--require ${join(here, 'redirect.cjs')}`, ...QUICKER },
    timeout: MOST_MS,
  })
  let output = ''
  const open = new Map(Object.entries(answers))
  const read = (chunk) => {
    output += chunk
    for (const [question, answer] of open)
      if (output.includes(question)) {
        open.delete(question)
        child.stdin.write(`${answer}\n`)
      }
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${output}`)
  if (open.size > 0) throw new Error(`${command.join(' ')} did not ask ${[...open.keys()].join(', ')}:\n${output}`)
  return output
}

/** Throws unless the text has each of these. */
export const expectAll = (text, ...parts) => {
  const missing = parts.filter((part) => !text.includes(part))
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}\n${text}`)
}
