import { type ChildProcess, spawn } from 'node:child_process'
import type { ServerUser } from './server-user.ts'

export const environment = { LC_ALL: 'C', PATH: process.env.PATH ?? '/usr/bin:/bin', TZ: 'UTC' }

/*
 * The shell stops the server when standard input closes, which happens when this process ends for any reason. A shell starts background processes with
 * SIGINT and SIGQUIT ignored, so signals are lost until PostgreSQL has set its handlers. The shell therefore repeats the signal until the server has ended.
 * A server that is already stopping ignores further signals.
 */
const WATCH = `exec 3<&0; "$@" 3<&- & pid=$!
(read -r _ <&3; while kill -$STOP $pid && sleep 0.1; do :; done) 2>/dev/null & watch=$!
wait $pid; code=$?; kill $watch 2>/dev/null; exit $code`

/** `stop`: the signal that stops the server. `log`: file descriptor for the server's output. */
export interface Watched {
  readonly cwd: string
  readonly stop: 'INT' | 'QUIT'
  readonly log: number | 'ignore'
  readonly user: ServerUser | undefined
}

/**
 * Starts a server under a shell that stops the server when the shell's standard input closes. `detached`, so that Ctrl-C in a terminal reaches only this
 * process.
 */
export const spawnWatched = (program: string, args: readonly string[], { cwd, stop, log, user }: Watched): ChildProcess => {
  const child = spawn('/bin/sh', ['-c', WATCH, 'sh', program, ...args], {
    cwd,
    stdio: ['pipe', log, log],
    detached: true,
    env: { ...environment, STOP: stop },
    ...(user && { uid: user.uid, gid: user.gid }),
  })
  child.stdin?.on('error', () => {})
  return child
}
