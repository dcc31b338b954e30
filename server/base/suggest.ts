/** Names longer than this get no suggestion, because they are not typing errors. */
const LONGEST = 60

/** Edit distance from `a` to `b`: a letter added, removed or changed, or two letters swapped. Infinity if it exceeds `most`. */
const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwapped ? before[j - 2]! + 1 : changed
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, changed, swapped))
    }
    if (Math.min(...next) > most) return Number.POSITIVE_INFINITY
    before = row
    row = next
  }
  return row[b.length]! > most ? Number.POSITIVE_INFINITY : row[b.length]!
}

/** The words of names such as `getAddressBalance`, `block-time` and `v3.jetton.wallets`, lower-case. */
const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

type Spelling = ReturnType<typeof spellingOf>
const spellingOf = (name: string) => ({ name, lower: name.toLowerCase(), words: wordsOf(name) })

/** Length of the common prefix up to a separator. This prefix is not compared, so that a shared prefix does not make two names similar. */
const sharedPart = (a: string, b: string): number => {
  let end = 0
  for (let i = 0; i < a.length && a[i] === b[i]; i++) if ('./_-'.includes(a[i]!)) end = i + 1
  return end
}

/** Edit distance between a name and a candidate; Infinity if they are not similar. */
const farOf = (given: Spelling, candidate: Spelling): number => {
  const shared = sharedPart(given.lower, candidate.lower)
  const a = given.lower.slice(shared)
  const b = candidate.lower.slice(shared)
  const edits = distance(a, b, Math.max(1, Math.floor(Math.max(a.length, b.length) / 3)))
  // The candidate may have additional words: getBalance for getAddressBalance. Words of the common prefix do not count.
  const more = candidate.words.length - given.words.length
  const own = shared === 0 ? given.words.length : wordsOf(a).length
  const isPart = own > 0 && more >= 0 && more <= own && given.words.every((word) => candidate.words.includes(word))
  return Math.min(edits, isPart ? more + 0.5 : Number.POSITIVE_INFINITY)
}

export const createGuess = (names: readonly string[]): ((given: string) => string | undefined) => {
  const spellings = names.map(spellingOf)
  return (given) => {
    if (given.length > LONGEST) return undefined
    const own = spellingOf(given)
    let nearest: string | undefined
    let least = Number.POSITIVE_INFINITY
    for (const each of spellings) {
      const far = farOf(own, each)
      if (far >= least) continue
      least = far
      nearest = each.name
    }
    return nearest
  }
}

const MAX_GUESSES = 100

/** Limits a guess to MAX_GUESSES calls per second, so that a flood of unknown names costs little. Further calls return undefined. */
export const rateLimited = (guess: (given: string) => string | undefined): ((given: string) => string | undefined) => {
  let second = 0
  let count = 0
  return (given) => {
    const now = Math.floor(performance.now() / 1000)
    count = now === second ? count + 1 : 1
    second = now
    return count > MAX_GUESSES ? undefined : guess(given)
  }
}

export const asQuestion = (guess: string | undefined): string => (guess === undefined ? '' : `; did you mean ${guess}?`)

/** "did you mean" with the most similar name, to append to an error text. Empty if no name is similar. */
export const didYouMean = (given: string, names: readonly string[]): string => asQuestion(createGuess(names)(given))

/** Error text for an unknown name, with a suggestion. `kind`: what the name identifies, such as a method. */
export const suggest = (kind: string, given: string, names: readonly string[]): string =>
  `unknown ${kind} ${given}${didYouMean(given, names)}`
