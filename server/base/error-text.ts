/** Message of an error. The error of a host with several addresses has no message of its own, only those of its attempts. */
export const errorText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error instanceof AggregateError && error.message === '' ? error.errors.map(errorText).join(', ') : error.message
}
