/* The send mode of a message, in words. It can decide more than the value of the message does. */

/** The fees for delivery are not taken from what the message carries. */
const PAYS_APART = 1
/** A message that cannot be sent is left out. */
const IS_LEFT_OUT = 2
/** If the message cannot be sent, the transaction bounces. */
const BOUNCES = 16
/** With `WHOLE_BALANCE`: the account is deleted if nothing is left on it. */
const DELETES = 32
/** What is left of the coins of the message that began the transaction goes with it. */
const REST_OF_MESSAGE = 64
/** Everything that the account has goes with it, whatever its value says. */
const WHOLE_BALANCE = 128
const VALID_MODES = PAYS_APART | IS_LEFT_OUT | BOUNCES | DELETES | REST_OF_MESSAGE | WHOLE_BALANCE

/** What a message carries: its value, its value and the rest of what came in, or everything. With an invalid mode no message is sent. */
export type Carried = 'value' | 'value and rest' | 'everything' | 'nothing: invalid'

export const carriedBy = (mode: number): Carried => {
  const isBoth = (mode & REST_OF_MESSAGE) !== 0 && (mode & WHOLE_BALANCE) !== 0
  if (isBoth || (mode & ~VALID_MODES) !== 0) return 'nothing: invalid'
  return mode & WHOLE_BALANCE ? 'everything' : mode & REST_OF_MESSAGE ? 'value and rest' : 'value'
}

/** Whether a message that cannot be sent is left out. Otherwise nothing that the transaction did takes effect. */
export const isLeftOut = (mode: number): boolean => (mode & IS_LEFT_OUT) !== 0

/** Whether the account that sends a message is deleted with it, if nothing else keeps coins on it. */
export const deletesSender = (mode: number): boolean => carriedBy(mode) === 'everything' && (mode & DELETES) !== 0

/** What else a valid mode decides: `send mode 3: fees for delivery are paid apart; it is left out if it cannot be sent`. */
export const modeText = (mode: number): string => {
  const carried = carriedBy(mode)
  const effects = [
    ...(carried === 'value' || carried === 'value and rest'
      ? [`fees for delivery are ${mode & PAYS_APART ? 'paid apart' : 'taken from these coins'}`]
      : []),
    ...(mode & IS_LEFT_OUT ? ['it is left out if it cannot be sent'] : []),
    ...(mode & BOUNCES ? ['the whole order bounces if it cannot be sent'] : []),
    ...(deletesSender(mode) ? ['the multisig is deleted if nothing is left on it'] : []),
  ]
  return [`send mode ${mode}`, effects.join('; ')].filter((part) => part !== '').join(': ')
}
