// `npm run dev [-- flags]`: builds, starts the service, and builds and starts it again at each change of a source. Flags of node that begin with --inspect go to node; all
// others are the service's. Stack traces show the sources, in threads too.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'

/** Editors write a file in several steps. */
const QUIET_MS = 150
const FOLDERS = ['server', 'shared', 'client']

const words = process.argv.slice(2)
const isForNode = (word) => word.startsWith('--inspect')
const nodeFlags = ['--enable-source-maps', ...words.filter(isForNode)]
const flags = words.filter((word) => !isForNode(word))

const run = (args) => spawn(process.execPath, args, { stdio: 'inherit' })

let service
const stop = async () => {
  if (!service || service.exitCode !== null || service.signalCode !== null) return
  service.kill('SIGTERM')
  await once(service, 'exit')
}

const restart = async () => {
  const [code] = await once(run(['server/build/build.mjs']), 'exit')
  if (code !== 0) return console.error('dev: the build failed; the service goes on as it was until the next change')
  await stop()
  service = run([...nodeFlags, 'dist/server/main.js', ...flags])
}

// One restart at a time; what changes meanwhile makes one more.
let isChanged = false
let isWorking = false
const work = async () => {
  isChanged = true
  if (isWorking) return
  isWorking = true
  while (isChanged) {
    isChanged = false
    await restart()
  }
  isWorking = false
}

let timer
for (const folder of FOLDERS)
  watch(folder, { recursive: true }, () => {
    clearTimeout(timer)
    timer = setTimeout(work, QUIET_MS)
  })
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, async () => {
    await stop()
    process.exit(0)
  })
await work()
