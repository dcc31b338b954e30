/** Decodes hex of even length in any case; undefined for other texts. */
export const decodeHex = (text: string): Uint8Array | undefined =>
  text.length % 2 !== 0 || /[^0-9a-f]/i.test(text) ? undefined : new Uint8Array(Buffer.from(text, 'hex'))

/** Lower-case hex. */
export const encodeHex = ({ buffer, byteOffset, length }: Uint8Array): string => Buffer.from(buffer, byteOffset, length).toString('hex')
