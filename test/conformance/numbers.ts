/** A string, or an integer of at least 16 digits. */
const STRING_OR_LONG = /"(?:[^"\\]|\\.)*"|(?<=[:[,])(-?\d{16,})(?=[,}\]])/g

/** JSON.parse that keeps the digits of integers beyond 2^53, so that two of them can be compared. */
export const parseExact = (text: string): unknown =>
  JSON.parse(text.replaceAll(STRING_OR_LONG, (all, digits?: string) => (digits === undefined ? all : `"${digits}n"`)))
