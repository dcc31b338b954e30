import { endSteps } from '../../../server/base/yield.ts'
import type { Connection } from '../../../server/store/postgres/connection.ts'
import { copySteps } from '../../../server/store/postgres/script.ts'

/** The messages of a script's COPYs. Each table is lines of COPY's text format. */
export const messagesOf = (...tables: readonly (readonly string[])[]): readonly Uint8Array[] =>
  endSteps(copySteps(tables.map((lines) => [Buffer.from(lines.map((line) => `${line}\n`).join(''))])))

/** Writes lines of COPY's text format into `target`, a table with its columns. */
export const copyLines = (connection: Connection, target: string, lines: readonly string[]): Promise<void> =>
  connection.script(`copy ${target} from stdin`, messagesOf(lines))
