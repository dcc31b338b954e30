/*
 * Loaded into a service by NODE_OPTIONS. On SIGUSR2 its main thread collects its garbage. COLLECTED, a file, gets the bytes that are left: `heap` and `external` of
 * that thread, and `rss` of the process.
 */
import { renameSync, writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

process.on('SIGUSR2', () => {
  collect()
  const { heapUsed: heap, external, rss } = process.memoryUsage()
  writeFileSync(`${process.env.COLLECTED}.new`, JSON.stringify({ heap, external, rss }))
  renameSync(`${process.env.COLLECTED}.new`, process.env.COLLECTED)
})
