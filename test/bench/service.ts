import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { freePort } from '../kit/free-port.ts'
import { sleep } from '../kit/wait.ts'

/** The fields of /proc/PID/stat that follow the name of the program. */
export const statOf = (pid: number | string): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
/** Processor time of a process so far, all of its threads together, ms. The kernel counts in hundredths of a second. */
export const processorMs = (pid: number): number => {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The built service in a process of its own, as an operator runs it. */
export interface Service {
  readonly url: string
  readonly child: ChildProcess
  /** Resident memory in MB, by /proc. */
  rss(): number
  /** Processor time so far, ms. */
  cpu(): number
  rpc<T>(method: string, params?: object): Promise<T>
  /** One POST of many calls; throws on the first error in it. */
  batch(calls: readonly { readonly method: string; readonly params: object }[]): Promise<unknown[]>
  close(): Promise<void>
}

/** Starts dist/server/main.js on a free port and waits for its first answer. */
export const startService = async (env: Record<string, string> = {}): Promise<Service> => {
  // A setting of the benches is none of the service, which refuses what it does not know.
  const { TONWAY_BENCH_INDEX: _, ...inherited } = process.env
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['dist/server/main.js'], {
    env: { ...inherited, TONWAY_PORT: String(port), TONWAY_LOG: 'warn', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // Not fetch, which takes longer than most calls do.
  const agent = new Agent({ keepAlive: true })
  const post = (body: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const options = { agent, method: 'POST', headers: { 'Content-Type': 'application/json' } }
      const asked = request(`${url}/jsonRPC`, options, (response) => {
        text(response).then((answer) => resolve(JSON.parse(answer)), reject)
      })
      asked.on('error', reject)
      asked.end(JSON.stringify(body))
    })
  const rpc = async <T>(method: string, params: object = {}): Promise<T> => {
    const reply = (await post({ jsonrpc: '2.0', id: 1, method, params })) as { result: T; error?: { message: string } }
    if (reply.error) throw new Error(`${method}: ${reply.error.message}`)
    return reply.result
  }
  for (let tries = 0; ; tries++) {
    try {
      await rpc('getMasterchainInfo')
      break
    } catch (error) {
      if (tries > 400 || child.exitCode !== null) throw error
      await sleep(25)
    }
  }
  return {
    url,
    child,
    rss: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024,
    cpu: () => processorMs(child.pid!),
    rpc,
    async batch(calls) {
      const replies = (await post(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })))) as {
        result: unknown
        error?: { message: string }
      }[]
      const bad = replies.find((reply) => reply.error)
      if (bad?.error) throw new Error(bad.error.message)
      return replies.map((reply) => reply.result)
    },
    async close() {
      if (child.exitCode !== null) return
      agent.destroy()
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await exited
    },
  }
}
