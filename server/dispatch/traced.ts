import { ERRORS } from '../../shared/errors.ts'
import { traced } from '../base/tracing/tracer.ts'
import type { Dispatch } from './types.ts'

export const tracedDispatch =
  (dispatch: Dispatch, network: string, isMethod: (method: string) => boolean): Dispatch =>
  (name, raw, call, source) => {
    // Callers can invent any number of unknown names, so these are not used as span names.
    const method = isMethod(name) ? name : '_OTHER'
    const attributes = {
      'rpc.system.name': 'jsonrpc',
      'rpc.method': method,
      'rpc.method_original': method === name ? undefined : name.slice(0, 100),
      'jsonrpc.protocol.version': '2.0',
      'tonway.network': network,
      'tonway.request_id': call.requestId,
    }
    return traced({ name: method, kind: 'request', attributes }, async (span) => {
      const outcome = await dispatch(name, raw, call, source)
      if (outcome.ok) return outcome
      const { kind } = outcome.error
      span.set({ 'rpc.response.status_code': String(ERRORS[kind].rpc), 'error.type': kind })
      // Errors of the caller (status below 500) do not mark the span as failed.
      if (ERRORS[kind].http >= 500) span.fail(kind)
      return outcome
    })
  }
