/* The send mode of a message, in words. The mode can replace the message's value. */

/** Flag: the sender pays the delivery fees separately. They are not deducted from the message's value. */
const PAYS_APART = 1
/** Flag: a message that cannot be sent is skipped. */
const IS_LEFT_OUT = 2
/** Flag: if the message cannot be sent, the transaction bounces. */
const BOUNCES = 16
/** Flag: with `WHOLE_BALANCE`, the account is deleted if its balance becomes zero. */
const DELETES = 32
/** Flag: the message also carries the remaining value of the inbound message. */
const REST_OF_MESSAGE = 64
/** Flag: the message carries the whole balance of the account, regardless of its value. */
const WHOLE_BALANCE = 128
const VALID_MODES = PAYS_APART | IS_LEFT_OUT | BOUNCES | DELETES | REST_OF_MESSAGE | WHOLE_BALANCE

/** The coins of a message: its value, its value and the rest of the inbound message's value, or everything. With an invalid mode no message is sent. */
export type Carried = 'value' | 'value and rest' | 'everything' | 'nothing: invalid'

export const carriedBy = (mode: number): Carried => {
  const isBoth = (mode & REST_OF_MESSAGE) !== 0 && (mode & WHOLE_BALANCE) !== 0
  if (isBoth || (mode & ~VALID_MODES) !== 0) return 'nothing: invalid'
  return mode & WHOLE_BALANCE ? 'everything' : mode & REST_OF_MESSAGE ? 'value and rest' : 'value'
}

/** True if a message that cannot be sent is skipped. Without this flag, such a message undoes everything that the transaction did. */
export const isLeftOut = (mode: number): boolean => (mode & IS_LEFT_OUT) !== 0

/** True if sending the message deletes the sender's account, provided that no coins remain on it. */
export const deletesSender = (mode: number): boolean => carriedBy(mode) === 'everything' && (mode & DELETES) !== 0

/** The effects of a valid mode, apart from the coins: `send mode 3: fees for delivery are paid apart; it is left out if it cannot be sent`. */
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
