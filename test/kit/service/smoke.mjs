// Starts the service like `npm start` and sends it two requests. Prints the time to the first answer (goal: 2 s) and fails after 15 s.
import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const started = performance.now()
const child = spawn(process.execPath, ['dist/server/main.js'], {
  env: { ...process.env, TONWAY_PORT: '0' },
  stdio: ['ignore', 'pipe', 'pipe'],
})
let output = ''
for (const stream of [child.stdout, child.stderr])
  stream.on('data', (chunk) => {
    output += chunk
  })
const exited = new Promise((resolve) => child.once('exit', (code) => resolve(code)))

const fail = (text) => {
  console.error(`smoke: ${text}`)
  child.kill('SIGKILL')
  process.exit(1)
}

const urlIn = (text) => /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0]

let answer
while (!answer) {
  if (performance.now() - started > 15_000) fail(`no answer within 15 s; output:\n${output}`)
  try {
    // It says so once it has chosen a free port.
    const response = await fetch(`${urlIn(output)}/api/v2/getMasterchainInfo`)
    if (response.ok) answer = await response.json()
    else await sleep(10)
  } catch {
    await sleep(10)
  }
}
const first = Math.round(performance.now() - started)
console.log(`smoke: first answer after ${first} ms, masterchain seqno ${answer.result.last.seqno}`)

const batch = await fetch(`${urlIn(output)}/jsonRPC`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify([
    { jsonrpc: '2.0', id: 1, method: 'getMasterchainInfo', params: {} },
    { jsonrpc: '2.0', id: 2, method: 'local.wallets', params: {} },
  ]),
}).then((response) => response.json())
if (!Array.isArray(batch) || batch.length !== 2 || batch.some((item) => item.error)) fail(`batch: ${JSON.stringify(batch)}\n${output}`)

const stopping = performance.now()
child.kill('SIGTERM')
const code = await exited
if (code !== 0) fail(`exit code ${code} after SIGTERM\n${output}`)
console.log(`smoke: stopped in ${Math.round(performance.now() - stopping)} ms`)
