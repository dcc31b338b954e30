// Calls to the service, in the forms that the comparison needs.

/** A strict JSON-RPC call; its result, or an error with the refusal's text. */
export const rpc = async (url, method, params) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await (await fetch(`${url}/jsonRPC`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })).json()
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
  return answer.result
}

/** A call of v2 by its REST path; its result. */
export const v2 = async (url, method, params) => {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(params) }
  const answer = await (await fetch(`${url}/api/v2/${method}`, init)).json()
  if (!answer.ok) throw new Error(`${method}: ${answer.error}`)
  return answer.result
}
