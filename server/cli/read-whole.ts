const MAX_SEQNO = 2 ** 31 - 1

/** Parses a flag: a seqno or a number of blocks. Adds errors to `problems`. */
export const readWhole = (flag: string, text: string | undefined, problems: string[], what = 'a seqno, '): number | undefined => {
  if (text === undefined) return undefined
  const seqno = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (seqno < 1 || seqno > MAX_SEQNO)
    problems.push(`--${flag}=${JSON.stringify(text)} must be ${what}a whole number from 1 to ${MAX_SEQNO}`)
  return seqno
}
