/** JSON.parse that keeps the digits of integers beyond 2^53, so that two of them can be compared. Answers of one service have no such text in a string. */
export const parseExact = (text: string): unknown => JSON.parse(text.replaceAll(/([:[,])(-?\d{16,})(?=[,}\]])/g, '$1"$2n"'))
