/*
 * Texts of exit codes: those of the machine (0 to 14, -14) and those of the action phase (from 32). A contract may also throw any of these codes with
 * a meaning of its own.
 */

const COMPUTE: Readonly<Record<number, string>> = {
  0: 'success',
  1: 'success (alternative exit, c1)',
  2: 'stack underflow: an instruction needed more values than there were',
  3: 'stack overflow: too many values for a continuation',
  4: 'integer overflow: a result did not fit 257 bits, or a division by zero',
  5: 'range check: an integer was out of its expected range',
  6: 'invalid opcode: no instruction of this version begins with these bits',
  7: 'type check: a value was not of the expected type',
  8: 'cell overflow: more than 1023 bits or 4 references, or too deep to be stored',
  9: 'cell underflow: a slice had less than was read, or a cell could not be loaded',
  10: 'dictionary error: a malformed dictionary',
  11: 'unknown error: often a method that the contract does not have, or a message that cannot be read',
  12: 'fatal error of the machine',
  13: 'out of gas',
  14: 'a cell is not in the proof',
  [-14]: 'out of gas',
}

const ACTION: Readonly<Record<number, string>> = {
  32: 'the list of actions is malformed',
  33: 'more than 255 actions',
  34: 'an action is invalid or not supported',
  35: 'a message with an invalid source address',
  36: 'a message with an invalid destination address',
  37: 'not enough nanograms for an action',
  38: 'not enough extra currencies for an action',
  39: 'a message does not fit a cell',
  40: 'a message has too many cells, or its cells cannot be paid',
  41: 'a library was not found',
  42: 'a library could not be changed',
  43: 'a library has too many cells',
  44: 'a message with too many extra currencies',
  45: 'a message with invalid extra flags',
  46: 'libraries of this kind may not be changed',
  47: 'the messages together are too large',
  50: 'the account would be larger than allowed',
}

/** The meaning of an exit code that the machine itself sets in the compute phase; undefined for any other code. */
export const exitCodeText = (code: number): string | undefined => COMPUTE[code]

/** The meaning of a result code that the executor sets in the action phase; undefined for any other code. */
export const actionCodeText = (code: number): string | undefined => (code === 0 ? 'success' : ACTION[code])

export const codeTexts = (): { readonly compute: Readonly<Record<string, string>>; readonly action: Readonly<Record<string, string>> } => ({
  compute: COMPUTE,
  action: ACTION,
})
