/** The opcode is unknown: what FunC and Tolk throw in nearly all contracts. */
const UNKNOWN_OPCODE = 65535

/** The meaning of an exit code that a contract chose itself. */
export const ownCodeText = (code: number): string =>
  code === UNKNOWN_OPCODE ? 'the contract most likely does not know this opcode' : 'a code of the contract'
