// Starts the service like `npm start` and sends it two requests. Prints the time to the first answer (goal: 2 s) and fails after 15 s.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const port = 20_000 + Math.floor(Math.random() * 20_000)
const url = `http://127.0.0.1:${port}`
const started = performance.now()
const child = spawn(process.execPath, ['dist/server/main.js'], {
  env: { ...process.env, TONWAY_PORT: String(port) },
  stdio: ['ignore', 'pipe', 'inherit'],
})
let output = ''
child.stdout.on('data', (chunk) => {
  output += chunk
})
const exited = new Promise((resolve) => child.once('exit', (code) => resolve(code)))

const fail = (text) => {
  console.error(`smoke: ${text}`)
  child.kill('SIGKILL')
  process.exit(1)
}

let answer
while (!answer) {
  if (performance.now() - started > 15_000) fail(`no answer within 15 s; output:\n${output}`)
  try {
    const response = await fetch(`${url}/api/v2/getMasterchainInfo`)
    if (response.ok) answer = await response.json()
    else await sleep(10)
  } catch {
    await sleep(10)
  }
}
const first = Math.round(performance.now() - started)
console.log(`smoke: first answer after ${first} ms, masterchain seqno ${answer.result.last.seqno}`)

const batch = await fetch(`${url}/jsonRPC`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify([
    { jsonrpc: '2.0', id: 1, method: 'getMasterchainInfo', params: {} },
    { jsonrpc: '2.0', id: 2, method: 'local.wallets', params: {} },
  ]),
}).then((response) => response.json())
if (!Array.isArray(batch) || batch.length !== 2 || batch.some((item) => item.error)) fail(`batch: ${JSON.stringify(batch)}`)

const stopping = performance.now()
child.kill('SIGTERM')
const code = await exited
if (code !== 0) fail(`exit code ${code} after SIGTERM`)
console.log(`smoke: stopped in ${Math.round(performance.now() - stopping)} ms`)
