import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { serializeBoc } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'

/** What the oracle answers; README.md has the protocol. */
export interface OracleAnswer {
  readonly error?: string
  readonly exit: number
  readonly gas: number
  readonly steps: number
  readonly stack?: string
  readonly c4?: string
  readonly c5?: string
  readonly accepted?: boolean
  /** BoC in base64. */
  readonly transaction?: string
}

export const base64 = (cell: Cell): string => Buffer.from(serializeBoc(cell, { crc32c: false })).toString('base64')

/** Most memory of the program, KiB. A program that loops after ACCEPT takes more and more, and no step limit stops the oracle. */
const MEMORY_KIB = 4_000_000
/** The longest time without any answer, ms. After it the program is ended. */
const PATIENCE_MS = 60_000
const ENDED = 'the oracle ended'

/**
 * The program at `path` as a child process. Requests are answered in order, so many can be under way. A process that dies, or answers nothing for a
 * minute, is replaced; what was under way is answered with an error.
 */
export class GoOracle {
  private readonly path: string
  private child: ChildProcessWithoutNullStreams
  private waiting: ((answer: OracleAnswer) => void)[] = []
  private readonly configs = new Map<string, string>()
  private named = 0
  private timer: NodeJS.Timeout | undefined
  private closed = false

  constructor(path: string) {
    this.path = path
    this.child = this.start()
  }

  private start(): ChildProcessWithoutNullStreams {
    const limited = ['-c', `ulimit -v ${MEMORY_KIB}; exec "$0"`, this.path]
    const child = spawn('sh', limited, { stdio: ['pipe', 'pipe', 'ignore'] }) as unknown as ChildProcessWithoutNullStreams
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.watch()
      this.waiting.shift()?.(JSON.parse(line) as OracleAnswer)
    })
    // Writing to a process that has just died is no failure of this one.
    child.stdin.on('error', () => {})
    child.on('exit', (code) => {
      clearTimeout(this.timer)
      const lost = this.waiting
      this.waiting = []
      this.configs.clear()
      if (!this.closed) this.child = this.start()
      for (const answer of lost) answer({ error: `${ENDED} with ${code}`, exit: 0, gas: 0, steps: 0 })
    })
    return child
  }

  private watch(): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.waiting.length > 0 && this.child.kill('SIGKILL'), PATIENCE_MS).unref()
  }

  ask(request: Readonly<Record<string, unknown>>): Promise<OracleAnswer> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) this.watch()
      this.child.stdin.write(`${JSON.stringify(request)}\n`)
    })
  }

  /** The name by which requests mean a configuration; it is sent once to each process. */
  async config(root: Cell): Promise<string> {
    const key = root.hashKey()
    let name = this.configs.get(key)
    if (name === undefined) {
      // Names are never used again: a new process must not take one for another configuration.
      name = String(this.named++)
      this.configs.set(key, name)
      const { error } = await this.ask({ op: 'config', config: name, boc: base64(root) })
      if (error !== undefined && !error.startsWith(ENDED)) throw new Error(`the oracle refuses a configuration: ${error}`)
    }
    return name
  }

  close(): void {
    this.closed = true
    this.child.stdin.end()
  }
}
