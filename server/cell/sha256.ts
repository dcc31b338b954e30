import { hash } from 'node:crypto'

/** Buffer for the message of `digest`. It is large enough for the representation of any cell, which has at most 310 bytes. */
export const message: Buffer = Buffer.alloc(384)

const beginnings = Array.from({ length: message.length + 1 }, (_, length) => message.subarray(0, length))

/** SHA-256 of the first `length` bytes of `message`, as a string of one-byte characters. */
export const digest = (length: number): string => hash('sha256', beginnings[length]!, 'binary')
