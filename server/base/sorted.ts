/** Items in order. `pop` returns the smallest item. */
export const createSorted = <T>(compare: (a: T, b: T) => number) => {
  /** The smallest item is the last, so that it is removed without moving the others. */
  const items: T[] = []
  return {
    push(item: T): void {
      let [start, end] = [0, items.length]
      while (start < end) {
        const middle = (start + end) >> 1
        if (compare(items[middle]!, item) > 0) start = middle + 1
        else end = middle
      }
      items.splice(start, 0, item)
    },
    pop: (): T | undefined => items.pop(),
  }
}
