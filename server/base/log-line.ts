/** Formats a value for a readable log line: a single word as it is, an error as its message and those of its causes, anything else as JSON. */
const shown = (value: unknown): string => {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const { message } = value as { message?: unknown }
  return JSON.stringify(typeof message === 'string' ? message : value)
}

/** Formats a JSON line of the log for people: `12:00:00.000 info  service.started url=http://127.0.0.1:8081 ms=812`. Text that is not JSON stays as it is. */
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
