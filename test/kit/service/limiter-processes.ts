import { spawn } from 'node:child_process'
import { buildChild } from '../child-program.ts'

/** The result of one process: when each passed call was asked and answered, in unix milliseconds, and the number of refused calls. */
export interface Offered {
  readonly passed: readonly (readonly [asked: number, answered: number])[]
  readonly refused: number
}

export interface Offer {
  readonly url: string
  readonly bucket: string
  readonly limit: number
  /** Rate of each process. */
  readonly callsPerSecond: number
  readonly milliseconds: number
}

/** Runs several processes that offer calls to one limit in Redis at the same time. */
export const offerFrom = async (processes: number, { url, bucket, limit, callsPerSecond, milliseconds }: Offer): Promise<Offered[]> => {
  const program = await buildChild('test/kit/service/limiter-child.ts')
  try {
    const args = [url, bucket, limit, callsPerSecond, milliseconds].map(String)
    const children = Array.from({ length: processes }, () => {
      const child = spawn(process.execPath, [program.file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
      let text = ''
      const ready = new Promise<void>((resolve, reject) => {
        child.once('exit', () => reject(new Error(`a process ended early: ${text}`)))
        child.stdout.on('data', (chunk) => {
          text += chunk
          if (text.startsWith('ready\n')) resolve()
        })
      })
      const ended = new Promise<Offered>((resolve, reject) => {
        child.once('close', () => {
          try {
            resolve(JSON.parse(text.slice('ready\n'.length)) as Offered)
          } catch (cause) {
            reject(new Error(`a process said ${text}`, { cause }))
          }
        })
      })
      ended.catch(() => {})
      return { child, ready, ended }
    })
    await Promise.all(children.map(({ ready }) => ready))
    for (const { child } of children) child.stdin.end('go\n')
    return await Promise.all(children.map(({ ended }) => ended))
  } finally {
    program.remove()
  }
}
