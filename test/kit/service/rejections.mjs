/* Loaded into a service by NODE_OPTIONS: says on standard error, whatever the level of its log, that a rejection was handled by nobody. */
import { writeSync } from 'node:fs'

/** A command without a handler of its own is ended by node, so this one must not be the first. */
const follow = (event) => {
  if (event !== 'unhandledRejection') return
  process.off('newListener', follow)
  process.on('unhandledRejection', (reason) => writeSync(2, `UNHANDLED REJECTION ${reason?.stack ?? reason}\n`))
}
process.on('newListener', follow)
