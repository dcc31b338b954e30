// `npm run dev [-- flags]`: builds and starts the service, and repeats that after each change of a source. Flags that begin with --inspect are passed to node,
// all others to the service. Stack traces refer to the sources, in threads too.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'

/** Editors write a file in several steps, so the build waits until nothing changes for this time. */
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

// Only one restart runs at a time. A change during a restart causes another one.
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
