/** The body's text, read as it comes; undefined if it is over `limit` bytes: then it is not read on. */
export const readText = async (response: Response, limit: number): Promise<string | undefined> => {
  const reader = response.body?.getReader()
  // React Native has no streams.
  if (!reader) return response.text()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > limit) {
      reader.cancel().catch(() => {})
      return
    }
    text += decoder.decode(value, { stream: true })
  }
}
