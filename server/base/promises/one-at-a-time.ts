/** Returns a function that begins the work. If the work is under way, it is done once more when it has ended. The work must not reject. */
export const oneAtATime = (work: () => Promise<void>): (() => void) => {
  let isUnderWay = false
  let isDue = false
  const run = async (): Promise<void> => {
    isUnderWay = true
    while (isDue) {
      isDue = false
      await work()
    }
    isUnderWay = false
  }
  return () => {
    isDue = true
    if (!isUnderWay) void run()
  }
}
