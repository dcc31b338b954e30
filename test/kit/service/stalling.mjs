/*
 * Loaded into a service by NODE_OPTIONS. On SIGUSR2 the event loop of the process stands still, in the way of STALL: `loop` runs JavaScript until the process
 * has used STALL_SECONDS of processor time, `native` runs code that nothing interrupts, `sleep` waits for STALL_SECONDS. With STALL_AT_START a worker does so as soon as it
 * was told what to serve, which is before it serves.
 */
import cluster from 'node:cluster'
import { pbkdf2Sync } from 'node:crypto'
import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const { STALL, STALL_SECONDS = 'Infinity', STALL_AT_START } = process.env

const usedSince = (before) => {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

function standStill() {
  const seconds = Number(STALL_SECONDS)
  const before = process.cpuUsage()
  writeSync(1, 'stands still\n')
  if (STALL === 'sleep') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, seconds * 1000)
  else if (STALL === 'native') pbkdf2Sync('', '', 2 ** 31 - 1, 64, 'sha512')
  else while (usedSince(before) < seconds);
  writeSync(1, 'goes on\n')
}

if (isMainThread) process.on('SIGUSR2', standStill)
if (isMainThread && cluster.isWorker && STALL_AT_START) process.once('message', () => setImmediate(standStill))
