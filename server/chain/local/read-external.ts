import { parseBoc } from '../../cell/boc.ts'
import { type Cell, CellError } from '../../cell/cell.ts'
import { MASTERCHAIN } from '../../tlb/ids.ts'
import type { Message } from '../../tlb/message/message.ts'
import { loadMessage } from '../../tlb/message/message.ts'
import { LiteServerError } from '../liteserver.ts'
import type { ExternalInput } from './model.ts'

/* Checks an external message before its run, with the same error texts as ExtMessageQ::create_ext_message of validator/impl/external-message.cpp. */

/** max_ext_msg_size of configuration parameter 43. */
const MAX_BYTES = 65_535
/** max_ext_msg_depth of configuration parameter 43. */
const MAX_DEPTH = 512

/** The error of a refused message, with the prefix of LiteServer::perform_sendMessage. */
export const cannotApply = (reason: string): LiteServerError => {
  const prefix = 'cannot apply external message to current state : '
  return new LiteServerError(0, reason.startsWith(prefix) ? reason : `${prefix}${reason}`)
}

const rootOf = (boc: Uint8Array): Cell => {
  if (boc.length > MAX_BYTES) throw cannotApply('external message too large, rejecting')
  let roots: Cell[]
  try {
    roots = parseBoc(boc)
  } catch (error) {
    if (error instanceof CellError) throw cannotApply(error.message)
    throw error
  }
  const [root] = roots
  if (root === undefined || roots.length !== 1) throw cannotApply('external message is not a valid bag of cells')
  if (root.level !== 0) throw cannotApply('external message must have zero level')
  if (root.depth() >= MAX_DEPTH) throw cannotApply('external message is too deep')
  return root
}

const messageOf = (root: Cell): Message => {
  try {
    if (root.slice().loadUint(2) === 2) return loadMessage(root)
  } catch (error) {
    if (error instanceof CellError) throw cannotApply('external message is not a (Message Any) according to automated checks')
    throw error
  }
  throw cannotApply('external message must begin with ext_in_msg_info$10')
}

/** Throws LiteServerError with TON's text. */
export const readExternal = (boc: Uint8Array): ExternalInput => {
  const root = rootOf(boc)
  const { info } = messageOf(root)
  if (info.type !== 'external-in') throw cannotApply('external message must begin with ext_in_msg_info$10')
  if (info.dest.type !== 'std') throw cannotApply("Can't parse destination address")
  const { workchain, hash } = info.dest
  if (workchain !== 0 && workchain !== MASTERCHAIN) {
    throw cannotApply('destination of an inbound external message is an invalid blockchain address')
  }
  return { message: root, dest: { workchain, hash } }
}
