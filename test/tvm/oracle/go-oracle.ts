import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { serializeBoc } from '../../../server/cell/boc.ts'
import type { Cell } from '../../../server/cell/cell.ts'

/** What the oracle answers; see go/main.go. */
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

/** The program at `path` as a child process. Requests are answered in order, so many can be under way. */
export class GoOracle {
  private readonly child: ChildProcessWithoutNullStreams
  private readonly waiting: ((answer: OracleAnswer) => void)[] = []
  private readonly configs = new Map<string, string>()

  constructor(path: string) {
    this.child = spawn(path, [], { stdio: ['pipe', 'pipe', 'inherit'] }) as unknown as ChildProcessWithoutNullStreams
    createInterface({ input: this.child.stdout }).on('line', (line) => this.waiting.shift()?.(JSON.parse(line) as OracleAnswer))
    this.child.on('exit', (code) => {
      for (const answer of this.waiting.splice(0)) answer({ error: `the oracle ended with ${code}`, exit: 0, gas: 0, steps: 0 })
    })
  }

  ask(request: Readonly<Record<string, unknown>>): Promise<OracleAnswer> {
    return new Promise((resolve) => {
      this.waiting.push(resolve)
      this.child.stdin.write(`${JSON.stringify(request)}\n`)
    })
  }

  /** The name by which requests mean a configuration; it is sent once. */
  async config(root: Cell): Promise<string> {
    const key = root.hashKey()
    let name = this.configs.get(key)
    if (name === undefined) {
      name = String(this.configs.size)
      this.configs.set(key, name)
      const { error } = await this.ask({ op: 'config', config: name, boc: base64(root) })
      if (error !== undefined) throw new Error(`the oracle refuses a configuration: ${error}`)
    }
    return name
  }

  close(): void {
    this.child.stdin.end()
  }
}
