import { createStore } from './store.ts'

/** True if the service has refused a request that another API key could allow. */
export const isKeyNeeded = createStore(false)
