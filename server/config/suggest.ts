/** Levenshtein distance. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

const same = (name: string): string => name

/** The question which of the known names is meant, to be put after what is wrong with the one given; empty where none is like it. */
export const didYouMean = (given: string, known: readonly string[], shown = same): string => {
  const [nearest] = known
    .map((name) => ({ name, far: distance(given.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
    .filter(({ name, far }) => far <= Math.max(2, Math.ceil(name.length / 3)))
  return nearest ? `; did you mean ${shown(nearest.name)}?` : ''
}

/** Says that a name is unknown, and which of the known ones may be meant. `kind`: what it is a name of. */
export const suggest = (kind: string, given: string, known: readonly string[], shown = same): string =>
  `unknown ${kind} ${shown(given)}${didYouMean(given, known, shown)}`
