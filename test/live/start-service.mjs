// The built service in a process of its own, for the tools of this folder.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url))
const PATIENCE_MS = 60_000
const POLL_MS = 200

/** The URL in the banner of a service. Rejects if the service ends before. */
const printedUrl = (service) =>
  new Promise((resolve, reject) => {
    let said = ''
    service.stdout.on('data', (chunk) => {
      said += chunk
      const found = /JSON-RPC\s+(http\S+)\/jsonRPC/.exec(said)?.[1]
      if (found) resolve(found)
    })
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${said}`)))
  })

/** Starts the service on a free port; by default with a new chain and its index. Resolves when it is ready. */
export const startService = async (...flags) => {
  // A name that begins with TONWAY_ and is no setting is refused, and these tools have such names.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TONWAY_')))
  const service = spawn(process.execPath, [MAIN, '--port', '0', '--log', 'error', '--log-format', 'text', ...flags], {
    env,
    // Its errors are shown: a pipe that nobody reads would stop it when it is full.
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await printedUrl(service)
  const end = Date.now() + PATIENCE_MS
  while (!(await fetch(`${url}/ready`).catch(() => undefined))?.ok) {
    if (Date.now() > end) {
      service.kill('SIGKILL')
      throw new Error(`the service is not ready after ${PATIENCE_MS / 1000} s`)
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return { url, stop: () => service.kill('SIGTERM') }
}
