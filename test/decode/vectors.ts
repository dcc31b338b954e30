import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseBocRoot } from '../../server/cell/boc.ts'
import type { Cell } from '../../server/cell/cell.ts'
import { projectFolder } from '../kit/project.ts'

/** A body and what an independent decoder shows of it; null where it shows nothing. */
export interface Vector {
  readonly body: string
  readonly decoded: Record<string, unknown> | null
}

/** The vectors of a file in test/data/decode. */
export const vectors = (name: string): Vector[] =>
  gunzipSync(readFileSync(join(projectFolder, `test/data/decode/${name}.jsonl.gz`)))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Vector)

/** The body of a vector. */
export const bodyOf = ({ body }: Vector): Cell => parseBocRoot(Buffer.from(body, 'base64'))
