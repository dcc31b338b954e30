/** `pop` returns the smallest item. */
export const createHeap = <T>(compare: (a: T, b: T) => number) => {
  const items: T[] = []
  return {
    get size() {
      return items.length
    },
    peek: (): T | undefined => items[0],
    push(item: T): void {
      let i = items.length
      items.push(item)
      while (i > 0) {
        const parent = (i - 1) >> 1
        if (compare(items[parent]!, item) <= 0) break
        items[i] = items[parent]!
        i = parent
      }
      items[i] = item
    },
    pop(): T | undefined {
      const top = items[0]
      const last = items.pop()
      if (top === undefined || items.length === 0) return top
      let i = 0
      for (;;) {
        let child = 2 * i + 1
        if (child >= items.length) break
        if (child + 1 < items.length && compare(items[child + 1]!, items[child]!) < 0) child++
        if (compare(items[child]!, last!) >= 0) break
        items[i] = items[child]!
        i = child
      }
      items[i] = last!
      return top
    },
  }
}
