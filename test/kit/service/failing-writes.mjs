/*
 * Loaded into a service by NODE_OPTIONS. FAILING_WRITES (JSON): the write of this number (`at`, from 1) to a file below `folder` goes wrong in a `way`:
 *   refused   it fails once (EIO)
 *   full      it fails, and so does every later one (ENOSPC)
 *   torn      half of it is written, then the process dies
 *   lost      the process dies before it
 *   unsynced  not a write but the sync of this number fails once (EIO): how many syncs there are depends on time, so they are counted apart
 * `report`: a file that gets the number of writes at the end, or at the one that goes wrong.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const { folder, at, way, report } = JSON.parse(process.env.FAILING_WRITES)
const { openSync, closeSync, writeSync, writeFileSync } = fs
const open = new Set()
let count = 0

const failure = (code) => Object.assign(new Error(`${code}: planted, write`), { code, syscall: 'write' })
const die = () => {
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment, in which nothing may be written.
  for (;;);
}
/** Counts a write. Throws, or kills the process, if it is the one that goes wrong. `tear`: writes a half of it. */
const meet = (tear = () => {}) => {
  count++
  if (count < at || (count > at && way !== 'full')) return
  if (count === at) writeFileSync(report, String(count))
  if (way === 'refused' || way === 'unsynced') throw failure('EIO')
  if (way === 'full') throw failure('ENOSPC')
  if (way === 'torn') tear()
  die()
}
const meetWrite = (tear) => way !== 'unsynced' && meet(tear)
const meetSync = () => {
  if (way === 'unsynced') meet()
  if (way === 'full' && count >= at) throw failure('ENOSPC')
}
const isInside = (path) => typeof path === 'string' && path.startsWith(folder)

if (isMainThread) {
  fs.openSync = (path, ...rest) => {
    const file = openSync(path, ...rest)
    if (isInside(path)) open.add(file)
    return file
  }
  fs.closeSync = (file) => {
    open.delete(file)
    closeSync(file)
  }
  fs.writeSync = (file, data, offset, length, position) => {
    if (open.has(file)) meetWrite(() => writeSync(file, data, offset, Math.floor(length / 2), position))
    return writeSync(file, data, offset, length, position)
  }
  const { ftruncateSync } = fs
  fs.ftruncateSync = (file, length) => {
    if (open.has(file)) meetWrite()
    ftruncateSync(file, length)
  }
  const { fdatasync } = fs
  fs.fdatasync = (file, done) => {
    try {
      if (open.has(file)) meetSync()
    } catch (error) {
      setImmediate(done, error)
      return
    }
    fdatasync(file, done)
  }
  for (const name of ['writeFileSync', 'renameSync', 'linkSync', 'copyFileSync']) {
    const original = fs[name]
    fs[name] = (path, ...rest) => {
      if (isInside(path)) meetWrite()
      return original(path, ...rest)
    }
  }
  syncBuiltinESMExports()
  process.on('exit', () => {
    if (count < at) writeFileSync(report, String(count))
  })
}
