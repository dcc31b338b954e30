/** A value in a readable log line: a single word as it is, other values as JSON, an error as its message and those of its causes. */
const shown = (value: unknown): string => {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const { message } = value as { message?: unknown }
  return JSON.stringify(typeof message === 'string' ? message : value)
}

/** `12:00:00.000 info  service.started url=http://127.0.0.1:8081 ms=812`: formats a JSON line of the log for people; other text is left as it is. */
export const readableLine = (line: string): string => {
  let event: Readonly<Record<string, unknown>>
  try {
    event = JSON.parse(line)
  } catch {
    return line
  }
  const { level, time, event: name, ...fields } = event
  const members = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`)
  return `${[String(time).slice(11, 23), String(level).padEnd(5), name, ...members].join(' ')}\n`
}
