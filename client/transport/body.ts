/** The body's text, read as a stream; undefined if it exceeds `limit` bytes. The rest is then not read. */
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
