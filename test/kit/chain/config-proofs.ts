import type { Cell } from '../../../server/cell/cell.ts'
import { dictGet } from '../../../server/cell/dict.ts'
import type { LiteAnswer } from '../../../server/chain/liteserver.ts'
import { keyBlockConfig } from '../../../server/chain/proofs/config.ts'
import { proving } from '../../../server/chain/proofs/error.ts'
import { checkHeader, type ProvenBlock } from '../../../server/chain/proofs/header.ts'

const WHAT = 'configuration'

/** Checks an answer made with FROM_KEY_BLOCK. That the key block belongs to the chain is not checked here. */
export const checkKeyBlockConfig = (answer: LiteAnswer<'getConfigAll'>): { readonly root: Cell; readonly header: ProvenBlock } =>
  proving(WHAT, () => {
    const header = checkHeader(answer.configProof, answer.id)
    return { root: keyBlockConfig(header), header }
  })

/** Cell of one parameter of a configuration; undefined if it is not set. Throws if that part of the proof is pruned. */
export const configParamIn = (root: Cell, param: number): Cell | undefined =>
  proving(WHAT, () => dictGet(root, 32, BigInt.asUintN(32, BigInt(param)))?.loadRef())
