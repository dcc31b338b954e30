import { Cell } from '@ton/core'
import type { MethodName, ParamsIn, Result } from '../../../shared/registry.ts'
import { readData } from '../data.ts'

/** Calls a method, mostly one of `local.*`. */
export type LocalCall = <M extends MethodName>(method: M, params: ParamsIn<M>) => Promise<Result<M>>

/** Code of real contracts by hash (codes/ of the test data). */
export const codeByHash = (hash: string): Cell => {
  const rows = JSON.parse(readData('codes/by-hash.json').toString()) as {
    code_hash: string
    boc: string
  }[]
  const row = rows.find(({ code_hash }) => code_hash.startsWith(hash))
  if (row === undefined) throw new Error(`no code ${hash}`)
  return Cell.fromBase64(row.boc)
}
