/** Returns whether two byte strings are equal from bit `from` on. */
export const equalFrom = (a: Uint8Array, b: Uint8Array, from = 0): boolean => {
  if (a.length !== b.length) return false
  const first = from >>> 3
  if (first < a.length && ((a[first]! ^ b[first]!) & (0xff >>> (from & 7))) !== 0) return false
  for (let i = first + 1; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}
