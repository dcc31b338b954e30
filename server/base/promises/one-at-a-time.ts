/**
 * Returns a function that begins the work. If the work is under way, it is done once more when it has ended. The work must not reject, because nobody
 * handles a rejection. After one, the next call begins the work again.
 */
export const oneAtATime = (work: () => Promise<void>): (() => void) => {
  let isUnderWay = false
  let isDue = false
  const run = async (): Promise<void> => {
    isUnderWay = true
    try {
      while (isDue) {
        isDue = false
        await work()
      }
    } finally {
      isUnderWay = false
    }
  }
  return () => {
    isDue = true
    if (!isUnderWay) void run()
  }
}
